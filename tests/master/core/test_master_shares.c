/*
 * Shares of inner nodes at the master's core, as traces: who is asked for them, who gets them, who
 * hears of what becomes of them, and what is left when someone vanishes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "master/core/jobs.h"
#include "support/given.h"
#include "support/master_stage.h"

/* ---- setting the stage ---- */

enum { PENDING_MAX = 64 };

typedef struct {
    uint64_t peer;
    MessageJob job;
} Pending;

static int list_jobs(const Stage *stage, Pending *list, int count)
{
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        if (action->type == MASTER_ACTION_SEND && action->message.type == MESSAGE_JOB) {
            assert_true(count < PENDING_MAX);
            list[count++] = (Pending){.peer = action->peer.value, .job = action->message.job};
        }
    }
    return count;
}

/*
 * Answers all jobs of the search under way until the eldest of an iteration so deep goes out, which
 * is returned. Scores do not change, so that it has a window.
 */
static MessageJob play_to_depth(Stage *stage, int depth)
{
    static Pending pending[PENDING_MAX];
    int count = list_jobs(stage, pending, 0);
    while (count > 0) {
        const Pending next = pending[0];
        if (next.job.is_eldest && next.job.depth == depth) {
            assert_int_equal(count, 1);
            return next.job;
        }
        memmove(&pending[0], &pending[1], (size_t)--count * sizeof pending[0]);
        stage_result(stage, next.peer, &next.job, next.job.is_eldest ? 10 : 0);
        count = list_jobs(stage, pending, count);
    }
    fail_msg("no such depth");
    return (MessageJob){0};
}

/*
 * So many workers with so many slots, no surplus, and a search whose eldest job of depth 9 is out
 * with W1.
 */
static Stage *stage_with_eldest(int workers, int slots, MessageJob *eldest)
{
    Stage *stage = stage_new(0);
    for (int i = 0; i < workers; i++) {
        stage_hello(stage, W1 + (uint64_t)i, slots);
    }
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    *eldest = play_to_depth(stage, 9);
    return stage;
}

/* The owner gives away `moves` moves at a node so deep. */
static void offer(Stage *stage, uint64_t peer, const MessageJob *owner, uint32_t share, int depth,
                  int moves)
{
    MessageOffer *body = &stage_compose(stage, MESSAGE_OFFER)->offer;
    body->parent = owner->id;
    body->share = share;
    body->job.is_split = true;
    body->job.depth = depth;
    body->job.alpha = 10;
    body->job.beta = 30;
    body->job.path_length = 1;
    body->job.path[0] = move_make(SQUARE_A1, SQUARE_A1 + 8);
    body->job.move_count = moves;
    for (int i = 0; i < moves; i++) {
        body->job.moves[i] = move_make(SQUARE_H8, (Square)i);
        body->job.numbers[i] = (uint8_t)(i + 2);
    }
    stage_deliver(stage, peer);
}

static void withdraw(Stage *stage, uint64_t peer, const MessageJob *owner, uint32_t share)
{
    stage_compose(stage, MESSAGE_CANCEL)->cancel = (MessageCancel){.id = owner->id, .share = share};
    stage_deliver(stage, peer);
}

static void raise_bound(Stage *stage, uint64_t peer, const MessageJob *owner, uint32_t share,
                        int alpha)
{
    stage_compose(stage, MESSAGE_BOUNDS)->bounds =
        (MessageBounds){.id = owner->id, .share = share, .alpha = alpha};
    stage_deliver(stage, peer);
}

static void park(Stage *stage, uint64_t peer, const MessageJob *job, bool is_parked)
{
    stage_compose(stage, MESSAGE_PARKED)->parked =
        (MessageParked){.id = job->id, .is_parked = is_parked};
    stage_deliver(stage, peer);
}

/* Offers a share that goes out at once, to `helper`. */
static MessageJob offer_out(Stage *stage, uint64_t peer, const MessageJob *owner, uint32_t share,
                            int depth, uint64_t helper)
{
    offer(stage, peer, owner, share, depth, 2);
    return stage_job_of(stage, helper);
}

/* ---- one share ---- */

static void test_an_offer_goes_to_a_free_slot(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    stage_expect(stage, "21 INFO depth 8 score 10 nodes 240\n"
                        "11 JOB 25 eldest depth 9 moves 1\n11 HUNGRY 25 count 1\n");
    offer(stage, W1, &eldest, 3, 7, 2);
    stage_expect(stage, "12 JOB s1 share depth 7 moves 2\n");
    const MessageJob job = stage_job_of(stage, W2);
    const MessageJob *offered = &stage->message->offer.job;
    assert_int_equal(job.id.epoch.value, STAGE_EPOCH);
    assert_int_equal(job.id.session.value, 1);
    assert_int_equal(job.id.search.value, 5);
    assert_int_equal(job.id.job, 0x80000001);
    assert_int_equal(job.id.attempt, 1);
    assert_string_equal(job.position.fen, STAGE_FEW_MOVES);
    assert_int_equal(job.alpha, 10);
    assert_int_equal(job.beta, 30);
    assert_int_equal(job.path_length, 1);
    assert_int_equal(job.path[0], offered->path[0]);
    assert_memory_equal(job.moves, offered->moves, 2 * sizeof(Move));
    assert_memory_equal(job.numbers, offered->numbers, 2);
    stage_destroy(stage);
}

