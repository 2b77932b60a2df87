/*
 * Timeman: budgets of typical, extreme and hostile clocks, their invariants over random ones, and
 * the decision to stop between iterations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "timeman/timeman.h"

enum { RANDOM_LIMITS = 200000, OVERHEAD_MS = 20, MOVE = 10 };

static const Duration overhead = {.us = OVERHEAD_MS * 1000};

static GoLimits clock_limits(int64_t clock_ms, int64_t increment_ms, int moves_to_go)
{
    return (GoLimits){
        .has_clock = {true, true},
        .clock = {duration_ms(clock_ms), duration_ms(77)},
        .increment = {duration_ms(increment_ms), duration_ms(7)},
        .moves_to_go = moves_to_go,
    };
}

static TimeBudget clock_budget(int64_t clock_ms, int64_t increment_ms, int moves_to_go)
{
    const GoLimits limits = clock_limits(clock_ms, increment_ms, moves_to_go);
    return timeman_budget(&limits, WHITE, MOVE, overhead);
}

static void assert_invariants(const TimeBudget *budget, int64_t usable_us)
{
    assert_true(budget->is_limited);
    assert_true(budget->soft.us > 0);
    assert_true(budget->soft.us <= budget->hard.us);
    assert_true(budget->hard.us < budget->deadline.us);
    if (usable_us >= TIMEMAN_LEAST_US) {
        assert_true(budget->deadline.us <= usable_us);
    } else {
        assert_int_equal(budget->deadline.us, TIMEMAN_LEAST_US);
    }
}

static void test_no_clock_is_unlimited(void **state)
{
    (void)state;
    const GoLimits limits = {.depth = 5, .nodes = 1000, .mate_moves = 3};
    const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
    assert_false(budget.is_limited);
    assert_int_equal(budget.deadline.us, 0);
}

static void test_infinite_ignores_clocks(void **state)
{
    (void)state;
    GoLimits limits = clock_limits(1000, 0, 0);
    limits.infinite = true;
    assert_false(timeman_budget(&limits, WHITE, MOVE, overhead).is_limited);
}

static void test_move_time_is_exact(void **state)
{
    (void)state;
    const GoLimits limits = {.has_move_time = true, .move_time = duration_ms(3000)};
    const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
    assert_true(budget.is_exact);
    assert_int_equal(duration_to_ms(budget.deadline), 2980);
    assert_int_equal(duration_to_ms(budget.hard), 2975);
    assert_int_equal(budget.soft.us, budget.hard.us);
}

static void test_move_time_zero_or_negative(void **state)
{
    (void)state;
    for (int64_t ms = -5; ms <= 0; ms += 5) {
        const GoLimits limits = {.has_move_time = true, .move_time = duration_ms(ms)};
        const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
        assert_invariants(&budget, 0);
    }
}

/* About half of a move as short as the overhead is searched, and the answer is in time. */
static void test_move_time_below_the_overhead(void **state)
{
    (void)state;
    for (int64_t ms = 6; ms <= 2 * OVERHEAD_MS; ms++) {
        const GoLimits limits = {.has_move_time = true, .move_time = duration_ms(ms)};
        const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
        assert_invariants(&budget, ms * 1000);
        assert_in_range(budget.hard.us, ms * 1000 * 45 / 100, ms * 1000 / 2);
    }
    for (int64_t ms = 3; ms < 6; ms++) {
        const GoLimits limits = {.has_move_time = true, .move_time = duration_ms(ms)};
        const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
        assert_int_equal(budget.deadline.us, TIMEMAN_LEAST_US);
    }
}

/* A client that sends clocks and movetime means whichever ends first (U136). */
static void test_move_time_beside_clock(void **state)
{
    (void)state;
    GoLimits limits = clock_limits(866320, 14000, 0);
    limits.has_move_time = true;
    limits.move_time = duration_ms(2000);
    assert_int_equal(duration_to_ms(timeman_budget(&limits, WHITE, MOVE, overhead).hard), 1975);
    limits.clock[WHITE] = duration_ms(500);
    const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, overhead);
    assert_invariants(&budget, 480 * 1000);
}

