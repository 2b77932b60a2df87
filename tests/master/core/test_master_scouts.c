/*
 * Scouts at the master's core, as traces: which searches run side by side, what becomes of the
 * first to complete an iteration, and when they make room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "support/count_text.h"
#include "support/given.h"
#include "support/master_stage.h"

/* So many workers of one slot, and a search by as many searches side by side. */
static Stage *stage_with_search(int workers, int depth)
{
    Stage *stage = stage_new_with_searches(workers);
    for (int i = 0; i < workers; i++) {
        stage_hello(stage, W1 + (uint64_t)i, 1);
    }
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, depth);
    return stage;
}

static void test_each_slot_searches_the_whole_root(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(3, 20);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n"
                        "12 JOB 1.1 eldest depth 2 moves 3\n"
                        "13 JOB 2.1 eldest depth 1 moves 3\n");
    stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    assert_null(strstr(stage->trace, "HUNGRY")); /* nobody is free */
    stage_destroy(stage);
}

static void test_there_are_no_more_searches_than_allowed(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(2);
    stage_hello(stage, W1, 4);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    /* Two slots each: their brothers are searched side by side. */
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 1\n"
                        "11 JOB 1.1 eldest depth 2 moves 1\n");
    const MessageJob eldest = stage_job_of(stage, W1);
    stage_result(stage, W1, &eldest, 5);
    stage_expect(stage, "11 JOB 1.2 brothers depth 2 moves 1\n"
                        "11 JOB 1.3 brothers depth 2 moves 1\n");
    stage_destroy(stage);
}

static void test_each_of_64_slots_searches_the_whole_root(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(MASTER_SEARCHES_MAX);
    for (uint64_t i = 0; i < 8; i++) {
        stage_hello(stage, W1 + i, 8);
    }
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    assert_int_equal(count_text(stage->trace, "moves 3\n"), 64);
    stage_destroy(stage);
}

static void test_the_first_to_complete_an_iteration_has_done_it_for_all(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    const MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    stage_result(stage, W2, &scouts, 7); /* of depth 2, while the other is at depth 1 */
    stage_expect(stage, "11 CANCEL 1\n"
                        "21 INFO depth 2 score 7 nodes 30\n"
                        "12 JOB 2 eldest depth 3 moves 3\n" /* whose table is the best for it */
                        "11 JOB 1.2 eldest depth 4 moves 3\n");
    const MessageJob next = stage_job_of(stage, W2);
    assert_int_equal(next.moves[0], scouts.moves[0]);
    stage_result(stage, W1, &own, 9); /* it was on its way: nothing but nodes */
    stage_expect(stage, "");
    stage_result(stage, W2, &next, 8);
    stage_expect(stage, "21 INFO depth 3 score 8 nodes 90\n"
                        "12 JOB 3 eldest depth 4 moves 3\n");
    stage_destroy(stage);
}

static void test_a_scout_that_falls_behind_goes_on_where_the_search_is(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    const MessageJob scouts = stage_job_of(stage, W2);
    for (int depth = 1; depth <= 4; depth++) {
        const MessageJob job = stage_job_of(stage, W1);
        assert_int_equal(job.depth, depth);
        stage_result(stage, W1, &job, 10 + depth);
    }
    stage_result(stage, W2, &scouts, 6); /* of depth 2: nobody needs it any more */
    stage_expect(stage, "12 JOB 1.2 eldest depth 6 moves 3\n");
    const MessageJob next = stage_job_of(stage, W2);
    assert_int_equal(next.alpha, 14 - 12); /* around the score of depth 4 */
    assert_int_equal(next.beta, 14 + 12);
    stage_destroy(stage);
}

static void test_whoever_reaches_the_depth_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 3);
    MessageJob scouts = stage_job_of(stage, W2);
    stage_result(stage, W2, &scouts, 7);
    stage_expect(stage, "11 CANCEL 1\n"
                        "21 INFO depth 2 score 7 nodes 30\n"
                        "12 JOB 2 eldest depth 3 moves 3\n"
                        "11 JOB 1.2 eldest depth 3 moves 3\n"); /* there is none behind it */
    scouts = stage_job_of(stage, W1);
    stage_result(stage, W1, &scouts, 8);
    stage_expect(stage, "12 CANCEL 2\n"
                        "21 INFO depth 3 score 8 nodes 60\n"
                        "21 INFO depth 3 score 8 nodes 60\n"
                        "21 BESTMOVE 5 a1b1\n");
    stage_search_to_depth(stage, B1, 6, 20); /* and leaves nothing behind */
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n"
                        "12 JOB 1.1 eldest depth 2 moves 3\n");
    stage_destroy(stage);
}