static void test_the_owner_hears_what_comes_of_its_share(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    stage_improved(stage, W2, &share, share.moves[1], 20);
    stage_expect(stage, "11 IMPROVED 25 share 3 score 20\n");
    stage_result(stage, W2, &share, 20);
    stage_expect(stage, "11 RESULT 25 share 3 score 20 nodes 20\n11 HUNGRY 25 count 1\n");
    const MessageResult *told = &stage->actions->list[0].message.result;
    assert_int_equal(told->cost_count, 2);
    assert_int_equal(told->costs[1].move, share.moves[1]);
    assert_int_equal(told->line.moves[0], share.moves[0]);
    /* Neither the session's search nor the share's owner takes it twice. */
    stage_result(stage, W2, &share, 20);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_the_helper_hears_of_a_higher_bound(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    raise_bound(stage, W1, &eldest, 3, 25);
    stage_expect(stage, "12 BOUNDS s1 alpha 25\n");
    /* One that is not out yet goes out with the bound. */
    offer(stage, W1, &eldest, 4, 7, 1);
    stage_expect(stage, "");
    raise_bound(stage, W1, &eldest, 4, 22);
    raise_bound(stage, W1, &eldest, 4, 21);
    raise_bound(stage, W1, &eldest, 4, 30); /* beta: nothing would be left to search */
    stage_expect(stage, "");
    stage_result(stage, W2, &share, 0);
    stage_expect(stage, "11 RESULT 25 share 3 score 0 nodes 20\n12 JOB s2 share depth 7 moves 1\n");
    assert_int_equal(stage_job_of(stage, W2).alpha, 22);
    stage_destroy(stage);
}

static void test_a_queued_share_is_withdrawn_without_a_word(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    offer(stage, W1, &eldest, 4, 7, 1);
    withdraw(stage, W1, &eldest, 4);
    stage_expect(stage, "");
    stage_result(stage, W2, &share, 0);
    stage_expect(stage, "11 RESULT 25 share 3 score 0 nodes 20\n11 HUNGRY 25 count 1\n");
    stage_destroy(stage);
}

static void test_a_helper_gives_a_share_back(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    const MessageJob below = offer_out(stage, W2, &share, 1, 6, W3);
    assert_int_equal(below.depth, 6);
    /* What it has done is told, what it had given away is void. */
    MessageResult *partial = stage_compose_result(stage, &share, 12);
    partial->is_complete = false;
    partial->cost_count = 1;
    stage_deliver(stage, W2);
    stage_expect(stage, "13 CANCEL s2\n11 RESULT 25 share 3 given back nodes 20\n"
                        "11 HUNGRY 25 count 2\n");
    assert_int_equal(stage->actions->list[1].message.result.cost_count, 1);
    stage_destroy(stage);
}

/* ---- trees ---- */

/*
 * W1 has the eldest, job 25; its share 3 is s1 with W2, whose share 1 is s2 with W3, whose share 1
 * is s3 with W4.
 */
static Stage *stage_with_chain(MessageJob jobs[4])
{
    Stage *stage = stage_with_eldest(4, 1, &jobs[0]);
    jobs[1] = offer_out(stage, W1, &jobs[0], 3, 8, W2);
    jobs[2] = offer_out(stage, W2, &jobs[1], 1, 7, W3);
    jobs[3] = offer_out(stage, W3, &jobs[2], 1, 6, W4);
    stage_expect(stage, "14 JOB s3 share depth 6 moves 2\n11 HUNGRY 25 count 0\n");
    return stage;
}

static void test_a_withdrawn_share_takes_all_below_it_along(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    withdraw(stage, W1, &jobs[0], 3);
    stage_expect(stage, "12 CANCEL s1\n14 CANCEL s3\n13 CANCEL s2\n11 HUNGRY 25 count 3\n");
    /* What they say now is of no interest to anybody. */
    stage_improved(stage, W4, &jobs[3], jobs[3].moves[0], 20);
    stage_expect(stage, "");
    stage_result(stage, W3, &jobs[2], 20);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_in_the_middle_the_rest_of_the_tree_stays(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    withdraw(stage, W2, &jobs[1], 1);
    stage_expect(stage, "13 CANCEL s2\n14 CANCEL s3\n11 HUNGRY 25 count 1\n12 HUNGRY s1 count 1\n");
    stage_result(stage, W2, &jobs[1], 5);
    stage_expect(stage, "11 RESULT 25 share 3 score 5 nodes 20\n11 HUNGRY 25 count 3\n");
    stage_destroy(stage);
}

static void test_a_job_that_ends_takes_all_below_it_along(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    stage_result(stage, W2, &jobs[1], 20);
    stage_expect(stage, "14 CANCEL s3\n13 CANCEL s2\n11 RESULT 25 share 3 score 20 nodes 20\n"
                        "11 HUNGRY 25 count 3\n");
    stage_destroy(stage);
}

static void test_a_change_of_the_root_s_window_takes_whole_trees_along(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    (void)offer_out(stage, W1, &left, 1, 7, W3);
    stage_expect(stage, "13 JOB s1 share depth 7 moves 2\n");
    /* A better move: the owner passes the bound on to its shares itself. */
    stage_improved(stage, W2, &right, right.moves[0], 12);
    stage_expect(stage, "11 BOUNDS 26 alpha 12\n");
    /* A fail high. */
    stage_improved(stage, W2, &right, right.moves[0], right.beta + 5);
    stage_expect(stage, "11 CANCEL 26\n13 CANCEL s1\n11 JOB 28 eldest depth 9 moves 1\n"
                        "11 HUNGRY 28 count 1\n");
    stage_destroy(stage);
}

static void test_a_search_that_ends_is_cancelled_with_one_message_a_worker(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    offer(stage, W1, &jobs[0], 4, 7, 1); /* stays queued */
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n12 CANCEL all\n13 CANCEL all\n"
                                         "14 CANCEL all\n21 INFO"));
    stage_search_to_depth(stage, B1, 6, 3);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* ---- losses ---- */

static void test_a_lost_owner_s_job_begins_anew(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    stage_expect(stage, "14 CANCEL s3\n13 CANCEL s2\n12 CANCEL s1\n"
                        "12 JOB 26 eldest depth 9 moves 1\n12 HUNGRY 26 count 2\n");
    stage_destroy(stage);
}

static void test_a_lost_helper_s_share_goes_back_to_its_owner(void **state)
{
    (void)state;
    MessageJob jobs[4];
    Stage *stage = stage_with_chain(jobs);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2);
    stage_expect(stage, "14 CANCEL s3\n13 CANCEL s2\n11 RESULT 25 share 3 given back nodes 0\n"
                        "11 HUNGRY 25 count 2\n");
    /* Who offers it again does so by another number. */
    (void)offer_out(stage, W1, &jobs[0], 4, 8, W4);
    stage_expect(stage, "14 JOB s4 share depth 8 moves 2\n");
    stage_destroy(stage);
}

/* What kills its helpers is kept by its owner. */
static void test_an_owner_whose_helpers_die_keeps_its_shares(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    uint64_t helper = W2;
    for (uint32_t share = 1; share <= JOB_HELPERS_LOST_MAX; share++, helper++) {
        (void)offer_out(stage, W1, &eldest, share, 8, helper);
        stage_hello(stage, helper + 1, 1);
        stage_step(stage, MASTER_EVENT_PEER_GONE, helper);
        assert_non_null(strstr(stage->trace, "given back nodes 0\n"));
    }
    assert_non_null(strstr(stage->trace, "11 HUNGRY 25 count 0\n"));
    offer(stage, W1, &eldest, 9, 8, 2);
    stage_expect(stage, "11 RESULT 25 share 9 given back nodes 0\n");
    stage_destroy(stage);
}

static void test_a_dead_helper_counts_once_however_many_shares_it_had(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, JOB_HELPERS_LOST_MAX);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob eldest = play_to_depth(stage, 9);
    if (strstr(stage->trace, "12 JOB") != NULL) {
        fail_msg("the eldest is with the other worker");
    }
    for (uint32_t share = 1; share <= JOB_HELPERS_LOST_MAX; share++) {
        (void)offer_out(stage, W1, &eldest, share, 8, W2);
    }
    stage_hello(stage, W3, 1);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2);
    assert_non_null(strstr(stage->trace, "given back nodes 0\n"));
    offer(stage, W1, &eldest, 9, 8, 2);
    assert_non_null(strstr(stage->trace, "13 JOB"));
    stage_destroy(stage);
}