static void test_each_side_has_its_own_clock(void **state)
{
    (void)state;
    const GoLimits limits = clock_limits(60000, 0, 0);
    const TimeBudget white = timeman_budget(&limits, WHITE, MOVE, overhead);
    const TimeBudget black = timeman_budget(&limits, BLACK, MOVE, overhead);
    assert_true(white.hard.us > 5000 * 1000);
    assert_invariants(&black, 57 * 1000);
}

static void test_missing_own_clock(void **state)
{
    (void)state;
    GoLimits limits = clock_limits(60000, 0, 0);
    limits.has_clock[BLACK] = false;
    limits.clock[BLACK] = duration_ms(0);
    const TimeBudget budget = timeman_budget(&limits, BLACK, MOVE, overhead);
    assert_invariants(&budget, 59980 * 1000);
    assert_true(budget.hard.us > 5000 * 1000);
}

static void test_clock_has_run_out(void **state)
{
    (void)state;
    static const int64_t clocks_ms[] = {INT64_MIN / 1000, -170671, -2, 0, 1, 19, 20};
    for (unsigned i = 0; i < sizeof clocks_ms / sizeof clocks_ms[0]; i++) {
        const TimeBudget budget = clock_budget(clocks_ms[i], 20, 0);
        assert_invariants(&budget, 0);
    }
}

/* U064: a sane share before and after the control. */
static void test_last_move_before_the_control(void **state)
{
    (void)state;
    const TimeBudget before = clock_budget(250, 0, 1);
    assert_invariants(&before, 230 * 1000);
    assert_true(duration_to_ms(before.soft) >= 100);
    const GoLimits limits = clock_limits(1000, 0, 1); /* no move to come needs the way */
    const TimeBudget last = timeman_budget(&limits, WHITE, MOVE, duration_ms(230));
    assert_in_range(duration_to_ms(last.soft), 610, 620);
    const TimeBudget after = clock_budget(10000, 0, 40);
    assert_true(duration_to_ms(after.soft) >= 80);
    assert_true(duration_to_ms(after.hard) <= 1500);
}

/* U068: an increment as large as the clock must not be spent in advance. */
static void test_increment_larger_than_clock(void **state)
{
    (void)state;
    const TimeBudget equal = clock_budget(3000, 3000, 0);
    assert_invariants(&equal, 2980 * 1000);
    assert_true(duration_to_ms(equal.hard) <= 2400);
    const TimeBudget tiny = clock_budget(50, 60000, 0);
    assert_invariants(&tiny, 30 * 1000);
}

/* U067: an overhead of the size of the share. */
static void test_large_overhead(void **state)
{
    (void)state;
    const GoLimits limits = clock_limits(15000, 0, 40);
    const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, duration_ms(1500));
    assert_invariants(&budget, 13500 * 1000);
    assert_in_range(duration_to_ms(budget.soft), 50, 250);
}

static void test_hours_are_used(void **state)
{
    (void)state;
    const TimeBudget budget = clock_budget(2 * 3600 * 1000, 30000, 40);
    assert_in_range(duration_to_ms(budget.soft), 90 * 1000, 200 * 1000);
    assert_true(instant_since((Instant){budget.deadline.us}, (Instant){budget.hard.us}).us <=
                1000 * 1000);
}

/* At least 30 ms, more where there is more time, and no more than is of any use. */
static void test_the_answer_has_time_on_its_way(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{1000, 30}, {10000, 199}, {60000, 1000}};
    for (int i = 0; i < 3; i++) {
        const TimeBudget budget = clock_budget(cases[i][0], 0, 0);
        const int64_t way_us = budget.deadline.us - budget.hard.us;
        assert_in_range(way_us, cases[i][1] * 1000, cases[i][1] * 1000 + 30000);
    }
}

