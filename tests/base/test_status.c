/*
 * Status: success, formatted failures, and messages that are too long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void test_success_says_nothing(void **state)
{
    (void)state;
    const Status status = status_ok();
    assert_true(status_is_ok(&status));
    assert_int_equal(status.code, STATUS_OK);
    assert_string_equal(status.message, "");
}

static void test_failure_is_formatted(void **state)
{
    (void)state;
    const Status status = status_error(STATUS_NOT_FOUND, "%s:%d: expected a port", "x.toml", 7);
    assert_false(status_is_ok(&status));
    assert_int_equal(status.code, STATUS_NOT_FOUND);
    assert_string_equal(status.message, "x.toml:7: expected a port");
}

static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char text[2 * STATUS_MESSAGE_BYTES_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const Status status = status_error(STATUS_IO, "%s", text);
    assert_int_equal(strlen(status.message), STATUS_MESSAGE_BYTES_MAX - 1);
    assert_memory_equal(status.message, text, STATUS_MESSAGE_BYTES_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_success_says_nothing),
        cmocka_unit_test(test_failure_is_formatted),
        cmocka_unit_test(test_long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