/* A worker that leaves is told nothing of jobs that it had given to itself. */
static void test_a_lost_worker_with_owner_and_helper(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 2, &eldest);
    const MessageJob own = offer_out(stage, W1, &eldest, 1, 8, W1);
    const MessageJob other = offer_out(stage, W1, &own, 1, 7, W2);
    (void)offer_out(stage, W2, &other, 1, 6, W2);
    assert_non_null(strstr(stage->trace, "12 JOB s3 share depth 6 moves 2\n"));
    stage_deliver_empty(stage, W1, MESSAGE_BYE);
    stage_expect(stage, "12 CANCEL s3\n12 CANCEL s2\n12 JOB 26 eldest depth 9 moves 1\n"
                        "12 HUNGRY 26 count 1\n");
    stage_destroy(stage);
}

/* ---- parking ---- */

static void test_a_parked_job_s_slot_takes_another(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W1, &eldest, 2, 8, 1);
    stage_expect(stage, "");
    park(stage, W1, &eldest, true);
    stage_expect(stage, "11 JOB s2 share depth 8 moves 1\n");
    const MessageJob second = stage_job_of(stage, W1);
    /* Its slot is full again, and so are its two threads. */
    offer(stage, W2, &share, 1, 7, 1);
    stage_expect(stage, "");
    park(stage, W1, &eldest, false);
    stage_expect(stage, "");
    stage_result(stage, W1, &second, 0); /* the eldest has the slot now */
    stage_expect(stage, "11 RESULT 25 share 2 score 0 nodes 10\n");
    park(stage, W1, &eldest, true);
    stage_expect(stage, "11 JOB s3 share depth 7 moves 1\n");
    /* A result of a job that is parked frees its place. */
    stage_result(stage, W1, &eldest, 10);
    assert_non_null(strstr(stage->trace, "12 CANCEL s1\n"));
    assert_non_null(strstr(stage->trace, "11 CANCEL s3\n"));
    assert_non_null(strstr(stage->trace, "11 JOB 26 brothers depth 9 moves 1\n"));
    assert_non_null(strstr(stage->trace, "12 JOB 27 brothers depth 9 moves 1\n"));
    stage_destroy(stage);
}

static void test_a_slot_helps_those_it_waits_for_first(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W2, &share, 1, 7, 1);   /* s2, below the eldest too */
    offer(stage, W2, &share, 2, 7, 2);   /* s3, more moves */
    offer(stage, W2, &share, 3, 7, 2);   /* s4, younger */
    offer(stage, W1, &eldest, 2, 6, 20); /* s5, shallower */
    park(stage, W2, &share, true);       /* waits for s2, s3, s4 and not for s5 */
    stage_expect(stage, "12 JOB s3 share depth 7 moves 2\n");
    const MessageJob third = stage_job_of(stage, W2);
    offer(stage, W1, &eldest, 3, 8, 20); /* s6: the most work, but W2 does not wait for it */
    stage_result(stage, W2, &third, 0);
    stage_expect(stage, "12 RESULT s1 share 2 score 0 nodes 20\n12 JOB s4 share depth 7 moves 2\n");
    park(stage, W1, &eldest, true); /* waits for all */
    stage_expect(stage, "11 JOB s6 share depth 8 moves 20\n");
    stage_destroy(stage);
}

/* The table of the worker that had a subtree last knows it. */
static void test_a_share_goes_to_the_worker_that_had_its_subtree(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 7, W2);
    const MessageJob second = offer_out(stage, W1, &eldest, 2, 7, W3); /* the same moves */
    stage_result(stage, W2, &first, 0);
    offer(stage, W1, &eldest, 3, 7, 2); /* W3 had them last, but is at work */
    stage_expect(stage, "12 JOB s3 share depth 7 moves 2\n");
    const MessageJob third = stage_job_of(stage, W2);
    stage_result(stage, W2, &third, 0);
    stage_result(stage, W3, &second, 0);
    offer(stage, W1, &eldest, 4, 7, 2); /* both are free, and W2 had them last */
    stage_expect(stage, "12 JOB s4 share depth 7 moves 2\n");
    const MessageJob fourth = stage_job_of(stage, W2);
    const MessageJob fifth = offer_out(stage, W1, &eldest, 5, 7, W3);
    stage_result(stage, W2, &fourth, 0);
    stage_result(stage, W3, &fifth, 0);
    offer(stage, W1, &eldest, 6, 7, 2); /* now W3, though W2 comes first */
    stage_expect(stage, "13 JOB s6 share depth 7 moves 2\n");
    stage_destroy(stage);
}

/* ... unless it is only half as fast as the one whose turn it is. */
static void test_a_slow_worker_that_had_the_subtree_is_passed_over(void **state)
{
    (void)state;
    for (uint64_t spare = 0; spare < 2; spare++) {
        Stage *stage = stage_new(0);
        stage_hello_at(stage, W1, 1, 1000000);
        stage_hello_at(stage, W2, 1, 1000000);
        stage_hello_at(stage, W3, 1, 500000 + spare);
        stage_open_session(stage, B1);
        stage_search_to_depth(stage, B1, 5, 9);
        const MessageJob eldest = stage_job_of(stage, W1);
        const MessageJob first = offer_out(stage, W1, &eldest, 1, 7, W2);
        const MessageJob second = offer_out(stage, W1, &eldest, 2, 7, W3); /* the same moves */
        stage_result(stage, W2, &first, 0);
        stage_result(stage, W3, &second, 0);
        (void)offer_out(stage, W1, &eldest, 3, 7, spare == 0 ? W2 : W3);
        stage_destroy(stage);
    }
}

/* Both threads of both slots wait: what is queued would never be searched. */
static void test_stranded_shares_go_back_to_their_owners(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W1, &eldest, 2, 8, 2);
    park(stage, W1, &eldest, true);
    const MessageJob second = stage_job_of(stage, W1);
    offer(stage, W2, &first, 1, 7, 2);
    park(stage, W2, &first, true);
    const MessageJob third = stage_job_of(stage, W2);
    assert_int_equal(third.depth, 7);
    offer(stage, W2, &third, 1, 6, 1);
    offer(stage, W2, &third, 2, 6, 1);
    stage_expect(stage, "");
    park(stage, W2, &third, true);
    stage_expect(stage, "12 RESULT s3 share 1 given back nodes 0\n");
    park(stage, W2, &third, false); /* as was expected */
    stage_expect(stage, "");
    park(stage, W2, &third, true); /* it has done that and waits for the other */
    stage_expect(stage, "12 RESULT s3 share 2 given back nodes 0\n");
    park(stage, W2, &third, false);
    stage_result(stage, W2, &third, 0);
    stage_expect(stage, "12 RESULT s1 share 1 score 0 nodes 20\n11 HUNGRY s2 count 1\n");
    assert_int_equal(second.depth, 8);
    stage_destroy(stage);
}

/* ---- other sessions ---- */