/* A game at 1+0.01 s, 3 ms lost between the programs on each move: 200 moves without a flag. */
static void test_fast_game_never_flags(void **state)
{
    (void)state;
    int64_t clock_us = 1000 * 1000;
    for (int move = 0; move < 200; move++) {
        GoLimits limits = clock_limits(0, 10, 0);
        limits.clock[WHITE].us = clock_us / 1000 * 1000;
        const TimeBudget budget = timeman_budget(&limits, WHITE, move + 1, overhead);
        clock_us -= (move % 10 == 0 ? budget.deadline.us : budget.soft.us) + 3000;
        assert_true(clock_us > 0);
        clock_us += 10 * 1000;
    }
}

static int64_t random_time_us(Prng *prng)
{
    const int64_t magnitude = (int64_t)(prng_next(prng) >> (2 + prng_below(prng, 62)));
    return prng_below(prng, 8) == 0 ? -magnitude : magnitude;
}

static void test_invariants_of_random_limits(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < RANDOM_LIMITS; i++) {
        GoLimits limits = {.has_clock = {true, true}};
        limits.clock[WHITE].us = random_time_us(&prng);
        limits.increment[WHITE].us = random_time_us(&prng);
        limits.moves_to_go = (int)prng_below(&prng, 60);
        const Duration kept = duration_ms((int64_t)prng_below(&prng, 5001));
        const TimeBudget budget = timeman_budget(&limits, WHITE, MOVE, kept);
        assert_invariants(&budget, limits.clock[WHITE].us - kept.us);
    }
}

static TimemanFacts calm_facts(void)
{
    return (TimemanFacts){
        .depth_done = 12,
        .stable_iterations = 3,
        .best_score = 20,
        .previous_best_score = 20,
        .best_move_nodes = 600000,
        .iteration_nodes = 1000000,
    };
}

/* The elapsed time, in tenths of `soft`, at which the search is first told to stop. */
static int stop_tenths(const TimemanFacts *facts)
{
    const TimeBudget budget = {
        .is_limited = true, .soft.us = 1000, .hard.us = 3000, .deadline.us = 4000};
    for (int tenths = 0; tenths <= 30; tenths++) {
        if (timeman_should_stop(&budget, (Duration){.us = tenths * 100}, facts)) {
            return tenths;
        }
    }
    fail_msg("not stopped at the hard bound");
    return 0;
}

static void test_calm_search_stops_near_soft(void **state)
{
    (void)state;
    const TimemanFacts facts = calm_facts();
    assert_in_range(stop_tenths(&facts), 8, 11);
}

/* Spends one move's time as a search whose iterations take 1.6 times as long as the one before. */
static int64_t spend_us(const TimeBudget *budget)
{
    const TimemanFacts facts = calm_facts();
    int64_t elapsed_us = 1000;
    while (!timeman_should_stop(budget, duration_us(elapsed_us), &facts)) {
        elapsed_us = elapsed_us * 8 / 5;
    }
    return elapsed_us < budget->hard.us ? elapsed_us : budget->hard.us;
}

/* Plays `moves` moves of a sudden death; what is left of the clock, and the time of each tenth. */
static int64_t play_us(int64_t clock_us, int64_t increment_ms, int moves, int64_t tenths_us[])
{
    for (int move = 0; move < moves; move++) {
        GoLimits limits = clock_limits(0, increment_ms, 0);
        limits.clock[WHITE].us = clock_us;
        const TimeBudget budget = timeman_budget(&limits, WHITE, move + 1, overhead);
        const int64_t spent_us = spend_us(&budget);
        clock_us += increment_ms * 1000 - spent_us;
        tenths_us[move / 10] += spent_us;
        assert_true(clock_us > 0);
    }
    return clock_us;
}

/* 60 moves at 4+0.04 s: what is left at the end has been of no use. */
static void test_a_game_uses_its_clock(void **state)
{
    (void)state;
    int64_t tenths_us[6] = {0};
    const int64_t left_us = play_us(4000 * 1000, 40, 60, tenths_us);
    assert_in_range(left_us, 300 * 1000, 1000 * 1000);
}

/* The first forty moves get about the same; the overhead does not halve the time of short games. */
static void test_time_is_spread_over_the_game(void **state)
{
    (void)state;
    int64_t tenths_us[6] = {0};
    const int64_t left_us = play_us(1000 * 1000, 10, 60, tenths_us);
    assert_in_range(left_us, 30 * 1000, 300 * 1000);
    assert_in_range(tenths_us[0], 200 * 1000, 350 * 1000);
    assert_in_range(tenths_us[3], tenths_us[0] * 6 / 10, tenths_us[0] * 11 / 10);
}

