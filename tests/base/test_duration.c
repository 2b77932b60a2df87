/*
 * Instants and durations: conversion, distance and order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/duration.h"

static void test_milliseconds_round_towards_zero(void **state)
{
    (void)state;
    assert_int_equal(duration_ms(3).us, 3000);
    assert_int_equal(duration_to_ms(duration_us(2999)), 2);
    assert_int_equal(duration_to_ms(duration_us(-2999)), -2);
    assert_int_equal(duration_to_ms(duration_ms(-5)), -5);
}

static void test_distance_is_signed(void **state)
{
    (void)state;
    const Instant earlier = {.us = 1000};
    const Instant later = instant_add(earlier, duration_ms(2));
    assert_int_equal(later.us, 3000);
    assert_int_equal(instant_since(later, earlier).us, 2000);
    assert_int_equal(instant_since(earlier, later).us, -2000);
    assert_int_equal(instant_add(later, duration_us(-2000)).us, earlier.us);
}

static void test_order(void **state)
{
    (void)state;
    const Instant earlier = {.us = -1};
    const Instant later = {.us = 0};
    assert_true(instant_is_before(earlier, later));
    assert_false(instant_is_before(later, earlier));
    assert_false(instant_is_before(later, later));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_milliseconds_round_towards_zero),
        cmocka_unit_test(test_distance_is_signed),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