/* B2 opens a session and wants a slot. */
static void second_search(Stage *stage)
{
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B2, 9, 20);
}

/* The youngest share makes room, and the rest of the search goes on. */
static void test_another_session_takes_the_slot_of_a_share(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 8, W2);
    const MessageJob second = offer_out(stage, W2, &first, 1, 7, W3);
    raise_bound(stage, W2, &first, 1, 20);
    second_search(stage);
    stage_expect(stage, "13 CANCEL s2\n13 JOB 1 eldest depth 1 moves 3\n");
    const MessageJob other = stage_job_of(stage, W3);
    assert_int_equal(other.id.session.value, 2);
    /* What the first helper has found comes too late; another one does it all. */
    stage_result(stage, W3, &second, 25);
    stage_expect(stage, "");
    park(stage, W2, &first, true);
    stage_expect(stage, "12 JOB s2 share depth 7 moves 2\n");
    const MessageJob again = stage_job_of(stage, W2);
    assert_false(job_id_equal(&again.id, &second.id));
    assert_int_equal(again.alpha, 20);
    assert_memory_equal(again.moves, second.moves, 2 * sizeof(Move));
    stage_result(stage, W2, &again, 25);
    assert_non_null(strstr(stage->trace, "12 RESULT s1 share 1 score 25 nodes 20\n"));
    stage_destroy(stage);
}

/* Its owner waits where the slot becomes free: it must not go on and take it. */
static void test_another_session_takes_a_slot_whose_owner_waits(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W1, &eldest, 2, 8, 1);
    park(stage, W1, &eldest, true);
    stage_expect(stage, "11 JOB s2 share depth 8 moves 1\n");
    second_search(stage);
    stage_expect(stage, "11 CANCEL s2\n11 JOB 1 eldest depth 1 moves 3\n");
    stage_result(stage, W2, &first, 0);
    stage_expect(stage, "11 RESULT 25 share 1 score 0 nodes 20\n12 JOB s2 share depth 8 moves 1\n");
    stage_destroy(stage);
}