/* A search stands still without its eldest; brothers of another one can wait. */
static void test_eldest_jobs_of_scouts_come_before_brothers(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(3);
    stage_hello(stage, W1, 2);
    stage_hello(stage, W2, 4);
    stage_open_session(stage, B1);
    stage_compose_search(stage, 5, FEN_START)->limits.depth = 20;
    stage_deliver(stage, B1);
    const MessageJob first = stage_job_of(stage, W1);
    const MessageJob second = stage_job_of(stage, W2);
    stage_result(stage, W1, &first, 5);
    stage_expect(stage, "11 JOB 1.2 brothers depth 2 moves 5\n"
                        "12 JOB 1.3 brothers depth 2 moves 4\n"
                        "12 JOB 1.4 brothers depth 2 moves 3\n"
                        "12 JOB 1.5 brothers depth 2 moves 2\n"); /* and it has more of them */
    stage_give_back(stage, W2, &second, 10);
    stage_expect(stage, "12 JOB 2.2 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* Two workers of one slot, and a search for two lines by as many searches side by side. */
static Stage *stage_with_lines(int depth)
{
    Stage *stage = stage_new_with_searches(2);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->multi_pv = 2;
    search->limits.depth = depth;
    stage_deliver(stage, B1);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n"
                        "12 JOB 1.1 eldest depth 2 moves 3\n");
    return stage;
}

/* The worker is done with a line, and has the job of the next one then. */
static MessageJob find_line(Stage *stage, uint64_t peer, const MessageJob *job, int score)
{
    stage_result(stage, peer, job, score);
    return stage_job_of(stage, peer);
}

static void test_all_lines_of_an_iteration_are_done_for_all(void **state)
{
    (void)state;
    Stage *stage = stage_with_lines(20);
    MessageJob own = stage_job_of(stage, W1);
    MessageJob scouts = stage_job_of(stage, W2);
    own = find_line(stage, W1, &own, 3);
    stage_expect(stage, "11 JOB 2 eldest depth 1 moves 2\n"); /* it is in the middle of its lines */
    const Move first = scouts.moves[0];
    scouts = find_line(stage, W2, &scouts, 7);
    stage_expect(stage, "12 JOB 1.2 eldest depth 2 moves 2\n");
    const Move second = scouts.moves[0];
    scouts = find_line(stage, W2, &scouts, 9);
    stage_expect(stage, "11 CANCEL 2\n"
                        "21 INFO depth 2 score 9 nodes 80\n"
                        "21 INFO depth 2 score 7 nodes 80 of rank 1\n"
                        "12 JOB 3 eldest depth 3 moves 3\n"
                        "11 JOB 1.3 eldest depth 4 moves 3\n");
    assert_int_equal(scouts.moves[0], second); /* the best first */
    stage_result(stage, W1, &own, 8);          /* it was on its way: nothing but nodes */
    stage_expect(stage, "");
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    char move[8];
    char expected[256];
    (void)snprintf(expected, sizeof expected,
                   "11 CANCEL all\n"
                   "12 CANCEL all\n"
                   "21 INFO depth 2 score 9 nodes 100\n"
                   "21 INFO depth 2 score 7 nodes 100 of rank 1\n"
                   "21 BESTMOVE 5 %s\n",
                   stage_square_pair(second, move));
    stage_expect(stage, expected);
    assert_int_not_equal(first, second);
    stage_destroy(stage);
}

static void test_whoever_has_all_lines_of_the_depth_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = stage_with_lines(2);
    MessageJob own = stage_job_of(stage, W1);
    MessageJob scouts = stage_job_of(stage, W2);
    scouts = find_line(stage, W2, &scouts, 7);
    own = find_line(stage, W1, &own, 3);
    own = find_line(stage, W1, &own, 4);
    own = find_line(stage, W1, &own, 5); /* one line of depth 2 each */
    stage_expect(stage, "11 JOB 4 eldest depth 2 moves 2\n");
    stage_result(stage, W2, &scouts, 6);
    stage_expect(stage, "11 CANCEL 4\n"
                        "21 INFO depth 2 score 7 nodes 130\n"
                        "21 INFO depth 2 score 6 nodes 130 of rank 1\n"
                        "21 INFO depth 2 score 7 nodes 130\n"
                        "21 INFO depth 2 score 6 nodes 130 of rank 1\n"
                        "21 BESTMOVE 5 a1b1\n");
    stage_destroy(stage);
}

