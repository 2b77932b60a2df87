/*
 * Shares: what is given away is told once, withdrawn or answered once, and nothing gets lost
 * between, however slow either side is.
 */
#include "worker/shares.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Any moves will do: nothing here plays them. */
static const Move moves[] = {0x101, 0x202, 0x303};
static const uint8_t numbers[] = {2, 4, 6};
static const Move path[] = {0x404, MOVE_NONE};

static Shares shares;
static PoolNews told;
static ShareNews taken;

static SearchJob job(void)
{
    return (SearchJob){
        .path = path,
        .path_length = 2,
        .depth = 7,
        .alpha = 10,
        .beta = 90,
        .kind = NODE_CUT,
        .move_count = 3,
        .moves = moves,
        .numbers = numbers,
        .is_split = true,
        .best = -5,
        .was_pv = true,
        .root_depth = 12,
        .double_extensions = 1,
        .null_move_ply_min = 4,
    };
}

static bool offer(uint32_t number)
{
    const SearchJob share = job();
    return shares_offer(&shares, number, &share);
}

/* The owner's next news is this one, with nothing left in it of what was there before. */
static void expect(PoolNewsType type, uint32_t number)
{
    memset(&told, 0xA5, sizeof told);
    assert_true(shares_collect(&shares, &told));
    assert_int_equal(told.type, type);
    assert_int_equal(told.share, number);
    assert_true(type == POOL_RAISED || told.alpha == 0);
    assert_true(type == POOL_PARKED || !told.is_parked);
}

static void expect_silence(void)
{
    assert_false(shares_collect(&shares, &told));
}

/* A share that the owner knows of. */
static void give_away(uint32_t number)
{
    assert_true(offer(number));
    expect(POOL_OFFERED, number);
}

static Line line_of(Move move, int score)
{
    return (Line){.score = score, .bound = BOUND_EXACT, .length = 1, .moves = {move}};
}

static bool improve(uint32_t number, Move move, int score)
{
    static Message message;
    message.type = MESSAGE_IMPROVED;
    message.improved = (MessageImproved){.share = number, .line = line_of(move, score)};
    return shares_deliver(&shares, &message);
}

static Message *result_of(uint32_t number)
{
    static Message message;
    message.type = MESSAGE_RESULT;
    message.result = (MessageResult){
        .share = number,
        .is_complete = true,
        .score = 5,
        .nodes = 1000,
        .selective_depth = 11,
        .cost_count = 3,
        .costs = {{moves[0], 500}, {moves[1], 300}, {moves[2], 200}},
    };
    return &message;
}

static void expect_news(uint32_t number, bool is_over)
{
    assert_true(shares_have_news(&shares));
    assert_true(shares_take(&shares, &taken));
    assert_int_equal(taken.share, number);
    assert_int_equal(taken.is_over, is_over);
}

static int set_up(void **state)
{
    (void)state;
    shares_clear(&shares);
    return 0;
}

/* ---- one share ---- */

static void a_share_goes_out_and_comes_back(void **state)
{
    (void)state;
    give_away(1);
    assert_int_equal(told.offered.path_length, 2);
    assert_int_equal(told.offered.path[1], MOVE_NONE);
    assert_int_equal(told.offered.depth, 7);
    assert_int_equal(told.offered.alpha, 10);
    assert_int_equal(told.offered.beta, 90);
    assert_int_equal(told.offered.node_kind, NODE_CUT);
    assert_int_equal(told.offered.move_count, 3);
    assert_memory_equal(told.offered.moves, moves, sizeof moves);
    assert_memory_equal(told.offered.numbers, numbers, sizeof numbers);
    assert_true(told.offered.is_split && told.offered.was_pv && !told.offered.is_eldest);
    assert_int_equal(told.offered.best, -5);
    assert_int_equal(told.offered.root_depth, 12);
    assert_int_equal(told.offered.double_extensions, 1);
    assert_int_equal(told.offered.null_move_ply_min, 4);
    expect_silence();

    assert_false(shares_take(&shares, &taken));
    assert_true(shares_deliver(&shares, result_of(1)));
    expect_news(1, true);
    assert_int_equal(taken.score, 5);
    assert_int_equal(taken.nodes, 1000);
    assert_int_equal(taken.selective_depth, 11);
    assert_int_equal(taken.cost_count, 3);
    assert_int_equal(taken.line.length, 0);
    assert_false(shares_take(&shares, &taken));
    assert_false(shares_have_news(&shares));
    assert_false(shares_deliver(&shares, result_of(1)));
}