/* A slot that an owner's going on has taken already is not there to be given. */
static void test_a_job_that_waits_for_a_core_is_not_spared_first(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    (void)offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W1, &eldest, 2, 8, 1);
    park(stage, W1, &eldest, true);
    park(stage, W1, &eldest, false); /* and s2 is there too */
    second_search(stage);
    stage_expect(stage, "12 CANCEL s1\n12 JOB 1 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

static void test_as_many_jobs_are_spared_as_make_a_slot_free(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(1, 2, &eldest);
    (void)offer_out(stage, W1, &eldest, 1, 8, W1);
    offer(stage, W1, &eldest, 2, 8, 1);
    park(stage, W1, &eldest, true);
    park(stage, W1, &eldest, false);
    second_search(stage);
    stage_expect(stage, "11 CANCEL s2\n11 CANCEL s1\n11 JOB 1 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

/* No owner can have more shares out, whatever the cluster could use. */
static void test_hunger_has_a_limit(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(1, 256, &eldest);
    stage_expect(stage, "21 INFO depth 8 score 10 nodes 240\n"
                        "11 JOB 25 eldest depth 9 moves 1\n"
                        "11 HUNGRY 25 count 64\n");
    stage_destroy(stage);
}

/* A share that went back to the queue would make no room for a job of the root. */
static void test_no_job_is_spared_for_one_that_finds_no_room(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(4, 256, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 4, W1);
    for (uint32_t share = 2; share < JOBS_MAX; share++) {
        offer(stage, W1, &eldest, share, 4, 1);
    }
    second_search(stage);
    stage_expect(stage, "");
    stage_result(stage, W1, &first, 0);
    stage_expect(stage, "11 RESULT 25 share 1 score 0 nodes 20\n"
                        "11 JOB 1 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* The jobs of the last step count as turns of their sessions, by number. */
static void note_turns(const Stage *stage, int turns[4])
{
    static Pending list[PENDING_MAX];
    const int count = list_jobs(stage, list, 0);
    for (int i = 0; i < count; i++) {
        turns[list[i].job.id.session.value]++;
    }
}

/* Two slots, three sessions: also one that waits for shares alone has its turn. */
static void test_an_only_share_takes_turns(void **state)
{
    (void)state;
    static const uint64_t peers[] = {W1, W2, B1, B2, B3};
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    (void)offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W1, &eldest, 2, 8, 1);
    park(stage, W1, &eldest, true);
    second_search(stage);
    stage_open_session(stage, B3);
    stage_search_to_depth(stage, B3, 7, 20);
    stage_expect(stage, "");
    int turns[4] = {0};
    for (int ms = 0; ms < 6000; ms += STAGE_HEARTBEAT_MS) {
        for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
            stage_deliver_empty(stage, peers[i], peers[i] < B1 ? MESSAGE_HEARTBEAT : MESSAGE_PING);
            note_turns(stage, turns);
        }
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        note_turns(stage, turns);
    }
    for (int session = 1; session <= 3; session++) {
        assert_in_range(turns[session], 3, 5); /* twelve seconds of slots */
    }
    stage_destroy(stage);
}

/* ---- hunger ---- */

static void test_one_slot_is_never_hungry(void **state)
{
    (void)state;
    Stage *stage = stage_new(1000);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    (void)play_to_depth(stage, 12);
    assert_null(strstr(stage->trace, "HUNGRY"));
    stage_destroy(stage);
}

static void test_shallow_jobs_are_not_asked(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 2);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    (void)play_to_depth(stage, 4);
    assert_null(strstr(stage->trace, "HUNGRY"));
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_search_to_depth(stage, B1, 6, 20);
    (void)play_to_depth(stage, 5);
    assert_non_null(strstr(stage->trace, "11 HUNGRY 13 count 1\n"));
    stage_destroy(stage);
}

static void test_a_surplus_is_kept_queued(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 8);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob eldest = play_to_depth(stage, 9);
    assert_non_null(strstr(stage->trace, "11 HUNGRY 25 count 9\n")); /* 7 free, 2 more */
    for (uint32_t share = 1; share <= 7; share++) {
        offer(stage, W1, &eldest, share, 4, 1);
        assert_null(strstr(stage->trace, "HUNGRY"));
    }
    offer(stage, W1, &eldest, 8, 4, 1);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_hunger_is_spread_and_taken_back(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(4, 1, &eldest);
    assert_non_null(strstr(stage->trace, "11 HUNGRY 25 count 3\n"));
    /* The helper is asked too, so the owner is asked for one less beside the one it gave. */
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    stage_expect(stage, "12 JOB s1 share depth 8 moves 2\n11 HUNGRY 25 count 1\n"
                        "12 HUNGRY s1 count 1\n");
    /* Who is asked already is not asked anew. */
    (void)offer_out(stage, W1, &eldest, 2, 8, W3);
    stage_expect(stage, "13 JOB s2 share depth 8 moves 2\n");
    (void)offer_out(stage, W2, &share, 1, 8, W4);
    stage_expect(stage, "14 JOB s3 share depth 8 moves 2\n");
    /* Nobody is idle: a job that waits is asked for nothing; a slot more asks the deepest. */
    stage_hello(stage, 15, 1);
    assert_non_null(strstr(stage->trace, "11 HUNGRY 25 count 1\n"));
    park(stage, W1, &eldest, true); /* two idle slots, three that could give */
    stage_expect(stage, "11 HUNGRY 25 count 0\n12 HUNGRY s1 count 1\n13 HUNGRY s2 count 1\n");
    park(stage, W1, &eldest, false); /* the eldest is not so much deeper that it were worth it */
    stage_expect(stage, "13 HUNGRY s2 count 0\n");
    stage_step(stage, MASTER_EVENT_PEER_GONE, 15);
    stage_expect(stage, "12 HUNGRY s1 count 0\n");
    stage_destroy(stage);
}

/* ---- limits and strangers ---- */

static void test_an_offer_that_finds_no_room_is_given_back(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 8, W2);
    for (uint32_t share = 2; share < JOBS_MAX; share++) {
        offer(stage, W1, &eldest, share, 4, 1);
        stage_expect(stage, "");
    }
    offer(stage, W1, &eldest, JOBS_MAX, 4, 1);
    stage_expect(stage, "11 RESULT 25 share 1024 given back nodes 0\n");
    const MessageResult *told = &stage->actions->list[0].message.result;
    assert_int_equal(told->cost_count, 0);
    assert_int_equal(told->line.length, 0);
    /* All vanish at once. */
    stage_result(stage, W2, &first, 0);
    stage_result(stage, W1, &eldest, 10);
    assert_non_null(strstr(stage->trace, "12 CANCEL s2\n"));
    assert_non_null(strstr(stage->trace, "11 JOB 26 brothers"));
    assert_non_null(strstr(stage->trace, "12 JOB 27 brothers"));
    stage_destroy(stage);
}

/* Slots are free, but what was offered for them would be refused, and asked for again. */
static void test_nobody_is_asked_when_there_is_no_room(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(5, 256, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 4, W1);
    for (uint32_t share = 2; share < JOBS_MAX; share++) {
        assert_non_null(strstr(stage->trace, "JOB"));
        offer(stage, W1, &eldest, share, 4, 1);
    }
    stage_expect(stage, "14 JOB s1023 share depth 4 moves 1\n");
    offer(stage, W1, &eldest, JOBS_MAX, 4, 1);
    stage_expect(stage, "11 RESULT 25 share 1024 given back nodes 0\n");
    stage_result(stage, W1, &first, 0);
    stage_expect(stage, "11 RESULT 25 share 1 score 0 nodes 20\n11 HUNGRY 25 count 1\n");
    stage_destroy(stage);
}

static void test_jobs_that_are_not_one_s_own_are_ignored(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    offer(stage, W3, &eldest, 2, 8, 1); /* another's job */
    stage_expect(stage, "");
    offer(stage, W1, &share, 2, 8, 1); /* its own share, but another's job */
    stage_expect(stage, "");
    offer(stage, W1, &eldest, 1, 8, 1); /* the same again */
    stage_expect(stage, "");
    offer(stage, W1, &eldest, 0, 8, 1); /* no number */
    stage_expect(stage, "");
    withdraw(stage, W2, &eldest, 1);
    stage_expect(stage, "");
    withdraw(stage, W1, &eldest, 7);
    stage_expect(stage, "");
    withdraw(stage, W1, &eldest, 0); /* only the master cancels jobs */
    stage_expect(stage, "");
    raise_bound(stage, W3, &eldest, 1, 20);
    stage_expect(stage, "");
    raise_bound(stage, W1, &eldest, 0, 20);
    stage_expect(stage, "");
    park(stage, W3, &eldest, true);
    stage_expect(stage, "");
    MessageJob stale = eldest;
    stale.id.job--;
    park(stage, W1, &stale, true);
    stage_expect(stage, "");
    offer(stage, W1, &stale, 2, 8, 1);
    stage_expect(stage, "");
    stage_improved(stage, W1, &share, share.moves[0], 20);
    stage_expect(stage, "");
    stage_destroy(stage);
}

/* Nodes of shares reach the root with their owner's RESULT, or else as lost ones. */
static void test_every_node_is_counted_once(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob done = offer_out(stage, W1, &eldest, 1, 8, W2);
    stage_result(stage, W2, &done, 0); /* 20 nodes, which the owner takes */
    const MessageJob late = offer_out(stage, W1, &eldest, 2, 8, W2);
    withdraw(stage, W1, &eldest, 2);
    stage_give_back(stage, W2, &late, 7); /* 7 nodes for nothing */
    stage_compose_result(stage, &eldest, 10)->nodes = 500 + 20;
    stage_deliver(stage, W1);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    stage_result(stage, W1, &left, 0);
    stage_result(stage, W2, &right, 0);
    assert_non_null(strstr(stage->trace, "21 INFO depth 9 score 10 nodes 787\n")); /* 240 before */
    stage_destroy(stage);
}

/* A share that is queued when the nodes run out is still handed out, with next to no budget. */
static void test_the_node_limit_holds_for_shares(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    stage_compose_search(stage, 5, STAGE_FEW_MOVES)->limits.nodes = 10000;
    stage_deliver(stage, B1);
    const MessageJob eldest = play_to_depth(stage, 9);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    assert_int_equal(share.node_budget, (10000 - 240) / 2);
    stage_result(stage, W2, &share, 0);
    stage_compose_result(stage, &eldest, 10)->nodes = 100;
    stage_deliver(stage, W1);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    offer(stage, W1, &left, 1, 8, 1);
    stage_compose_result(stage, &right, 0)->nodes = 9600; /* the rest is less than a slot's worth */
    stage_deliver(stage, W2);
    stage_expect(stage, "12 JOB s2 share depth 8 moves 1\n");
    assert_int_equal(stage_job_of(stage, W2).node_budget, 30);
    const MessageJob last = stage_job_of(stage, W2);
    stage_give_back(stage, W2, &last, 30);
    stage_expect(stage, "11 RESULT 26 share 1 given back nodes 30\n"); /* and nobody is asked */
    stage_destroy(stage);
}

/* The last STATUS in the last step's actions. */
static const MessageStatus *last_status(const Stage *stage)
{
    const MessageStatus *status = NULL;
    for (int i = 0; i < stage->actions->count; i++) {
        if (stage->actions->list[i].message.type == MESSAGE_STATUS) {
            status = &stage->actions->list[i].message.status;
        }
    }
    assert_non_null(status);
    return status;
}

/* So many tenths of a second, in which two workers and the session tell of their lives. */
static void pass_tenths(Stage *stage, int count)
{
    for (int i = 0; i < count; i++) {
        stage_deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
        stage_deliver_empty(stage, W2, MESSAGE_HEARTBEAT);
        stage_deliver_empty(stage, B1, MESSAGE_PING);
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    }
}

/* Who waits does not work, whatever its worker has taken on besides. */
static void test_idle_time_is_that_of_slots(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    for (int i = 0; i < 10; i++) {
        stage_tick_after(stage, 100);
    }
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    pass_tenths(stage, 10);
    park(stage, W1, &eldest, true);
    pass_tenths(stage, 20);
    const MessageStatus *status = last_status(stage);
    assert_int_equal(status->workers[0].idle_permille, 500); /* 2 s of 4 */
    assert_int_equal(status->workers[1].idle_permille, 250); /* 1 s of 4 */
    assert_int_equal(share.depth, 8);
    stage_destroy(stage);
}

/* One of them waits for a core: a slot is busy once. */
static void test_two_jobs_in_a_slot_are_no_more_than_busy(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 1, 8, W2);
    park(stage, W2, &first, true);
    const MessageJob second = offer_out(stage, W1, &eldest, 2, 7, W2);
    park(stage, W2, &first, false);
    pass_tenths(stage, 10);
    assert_int_equal(last_status(stage)->workers[1].idle_permille, 0);
    const uint64_t jobs = last_status(stage)->workers[1].jobs;
    stage_result(stage, W2, &first, 0);
    stage_result(stage, W2, &second, 0);
    pass_tenths(stage, 10);
    assert_int_equal(last_status(stage)->workers[1].idle_permille, 500); /* 1 s of 2 */
    assert_int_equal(last_status(stage)->workers[1].jobs, jobs + 2);
    stage_destroy(stage);
}

