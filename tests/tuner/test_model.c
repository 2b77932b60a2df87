/*
 * The tuner's model is the evaluation without its roundings, and its derivative is right.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/given.h"
#include "tools/tuner/model.h"

enum { RANDOM_POSITIONS = 400, RANDOM_PLIES_MAX = 160 };

static ModelWeights weights;
static ModelFeature features[MODEL_FEATURES_MAX];

/* Endings with scales and mop-up of their own, and kings under attack. */
static const char *const special_positions[] = {
    "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
    "8/8/8/3k4/8/8/8/R3K3 b - - 60 90",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    "8/2b5/4k3/3p4/3P4/4K3/2P3B1/8 w - - 0 1",
    "7k/8/8/8/7P/6K1/8/2B5 w - - 0 1",
    "8/8/8/3k4/8/8/8/BN2K3 w - - 0 1",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
    "8/5k2/5p2/5P2/5K2/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/5PP1/5P1P/R5K1 w - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
};

static double score_with(const ModelWeights *given, const ModelPosition *position)
{
    return model_score(given, position, features);
}

static void expect_equal_to_evaluation(const Position *position)
{
    ModelPosition reduced;
    int score;
    (void)model_reduce(position, &reduced, features, &score);
    const int sign = position_side(position) == WHITE ? 1 : -1;
    assert_int_equal(score, sign * eval_position(position, NULL));
    assert_true(fabs(score_with(&weights, &reduced) - score) <= MODEL_ROUNDING_MAX);
}

static void test_model_is_the_evaluation(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 2);
    for (size_t i = 0; i < sizeof special_positions / sizeof special_positions[0]; i++) {
        const Position position = given_position(special_positions[i]);
        expect_equal_to_evaluation(&position);
    }
    for (int i = 0; i < RANDOM_POSITIONS; i++) {
        const Position position = given_random_position(&prng, RANDOM_PLIES_MAX);
        expect_equal_to_evaluation(&position);
    }
}

/* Moves every weight off its whole number, so that no attack units stand right at their bounds. */
static void shift_weights(void)
{
    Prng prng;
    prng_init(&prng, 4);
    for (int i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        weights.pairs[i].mg += 0.1 + (double)prng_below(&prng, 1000) / 1e4;
        weights.pairs[i].eg += 0.1 + (double)prng_below(&prng, 1000) / 1e4;
    }
}

/* The derivative by one value, from the score on both sides of it. */
static double finite_difference(double *value, const ModelPosition *position)
{
    const double step = 1e-3;
    const double middle = *value;
    *value = middle + step;
    const double above = score_with(&weights, position);
    *value = middle - step;
    const double below = score_with(&weights, position);
    *value = middle;
    return (above - below) / (2 * step);
}

static void expect_right_gradient(const Position *position)
{
    static ModelWeights gradient;
    ModelPosition reduced;
    int score;
    const double slope = 0.5;
    (void)model_reduce(position, &reduced, features, &score);
    gradient = (ModelWeights){0};
    model_add_gradient(&weights, &reduced, features, slope, &gradient);
    for (int i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        ModelPair *pair = &weights.pairs[i];
        const double mg = slope * finite_difference(&pair->mg, &reduced);
        const double eg = slope * finite_difference(&pair->eg, &reduced);
        assert_true(fabs(gradient.pairs[i].mg - mg) < 1e-4);
        assert_true(fabs(gradient.pairs[i].eg - eg) < 1e-4);
    }
}

static void test_gradient_agrees_with_differences(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 3);
    shift_weights();
    for (size_t i = 0; i < sizeof special_positions / sizeof special_positions[0]; i++) {
        const Position position = given_position(special_positions[i]);
        expect_right_gradient(&position);
    }
    for (int i = 0; i < RANDOM_POSITIONS / 4; i++) {
        const Position position = given_random_position(&prng, RANDOM_PLIES_MAX);
        expect_right_gradient(&position);
    }
    model_start_weights(&weights);
}

static void test_rounding_mirrors_the_squares(void **state)
{
    (void)state;
    EvalWeights rounded;
    ModelWeights changed = weights;
    const size_t a2 = offsetof(EvalWeights, piece_square[KNIGHT][48]) / sizeof(Weight);
    changed.pairs[a2] = (ModelPair){-7.6, 3.4};
    changed.pairs[a2 + 7] = (ModelPair){99, 99};
    model_round(&changed, &rounded);
    assert_int_equal(rounded.piece_square[KNIGHT][48].mg, -8);
    assert_int_equal(rounded.piece_square[KNIGHT][48].eg, 3);
    assert_int_equal(rounded.piece_square[KNIGHT][55].mg, -8);
    assert_int_equal(rounded.piece_square[KNIGHT][55].eg, 3);
    assert_int_equal(rounded.bishop_pair.eg, eval_weights.bishop_pair.eg);
}

int main(void)
{
    given_tables();
    model_start_weights(&weights);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_is_the_evaluation),
        cmocka_unit_test(test_gradient_agrees_with_differences),
        cmocka_unit_test(test_rounding_mirrors_the_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