static void what_was_withdrawn_in_time_is_never_told(void **state)
{
    (void)state;
    assert_true(offer(1));
    assert_true(shares_withdraw(&shares, 1)); /* still asked for: nobody counted it */
    assert_false(shares_withdraw(&shares, 1));
    expect_silence();
}

static void after_it_was_withdrawn_nothing_more_is_said(void **state)
{
    (void)state;
    give_away(1);
    assert_true(improve(1, moves[1], 30));
    shares_raise(&shares, 1, 20);
    assert_false(shares_withdraw(&shares, 1));
    assert_false(shares_withdraw(&shares, 1));
    assert_false(shares_have_news(&shares));
    assert_false(shares_take(&shares, &taken));
    assert_false(shares_deliver(&shares, result_of(1)));
    expect(POOL_WITHDRAWN, 1);
    expect_silence();
    assert_false(shares_deliver(&shares, result_of(1)));
}

static void a_result_that_is_not_wanted_any_more_is_dropped(void **state)
{
    (void)state;
    give_away(1);
    assert_true(shares_deliver(&shares, result_of(1)));
    (void)shares_withdraw(&shares, 1);
    assert_false(shares_take(&shares, &taken));
    expect_silence();
}

static void bounds_are_merged(void **state)
{
    (void)state;
    assert_true(offer(1));
    shares_raise(&shares, 1, 15);
    expect(POOL_OFFERED, 1);
    assert_int_equal(told.offered.alpha, 15);
    expect_silence();
    shares_raise(&shares, 1, 15);
    shares_raise(&shares, 1, 12);
    shares_raise(&shares, 1, 90);
    shares_raise(&shares, 2, 50);
    expect_silence();
    shares_raise(&shares, 1, 20);
    shares_raise(&shares, 1, 40);
    expect(POOL_RAISED, 1);
    assert_int_equal(told.alpha, 40);
    expect_silence();
}

/* ---- lines ---- */

static void lines_are_merged_and_the_result_keeps_the_best(void **state)
{
    (void)state;
    give_away(1);
    assert_true(improve(1, moves[0], 20));
    assert_true(improve(1, moves[2], 30));
    expect_news(1, false);
    assert_int_equal(taken.line.score, 30);
    assert_int_equal(taken.line.moves[0], moves[2]);
    assert_false(shares_take(&shares, &taken));

    /* The helper is lost: its last line must not be. */
    assert_true(improve(1, moves[1], 40));
    Message *lost = result_of(1);
    lost->result.is_complete = false;
    lost->result.cost_count = 0;
    assert_true(shares_deliver(&shares, lost));
    expect_news(1, true);
    assert_int_equal(taken.cost_count, 0);
    assert_int_equal(taken.line.length, 1);
    assert_int_equal(taken.line.score, 40);
    assert_int_equal(taken.line.moves[0], moves[1]);

    give_away(2);
    assert_true(improve(2, moves[1], 40));
    Message *better = result_of(2);
    better->result.line = line_of(moves[2], 50);
    assert_true(shares_deliver(&shares, better));
    expect_news(2, true);
    assert_int_equal(taken.line.score, 50);

    /* What was taken does not come again. */
    give_away(3);
    assert_true(improve(3, moves[1], 40));
    expect_news(3, false);
    assert_true(shares_deliver(&shares, result_of(3)));
    expect_news(3, true);
    assert_int_equal(taken.line.length, 0);
}