/* ---- workers that are slower than they said ---- */

/*
 * A tenth of a second passes, in which `peer`, W1 or W2, tells of so many nodes of each of `count`
 * jobs, and the other of its life.
 */
static void beat_jobs(Stage *stage, uint64_t peer, const MessageJob *const *jobs, int count,
                      uint64_t nodes, uint64_t nodes_total)
{
    stage_deliver_empty(stage, peer == W1 ? W2 : W1, MESSAGE_HEARTBEAT);
    stage_deliver_empty(stage, B1, MESSAGE_PING);
    MessageHeartbeat *heartbeat = &stage_compose(stage, MESSAGE_HEARTBEAT)->heartbeat;
    heartbeat->nodes_total = nodes_total;
    heartbeat->busy_count = count;
    for (int i = 0; i < count; i++) {
        heartbeat->busy[i] = (SlotProgress){.job = jobs[i]->id, .nodes = nodes};
    }
    stage->now = instant_add(stage->now, duration_ms(STAGE_HEARTBEAT_MS));
    stage_deliver(stage, peer);
}

/* The same of W2 and its only job. */
static void beat(Stage *stage, const MessageJob *job, uint64_t nodes, uint64_t nodes_total)
{
    beat_jobs(stage, W2, &job, 1, nodes, nodes_total);
}

static void test_a_late_share_goes_to_who_is_idle(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    park(stage, W1, &eldest, true);
    beat(stage, &share, 24000, 0);
    beat(stage, &share, 48000, 0);
    stage_expect(stage, "");
    beat(stage, &share, 74000, 0); /* 1 M nodes a second were told */
    stage_expect(stage, "12 CANCEL s1\n11 JOB s1 share depth 7 moves 2\n");

    /* Its owner is answered once, and who was late has a rest, then another try. */
    const MessageJob again = stage_job_of(stage, W1);
    assert_int_equal(again.id.attempt, share.id.attempt + 1);
    stage_result(stage, W1, &again, 0);
    park(stage, W1, &eldest, false);
    offer(stage, W1, &eldest, 4, 7, 2);
    stage_expect(stage, "");
    for (int i = 0; i < 29; i++) {
        beat(stage, &share, 0, 0);
        stage_expect(stage, "");
    }
    beat(stage, &share, 0, 0);
    stage_expect(stage, "12 JOB s2 share depth 7 moves 2\n");
    stage_destroy(stage);
}

static void test_a_quarter_of_the_speed_is_enough(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    park(stage, W1, &eldest, true);
    for (uint64_t i = 1; i <= 20; i++) {
        beat(stage, &share, i * 25000, i * 25000);
        stage_expect(stage, "");
    }
    stage_destroy(stage);
}

/* Of the speeds that both have told the lower one counts: here W2's, which has the job. */
static void test_a_quarter_of_the_own_speed_is_enough(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello_at(stage, W1, 1, 1400000);
    stage_hello_at(stage, W2, 1, 500000);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    const MessageJob eldest = stage_job_of(stage, W1);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 7, W2);
    park(stage, W1, &eldest, true);
    for (uint64_t i = 1; i <= 5; i++) {
        beat(stage, &share, i * 13000, i * 13000);
        stage_expect(stage, "");
    }
    stage_destroy(stage);
}

/* And here that of the idle one, which would not be quicker. */
static void test_a_quarter_of_the_idle_one_s_speed_is_enough(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello_at(stage, W1, 1, 500000);
    stage_hello_at(stage, W2, 1, 1400000);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    const MessageJob eldest = stage_job_of(stage, W2);
    for (uint64_t i = 1; i <= 5; i++) {
        beat(stage, &eldest, i * 13000, i * 13000);
        assert_null(strstr(stage->trace, "CANCEL"));
    }
    stage_destroy(stage);
}

/* Nobody waits for it: whoever could take it has work. */
static void test_a_late_share_is_left_while_nobody_is_idle(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    for (uint64_t i = 1; i <= 20; i++) {
        beat(stage, &share, i, i);
        stage_expect(stage, "");
    }
    park(stage, W1, &eldest, true);
    stage_expect(stage, "12 CANCEL s1\n11 JOB s1 share depth 7 moves 2\n");
    stage_destroy(stage);
}

/* None of many small jobs is late by itself, but all of them together are. */
static void test_small_jobs_are_late_together(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    for (uint32_t i = 1; i <= 4; i++) {
        const MessageJob share = offer_out(stage, W1, &eldest, i, 7, W2);
        beat(stage, &share, 1000, 1000 * (uint64_t)i);
        stage_expect(stage, "");
        if (i < 4) {
            stage_result(stage, W2, &share, 0);
        }
    }
    park(stage, W1, &eldest, true);
    stage_expect(stage, "12 CANCEL s4\n11 JOB s4 share depth 7 moves 2\n");

    /* That is forgotten after the rest. */
    const MessageJob again = stage_job_of(stage, W1);
    stage_result(stage, W1, &again, 0);
    park(stage, W1, &eldest, false);
    for (int i = 0; i < 30; i++) {
        beat(stage, &again, 0, 4000);
    }
    (void)offer_out(stage, W1, &eldest, 5, 7, W2);
    park(stage, W1, &eldest, true);
    stage_expect(stage, "12 HUNGRY s5 count 1\n");
    stage_destroy(stage);
}