static void test_a_scout_goes_on_where_the_search_is_between_lines_too(void **state)
{
    (void)state;
    Stage *stage = stage_with_lines(20);
    MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    for (int line = 0; line < 4; line++) { /* of two iterations */
        own = find_line(stage, W1, &own, 10 - line);
    }
    assert_int_equal(own.depth, 3);
    stage_result(stage, W2, &scouts, 6); /* of depth 2, whose other line nobody needs any more */
    stage_expect(stage, "12 JOB 1.2 eldest depth 4 moves 3\n");
    assert_int_equal(stage_job_of(stage, W2).moves[0], own.moves[0]);
    stage_destroy(stage);
}

/* What is told between iterations are the lines of the session's own search. */
static void test_a_line_that_a_scout_has_found_is_no_news(void **state)
{
    (void)state;
    Stage *stage = stage_with_lines(20);
    MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    own = find_line(stage, W1, &own, 3);
    stage_tick_after(stage, 600);
    stage_result(stage, W2, &scouts, 7);
    stage_expect(stage, "12 JOB 1.2 eldest depth 2 moves 2\n");
    stage_destroy(stage);
}

static void test_fewer_moves_than_lines_have_scouts_too(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(2);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    stage_compose_search(stage, 5, STAGE_FEW_MOVES)->multi_pv = 5;
    stage_deliver(stage, B1);
    MessageJob scouts = stage_job_of(stage, W2);
    for (int line = 0; line < 3; line++) {
        assert_int_equal(scouts.move_count, 3 - line);
        scouts = find_line(stage, W2, &scouts, line);
    }
    stage_expect(stage, "11 CANCEL 1\n"
                        "21 INFO depth 2 score 2 nodes 60\n"
                        "21 INFO depth 2 score 1 nodes 60 of rank 1\n"
                        "21 INFO depth 2 score 0 nodes 60 of rank 2\n"
                        "12 JOB 2 eldest depth 3 moves 3\n"
                        "11 JOB 1.4 eldest depth 4 moves 3\n");
    stage_destroy(stage);
}

static void test_scouts_make_room_for_another_session(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B2, 9, 20);
    stage_expect(stage, "12 CANCEL 1.1\n"
                        "12 JOB 1 eldest depth 1 moves 3\n");
    stage_name_search(stage, B2, MESSAGE_STOP, 9);
    stage_expect(stage, "12 CANCEL all\n"
                        "22 BESTMOVE 9 a1b1\n"
                        "12 JOB 1.1 eldest depth 2 moves 3\n");
    stage_destroy(stage);
}

static void test_a_scout_whose_worker_leaves_goes_on_elsewhere(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    stage_hello(stage, W3, 1);
    stage_compose(stage, MESSAGE_BYE);
    stage_deliver(stage, W2);
    stage_expect(stage, "13 JOB 1.2 eldest depth 2 moves 3\n");
    stage_destroy(stage);
}

static void test_the_scout_without_a_worker_is_spared(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(3, 20);
    stage_compose(stage, MESSAGE_BYE);
    stage_deliver(stage, W2); /* two slots are left, and two searches at work */
    stage_expect(stage, "");
    stage_hello(stage, W4, 1);
    stage_expect(stage, "14 WELCOME\n"
                        "11 TABLE 0\n"
                        "14 TABLE 0\n"
                        "13 TABLE 0\n"
                        "14 JOB 1.1 eldest depth 2 moves 3\n");
    stage_destroy(stage);
}

