/*
 * Strength: the table of Elo, what it leaves of a `go`, and what the bridge makes of the two
 * options.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "support/bridge_trace.h"
#include "uci_bridge/core/strength.h"

enum { SEEDS = 200 };

#define ONE_MOVE "position fen 8/8/8/8/8/5k2/7q/7K w - - 0 1"

static int init(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    return 0;
}

static int ready(void **state)
{
    *state = trace_new_ready();
    return 0;
}

static int destroy(void **state)
{
    trace_destroy(*state);
    return 0;
}

/* ---- the table ---- */

static void test_more_elo_is_never_weaker(void **state)
{
    (void)state;
    Strength last = strength_of(STRENGTH_ELO_MIN);
    for (int elo = STRENGTH_ELO_MIN; elo <= STRENGTH_ELO_MAX; elo++) {
        const Strength strength = strength_of(elo);
        assert_true(strength.nodes >= last.nodes && strength.nodes >= 1);
        assert_in_range(strength.overlook_permille, 0, last.overlook_permille);
        last = strength;
    }
    const Strength weakest = strength_of(STRENGTH_ELO_MIN);
    assert_true(last.nodes > 100 * weakest.nodes);
    assert_int_equal(last.overlook_permille, 0);
    assert_in_range(weakest.overlook_permille, 1, 999);
}

/* Each hundred Elo differs from the one before, and halfway lies between. */
static void test_interpolation(void **state)
{
    (void)state;
    for (int elo = STRENGTH_ELO_MIN; elo < STRENGTH_ELO_MAX; elo += 100) {
        const Strength low = strength_of(elo);
        const Strength middle = strength_of(elo + 50);
        const Strength high = strength_of(elo + 100);
        assert_true(high.nodes > low.nodes || high.overlook_permille < low.overlook_permille);
        assert_in_range(middle.nodes, low.nodes, high.nodes);
        assert_in_range(middle.overlook_permille, high.overlook_permille, low.overlook_permille);
    }
}

static void test_beyond_the_ends(void **state)
{
    (void)state;
    assert_int_equal(strength_of(-5).nodes, strength_of(STRENGTH_ELO_MIN).nodes);
    assert_int_equal(strength_of(9999).nodes, strength_of(STRENGTH_ELO_MAX).nodes);
}

/* ---- what is left of a go ---- */

static bool holds_move(const GoLimits *limits, Move move)
{
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return true;
        }
    }
    return false;
}

static void test_one_seed_one_choice(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    const Strength strength = {.nodes = 1000, .overlook_permille = 500};
    GoLimits first = {0};
    GoLimits again = {0};
    GoLimits other = {0};
    strength_limit(&strength, 1, &start, &first);
    strength_limit(&strength, 1, &start, &again);
    strength_limit(&strength, 2, &start, &other);
    assert_memory_equal(&first, &again, sizeof first);
    assert_memory_not_equal(&first, &other, sizeof first);
}

static void test_nodes_stay_near(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    const Strength strength = {.nodes = 1000};
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        GoLimits limits = {0};
        strength_limit(&strength, seed, &start, &limits);
        least = limits.nodes < least ? limits.nodes : least;
        most = limits.nodes > most ? limits.nodes : most;
        assert_int_equal(limits.search_move_count, 0); /* nothing is overlooked */
    }
    assert_in_range(least, 750, 800);
    assert_in_range(most, 1200, 1250);
}

static void test_lower_limit_stays(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    const Strength strength = {.nodes = 1000};
    GoLimits limits = {.nodes = 10};
    strength_limit(&strength, 3, &start, &limits);
    assert_int_equal(limits.nodes, 10);
}

/* Of 20 moves a quarter is overlooked, and each of them now and then. */
static void test_overlooks_evenly(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    const Strength strength = {.nodes = 1000, .overlook_permille = 250};
    MoveList all;
    movegen_all(&start, &all);
    int seen[MOVES_MAX] = {0};
    int total = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        GoLimits limits = {0};
        strength_limit(&strength, seed, &start, &limits);
        total += limits.search_move_count;
        for (int i = 0; i < all.count; i++) {
            seen[i] += holds_move(&limits, all.moves[i]);
        }
    }
    assert_in_range(total, SEEDS * 14, SEEDS * 16);
    for (int i = 0; i < all.count; i++) {
        assert_in_range(seen[i], SEEDS / 2, SEEDS - 1);
    }
}

static void test_one_move_stays(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    const Strength strength = {.nodes = 1, .overlook_permille = 999};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        GoLimits limits = {0};
        strength_limit(&strength, seed, &start, &limits);
        assert_true(limits.search_move_count >= 1);
        assert_true(limits.nodes >= 1);
        assert_true(movegen_is_legal(&start, limits.search_moves[0]));
    }
}

/* `searchmoves` is narrowed, never widened. */
static void test_search_moves_are_kept_to(void **state)
{
    (void)state;
    const Position start = fen_start_position();
    MoveList all;
    movegen_all(&start, &all);
    const GoLimits asked = {.search_move_count = 2, .search_moves = {all.moves[3], all.moves[7]}};
    const Strength strength = {.nodes = 1000, .overlook_permille = 500};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        GoLimits limits = asked;
        strength_limit(&strength, seed, &start, &limits);
        assert_in_range(limits.search_move_count, 1, 2);
        for (int i = 0; i < limits.search_move_count; i++) {
            assert_true(holds_move(&asked, limits.search_moves[i]));
        }
    }
}

/* ---- the bridge ---- */

static const MessageSearch *last_search(const BridgeTrace *trace)
{
    for (int i = 0; i < trace->actions.send_count; i++) {
        if (trace->actions.sends[i].type == MESSAGE_SEARCH) {
            return &trace->actions.sends[i].search;
        }
    }
    fail_msg("no SEARCH was sent");
    return NULL;
}