/* All wait for it, and whoever has it was the first to join. */
static void test_a_late_eldest_job_goes_to_who_is_idle(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    for (int i = 1; i <= 3; i++) {
        beat_jobs(stage, W1, &(const MessageJob *){&eldest}, 1, 1000 * (uint64_t)i, 0);
    }
    stage_expect(stage, "11 CANCEL 25\n12 JOB 26 eldest depth 9 moves 1\n");
    stage_destroy(stage);
}

/* The quick one has died: nobody else is there. */
static void test_the_last_worker_has_no_rest(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    park(stage, W1, &eldest, true);
    for (uint64_t i = 1; i <= 3; i++) {
        beat(stage, &share, i, i);
    }
    stage_expect(stage, "12 CANCEL s1\n11 JOB s1 share depth 7 moves 2\n");
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    stage_expect(stage, "12 JOB 26 eldest depth 9 moves 3\n");
    stage_destroy(stage);
}

/* What is taken back from a worker that rests makes no slot free. */
static void test_another_session_takes_nothing_from_who_rests(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 2, &eldest);
    (void)offer_out(stage, W1, &eldest, 1, 8, W1);
    const MessageJob late = offer_out(stage, W1, &eldest, 2, 8, W2);
    (void)offer_out(stage, W1, &eldest, 3, 8, W2);
    park(stage, W1, &eldest, true);
    for (uint64_t i = 1; i <= 3; i++) {
        beat(stage, &late, i, i);
    }
    assert_non_null(strstr(stage->trace, "12 CANCEL s2\n11 JOB s2 share depth 8 moves 2\n"));
    const MessageJob again = stage_job_of(stage, W1);
    park(stage, W1, &eldest, false);
    stage_result(stage, W1, &again, 0);
    second_search(stage);
    stage_expect(stage, "11 CANCEL s1\n11 JOB 1 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* Whoever waits for its shares searches nothing, and is no slower for that. */
static void test_a_parked_job_is_not_late(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(3, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 8, W2);
    (void)offer_out(stage, W2, &share, 1, 7, W3);
    park(stage, W2, &share, true);
    park(stage, W1, &eldest, true); /* and is idle */
    for (int i = 0; i < 5; i++) {
        beat(stage, &share, 0, 0);
        stage_expect(stage, "");
    }
    stage_destroy(stage);
}

/* It would get its own job again. */
static void test_a_worker_s_own_idle_slot_makes_no_job_late(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 2, &eldest);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    const MessageJob again = stage_job_of(stage, W2);
    for (int i = 0; i < 5; i++) {
        beat(stage, &again, 0, 0);
        assert_null(strstr(stage->trace, "CANCEL"));
    }
    stage_destroy(stage);
}

/* Two workers with two slots each: W2 has two shares, and W1 another one and an idle slot. */
static Stage *stage_with_two_shares(MessageJob *left, MessageJob *right)
{
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 2, &eldest);
    (void)offer_out(stage, W1, &eldest, 1, 8, W1);
    *left = offer_out(stage, W1, &eldest, 2, 8, W2);
    *right = offer_out(stage, W1, &eldest, 3, 8, W2);
    park(stage, W1, &eldest, true);
    return stage;
}

/* 1 M nodes a second were told of each slot, so that 300,000 of both are less than a quarter. */
static void test_a_worker_is_late_by_all_its_slots(void **state)
{
    (void)state;
    MessageJob left;
    MessageJob right;
    Stage *stage = stage_with_two_shares(&left, &right);
    const MessageJob *const both[] = {&left, &right};
    for (uint64_t i = 1; i <= 4; i++) {
        beat_jobs(stage, W2, both, 2, i * 100000, i * 30000);
    }
    assert_non_null(strstr(stage->trace, "12 CANCEL s2\n11 JOB s2 share depth 8 moves 2\n"));
    stage_destroy(stage);
}

static int count_logs(const Stage *stage)
{
    int count = 0;
    for (int i = 0; i < stage->actions->count; i++) {
        count += stage->actions->list[i].type == MASTER_ACTION_LOG;
    }
    return count;
}

static void test_a_late_worker_is_told_of_once(void **state)
{
    (void)state;
    MessageJob left;
    MessageJob right;
    Stage *stage = stage_with_two_shares(&left, &right);
    const MessageJob *const both[] = {&left, &right};
    for (uint64_t i = 1; i <= 3; i++) {
        beat_jobs(stage, W2, both, 2, i, i);
    }
    assert_int_equal(count_logs(stage), 1);
    const MessageJob again = stage_job_of(stage, W1);
    stage_result(stage, W1, &again, 0);
    assert_non_null(strstr(stage->trace, "12 CANCEL s3\n11 JOB s3 share depth 8 moves 2\n"));
    assert_int_equal(count_logs(stage), 0);
    stage_destroy(stage);
}

/* So many workers of one slot that clear their tables, and a search whose eldest is with W1. */
static Stage *stage_with_clears(int workers, MessageJob *eldest)
{
    Stage *stage = stage_new(0);
    for (int i = 0; i < workers; i++) {
        stage_hello(stage, W1 + (uint64_t)i, 1);
    }
    stage_open_session(stage, B1);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_search_to_depth(stage, B1, 5, 9);
    *eldest = stage_job_of(stage, W1);
    return stage;
}

/* Others do meanwhile what it has, but nothing is said of its speed, and it has no rest. */
static void test_who_clears_its_tables_is_not_called_slow(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_clears(2, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 7, W2);
    park(stage, W1, &eldest, true);
    for (int i = 0; i < 3; i++) {
        beat(stage, &share, 0, 0);
        assert_int_equal(count_logs(stage), 0);
    }
    stage_expect(stage, "12 CANCEL s1\n11 JOB s1 share depth 7 moves 2\n");
    offer(stage, W1, &eldest, 2, 7, 2);
    stage_expect(stage, "");
    stage_cleared(stage, W2, share.id.session.value);
    stage_expect(stage, "12 JOB s2 share depth 7 moves 2\n");
    stage_destroy(stage);
}

/* Its pace, and its worker's, count from then on. */
static void test_who_has_cleared_its_tables_is_not_late_yet(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_clears(2, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 1, 7, W2);
    for (int i = 0; i < 5; i++) {
        beat(stage, &share, 0, 0);
    }
    stage_cleared(stage, W2, share.id.session.value);
    beat(stage, &share, 26000, 26000);
    park(stage, W1, &eldest, true); /* and is idle */
    assert_null(strstr(stage->trace, "CANCEL"));
    for (uint64_t i = 2; i <= 4; i++) {
        beat(stage, &share, i * 26000, i * 26000);
        stage_expect(stage, "");
    }
    stage_destroy(stage);
}

