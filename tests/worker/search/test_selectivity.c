/*
 * What cuts a node short before its first move, and how deep a move is searched again, one rule at
 * a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/given_search.h"
#include "worker/search/selectivity.h"

enum { TABLE_MB = 1, DEPTH = 6 };

/* Rook takes queen, and nothing takes back: White is far below what that capture brings. */
static const char hanging_queen[] = "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1";
/* Rook takes rook, and a pawn takes it back; White has nothing else to take. */
static const char guarded_rook[] = "4k3/8/4p3/3r4/8/8/3R4/4K3 w - - 0 1";

typedef struct {
    GivenSearch given;
    SearchHost host; /* nobody */
    Node node;       /* of the position, with a null window */
} Setting;

static void set_up(Setting *setting, const char *fen, int depth, int beta)
{
    *setting = (Setting){.host = {.poll = NULL}};
    given_search_new(&setting->given, TABLE_MB);
    Search *search = setting->given.search;
    for (int i = 0; i < FRAMES_BEFORE_ROOT; i++) {
        search->frames[i].static_eval = SCORE_NONE;
    }
    search->control = &setting->given.control;
    search->host = &setting->host;
    search->next_event = UINT64_MAX;
    search_frame(search, 0)->position = given_position(fen);
    Node *node = &setting->node;
    node_init(node, 0, depth, beta - 1, beta, false);
    node->is_pv = false;
    node->is_cut = true;
    node->tt = (TtEntry){.score = SCORE_NONE, .eval = SCORE_NONE};
    node->tt_is_pv = false;
    node_evaluate(search, node, false);
}

static bool prunes(Setting *setting, int *score)
{
    return selectivity_prunes_node(setting->given.search, &setting->node, score);
}

static void test_a_capture_far_above_beta_ends_the_node(void **state)
{
    (void)state;
    Setting setting;
    int score = SCORE_NONE;
    set_up(&setting, hanging_queen, DEPTH, 0);
    assert_true(setting.node.eval < setting.node.beta); /* so that nothing else can end it */
    assert_true(prunes(&setting, &score));
    assert_true(score >= 0 && !score_is_mate(score));

    /* The table knows of it, at the depth it was found at. */
    TtEntry entry;
    const Position *position = &search_frame(setting.given.search, 0)->position;
    assert_true(tt_probe(setting.given.tt, position->key, &entry));
    assert_int_equal(entry.move, given_move(position, "d2d5"));
    assert_int_equal(entry.bound, BOUND_LOWER);
    assert_int_equal(entry.depth, TT_DEPTH_OFFSET + DEPTH - 3);
    assert_true(entry.score > score);
    given_search_destroy(&setting.given);
}

static void assert_goes_on(const char *fen, int depth, int beta)
{
    Setting setting;
    int score = SCORE_NONE;
    set_up(&setting, fen, depth, beta);
    assert_false(prunes(&setting, &score));
    given_search_destroy(&setting.given);
}

static void test_other_nodes_go_on(void **state)
{
    (void)state;
    assert_goes_on(hanging_queen, 4, 0);        /* too shallow for a much shallower search */
    assert_goes_on(hanging_queen, DEPTH, 2000); /* a queen is not enough */
    assert_goes_on(guarded_rook, DEPTH, 200);   /* what is taken is taken back */
}

static void test_the_table_spares_the_captures(void **state)
{
    (void)state;
    Setting setting;
    int score = SCORE_NONE;
    set_up(&setting, hanging_queen, DEPTH, 0);
    setting.node.tt.score = 10;
    setting.node.tt.bound = BOUND_UPPER;
    setting.node.tt.depth = TT_DEPTH_OFFSET + DEPTH - 3;
    assert_false(prunes(&setting, &score));
    assert_int_equal(setting.given.search->nodes, 0);
    setting.node.tt.depth--; /* of a shallower search it does not know enough */
    assert_true(prunes(&setting, &score));
    given_search_destroy(&setting.given);
}

static void test_a_better_move_is_searched_deeper_again(void **state)
{
    (void)state;
    const Node node = {.depth = 10, .best = 20};
    assert_int_equal(selectivity_adjustment(&node, 20 + 40 + 3 * 6 + 1, 3), 1);
    assert_int_equal(selectivity_adjustment(&node, 20 + 40 + 3 * 6, 3), 0);
    assert_int_equal(selectivity_adjustment(&node, 20 + 5, 3), 0);
    assert_int_equal(selectivity_adjustment(&node, 20 + 4, 3), -1);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_capture_far_above_beta_ends_the_node),
        cmocka_unit_test(test_other_nodes_go_on),
        cmocka_unit_test(test_the_table_spares_the_captures),
        cmocka_unit_test(test_a_better_move_is_searched_deeper_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