/* A scout that makes room and comes back has jobs of the same numbers, but not of the same names.
 */
static void test_a_late_result_is_not_taken_for_a_new_one(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    const MessageJob early = stage_job_of(stage, W2);
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B2, 9, 20);
    stage_name_search(stage, B2, MESSAGE_STOP, 9);
    const MessageJob again = stage_job_of(stage, W2);
    assert_int_equal(again.id.job, early.id.job);
    assert_false(job_id_equal(&again.id, &early.id));
    stage_result(stage, W2, &early, 7);
    stage_expect(stage, "");
    stage_result(stage, W2, &again, 8);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 8 nodes 60\n"));
    stage_destroy(stage);
}

static void test_a_fast_worker_takes_over_from_those_in_reserve(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    stage_hello_at(stage, W3, 1, 20000000);
    stage_expect(stage, "13 WELCOME\n"
                        "11 TABLE 0\n"
                        "12 TABLE 0\n"
                        "13 TABLE 0\n"
                        "11 CANCEL 1\n"
                        "12 CANCEL 1.1\n"
                        "13 JOB 2 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

static void test_a_search_that_costs_workers_has_no_scouts(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(4, 20);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W4); /* by chance, perhaps */
    stage_expect(stage, "");
    stage_step(stage, MASTER_EVENT_PEER_GONE, W3);
    stage_expect(stage, "12 CANCEL 1.1\n");
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_search_to_depth(stage, B1, 6, 20); /* the next one has */
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n"
                        "12 JOB 1.1 eldest depth 2 moves 3\n");
    stage_destroy(stage);
}

/* Whether the last step logs a line with this in it. */
static bool logs(const Stage *stage, const char *text)
{
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        if (action->type == MASTER_ACTION_LOG && strstr(action->text, text) != NULL) {
            return true;
        }
    }
    return false;
}

/* Ten minutes less a second, in which all of these workers are well. */
static void pass_ten_minutes(Stage *stage, uint64_t first, uint64_t last)
{
    for (int second = 1; second < 600; second++) {
        for (uint64_t peer = first; peer <= last; peer++) {
            stage_deliver_empty(stage, peer, MESSAGE_HEARTBEAT);
        }
        stage_deliver_empty(stage, B1, MESSAGE_PING);
        stage_tick_after(stage, 1000);
        assert_null(strstr(stage->trace, "JOB"));
    }
    for (uint64_t peer = first; peer <= last; peer++) {
        stage_deliver_empty(stage, peer, MESSAGE_HEARTBEAT);
    }
    stage_deliver_empty(stage, B1, MESSAGE_PING);
}

/* The jobs that W1 to W4 have; job 0: none. */
typedef struct {
    MessageJob of[4];
} Work;

static void take_jobs(const Stage *stage, Work *work)
{
    for (uint64_t i = 0; i < 4; i++) {
        char handed_out[24];
        (void)snprintf(handed_out, sizeof handed_out, "%d JOB", (int)(W1 + i));
        if (strstr(stage->trace, handed_out) != NULL) {
            work->of[i] = stage_job_of(stage, W1 + i);
        }
    }
}

static void lose(Stage *stage, Work *work, uint64_t peer)
{
    stage_step(stage, MASTER_EVENT_PEER_GONE, peer);
    work->of[peer - W1].id.job = 0;
    take_jobs(stage, work);
}

/* All are done with their jobs, again and again; true as soon as a second search has begun. */
static bool search_beside(Stage *stage, Work *work, int jobs)
{
    for (int done = 0; done < jobs; done++) {
        MessageJob *job = &work->of[done % 4];
        if (job->id.job != 0) {
            const MessageJob ended = *job;
            job->id.job = 0;
            stage_result(stage, W1 + (uint64_t)(done % 4), &ended, 10);
            take_jobs(stage, work);
            if (logs(stage, "others search beside it again")) {
                return true;
            }
        }
    }
    return false;
}