/* What one worker says of its tables makes no other one quicker, nor itself if nobody has asked. */
static void test_word_of_other_tables_changes_no_pace(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const uint64_t who = i == 0 ? W2 : W3;
        MessageJob eldest;
        Stage *stage = stage_with_clears(3, &eldest);
        stage_cleared(stage, W2, eldest.id.session.value);
        const MessageJob share = offer_out(stage, W1, &eldest, 1, 7, W2);
        beat(stage, &share, 0, 0);
        beat(stage, &share, 0, 0);
        stage_cleared(stage, who, eldest.id.session.value);
        beat(stage, &share, 0, 0);
        stage_expect(stage, "12 CANCEL s1\n13 JOB s1 share depth 7 moves 2\n");
        stage_destroy(stage);
    }
}

/* A job that waits for a core says nothing of its worker. */
static void test_who_waits_for_a_core_is_not_late(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob first = offer_out(stage, W1, &eldest, 3, 8, W2);
    park(stage, W2, &first, true);
    offer(stage, W1, &eldest, 4, 7, 2);
    stage_expect(stage, "12 JOB s2 share depth 7 moves 2\n");
    const MessageJob second = stage_job_of(stage, W2);
    park(stage, W2, &first, false);
    park(stage, W1, &eldest, true); /* and is idle */
    for (uint64_t i = 1; i <= 5; i++) {
        beat(stage, &second, 0, i * 50000);
        stage_expect(stage, "");
    }
    stage_result(stage, W2, &first, 0); /* now it has the core */
    for (uint64_t i = 1; i <= 3; i++) {
        beat(stage, &second, i * 50000, 250000 + i * 50000);
        stage_expect(stage, "");
    }
    stage_destroy(stage);
}

/* What was said while it was parked, or while the master itself stood still, is no pace. */
static void test_only_time_at_work_counts(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_eldest(2, 1, &eldest);
    const MessageJob share = offer_out(stage, W1, &eldest, 3, 7, W2);
    park(stage, W2, &share, true);
    for (int i = 0; i < 5; i++) {
        beat(stage, &share, 0, 0);
    }
    park(stage, W2, &share, false);
    beat(stage, &share, 20000, 20000);
    beat(stage, &share, 40000, 40000);
    stage->now = instant_add(stage->now, duration_ms(2 * STAGE_HEARTBEAT_MS));
    park(stage, W1, &eldest, true);
    beat(stage, &share, 60000, 60000);
    beat(stage, &share, 80000, 80000);
    stage_expect(stage, "");
    beat(stage, &share, 100000, 100000);
    stage_expect(stage, "12 CANCEL s1\n11 JOB s1 share depth 7 moves 2\n");
    stage_destroy(stage);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_offer_goes_to_a_free_slot),
        cmocka_unit_test(test_the_owner_hears_what_comes_of_its_share),
        cmocka_unit_test(test_the_helper_hears_of_a_higher_bound),
        cmocka_unit_test(test_a_queued_share_is_withdrawn_without_a_word),
        cmocka_unit_test(test_a_helper_gives_a_share_back),
        cmocka_unit_test(test_a_withdrawn_share_takes_all_below_it_along),
        cmocka_unit_test(test_in_the_middle_the_rest_of_the_tree_stays),
        cmocka_unit_test(test_a_job_that_ends_takes_all_below_it_along),
        cmocka_unit_test(test_a_change_of_the_root_s_window_takes_whole_trees_along),
        cmocka_unit_test(test_a_search_that_ends_is_cancelled_with_one_message_a_worker),
        cmocka_unit_test(test_a_lost_owner_s_job_begins_anew),
        cmocka_unit_test(test_a_lost_helper_s_share_goes_back_to_its_owner),
        cmocka_unit_test(test_an_owner_whose_helpers_die_keeps_its_shares),
        cmocka_unit_test(test_a_dead_helper_counts_once_however_many_shares_it_had),
        cmocka_unit_test(test_a_lost_worker_with_owner_and_helper),
        cmocka_unit_test(test_a_parked_job_s_slot_takes_another),
        cmocka_unit_test(test_a_slot_helps_those_it_waits_for_first),
        cmocka_unit_test(test_a_share_goes_to_the_worker_that_had_its_subtree),
        cmocka_unit_test(test_a_slow_worker_that_had_the_subtree_is_passed_over),
        cmocka_unit_test(test_stranded_shares_go_back_to_their_owners),
        cmocka_unit_test(test_another_session_takes_the_slot_of_a_share),
        cmocka_unit_test(test_another_session_takes_a_slot_whose_owner_waits),
        cmocka_unit_test(test_a_job_that_waits_for_a_core_is_not_spared_first),
        cmocka_unit_test(test_as_many_jobs_are_spared_as_make_a_slot_free),
        cmocka_unit_test(test_hunger_has_a_limit),
        cmocka_unit_test(test_no_job_is_spared_for_one_that_finds_no_room),
        cmocka_unit_test(test_an_only_share_takes_turns),
        cmocka_unit_test(test_one_slot_is_never_hungry),
        cmocka_unit_test(test_shallow_jobs_are_not_asked),
        cmocka_unit_test(test_a_surplus_is_kept_queued),
        cmocka_unit_test(test_hunger_is_spread_and_taken_back),
        cmocka_unit_test(test_an_offer_that_finds_no_room_is_given_back),
        cmocka_unit_test(test_nobody_is_asked_when_there_is_no_room),
        cmocka_unit_test(test_jobs_that_are_not_one_s_own_are_ignored),
        cmocka_unit_test(test_every_node_is_counted_once),
        cmocka_unit_test(test_the_node_limit_holds_for_shares),
        cmocka_unit_test(test_idle_time_is_that_of_slots),
        cmocka_unit_test(test_two_jobs_in_a_slot_are_no_more_than_busy),
        cmocka_unit_test(test_a_late_share_goes_to_who_is_idle),
        cmocka_unit_test(test_a_quarter_of_the_speed_is_enough),
        cmocka_unit_test(test_a_quarter_of_the_own_speed_is_enough),
        cmocka_unit_test(test_a_quarter_of_the_idle_one_s_speed_is_enough),
        cmocka_unit_test(test_a_late_share_is_left_while_nobody_is_idle),
        cmocka_unit_test(test_small_jobs_are_late_together),
        cmocka_unit_test(test_a_late_eldest_job_goes_to_who_is_idle),
        cmocka_unit_test(test_the_last_worker_has_no_rest),
        cmocka_unit_test(test_another_session_takes_nothing_from_who_rests),
        cmocka_unit_test(test_a_parked_job_is_not_late),
        cmocka_unit_test(test_a_worker_s_own_idle_slot_makes_no_job_late),
        cmocka_unit_test(test_a_worker_is_late_by_all_its_slots),
        cmocka_unit_test(test_a_late_worker_is_told_of_once),
        cmocka_unit_test(test_who_has_cleared_its_tables_is_not_late_yet),
        cmocka_unit_test(test_word_of_other_tables_changes_no_pace),
        cmocka_unit_test(test_who_waits_for_a_core_is_not_late),
        cmocka_unit_test(test_who_clears_its_tables_is_not_called_slow),
        cmocka_unit_test(test_only_time_at_work_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