/*
 * The limits of the SEARCH that `go` sends. The own search's answer has emptied the actions by
 * then, so they are those that the bridge keeps for sending it again.
 */
static GoLimits limits_of(BridgeTrace *trace, const char *lines)
{
    trace_clear(trace);
    trace_line(trace, lines);
    trace_expect_part(trace, "-> SEARCH ");
    trace_opened(trace);
    return last_search(trace)->limits;
}

static void test_limit_is_sent(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_LimitStrength value true\n"
                      "setoption name UCI_Elo value 1000");
    const Strength weakest = strength_of(1000);
    const GoLimits limits = limits_of(trace, "go wtime 60000 btime 60000");
    assert_in_range(limits.nodes, 1, weakest.nodes * 5 / 4);
    assert_in_range(limits.search_move_count, 1, 20);
    trace_line(trace, "stop");
    assert_in_range(limits_of(trace, "go movetime 1000").nodes, 1, weakest.nodes * 5 / 4);
    trace_line(trace, "stop");
    assert_in_range(limits_of(trace, "go ponder wtime 9000 btime 9000").nodes, 1,
                    weakest.nodes * 5 / 4);
    assert_true(last_search(trace)->limits.ponder);
}

static void test_no_limit_without_the_option(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_Elo value 1000");
    const GoLimits limits = limits_of(trace, "go wtime 60000 btime 60000");
    assert_int_equal(limits.nodes, 0);
    assert_int_equal(limits.search_move_count, 0);
    trace_line(trace, "stop\nsetoption name UCI_LimitStrength value true\n"
                      "setoption name UCI_LimitStrength value false");
    assert_int_equal(limits_of(trace, "go wtime 60000 btime 60000").nodes, 0);
}

/* Who analyses wants the truth. */
static void test_analysis_has_no_limit(void **state)
{
    static const char *const analyses[] = {"go infinite", "go depth 9", "go nodes 5000000", "go"};
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_LimitStrength value true");
    for (size_t i = 0; i < sizeof analyses / sizeof analyses[0]; i++) {
        const GoLimits limits = limits_of(trace, analyses[i]);
        assert_int_equal(limits.nodes, i == 2 ? 5000000 : 0);
        assert_int_equal(limits.search_move_count, 0);
        trace_line(trace, "stop");
    }
}

/* A game that is played again takes another course. */
static void test_each_go_is_another_choice(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_LimitStrength value true\n"
                      "setoption name UCI_Elo value 1000");
    const GoLimits first = limits_of(trace, "go movetime 1000");
    trace_line(trace, "stop");
    trace_wait(trace, 1);
    const GoLimits second = limits_of(trace, "go movetime 1000");
    assert_memory_not_equal(first.search_moves, second.search_moves, sizeof first.search_moves);
}

/* Lines for the GUI would take nodes from the move. */
static void test_limited_play_has_one_line(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name MultiPV value 4");
    (void)limits_of(trace, "go movetime 1000");
    assert_int_equal(last_search(trace)->multi_pv, 4);
    trace_line(trace, "stop\nsetoption name UCI_LimitStrength value true");
    (void)limits_of(trace, "go movetime 1000");
    assert_int_equal(last_search(trace)->multi_pv, 1);
}

/* The bridge's own search keeps to the limit too, and the only move is found by whoever is there.
 */
static void test_limit_without_a_child(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_LimitStrength value true\n"
                      "setoption name UCI_Elo value 1000\n" ONE_MOVE);
    trace_died(trace);
    trace->own_moves = "h1h2";
    trace->own_depth = 1;
    trace_line(trace, "go movetime 1000");
    trace_run(trace, 1000);
    trace_expect_part(trace, "bestmove h1h2\n");
    trace_expect_no_part(trace, "own search 500 nodes");
}

static void test_bad_elo_is_refused(void **state)
{
    BridgeTrace *trace = *state;
    trace_line(trace, "setoption name UCI_Elo value 999\nsetoption name UCI_Elo value 3001\n"
                      "setoption name UCI_Elo value strong");
    assert_int_equal(trace_count(trace, "ignored, expected 1000 to 3000"), 3);
    assert_int_equal(trace->bridge.options.elo, UCI_OPTION_ELO_DEFAULT);
    trace_line(trace, "setoption name uci_elo value 1234");
    assert_int_equal(trace->bridge.options.elo, 1234);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_elo_is_never_weaker),
        cmocka_unit_test(test_interpolation),
        cmocka_unit_test(test_beyond_the_ends),
        cmocka_unit_test(test_one_seed_one_choice),
        cmocka_unit_test(test_nodes_stay_near),
        cmocka_unit_test(test_lower_limit_stays),
        cmocka_unit_test(test_overlooks_evenly),
        cmocka_unit_test(test_one_move_stays),
        cmocka_unit_test(test_search_moves_are_kept_to),
        cmocka_unit_test_setup_teardown(test_limit_is_sent, ready, destroy),
        cmocka_unit_test_setup_teardown(test_no_limit_without_the_option, ready, destroy),
        cmocka_unit_test_setup_teardown(test_analysis_has_no_limit, ready, destroy),
        cmocka_unit_test_setup_teardown(test_each_go_is_another_choice, ready, destroy),
        cmocka_unit_test_setup_teardown(test_limited_play_has_one_line, ready, destroy),
        cmocka_unit_test_setup_teardown(test_limit_without_a_child, ready, destroy),
        cmocka_unit_test_setup_teardown(test_bad_elo_is_refused, ready, destroy),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
