/*
 * What the trials of a size say together, against figures that can be computed by hand.
 */
#include "tools/sim/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT_MAX = 40, SIZES = 2, SEEDS = 2, SECOND_NS = 1000000000 };

typedef struct {
    Experiment experiment;
    TrialResult results[COUNT_MAX * SIZES * SEEDS];
} Given;

/*
 * Positions whose serial search takes a million nodes, at a million nodes a second. The size with
 * index 0 is not looked at and has other figures throughout.
 */
static void given_positions(Given *given, int count)
{
    memset(given, 0x55, sizeof *given);
    given->experiment = (Experiment){
        .settings = {.nodes_per_second = 1000000},
        .workers = {1, 4},
        .size_count = SIZES,
        .seeds = {1, 2},
        .seed_count = SEEDS,
        .position_count = count,
        .results = given->results,
    };
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < SEEDS; j++) {
            TrialResult *result = experiment_result(&given->experiment, i, 1, j);
            memset(result, 0, sizeof *result);
            result->figures[FIGURE_SERIAL_NODES] = 1000000;
            result->figures[FIGURE_TIME_NS] = SECOND_NS;
            result->figures[FIGURE_NODES] = 1000000;
            result->figures[FIGURE_SLOTS] = 4;
        }
    }
}

static void set(Given *given, int position, int seed, Figure figure, int64_t value)
{
    experiment_result(&given->experiment, position, 1, seed)->figures[figure] = value;
}

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected)))) {
        fail_msg("%.12f instead of %.12f", value, expected);
    }
}

/* Speed-ups 2 and 8, 2 and 2, 8 and 2: the positions' means are 4, 2 and 4. */
static void test_speedups_are_averaged_by_position(void **state)
{
    (void)state;
    Given given;
    given_positions(&given, 3);
    set(&given, 0, 0, FIGURE_TIME_NS, SECOND_NS / 2);
    set(&given, 0, 1, FIGURE_TIME_NS, SECOND_NS / 8);
    set(&given, 1, 0, FIGURE_TIME_NS, SECOND_NS / 2);
    set(&given, 1, 1, FIGURE_TIME_NS, SECOND_NS / 2);
    set(&given, 2, 0, FIGURE_TIME_NS, SECOND_NS / 8);
    set(&given, 2, 1, FIGURE_TIME_NS, SECOND_NS / 2);
    const Summary summary = statistics_summary(&given.experiment, 1);
    assert_int_equal(summary.workers, 4);
    assert_int_equal(summary.positions, 3);
    expect_near(summary.speedup, cbrt(32));
    /* Logarithms to base 2: 2, 1, 2; variance 1/3; two degrees of freedom. */
    const double margin = 4.303 * sqrt(1.0 / 3 / 3) * log(2);
    assert_true(summary.has_interval);
    expect_near(summary.low, cbrt(32) * exp(-margin));
    expect_near(summary.high, cbrt(32) * exp(margin));
}

static void test_one_position_has_no_interval(void **state)
{
    (void)state;
    Given given;
    given_positions(&given, 1);
    set(&given, 0, 0, FIGURE_TIME_NS, SECOND_NS / 4);
    const Summary summary = statistics_summary(&given.experiment, 1);
    expect_near(summary.speedup, 2);
    assert_false(summary.has_interval);
}

/* Half of the positions at 1, half at e^2: the variance is n / (n - 1), n being their number. */
static void expect_t(int degrees_of_freedom, double expected, double tolerance)
{
    Given given;
    const int count = degrees_of_freedom + 1;
    given_positions(&given, count);
    for (int i = 0; i < count / 2; i++) {
        for (int j = 0; j < SEEDS; j++) {
            set(&given, i, j, FIGURE_TIME_NS, (int64_t)(SECOND_NS / exp(2)));
        }
    }
    const Summary summary = statistics_summary(&given.experiment, 1);
    const double t = log(summary.high / summary.speedup) * sqrt(degrees_of_freedom);
    if (!(fabs(t - expected) <= tolerance)) {
        fail_msg("%d degrees of freedom: %.5f instead of %.3f", degrees_of_freedom, t, expected);
    }
}

/* Student's t of textbooks. */
static void test_intervals_are_of_95_percent(void **state)
{
    (void)state;
    expect_t(1, 12.706, 1e-4);
    expect_t(9, 2.262, 1e-4);
    expect_t(11, 2.201, 1e-3);
    expect_t(23, 2.069, 1e-3);
    expect_t(39, 2.023, 1e-3);
}

/* Overhead 2 and 8, one other move of four, slots at work for a half and for all of the time. */
static void test_trials_count_alike(void **state)
{
    (void)state;
    Given given;
    given_positions(&given, 2);
    for (int j = 0; j < SEEDS; j++) {
        set(&given, 0, j, FIGURE_NODES, 2000000);
        set(&given, 1, j, FIGURE_NODES, 8000000);
        set(&given, 0, j, FIGURE_BUSY_NS, 2 * (int64_t)SECOND_NS);
        set(&given, 1, j, FIGURE_BUSY_NS, 4 * (int64_t)SECOND_NS);
        set(&given, 0, j, FIGURE_MESSAGES, 100);
        set(&given, 0, j, FIGURE_MASTER_NS, SECOND_NS / 2);
        set(&given, 0, j, FIGURE_MESSAGE_NS, SECOND_NS);
        set(&given, 0, j, FIGURE_CANCELLED_NODES, 1000000);
        set(&given, 1, j, FIGURE_IS_SOLVED, 1);
    }
    set(&given, 1, 1, FIGURE_MOVE, 7);
    const Summary summary = statistics_summary(&given.experiment, 1);
    expect_near(summary.overhead, 4);
    expect_near(summary.same_move, 0.75);
    expect_near(summary.idle, 0.25);
    expect_near(summary.messages_per_s, 50);
    expect_near(summary.master_load, 0.25);
    expect_near(summary.comm, 0.125);
    expect_near(summary.cancelled, 0.1);
    assert_int_equal(summary.solved, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speedups_are_averaged_by_position),
        cmocka_unit_test(test_one_position_has_no_interval),
        cmocka_unit_test(test_intervals_are_of_95_percent),
        cmocka_unit_test(test_trials_count_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