/* Nobody died where they did: it was by chance, but only once. */
static void test_workers_lost_by_chance_are_forgotten(void **state)
{
    (void)state;
    Work work = {0};
    Stage *stage = stage_with_search(4, 60);
    take_jobs(stage, &work);
    lose(stage, &work, W2); /* depth 2 */
    lose(stage, &work, W3);
    assert_true(logs(stage, "one search has its root to itself"));
    assert_true(search_beside(stage, &work, 100));
    assert_in_range(work.of[0].depth + work.of[3].depth, 3 + 4, 3 + 4);
    stage_hello(stage, W2, 1);
    take_jobs(stage, &work);
    stage_hello(stage, W3, 1);
    take_jobs(stage, &work);
    lose(stage, &work, W2);
    lose(stage, &work, W3);
    assert_true(logs(stage, "one search has its root to itself"));
    assert_false(search_beside(stage, &work, 400));
    stage_destroy(stage);
}

static void test_workers_lost_long_ago_are_forgotten(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(4, 20);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W4);
    pass_ten_minutes(stage, W1, W3);
    stage_tick_after(stage, 1000);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W3);
    stage_expect(stage, ""); /* the one before is forgotten */
    pass_ten_minutes(stage, W1, W2);
    stage_hello(stage, W3, 1);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W3);
    stage_expect(stage, "12 CANCEL 1.1\n"); /* and this one is not */
    assert_true(logs(stage, "2 workers were lost with jobs of session 1: one search has its "
                            "root to itself until 10 minutes pass without a loss"));
    pass_ten_minutes(stage, W1, W2);
    stage_tick_after(stage, 1000);
    assert_non_null(strstr(stage->trace, "12 JOB 1.1 eldest depth 2 moves 3\n"));
    stage_destroy(stage);
}

