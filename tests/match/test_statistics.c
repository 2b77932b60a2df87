/*
 * The statistics of matches: figures that can be computed by hand, a long match computed by an
 * independent program, and the edges where formulas have no answer.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/match/statistics.h"

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9f is not within %g of %.9f", value, tolerance, expected);
    }
}

static void test_elo_scale(void **state)
{
    (void)state;
    expect_near(statistics_elo(0.5), 0, 1e-12);
    expect_near(statistics_elo(0.75), 400 * log10(3), 1e-9);
    expect_near(statistics_elo(10.0 / 11), 400, 1e-9);
    expect_near(statistics_score(400), 10.0 / 11, 1e-12);
    expect_near(statistics_elo(statistics_score(-123.4)), -123.4, 1e-9);
    assert_true(isinf(statistics_elo(0)) && statistics_elo(0) < 0);
    assert_true(isinf(statistics_elo(1)) && statistics_elo(1) > 0);
}

/* Mean 1/2, variance (2 * 1/4 + 4 * 1/16) / 10 = 0.075, deviation of the mean sqrt(0.0075). */
static void test_even_match(void **state)
{
    (void)state;
    const Samples samples = {.counts = {1, 2, 4, 2, 1}, .games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    assert_int_equal(estimate.count, 10);
    assert_true(estimate.has_error);
    expect_near(estimate.score, 0.5, 1e-12);
    expect_near(estimate.elo, 0, 1e-9);
    expect_near(estimate.elo_error, statistics_elo(0.5 + 1.959964 * sqrt(0.0075)), 1e-6);
    expect_near(estimate.elo_low, -estimate.elo_high, 1e-9);
    expect_near(estimate.los, 0.5, 1e-12);
    expect_near(estimate.nelo, 0, 1e-9);
    expect_near(statistics_llr(&samples, -5, 5), 0, 1e-9);
}

/* Two standard deviations above even: mean 3/4, variance (9/16 + 2/16 + 5/16) / 8 = 1/8. */
static void test_lopsided_match(void **state)
{
    (void)state;
    const Samples samples = {.counts = {1, 0, 2, 0, 5}, .games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    expect_near(estimate.score, 0.75, 1e-12);
    expect_near(estimate.elo, 190.848502, 1e-5);
    expect_near(estimate.los, 0.977250, 1e-6);
    expect_near(estimate.nelo, 800 / log(10) / 2, 1e-9);
    expect_near(estimate.nelo_error, 800 / log(10) * 1.959964 / 4, 1e-9);
    expect_near(estimate.elo_low, 3.477599, 1e-5);
    expect_near(estimate.elo_error, 457.953285, 1e-4);
}

static void test_long_match(void **state)
{
    (void)state;
    const Samples samples = {.counts = {237, 6925, 15060, 7278, 260}, .games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    expect_near(estimate.elo, 2.329114, 1e-5);
    expect_near(estimate.elo_error, 1.455615, 1e-5);
    expect_near(estimate.nelo, 4.466328, 1e-5);
    expect_near(estimate.nelo_error, 2.791200, 1e-5);
    expect_near(estimate.los, 0.999144, 1e-6);
    expect_near(statistics_llr(&samples, 0, 5), -1.549024, 1e-5);
    expect_near(statistics_llr(&samples, 0, 2), 4.818789, 1e-5);
}

/* Pairs hang together: the same games taken singly have more variance, so a larger error. */
static void test_pairs_are_worth_more_than_single_games(void **state)
{
    (void)state;
    const Samples pairs = {.counts = {0, 0, 8, 2, 0}, .games = 2};
    const Samples singles = {.counts = {8, 0, 2, 0, 10}, .games = 1};
    const Estimate by_pairs = statistics_estimate(&pairs);
    const Estimate by_singles = statistics_estimate(&singles);
    expect_near(by_pairs.elo, by_singles.elo, 1e-9);
    assert_true(by_pairs.elo_error < by_singles.elo_error / 3);
    assert_true(by_pairs.los > by_singles.los);
}

/* With only two scores, the likeliest distribution of mean s gives the upper one probability s. */
static void test_ratio_of_two_scores(void **state)
{
    (void)state;
    const Samples samples = {.counts = {1000, 0, 0, 0, 3000}, .games = 2};
    const double score = statistics_score(5);
    const double expected = 3000 * log(score / 0.5) + 1000 * log((1 - score) / 0.5);
    expect_near(statistics_llr(&samples, 0, 5), expected, 0.001);
    expect_near(statistics_llr(&samples, 5, 0), -expected, 0.001);
    expect_near(statistics_llr_bound(), log(19), 1e-12);
}

static void test_no_games(void **state)
{
    (void)state;
    const Samples samples = {.games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    assert_int_equal(estimate.count, 0);
    assert_false(estimate.has_error);
    expect_near(estimate.score, 0.5, 0);
    expect_near(estimate.elo, 0, 0);
    expect_near(estimate.los, 0.5, 0);
    assert_true(isinf(estimate.elo_error) && isinf(estimate.nelo_error));
    expect_near(statistics_llr(&samples, 0, 5), 0, 0);
}

static void test_only_wins_or_losses(void **state)
{
    (void)state;
    const Samples wins = {.counts = {0, 0, 0, 0, 50}, .games = 2};
    const Samples losses = {.counts = {50, 0, 0, 0, 0}, .games = 2};
    const Estimate won = statistics_estimate(&wins);
    const Estimate lost = statistics_estimate(&losses);
    assert_true(isinf(won.elo) && won.elo > 0 && isinf(lost.elo) && lost.elo < 0);
    assert_false(won.has_error || lost.has_error);
    assert_false(won.has_los || lost.has_los); /* one game that was won says nothing */
    assert_true(statistics_llr(&wins, 0, 5) > 0 && statistics_llr(&losses, 0, 5) < 0);
    expect_near(statistics_llr(&wins, 0, 5), 50 * log(statistics_score(5) / 0.5), 0.01);
    expect_near(statistics_llr(&losses, 0, 5), 50 * log(statistics_score(-5) / 0.5), 0.01);
}

static void test_only_draws_say_nothing_of_their_error(void **state)
{
    (void)state;
    const Samples samples = {.counts = {0, 0, 7, 0, 0}, .games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    expect_near(estimate.elo, 0, 1e-12);
    assert_false(estimate.has_error);
    expect_near(estimate.los, 0.5, 0);
    expect_near(estimate.nelo, 0, 0);
}

/* An interval that reaches a score of 1 has no upper end. */
static void test_interval_beyond_the_scale(void **state)
{
    (void)state;
    const Samples samples = {.counts = {0, 0, 0, 1, 3}, .games = 2};
    const Estimate estimate = statistics_estimate(&samples);
    assert_true(isfinite(estimate.elo) && isfinite(estimate.elo_low));
    assert_true(isinf(estimate.elo_high));
    assert_false(estimate.has_error);
}

/* 60 +- 6 by 80 +- 8: both errors are a tenth, so the ratio's is sqrt(2) tenths. */
static void test_ratio_of_gains(void **state)
{
    (void)state;
    const Estimate gain = {.elo = 60, .elo_error = 6, .has_error = true};
    const Estimate other = {.elo = 80, .elo_error = 8, .has_error = true};
    const GainRatio ratio = statistics_gain_ratio(&gain, &other);
    expect_near(ratio.ratio, 0.75, 1e-12);
    expect_near(ratio.error, 0.075 * sqrt(2), 1e-12);

    const Estimate nothing = {.elo = 0, .elo_error = 6, .has_error = true};
    expect_near(statistics_gain_ratio(&nothing, &other).error, 6.0 / 80, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo_scale),
        cmocka_unit_test(test_even_match),
        cmocka_unit_test(test_lopsided_match),
        cmocka_unit_test(test_long_match),
        cmocka_unit_test(test_pairs_are_worth_more_than_single_games),
        cmocka_unit_test(test_ratio_of_two_scores),
        cmocka_unit_test(test_no_games),
        cmocka_unit_test(test_only_wins_or_losses),
        cmocka_unit_test(test_only_draws_say_nothing_of_their_error),
        cmocka_unit_test(test_interval_beyond_the_scale),
        cmocka_unit_test(test_ratio_of_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
