/*
 * Closed standard descriptors are filled, and the limit of descriptors goes up, never down.
 */
#include "os/descriptors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static void closed_standard_descriptors_are_filled(void **state)
{
    (void)state;
    const int saved_input = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    const Status status = descriptors_open_standard();
    assert_true(status_is_ok(&status));
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    char byte;
    assert_int_equal(read(STDIN_FILENO, &byte, 1), 0);
    if (saved_input >= 0) {
        assert_int_equal(dup2(saved_input, STDIN_FILENO), STDIN_FILENO);
        (void)close(saved_input);
    }
    const int next = dup(STDERR_FILENO);
    assert_true(next > STDERR_FILENO);
    (void)close(next);
}

static void the_limit_goes_up_only(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit low = {.rlim_cur = 64, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    assert_int_equal(descriptors_raise_limit(32), 64);
    assert_int_equal(descriptors_raise_limit(128), 128);
    assert_int_equal(descriptors_raise_limit(100), 128);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(descriptors_raise_limit(DESCRIPTORS_WANTED) >= 128);
}

/* Root may raise the hard limit; others get as near as it lets them. */
static void a_hard_limit_is_respected(void **state)
{
    (void)state;
    const struct rlimit low = {.rlim_cur = 64, .rlim_max = 256};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    const int limit = descriptors_raise_limit(300);
    assert_true(limit == 256 || limit == 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_standard_descriptors_are_filled),
        cmocka_unit_test(the_limit_goes_up_only),
        cmocka_unit_test(a_hard_limit_is_respected), /* lowers the hard limit: the last one */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
