/*
 * Correction: what searches find moves the evaluation of like positions, within limits, and of no
 * others.
 */
#include "worker/search/correction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/given.h"

enum { CORRECTION_MAX = 128 }; /* cp */

static const char kings_and_pawns[] = "4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1";

static Correction *new_correction(void)
{
    Correction *correction = calloc(1, sizeof *correction);
    assert_non_null(correction);
    return correction;
}

static void learn_often(Correction *correction, const Position *position, int difference)
{
    for (int i = 0; i < 1000; i++) {
        correction_learn(correction, position, difference, 10);
    }
}

static void test_it_moves_towards_what_was_found(void **state)
{
    (void)state;
    Correction *correction = new_correction();
    const Position position = given_position(kings_and_pawns);
    assert_int_equal(correction_of(correction, &position), 0);
    correction_learn(correction, &position, 40, 8);
    const int once = correction_of(correction, &position);
    assert_in_range(once, 1, 40);
    correction_learn(correction, &position, 40, 8);
    assert_true(correction_of(correction, &position) > once);
    learn_often(correction, &position, -40);
    assert_true(correction_of(correction, &position) < 0);
    correction_clear(correction);
    assert_int_equal(correction_of(correction, &position), 0);
    free(correction);
}

static void test_deep_searches_weigh_more(void **state)
{
    (void)state;
    Correction *shallow = new_correction();
    Correction *deep = new_correction();
    const Position position = given_position(kings_and_pawns);
    correction_learn(shallow, &position, 40, 2);
    correction_learn(deep, &position, 40, 12);
    assert_true(correction_of(deep, &position) > correction_of(shallow, &position));
    free(shallow);
    free(deep);
}

static void test_it_has_limits(void **state)
{
    (void)state;
    Correction *correction = new_correction();
    const Position position = given_position(kings_and_pawns);
    learn_often(correction, &position, SCORE_EVAL_MAX);
    assert_in_range(correction_of(correction, &position), CORRECTION_MAX / 2, CORRECTION_MAX);
    learn_often(correction, &position, -2 * SCORE_EVAL_MAX);
    assert_in_range(-correction_of(correction, &position), CORRECTION_MAX / 2, CORRECTION_MAX);
    free(correction);
}

/* Shared pawns or pieces carry over; the other side to move, or nothing in common, do not. */
static void test_it_is_of_parts_of_the_position(void **state)
{
    (void)state;
    Correction *correction = new_correction();
    const Position learned = given_position(kings_and_pawns);
    learn_often(correction, &learned, 60);
    const int whole = correction_of(correction, &learned);
    const Position same_pawns = given_position("r3k3/pp6/8/8/8/8/PPP5/4K2R w - - 0 1");
    const Position same_pieces = given_position("4k3/p7/8/8/8/8/2P5/4K3 w - - 0 1");
    const Position other_side = given_position("4k3/pp6/8/8/8/8/PPP5/4K3 b - - 0 1");
    const Position nothing = given_position("r3k3/p7/8/8/8/8/2P5/4K2R w - - 0 1");
    assert_in_range(correction_of(correction, &same_pawns), 1, whole - 1);
    assert_in_range(correction_of(correction, &same_pieces), 1, whole - 1);
    assert_int_equal(correction_of(correction, &other_side), 0);
    assert_int_equal(correction_of(correction, &nothing), 0);
    free(correction);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_moves_towards_what_was_found),
        cmocka_unit_test(test_deep_searches_weigh_more),
        cmocka_unit_test(test_it_has_limits),
        cmocka_unit_test(test_it_is_of_parts_of_the_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
