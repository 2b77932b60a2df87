/*
 * The clock moves forward, sleeps last as long as asked, poll timeouts are rounded up.
 */
#include "os/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>

static void the_clock_never_goes_back(void **state)
{
    (void)state;
    Instant last = clock_now();
    for (int i = 0; i < 10000; i++) {
        const Instant now = clock_now();
        assert_false(instant_is_before(now, last));
        last = now;
    }
}

static void a_sleep_lasts_as_long_as_asked(void **state)
{
    (void)state;
    const Instant start = clock_now();
    clock_sleep(duration_ms(20));
    const Duration slept = instant_since(clock_now(), start);
    assert_true(slept.us >= 20000);
    assert_true(slept.us < 5000000);
    clock_sleep(duration_ms(-1));
    clock_sleep(duration_ms(0));
}

static void the_threads_time_stands_while_it_sleeps(void **state)
{
    (void)state;
    const Duration start = clock_thread_time();
    clock_sleep(duration_ms(50));
    assert_true(clock_thread_time().us - start.us < 40000);
    while (clock_thread_time().us - start.us < 50000) {
        /* Only work brings it on. */
    }
}

static void timeouts_are_rounded_up(void **state)
{
    (void)state;
    const Instant now = {.us = 5000};
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = 5000}), 0);
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = 4000}), 0);
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = 5001}), 1);
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = 6000}), 1);
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = 6001}), 2);
    assert_int_equal(clock_poll_timeout_ms(now, (Instant){.us = INT64_MAX}), INT_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(a_sleep_lasts_as_long_as_asked),
        cmocka_unit_test(the_threads_time_stands_while_it_sleeps),
        cmocka_unit_test(timeouts_are_rounded_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
