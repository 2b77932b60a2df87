/*
 * The limit lets a few lines of each key through per window and counts the others.
 */
#include "os/log_limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

static Instant at_ms(int64_t milliseconds)
{
    return (Instant){.us = milliseconds * 1000};
}

static bool admit(LogLimit *limit, const char *key, int64_t milliseconds)
{
    int64_t left_out = -1;
    return log_limit_admit(limit, key, at_ms(milliseconds), &left_out);
}

static void a_window_lets_some_through(void **state)
{
    (void)state;
    LogLimit limit;
    log_limit_init(&limit);
    int64_t left_out = -1;
    for (int i = 0; i < LOG_LIMIT_LINES_MAX; i++) {
        assert_true(log_limit_admit(&limit, "a", at_ms(5), &left_out));
        assert_int_equal(left_out, 0);
    }
    for (int i = 0; i < 7; i++) {
        assert_false(admit(&limit, "a", 5 + LOG_LIMIT_WINDOW_MS - 1));
    }
    assert_true(log_limit_admit(&limit, "a", at_ms(5 + LOG_LIMIT_WINDOW_MS), &left_out));
    assert_int_equal(left_out, 7);
    assert_true(log_limit_admit(&limit, "a", at_ms(5 + LOG_LIMIT_WINDOW_MS), &left_out));
    assert_int_equal(left_out, 0);
}

static void keys_are_apart_and_compared_by_text(void **state)
{
    (void)state;
    LogLimit limit;
    log_limit_init(&limit);
    const char copy[] = "a";
    for (int i = 0; i < LOG_LIMIT_LINES_MAX; i++) {
        assert_true(admit(&limit, "a", 0));
    }
    assert_false(admit(&limit, copy, 0));
    assert_true(admit(&limit, "b", 0));
}

static void too_many_keys_share_a_place(void **state)
{
    (void)state;
    LogLimit limit;
    log_limit_init(&limit);
    char keys[1000][8];
    int admitted = 0;
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(keys[i], sizeof keys[i], "%d", i);
        admitted += admit(&limit, keys[i], 0);
    }
    assert_int_equal(admitted, LOG_LIMIT_KEYS_MAX - 1 + LOG_LIMIT_LINES_MAX);
    assert_true(admit(&limit, "0", 0));
    assert_false(admit(&limit, "999", 0));
    int64_t left_out = 0;
    assert_true(log_limit_admit(&limit, "new", at_ms(LOG_LIMIT_WINDOW_MS), &left_out));
    assert_int_equal(left_out, 1000 - admitted + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_lets_some_through),
        cmocka_unit_test(keys_are_apart_and_compared_by_text),
        cmocka_unit_test(too_many_keys_share_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