static void test_facts_move_the_soft_bound(void **state)
{
    (void)state;
    const TimemanFacts calm = calm_facts();
    const int usual = stop_tenths(&calm);

    TimemanFacts facts = calm;
    facts.stable_iterations = 0;
    assert_true(stop_tenths(&facts) > usual);
    facts.stable_iterations = 20;
    assert_true(stop_tenths(&facts) < usual);

    facts = calm;
    facts.best_score = -60;
    assert_true(stop_tenths(&facts) > usual);
    facts.best_score = 60;
    assert_true(stop_tenths(&facts) < usual);

    facts = calm;
    facts.best_move_nodes = 100000;
    assert_true(stop_tenths(&facts) > usual);
    facts.best_move_nodes = 990000;
    assert_true(stop_tenths(&facts) < usual);
}

static void test_single_move_is_quick(void **state)
{
    (void)state;
    TimemanFacts facts = calm_facts();
    facts.is_forced = true;
    assert_int_equal(stop_tenths(&facts), 0);
    const TimeBudget exact = {
        .is_limited = true, .is_exact = true, .soft.us = 9, .hard.us = 9, .deadline.us = 10};
    /* `movetime` asks for an analysis of that length, whatever there is to choose from. */
    assert_false(timeman_should_stop(&exact, (Duration){0}, &facts));
    assert_true(timeman_should_stop(&exact, (Duration){9}, &facts));
}

static void test_settled_mate_is_played(void **state)
{
    (void)state;
    TimemanFacts facts = calm_facts();
    facts.best_score = facts.previous_best_score = score_mate_in(5);
    assert_int_equal(stop_tenths(&facts), 0);
    facts.best_score = facts.previous_best_score = score_mated_in(4);
    assert_int_equal(stop_tenths(&facts), 0);
    facts.best_score = facts.previous_best_score = score_mate_in(9);
    assert_true(stop_tenths(&facts) > 0);
}

static void test_unlimited_and_first_iteration_go_on(void **state)
{
    (void)state;
    TimemanFacts facts = calm_facts();
    facts.is_forced = true;
    const TimeBudget unlimited = {.is_limited = false};
    assert_false(timeman_should_stop(&unlimited, duration_ms(1000000), &facts));
    const TimeBudget limited = clock_budget(1000, 0, 0);
    facts.depth_done = 0;
    assert_false(timeman_should_stop(&limited, duration_ms(1000000), &facts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_clock_is_unlimited),
        cmocka_unit_test(test_infinite_ignores_clocks),
        cmocka_unit_test(test_move_time_is_exact),
        cmocka_unit_test(test_move_time_zero_or_negative),
        cmocka_unit_test(test_move_time_below_the_overhead),
        cmocka_unit_test(test_move_time_beside_clock),
        cmocka_unit_test(test_each_side_has_its_own_clock),
        cmocka_unit_test(test_missing_own_clock),
        cmocka_unit_test(test_clock_has_run_out),
        cmocka_unit_test(test_last_move_before_the_control),
        cmocka_unit_test(test_increment_larger_than_clock),
        cmocka_unit_test(test_large_overhead),
        cmocka_unit_test(test_hours_are_used),
        cmocka_unit_test(test_the_answer_has_time_on_its_way),
        cmocka_unit_test(test_fast_game_never_flags),
        cmocka_unit_test(test_invariants_of_random_limits),
        cmocka_unit_test(test_calm_search_stops_near_soft),
        cmocka_unit_test(test_a_game_uses_its_clock),
        cmocka_unit_test(test_time_is_spread_over_the_game),
        cmocka_unit_test(test_facts_move_the_soft_bound),
        cmocka_unit_test(test_single_move_is_quick),
        cmocka_unit_test(test_settled_mate_is_played),
        cmocka_unit_test(test_unlimited_and_first_iteration_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
