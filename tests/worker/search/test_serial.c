/*
 * The serial search: its limits, what its host hears, and that it repeats itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "tests/support/given_search.h"

enum { TABLE_MB = 4 };

typedef struct {
    int iterations;
    int lines;              /* other progress */
    int stop_at_depth;      /* says no after this iteration; 0 never */
    uint64_t stop_at_nodes; /* sets the control's flag at a poll; 0 never */
    uint64_t nodes;         /* of the last news; never falls */
    const Position *position;
    SearchControl *control;
} Listener;

static bool on_progress(void *context, const Root *root, bool iteration_is_complete, uint64_t nodes)
{
    Listener *listener = context;
    assert_true(nodes >= listener->nodes || !iteration_is_complete);
    listener->iterations += iteration_is_complete;
    listener->lines += !iteration_is_complete;
    const Line *line = root_line(root, 0);
    assert_true(line->length > 0);
    assert_true(given_line_is_legal(listener->position, line, NULL));
    if (iteration_is_complete) {
        listener->nodes = nodes;
        assert_int_equal(listener->iterations, root->depth_done);
    }
    return !iteration_is_complete || root->depth_done != listener->stop_at_depth;
}

static void on_poll(void *context, uint64_t nodes)
{
    Listener *listener = context;
    assert_true(nodes >= listener->nodes);
    if (listener->stop_at_nodes != 0 && nodes >= listener->stop_at_nodes) {
        atomic_store(&listener->control->stop, true);
    }
}

static void search(GivenSearch *given, const char *fen, const RootLimits *limits,
                   Listener *listener)
{
    const Position position = given_position(fen);
    const SerialHost host = {.context = listener, .poll = on_poll, .progress = on_progress};
    listener->position = &position;
    listener->control = &given->control;
    serial_search(given->search, &position, &given->game, limits, &given->control, &host,
                  &given->root);
    assert_true(root_is_finished(&given->root));
    const Line *line = root_line(&given->root, 0);
    assert_true(line == NULL || given_search_line_is_sound(&position, line));
}

static void test_the_depth_limit(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Listener listener = {0};
    search(&given, FEN_START, &(RootLimits){.depth = 7}, &listener);
    assert_int_equal(listener.iterations, 7);
    assert_int_equal(given.root.depth_done, 7);
    assert_int_equal(listener.nodes, given.root.nodes);
    given_search_destroy(&given);
}

static void test_the_node_limit_is_kept_to_the_node(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    static const uint64_t limits[] = {1, 50, 999, 20000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        Listener listener = {0};
        given_search_forget(&given);
        search(&given, FEN_START, &(RootLimits){.nodes = limits[i]}, &listener);
        assert_int_equal(given.root.nodes, limits[i]);
        assert_int_equal(root_line(&given.root, 0)->length > 0, true);
    }
    given_search_destroy(&given);
}

static void test_the_host_may_end_it(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Listener by_progress = {.stop_at_depth = 5};
    search(&given, FEN_START, &(RootLimits){0}, &by_progress);
    assert_int_equal(given.root.depth_done, 5);
    atomic_store(&given.control.stop, false);

    Listener by_flag = {.stop_at_nodes = 10000};
    search(&given, FEN_START, &(RootLimits){0}, &by_flag);
    assert_in_range(given.root.nodes, 10000, 10000 + 2 * SEARCH_POLL_NODES);

    /* A flag set beforehand leaves no time at all, yet there is a move. */
    Listener none = {0};
    search(&given, FEN_START, &(RootLimits){0}, &none);
    assert_int_equal(given.root.nodes, 0);
    assert_int_equal(root_line(&given.root, 0)->length, 1);
    given_search_destroy(&given);
}

static void test_the_mate_limit(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Listener listener = {0};
    search(&given, "7k/8/8/8/8/8/R7/1R5K w - - 0 1", &(RootLimits){.mate_moves = 2}, &listener);
    assert_int_equal(root_line(&given.root, 0)->score, score_mate_in(3));
    assert_true(given.root.depth_done < 12);
    given_search_destroy(&given);
}

static void test_only_wanted_moves_are_played(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position start = fen_start_position();
    RootLimits limits = {.depth = 8, .search_move_count = 2};
    limits.search_moves[0] = given_move(&start, "a2a3");
    limits.search_moves[1] = given_move(&start, "h2h4");
    Listener listener = {0};
    search(&given, FEN_START, &limits, &listener);
    const Move best = root_line(&given.root, 0)->moves[0];
    assert_true(best == limits.search_moves[0] || best == limits.search_moves[1]);
    given_search_destroy(&given);
}

static void test_several_lines_are_distinct_and_sorted(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Listener listener = {0};
    search(&given, FEN_START, &(RootLimits){.depth = 7, .multi_pv = 4}, &listener);
    for (int i = 0; i < 4; i++) {
        const Line *line = root_line(&given.root, i);
        assert_int_equal(line->bound, BOUND_EXACT);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(root_line(&given.root, j)->moves[0], line->moves[0]);
            assert_true(root_line(&given.root, j)->score >= line->score);
        }
    }
    given_search_destroy(&given);
}

static void test_without_a_legal_move_there_is_no_line(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    Listener listener = {0};
    search(&given, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &(RootLimits){.depth = 5}, &listener);
    assert_null(root_line(&given.root, 0));
    assert_int_equal(listener.iterations, 0);
    given_search_destroy(&given);
}

static void test_a_cleared_thread_repeats_itself(void **state)
{
    (void)state;
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    GivenSearch used;
    GivenSearch fresh;
    given_search_new(&used, TABLE_MB);
    for (int i = 0; i < 3; i++) {
        const Position position = given_position(fens[i]);
        const RootLimits limits = {.depth = 10};
        given_search_new(&fresh, TABLE_MB);
        given_search_forget(&used);
        const Line *again = given_search_run(&used, &position, &limits);
        const Line *first = given_search_run(&fresh, &position, &limits);
        assert_int_equal(used.root.nodes, fresh.root.nodes);
        assert_int_equal(again->score, first->score);
        assert_int_equal(again->length, first->length);
        assert_memory_equal(again->moves, first->moves, (size_t)first->length * sizeof(Move));
        given_search_destroy(&fresh);
    }
    given_search_destroy(&used);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_depth_limit),
        cmocka_unit_test(test_the_node_limit_is_kept_to_the_node),
        cmocka_unit_test(test_the_host_may_end_it),
        cmocka_unit_test(test_the_mate_limit),
        cmocka_unit_test(test_only_wanted_moves_are_played),
        cmocka_unit_test(test_several_lines_are_distinct_and_sorted),
        cmocka_unit_test(test_without_a_legal_move_there_is_no_line),
        cmocka_unit_test(test_a_cleared_thread_repeats_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