/* Then it is known that the workers died of the search. */
static void test_nothing_is_forgotten_once_a_move_is_left_out(void **state)
{
    (void)state;
    uint64_t peer = W1;
    Stage *stage = stage_new_with_searches(2);
    stage_hello(stage, peer, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    for (bool is_left_out = false; !is_left_out; peer++) {
        assert_true(peer < W1 + 9);
        stage_step(stage, MASTER_EVENT_PEER_GONE, peer);
        is_left_out = logs(stage, "leaving it out");
        stage_hello(stage, peer + 1, 1);
    }
    stage_hello(stage, peer + 1, 1);
    pass_ten_minutes(stage, peer, peer + 1);
    stage_tick_after(stage, 1000);
    assert_null(strstr(stage->trace, "JOB"));
    stage_destroy(stage);
}

/* However many slots it had, it is one worker, by chance perhaps. */
static void test_a_worker_of_many_slots_is_lost_once(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(8);
    stage_hello(stage, W1, 2);
    stage_hello(stage, W2, 2);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_stop_ends_all(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_expect(stage, "11 CANCEL all\n"
                        "12 CANCEL all\n"
                        "21 BESTMOVE 5 a1b1\n");
    stage_destroy(stage);
}

static void heartbeat(Stage *stage, uint64_t peer, const MessageJob *job, uint64_t nodes)
{
    MessageHeartbeat *body = &stage_compose(stage, MESSAGE_HEARTBEAT)->heartbeat;
    body->busy_count = 1;
    body->busy[0] = (SlotProgress){.job = job->id, .nodes = nodes};
    stage_deliver(stage, peer);
}

static void test_nodes_of_running_jobs_are_told(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    const MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    heartbeat(stage, W2, &scouts, 500);
    heartbeat(stage, W2, &scouts, 1000);
    stage_result(stage, W1, &own, 3);
    stage_expect(stage, "21 INFO depth 1 score 3 nodes 1030\n"
                        "11 JOB 2 eldest depth 2 moves 3\n");
    stage_give_back(stage, W2, &scouts, 900); /* fewer than told is not told */
    const MessageJob next = stage_job_of(stage, W2);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 INFO depth 1 score 3 nodes 1030\n"));
    assert_int_equal(next.depth, 2);
    stage_destroy(stage);
}

/* The bridge may not have its answer yet, so that results of cancelled jobs still come. */
static void test_nodes_of_a_held_search_are_counted_once(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_searches(2);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.depth = 1;
    search->limits.infinite = true;
    stage_deliver(stage, B1);
    const MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    heartbeat(stage, W2, &scouts, 1000);
    stage_result(stage, W1, &own, 3);
    stage_expect(stage, "21 INFO depth 1 score 3 nodes 1030\n"
                        "12 CANCEL all\n");
    stage_give_back(stage, W2, &scouts, 1010);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_expect(stage, "21 INFO depth 1 score 3 nodes 1030\n"
                        "21 BESTMOVE 5 a1b1\n");
    stage_destroy(stage);
}

/* What was last heard of jobs that end with their search counts. */
static void test_nodes_of_cancelled_jobs_are_told(void **state)
{
    (void)state;
    Stage *stage = stage_with_search(2, 20);
    const MessageJob own = stage_job_of(stage, W1);
    const MessageJob scouts = stage_job_of(stage, W2);
    stage_result(stage, W1, &own, 3);
    stage_expect(stage, "21 INFO depth 1 score 3 nodes 30\n"
                        "11 JOB 2 eldest depth 2 moves 3\n");
    heartbeat(stage, W2, &scouts, 500);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_expect(stage, "11 CANCEL all\n"
                        "12 CANCEL all\n"
                        "21 INFO depth 1 score 3 nodes 530\n"
                        "21 BESTMOVE 5 a1b1\n");
    stage_destroy(stage);
}

static void test_a_node_limit_is_for_one_search(void **state)
{
    (void)state;
    for (int lines = 1; lines <= 2; lines++) {
        Stage *stage = stage_new_with_searches(2);
        stage_hello(stage, W1, 1);
        stage_hello(stage, W2, 1);
        stage_open_session(stage, B1);
        MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
        search->limits.nodes = 1000;
        search->multi_pv = lines;
        stage_deliver(stage, B1);
        stage_expect(stage, "11 JOB 1 eldest depth 1 moves 1\n");
        assert_int_equal(stage_job_of(stage, W1).node_budget, 1000);
        stage_destroy(stage);
    }
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_slot_searches_the_whole_root),
        cmocka_unit_test(test_there_are_no_more_searches_than_allowed),
        cmocka_unit_test(test_eldest_jobs_of_scouts_come_before_brothers),
        cmocka_unit_test(test_each_of_64_slots_searches_the_whole_root),
        cmocka_unit_test(test_the_first_to_complete_an_iteration_has_done_it_for_all),
        cmocka_unit_test(test_a_scout_that_falls_behind_goes_on_where_the_search_is),
        cmocka_unit_test(test_whoever_reaches_the_depth_ends_the_search),
        cmocka_unit_test(test_all_lines_of_an_iteration_are_done_for_all),
        cmocka_unit_test(test_whoever_has_all_lines_of_the_depth_ends_the_search),
        cmocka_unit_test(test_a_scout_goes_on_where_the_search_is_between_lines_too),
        cmocka_unit_test(test_a_line_that_a_scout_has_found_is_no_news),
        cmocka_unit_test(test_fewer_moves_than_lines_have_scouts_too),
        cmocka_unit_test(test_scouts_make_room_for_another_session),
        cmocka_unit_test(test_a_scout_whose_worker_leaves_goes_on_elsewhere),
        cmocka_unit_test(test_the_scout_without_a_worker_is_spared),
        cmocka_unit_test(test_a_late_result_is_not_taken_for_a_new_one),
        cmocka_unit_test(test_a_fast_worker_takes_over_from_those_in_reserve),
        cmocka_unit_test(test_a_search_that_costs_workers_has_no_scouts),
        cmocka_unit_test(test_workers_lost_by_chance_are_forgotten),
        cmocka_unit_test(test_workers_lost_long_ago_are_forgotten),
        cmocka_unit_test(test_nothing_is_forgotten_once_a_move_is_left_out),
        cmocka_unit_test(test_a_worker_of_many_slots_is_lost_once),
        cmocka_unit_test(test_nodes_of_a_held_search_are_counted_once),
        cmocka_unit_test(test_stop_ends_all),
        cmocka_unit_test(test_nodes_of_running_jobs_are_told),
        cmocka_unit_test(test_nodes_of_cancelled_jobs_are_told),
        cmocka_unit_test(test_a_node_limit_is_for_one_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