static void what_the_share_does_not_hold_is_left_out(void **state)
{
    (void)state;
    give_away(1);
    assert_true(improve(1, 0x999, 30));
    expect_news(1, false);
    assert_int_equal(taken.line.length, 0);
    assert_true(improve(1, moves[0], SCORE_NONE));
    expect_news(1, false);
    assert_int_equal(taken.line.length, 0);

    Message *result = result_of(1);
    result->result.costs[1].move = 0x999;
    result->result.costs[2].move = moves[0];
    result->result.line = line_of(moves[2], 30);
    result->result.line.length = PLY_MAX;
    assert_true(shares_deliver(&shares, result));
    expect_news(1, true);
    assert_int_equal(taken.cost_count, 1);
    assert_int_equal(taken.costs[0].move, moves[0]);
    assert_int_equal(taken.costs[0].nodes, 500);
    assert_int_equal(taken.line.length, PLY_MAX - 2);
}

/* ---- many shares ---- */

static void offers_are_refused_when_there_is_no_room(void **state)
{
    (void)state;
    for (uint32_t number = 1; number <= MESSAGE_SHARES_MAX; number++) {
        assert_true(offer(number));
    }
    assert_false(offer(100));
    for (uint32_t number = 1; number <= MESSAGE_SHARES_MAX; number++) {
        expect(POOL_OFFERED, number);
    }
    assert_false(offer(100));
    (void)shares_withdraw(&shares, 9);
    assert_false(offer(100)); /* the owner does not know of it yet */
    expect(POOL_WITHDRAWN, 9);
    assert_true(offer(100));
    assert_true(shares_deliver(&shares, result_of(20)));
    assert_false(offer(101)); /* the search has not taken it yet */
    expect_news(20, true);
    assert_true(offer(101));
    expect(POOL_OFFERED, 100);
    expect(POOL_OFFERED, 101);
    shares_clear(&shares);
    expect_silence();
    assert_true(offer(1));
}

/* In any order of calls: each share that was told is withdrawn or answered, once. */
static void nothing_is_lost_in_any_order(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    static bool is_out[STEPS + 1];    /* by the owner's book */
    static bool is_wanted[STEPS + 1]; /* by the search's */
    uint32_t last = 0;
    srand(3);
    for (int i = 0; i < STEPS; i++) {
        const uint32_t number = last == 0 ? 1 : 1 + (uint32_t)rand() % last;
        switch (rand() % 5) {
        case 0:
            if (offer(last + 1)) {
                is_wanted[++last] = true;
            }
            break;
        case 1:
            if (is_wanted[number]) {
                (void)shares_withdraw(&shares, number);
                is_wanted[number] = false;
            }
            break;
        case 2:
            if (is_out[number]) {
                assert_true(shares_deliver(&shares, result_of(number)) || !is_wanted[number]);
                is_out[number] = false;
            }
            break;
        case 3:
            while (shares_collect(&shares, &told)) {
                assert_true(told.type == POOL_WITHDRAWN || !is_out[told.share]);
                is_out[told.share] = told.type == POOL_OFFERED;
            }
            break;
        default:
            while (shares_take(&shares, &taken)) {
                assert_true(is_wanted[taken.share] && !is_out[taken.share] && taken.is_over);
                is_wanted[taken.share] = false;
            }
        }
    }
    assert_true(last > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_share_goes_out_and_comes_back, set_up),
        cmocka_unit_test_setup(what_was_withdrawn_in_time_is_never_told, set_up),
        cmocka_unit_test_setup(after_it_was_withdrawn_nothing_more_is_said, set_up),
        cmocka_unit_test_setup(a_result_that_is_not_wanted_any_more_is_dropped, set_up),
        cmocka_unit_test_setup(bounds_are_merged, set_up),
        cmocka_unit_test_setup(lines_are_merged_and_the_result_keeps_the_best, set_up),
        cmocka_unit_test_setup(what_the_share_does_not_hold_is_left_out, set_up),
        cmocka_unit_test_setup(offers_are_refused_when_there_is_no_room, set_up),
        cmocka_unit_test_setup(nothing_is_lost_in_any_order, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
