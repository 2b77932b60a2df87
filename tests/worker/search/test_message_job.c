/*
 * Jobs between messages and search: nothing is lost on the way, and what the search could not bear
 * is refused.
 */
#include "worker/search/message_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "support/given.h"

/* A share of Black's moves after 1. e4 and a pass by Black, 2. d4. */
static MessageJob share_after_a_pass(const Position *start)
{
    MessageJob job = {
        .path_length = 3,
        .depth = 6,
        .alpha = -20,
        .beta = 35,
        .node_kind = NODE_ALL,
        .is_split = true,
        .best = -40,
        .was_pv = true,
        .root_depth = 9,
        .double_extensions = 2,
        .null_move_ply_min = 5,
        .node_budget = 12345,
        .move_count = 2,
        .numbers = {3, 7},
    };
    Position one;
    Position two;
    Position three;
    job.path[0] = notation_parse_uci(start, "e2e4", 4);
    position_make(start, job.path[0], &one);
    job.path[1] = MOVE_NONE;
    position_make_null(&one, &two);
    job.path[2] = notation_parse_uci(&two, "d2d4", 4);
    position_make(&two, job.path[2], &three);
    job.moves[0] = notation_parse_uci(&three, "g8f6", 4);
    job.moves[1] = notation_parse_uci(&three, "e7e5", 4);
    return job;
}

static void a_share_survives_the_way_there_and_back(void **state)
{
    (void)state;
    const Position start = given_position(FEN_START);
    const MessageJob sent = share_after_a_pass(&start);
    History game;
    MessageJob back = {.depth = 0};
    history_clear(&game);
    assert_true(message_job_is_playable(&sent, &start));
    const SearchJob job = message_job_search(&sent, &start, &game);
    assert_ptr_equal(job.root, &start);
    assert_ptr_equal(job.game, &game);
    message_job_offer(&job, &back);
    assert_memory_equal(&back, &sent, sizeof sent);
}

/* Each change alone makes a job of no use. */
static void what_the_search_cannot_bear_is_refused(void **state)
{
    (void)state;
    const Position start = given_position(FEN_START);
    const MessageJob good = share_after_a_pass(&start);
    MessageJob bad[13];
    int count = 0;
    for (int i = 0; i < 13; i++) {
        bad[i] = good;
    }
    bad[count++].moves[1] = good.path[0];
    bad[count++].moves[0] = MOVE_NONE;
    bad[count++].numbers[1] = 0;
    bad[count++].path_length = 2; /* White to move: the moves are Black's */
    bad[count++].depth = 0;
    bad[count++].alpha = good.beta;
    bad[count++].node_kind = NODE_ALL + 1;
    bad[count++].best = good.beta;
    bad[count++].root_depth = 0;
    bad[count++].double_extensions = -1;
    bad[count++].null_move_ply_min = 1000;
    bad[count++].is_eldest = true; /* the eldest of an inner node is not shared */
    bad[count++].move_count = 0;
    for (int i = 0; i < count; i++) {
        assert_false(message_job_is_playable(&bad[i], &start));
    }
    MessageJob whole = bad[count - 1];
    whole.is_split = false; /* a whole node */
    assert_true(message_job_is_playable(&whole, &start));
    whole.is_eldest = true; /* has no first move */
    assert_false(message_job_is_playable(&whole, &start));
}

static void nobody_passes_in_check(void **state)
{
    (void)state;
    const Position start = given_position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    MessageJob job = {.path_length = 1, .depth = 3, .alpha = -10, .beta = 10};
    job.path[0] = notation_parse_uci(&start, "a1a8", 4);
    assert_true(message_job_is_playable(&job, &start));
    job.path_length = 2;
    assert_false(message_job_is_playable(&job, &start));
    job.path[0] = notation_parse_uci(&start, "a1a7", 4);
    assert_true(message_job_is_playable(&job, &start));
}

static void a_search_that_was_stopped_is_not_complete(void **state)
{
    (void)state;
    static const SearchResult found = {
        .score = 17,
        .nodes = 900,
        .own_nodes = 400,
        .selective_depth = 21,
        .stopped = true,
        .cost_count = 1,
        .costs = {{.move = 0x123, .nodes = 900}},
    };
    static MessageResult result;
    const JobId id = {.epoch = {1}, .session = {2}, .search = {3}, .job = 4, .attempt = 5};
    result.share = 9;
    message_job_result(&found, &id, &result);
    assert_true(job_id_equal(&result.id, &id));
    assert_int_equal(result.share, 0);
    assert_false(result.is_complete);
    assert_int_equal(result.score, 17);
    assert_int_equal(result.nodes, 900);
    assert_int_equal(result.selective_depth, 21);
    assert_int_equal(result.cost_count, 1);
    assert_int_equal(result.costs[0].move, 0x123);
}

/* The search does sums with it. */
static void a_share_costs_no_impossible_number_of_nodes(void **state)
{
    (void)state;
    static MessageResult result;
    static ShareNews news;
    const Position start = given_position(FEN_START);
    const MessageJob job = share_after_a_pass(&start);
    const uint64_t most = UINT64_C(1) << 48;
    const uint64_t said[] = {0, 12345, most - 1, most, most + 1, INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        result.nodes = said[i];
        message_job_result_news(&job, &result, &news);
        assert_true(news.nodes == (said[i] < most ? said[i] : most));
    }
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_survives_the_way_there_and_back),
        cmocka_unit_test(what_the_search_cannot_bear_is_refused),
        cmocka_unit_test(nobody_passes_in_check),
        cmocka_unit_test(a_search_that_was_stopped_is_not_complete),
        cmocka_unit_test(a_share_costs_no_impossible_number_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
