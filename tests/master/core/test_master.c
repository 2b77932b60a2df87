/*
 * The master core as traces: what it sends in answer to each event.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "root/root.h"
#include "support/given.h"
#include "support/given_entry.h"
#include "support/master_stage.h"

/* ---- joining and leaving ---- */

static void test_a_worker_is_welcomed(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 2);
    stage_expect(stage, "11 WELCOME\n");
    const MessageWelcome *welcome = &stage->actions->list[0].message.welcome;
    assert_int_equal(welcome->epoch.value, STAGE_EPOCH);
    assert_int_equal(welcome->worker.value, 1);
    assert_int_equal(welcome->heartbeat.us, duration_ms(STAGE_HEARTBEAT_MS).us);
    assert_int_equal(welcome->lease.us, duration_ms(3 * STAGE_LEASE_MS).us);
    stage_hello(stage, W2, 1);
    assert_int_equal(stage->actions->list[0].message.welcome.worker.value, 2);
    stage_destroy(stage);
}

static void test_other_versions_and_evaluations_are_refused(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1); /* to fill in the message */
    stage->message->hello.protocol_version = PROTOCOL_VERSION + 1;
    stage_deliver(stage, W2);
    stage_expect(stage, "12 ERROR 1\n");
    assert_non_null(strstr(stage->actions->list[0].message.error.text, "install"));
    stage->message->hello.protocol_version = PROTOCOL_VERSION;
    stage->message->hello.search_identity = STAGE_IDENTITY + 1;
    stage_deliver(stage, W2);
    stage_expect(stage, "12 ERROR 2\n");
    stage_compose(stage, MESSAGE_OPEN)->open.protocol_version = PROTOCOL_VERSION + 1;
    stage_deliver(stage, B1);
    stage_expect(stage, "21 ERROR 1\n");
    /* None of them is known now. */
    stage_deliver_empty(stage, W2, MESSAGE_HEARTBEAT);
    stage_expect(stage, "12 RESET\n");
    stage_deliver_empty(stage, B1, MESSAGE_PING);
    stage_expect(stage, "21 RESET\n");
    stage_destroy(stage);
}

static void test_strangers_are_reset(void **state)
{
    (void)state;
    static const MessageType types[] = {
        MESSAGE_HEARTBEAT, MESSAGE_RESULT,  MESSAGE_IMPROVED, MESSAGE_SEARCH, MESSAGE_STOP,
        MESSAGE_PING,      MESSAGE_WELCOME, MESSAGE_JOB,      MESSAGE_OFFER,  MESSAGE_PARKED,
        MESSAGE_TABLE,     MESSAGE_CLEARED, MESSAGE_NEW_GAME, MESSAGE_OPENED};
    Stage *stage = stage_new(250);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        stage_deliver_empty(stage, 99, types[i]);
        stage_expect(stage, "99 RESET\n");
    }
    stage_deliver_empty(stage, 99, MESSAGE_BYE); /* it goes anyway */
    stage_expect(stage, "");
    stage_deliver_empty(stage, 99, MESSAGE_CLOSE);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_roles_are_kept_apart(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_deliver_empty(stage, W1, MESSAGE_SEARCH);
    stage_expect(stage, "11 ERROR 5\n");
    stage_open_session(stage, B1);
    stage_deliver_empty(stage, B1, MESSAGE_RESULT);
    stage_expect(stage, "21 ERROR 5\n");
    stage_deliver_empty(stage, B1, MESSAGE_HELLO);
    stage_expect(stage, "21 ERROR 5\n");
    stage_destroy(stage);
}

/* The STATUS in the last step's actions to this peer. */
static const MessageStatus *status_to(const Stage *stage, uint64_t peer)
{
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        if (action->type == MASTER_ACTION_SEND && action->peer.value == peer &&
            action->message.type == MESSAGE_STATUS) {
            return &action->message.status;
        }
    }
    fail_msg("no status for %" PRIu64, peer);
    return NULL;
}

static int status_count(const Stage *stage)
{
    int count = 0;
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        count += action->type == MASTER_ACTION_SEND && action->message.type == MESSAGE_STATUS;
    }
    return count;
}

/* So many tenths of a second in each of which W1 searches so many nodes for all its slots. */
static void work_at(Stage *stage, const MessageJob *job, int tenths, uint64_t nodes,
                    uint64_t *nodes_total)
{
    for (int i = 0; i < tenths; i++) {
        *nodes_total += nodes;
        MessageHeartbeat *heartbeat = &stage_compose(stage, MESSAGE_HEARTBEAT)->heartbeat;
        heartbeat->nodes_total = *nodes_total;
        heartbeat->busy_count = job != NULL;
        if (job != NULL) {
            heartbeat->busy[0] = (SlotProgress){.job = job->id, .nodes = *nodes_total};
        }
        stage->now = instant_add(stage->now, duration_ms(STAGE_HEARTBEAT_MS));
        stage_deliver(stage, W1);
        stage_deliver_empty(stage, B1, MESSAGE_PING);
    }
    stage_tick_after(stage, 0);
}

/* What a worker said at first is shown until it has been at work for a second. */
static void test_the_status_tells_the_speed_that_was_measured(void **state)
{
    (void)state;
    uint64_t nodes_total = 0;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob job = stage_job_of(stage, W1);
    work_at(stage, &job, 10, 70000, &nodes_total); /* the first tenth was not all work */
    assert_int_equal(status_to(stage, B1)->workers[0].nodes_per_second, 1000000);
    work_at(stage, &job, 10, 70000, &nodes_total);
    assert_int_equal(status_to(stage, B1)->workers[0].nodes_per_second, 700000);
    work_at(stage, NULL, 20, 10, &nodes_total); /* it has nothing to do */
    assert_int_equal(status_to(stage, B1)->workers[0].nodes_per_second, 700000);
    work_at(stage, &job, 1, 10, &nodes_total);
    work_at(stage, &job, 11, 90000, &nodes_total); /* the first is of the second before */
    assert_int_equal(status_to(stage, B1)->workers[0].nodes_per_second, 900000);
    stage_destroy(stage);
}

static void test_a_session_hears_the_status(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 2);
    stage_open_session(stage, B1);
    stage_expect(stage, "21 OPENED\n");
    const WorkerRow *row = &status_to(stage, B1)->workers[0];
    assert_string_equal(row->name, "w11");
    assert_int_equal(row->slots, 2);
    assert_int_equal(row->nodes_per_second, 2000000);
    stage_compose(stage, MESSAGE_PING)->ping.number = 9;
    stage_deliver(stage, B1);
    stage_expect(stage, "21 PONG\n");
    assert_int_equal(stage->actions->list[0].message.ping.number, 9);
    stage_tick_after(stage, 1000);
    stage_expect(stage, "11 PING\n");
    assert_int_equal(status_to(stage, B1)->worker_count, 1);
    stage_destroy(stage);
}

/* A bridge that waits for the first worker need not wait for the next periodic STATUS. */
static void test_all_sessions_hear_of_a_new_worker(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_open_session(stage, B1);
    assert_int_equal(status_to(stage, B1)->worker_count, 0);
    stage_open_session(stage, B2);
    stage_deliver_empty(stage, B2, MESSAGE_CLOSE);
    stage_open_session(stage, B3);
    stage_hello(stage, W1, 2);
    stage_expect(stage, "11 WELCOME\n");
    assert_int_equal(status_to(stage, B1)->worker_count, 1);
    assert_int_equal(status_to(stage, B1)->epoch.value, STAGE_EPOCH);
    assert_int_equal(status_to(stage, B3)->worker_count, 1);
    assert_int_equal(status_count(stage), 2);
    stage_hello(stage, W2, 1);
    assert_int_equal(status_to(stage, B3)->worker_count, 2);
    stage_destroy(stage);
}

static int count_resets(const Stage *stage)
{
    int count = 0;
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        count += action->type == MASTER_ACTION_SEND && action->message.type == MESSAGE_RESET;
    }
    return count;
}

static void test_too_many_are_refused(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    for (uint64_t i = 0; i < MASTER_WORKERS_MAX; i++) {
        stage_hello(stage, 1000 + i, 1);
        assert_int_equal(stage->actions->list[0].message.type, MESSAGE_WELCOME);
    }
    stage_hello(stage, W1, 1);
    stage_expect(stage, "11 ERROR 3\n");
    for (uint64_t i = 0; i < MASTER_SESSIONS_MAX; i++) {
        stage_open_session(stage, 2000 + i);
    }
    stage_open_session(stage, B1);
    stage_expect(stage, "21 ERROR 3\n");
    /* All vanish at once: however long the list, every one is told and nothing overflows. */
    stage_tick_after(stage, STAGE_LEASE_MS / 4);
    int steps = 0;
    int resets = 0;
    for (int ms = 0; ms < STAGE_LEASE_MS; ms += STAGE_HEARTBEAT_MS) {
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        resets += count_resets(stage);
    }
    while (stage->actions->more) {
        stage_tick_after(stage, 0);
        resets += count_resets(stage);
        assert_true(++steps < 10);
    }
    assert_int_equal(resets, MASTER_WORKERS_MAX);
    stage_open_session(stage, B1);
    stage_expect(stage, "21 ERROR 3\n"); /* sessions have a longer lease */
    stage_hello(stage, W1, 1);
    stage_expect(stage, "11 WELCOME\n");
    stage_destroy(stage);
}

/* ---- jobs ---- */

/* Two workers of one slot and a search of three moves; the eldest is out with the first. */
static Stage *stage_with_search(MessageJob *eldest)
{
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    *eldest = stage_job_of(stage, W1);
    assert_int_equal(eldest->id.epoch.value, STAGE_EPOCH);
    assert_int_equal(eldest->id.session.value, 1);
    assert_int_equal(eldest->id.search.value, 5);
    assert_int_equal(eldest->id.attempt, 1);
    assert_string_equal(eldest->position.fen, STAGE_FEW_MOVES);
    return stage;
}

static void test_the_eldest_first_then_the_brothers_on_all_slots(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_result(stage, W1, &eldest, 10);
    stage_expect(stage, "11 JOB 2 brothers depth 1 moves 1\n12 JOB 3 brothers depth 1 moves 1\n");
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    assert_int_equal(left.alpha, 10);
    stage_result(stage, W2, &right, 0);
    stage_expect(stage, "");
    stage_result(stage, W1, &left, 0);
    stage_expect(stage, "21 INFO depth 1 score 10 nodes 30\n11 JOB 4 eldest depth 2 moves 1\n");
    stage_destroy(stage);
}

static void test_an_improvement_goes_to_the_others(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    stage_improved(stage, W2, &right, right.moves[0], 25);
    stage_expect(stage, "11 BOUNDS 2 alpha 25\n");
    /* A worse one of a job that had not heard yet changes nothing. */
    stage_improved(stage, W1, &left, left.moves[0], 20);
    stage_expect(stage, "");
    stage_destroy(stage);
}

/* Plays whole iterations until the eldest of depth 5 is out with W1. */
static MessageJob run_to_the_window(Stage *stage, MessageJob eldest)
{
    for (int depth = 1; depth < 5; depth++) {
        stage_result(stage, W1, &eldest, 10);
        const MessageJob left = stage_job_of(stage, W1);
        const MessageJob right = stage_job_of(stage, W2);
        stage_result(stage, W2, &right, 0);
        stage_result(stage, W1, &left, 0);
        eldest = stage_job_of(stage, W1);
    }
    assert_int_equal(eldest.depth, 5);
    return eldest;
}

static void test_a_fail_high_cancels_the_others_and_goes_out_first(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    eldest = run_to_the_window(stage, eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    stage_improved(stage, W2, &right, right.moves[0], right.beta + 5);
    char expected[128];
    (void)snprintf(expected, sizeof expected, "11 CANCEL %u\n11 JOB %u eldest depth 5 moves 1\n",
                   left.id.job, right.id.job + 1);
    stage_expect(stage, expected);
    const MessageJob again = stage_job_of(stage, W1);
    assert_int_equal(again.moves[0], right.moves[0]);
    assert_true(again.beta > right.beta);
    /* Its RESULT tells nothing new, but its slot is idle now. */
    stage_result(stage, W2, &right, right.beta + 5);
    (void)snprintf(expected, sizeof expected, "11 HUNGRY %u count 1\n", right.id.job + 1);
    stage_expect(stage, expected);
    stage_destroy(stage);
}

static void test_a_fail_high_known_from_the_result_alone(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    eldest = run_to_the_window(stage, eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    stage_result(stage, W2, &right, right.beta + 5);
    char expected[128]; /* the new eldest goes to the worker that has searched it already */
    (void)snprintf(expected, sizeof expected,
                   "11 CANCEL %u\n12 JOB %u eldest depth 5 moves 1\n12 HUNGRY %u count 1\n",
                   left.id.job, right.id.job + 1, right.id.job + 1);
    stage_expect(stage, expected);
    stage_destroy(stage);
}

static void test_a_fail_low_is_searched_again_with_a_wider_window(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    eldest = run_to_the_window(stage, eldest);
    stage_result(stage, W1, &eldest, eldest.alpha - 3);
    const MessageJob again = stage_job_of(stage, W1);
    assert_true(again.is_eldest);
    assert_true(again.alpha < eldest.alpha);
    assert_int_not_equal(again.id.job, eldest.id.job);
    stage_destroy(stage);
}

static void test_a_lost_worker_s_job_is_sent_again_in_the_same_step(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    stage_expect(stage, "12 JOB 2 eldest depth 1 moves 1\n");
    /* Its late result comes from a peer that is no more. */
    stage_result(stage, W1, &eldest, 500);
    stage_expect(stage, "11 RESET\n");

    stage_hello(stage, W3, 1);
    stage_expect(stage, "13 WELCOME\n13 TABLE 0\n12 TABLE 0\n");
    stage_deliver_empty(stage, W2, MESSAGE_BYE);
    stage_expect(stage, "13 JOB 3 eldest depth 1 moves 1\n");
    stage_hello(stage, W3, 2); /* HELLO again: its jobs are lost, it starts anew */
    stage_expect(stage, "13 WELCOME\n13 JOB 4 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* Kills worker after worker; those that leave politely are not held against the move. */
static void test_a_move_that_kills_its_workers_is_left_out(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    MessageJob again = stage_job_of(stage, W2);
    assert_int_equal(again.moves[0], eldest.moves[0]);
    stage_hello(stage, W3, 1);
    stage_deliver_empty(stage, W2, MESSAGE_BYE);
    again = stage_job_of(stage, W3);
    assert_int_equal(again.moves[0], eldest.moves[0]);
    for (uint64_t peer = W3; peer < W3 + 2; peer++) {
        assert_int_equal(again.moves[0], eldest.moves[0]);
        stage_hello(stage, peer + 1, 1);
        stage_step(stage, MASTER_EVENT_PEER_GONE, peer);
        again = stage_job_of(stage, peer + 1);
    }
    assert_int_not_equal(again.moves[0], eldest.moves[0]);
    assert_non_null(strstr(stage->actions->list[0].text, "leaving it out"));
    stage_destroy(stage);
}

/*
 * A job that goes out to a worker that is dead already, as the send shows, has not killed it: when
 * a whole lab dies at once no move is left out.
 */
static void test_workers_that_die_together_are_no_fault_of_a_move(void **state)
{
    enum { WORKERS = 9 };
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    for (uint64_t peer = W3; peer < W1 + WORKERS; peer++) {
        stage_hello(stage, peer, 1);
    }
    stage_lose_together(stage, W1, WORKERS);
    stage_expect(stage, "");
    stage_hello(stage, W1 + WORKERS, 1);
    const MessageJob again = stage_job_of(stage, W1 + WORKERS);
    assert_int_equal(again.moves[0], eldest.moves[0]);
    stage_destroy(stage);
}

/* What comes next after moves that were left out has never been looked at: it is not played. */
static void test_no_move_is_better_than_one_never_looked_at(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob first = stage_job_of(stage, W1);
    stage_result(stage, W1, &first, 10);
    uint64_t peer = W1;
    for (; strstr(stage->trace, "BESTMOVE") == NULL; peer++) {
        assert_in_range(peer, W1, W1 + 20);
        stage_hello(stage, peer + 1, 1);
        stage_step(stage, MASTER_EVENT_PEER_GONE, peer);
    }
    stage_expect(stage, "21 BESTMOVE 5 none\n");
    stage_destroy(stage);
}

/* Bridges hear it at once that nobody is left. */
static void test_the_last_worker_is_gone(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2);
    assert_int_equal(status_to(stage, B1)->worker_count, 0);
    stage_destroy(stage);
}

/* Cables are pulled one after the other: that says nothing of the move. */
static void test_silence_is_not_held_against_a_move(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    for (uint64_t silent = W1; silent < W1 + ROOT_KILLS_MAX; silent++) {
        while (strstr(stage->trace, "RESET") == NULL) {
            stage_deliver_empty(stage, silent + 1, MESSAGE_HEARTBEAT);
            stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        }
        const MessageJob again = stage_job_of(stage, silent + 1);
        assert_int_equal(again.moves[0], eldest.moves[0]);
        stage_hello(stage, silent + 2, 1);
    }
    stage_destroy(stage);
}

/* The iteration waited for that move alone: its end is told as any other's. */
static void test_an_iteration_that_ends_by_a_move_left_out_is_told(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob bad = stage_job_of(stage, W1);
    const MessageJob other = stage_job_of(stage, W2);
    assert_int_equal(bad.move_count, 1);
    stage_result(stage, W2, &other, 0);
    for (uint64_t peer = W1; peer < W1 + ROOT_KILLS_MAX; peer++) {
        assert_null(strstr(stage->trace, "INFO"));
        stage_step(stage, MASTER_EVENT_PEER_GONE, peer);
        if (peer < W1 + ROOT_KILLS_MAX - 1) {
            stage_hello(stage, peer + 2, 1);
        }
    }
    assert_non_null(strstr(stage->trace, "21 INFO depth 1 score 10 nodes 20\n"));
    stage_destroy(stage);
}

static void test_doubled_and_foreign_results_count_for_their_nodes_alone(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_result(stage, W1, &eldest, 10);
    const MessageJob left = stage_job_of(stage, W1);
    const MessageJob right = stage_job_of(stage, W2);
    stage_result(stage, W1, &eldest, 900); /* doubled: 10 nodes */
    stage_expect(stage, "");
    stage_result(stage, W1, &right, 900); /* another's job: 10 nodes */
    stage_expect(stage, "");
    MessageJob other_life = left;
    other_life.id.epoch.value = STAGE_EPOCH - 1;
    stage_result(stage, W1, &other_life, 900); /* not even its nodes */
    MessageJob other_search = left;
    other_search.id.search.value = 4;
    stage_result(stage, W1, &other_search, 900); /* likewise */
    stage_expect(stage, "");
    stage_result(stage, W1, &left, 0);
    stage_result(stage, W2, &right, 0);
    stage_expect(stage, "21 INFO depth 1 score 10 nodes 50\n11 JOB 4 eldest depth 2 moves 1\n");
    stage_destroy(stage);
}

static void test_an_incomplete_result_is_done_again(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    MessageResult *partial = stage_compose_result(stage, &eldest, 900);
    partial->is_complete = false;
    partial->cost_count = 0;
    partial->line.length = 0;
    stage_deliver(stage, W1);
    stage_expect(stage, "11 JOB 2 eldest depth 1 moves 1\n");
    stage_destroy(stage);
}

/* ---- time and life ---- */

static void test_a_silent_worker_expires(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    for (int ms = STAGE_HEARTBEAT_MS; ms < STAGE_LEASE_MS; ms += STAGE_HEARTBEAT_MS) {
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        assert_null(strstr(stage->trace, "RESET"));
        stage_deliver_empty(stage, W2, MESSAGE_HEARTBEAT);
    }
    stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    assert_non_null(strstr(stage->trace, "11 RESET\n"));
    assert_non_null(strstr(stage->trace, "12 JOB 2 eldest depth 1 moves 3\n")); /* no suspects */
    assert_null(strstr(stage->trace, "11 PING"));
    stage_destroy(stage);
}

static void test_nobody_expires_for_the_master_s_own_lateness(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_tick_after(stage, 20 * STAGE_LEASE_MS);
    assert_null(strstr(stage->trace, "RESET"));
    assert_null(strstr(stage->trace, "JOB"));
    for (int ms = STAGE_HEARTBEAT_MS; ms < STAGE_LEASE_MS; ms += STAGE_HEARTBEAT_MS) {
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        assert_null(strstr(stage->trace, "RESET"));
    }
    stage_tick_after(stage, STAGE_HEARTBEAT_MS); /* a whole lease after the grace */
    assert_non_null(strstr(stage->trace, "11 RESET\n"));
    stage_destroy(stage);
}

/* Sessions have a lease of their own, which may be the shorter one. */
static void test_no_session_expires_for_the_master_s_own_lateness(void **state)
{
    (void)state;
    Stage *stage = stage_new_with_lease(60000);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_tick_after(stage, 15000);
    assert_null(strstr(stage->trace, "RESET"));
    for (int ms = STAGE_HEARTBEAT_MS; ms < 10000; ms += STAGE_HEARTBEAT_MS) {
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        assert_null(strstr(stage->trace, "RESET"));
    }
    stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    assert_non_null(strstr(stage->trace, "21 RESET\n"));
    stage_destroy(stage);
}

static void test_the_depth_limit_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 1);
    const MessageJob whole = stage_job_of(stage, W1);
    assert_int_equal(whole.move_count, 3);
    stage_result(stage, W1, &whole, 10);
    char text[8];
    char expected[160];
    (void)snprintf(expected, sizeof expected,
                   "21 INFO depth 1 score 10 nodes 30\n21 INFO depth 1 score 10 nodes 30\n"
                   "21 BESTMOVE 5 %s\n",
                   stage_square_pair(whole.moves[0], text));
    stage_expect(stage, expected);
    stage_destroy(stage);
}

static void test_stop_answers_at_once_and_only_once(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_name_search(stage, B1, MESSAGE_STOP, 4); /* another search's */
    stage_expect(stage, "");
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_expect(stage, "");
    stage_result(stage, W1, &eldest, 10);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_a_new_search_ends_the_old_one(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_search_to_depth(stage, B1, 6, 3);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    assert_non_null(strstr(stage->trace, "11 JOB 1 eldest depth 1 moves 1\n"));
    assert_int_equal(stage_job_of(stage, W1).id.search.value, 6);
    /* The old search's result has the same job number but not the same name. */
    stage_result(stage, W1, &eldest, 900);
    stage_expect(stage, "");
    stage_destroy(stage);
}

static void test_the_clock_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(500);
    stage_deliver(stage, B1);
    const Instant start = stage->now;
    while (strstr(stage->trace, "BESTMOVE") == NULL) {
        const Instant next = master_next_tick(stage->master);
        assert_true(next.us > stage->now.us);
        stage->now = next;
        stage_step(stage, MASTER_EVENT_TICK, 0);
        assert_true(instant_since(stage->now, start).us <= 500 * 1000);
    }
    assert_true(instant_since(stage->now, start).us >= 450 * 1000);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n"));
    stage_destroy(stage);
}

/* Ends the one-worker search under way at its depth limit of one. */
static void finish_depth_one(Stage *stage)
{
    const MessageJob whole = stage_job_of(stage, W1);
    stage_result(stage, W1, &whole, 10);
}

static void test_infinite_holds_the_answer_until_stop(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.infinite = true;
    search->limits.depth = 1;
    stage_deliver(stage, B1);
    finish_depth_one(stage);
    stage_expect(stage, "21 INFO depth 1 score 10 nodes 30\n");
    for (int i = 0; i < 30; i++) {
        stage_deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
        stage_deliver_empty(stage, B1, MESSAGE_PING);
        stage_tick_after(stage, 100);
        assert_null(strstr(stage->trace, "BESTMOVE"));
        assert_null(strstr(stage->trace, "JOB"));
    }
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    stage_destroy(stage);
}

static void test_ponder_holds_the_answer_until_the_hit(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.ponder = true;
    search->limits.depth = 1;
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(100);
    stage_deliver(stage, B1);
    stage_tick_after(stage, 400); /* the clock has not begun */
    assert_null(strstr(stage->trace, "BESTMOVE"));
    (void)stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    stage_deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
    stage_name_search(stage, B1, MESSAGE_PONDERHIT, 4);
    stage_expect(stage, "");
    stage_name_search(stage, B1, MESSAGE_PONDERHIT, 5);
    stage_expect(stage, "");
    stage_tick_after(stage, 100);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));

    /* Finished while pondering: the hit brings the answer at once. */
    search = stage_compose_search(stage, 6, STAGE_FEW_MOVES);
    search->limits.ponder = true;
    search->limits.depth = 1;
    stage_deliver(stage, B1);
    finish_depth_one(stage);
    stage_expect(stage, "21 INFO depth 1 score 10 nodes 30\n");
    stage_name_search(stage, B1, MESSAGE_PONDERHIT, 6);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 6 a1"));
    stage_destroy(stage);
}

/* The only move is known while the opponent thinks: the hit need not wait for an iteration. */
static void test_a_hit_is_answered_when_enough_is_known(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, "k7/2K5/8/8/8/8/8/1R6 b - - 0 1");
    search->limits.ponder = true;
    search->limits.has_clock[WHITE] = search->limits.has_clock[BLACK] = true;
    search->limits.clock[WHITE] = search->limits.clock[BLACK] = duration_ms(60000);
    stage_deliver(stage, B1);
    for (int depth = 1; depth <= 6; depth++) {
        const MessageJob job = stage_job_of(stage, W1);
        stage_result(stage, W1, &job, 10);
    }
    assert_null(strstr(stage->trace, "BESTMOVE"));
    stage_name_search(stage, B1, MESSAGE_PONDERHIT, 5);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 "));
    stage_destroy(stage);
}

/* Doubled, or of a search that does not ponder: the clock goes on. */
static void test_a_hit_starts_the_clock_once(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(1000);
    stage_deliver(stage, B1);
    stage_tick_after(stage, 800);
    stage_deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
    stage_name_search(stage, B1, MESSAGE_PONDERHIT, 5);
    stage_tick_after(stage, 200);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 "));
    stage_destroy(stage);
}

/* A search that has all slots, by long jobs, gives one to another that comes. */
static void test_no_session_is_left_without_a_slot(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob eldest = stage_job_of(stage, W1);
    stage_result(stage, W1, &eldest, 5);
    stage_expect(stage, "11 JOB 2 brothers depth 1 moves 1\n"
                        "12 JOB 3 brothers depth 1 moves 1\n");
    stage_search_to_depth(stage, B2, 6, 20);
    stage_expect(stage, "12 CANCEL 3\n"
                        "12 JOB 1 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

/* With fewer slots than sessions each has its turn. */
static void test_sessions_take_turns_with_an_only_slot(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B1, 5, 20);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n");
    stage_search_to_depth(stage, B2, 6, 20);
    stage_expect(stage, "");
    for (int turn = 0; turn < 4; turn++) {
        for (int ms = 0; ms < 900; ms += STAGE_HEARTBEAT_MS) {
            stage_deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
            stage_deliver_empty(stage, B1, MESSAGE_PING);
            stage_deliver_empty(stage, B2, MESSAGE_PING);
            stage_tick_after(stage, STAGE_HEARTBEAT_MS);
            assert_null(strstr(stage->trace, "JOB"));
        }
        stage_tick_after(stage, STAGE_HEARTBEAT_MS);
        assert_non_null(strstr(stage->trace, "11 CANCEL"));
        assert_int_equal(stage_job_of(stage, W1).id.search.value, turn % 2 == 0 ? 6 : 5);
    }
    stage_destroy(stage);
}

static void test_the_node_limit_is_shared_out(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 2);
    stage_open_session(stage, B1);
    stage_compose_search(stage, 5, STAGE_FEW_MOVES)->limits.nodes = 1000;
    stage_deliver(stage, B1);
    MessageJob job = stage_job_of(stage, W1);
    assert_int_equal(job.node_budget, 1000); /* the eldest is alone */
    stage_result(stage, W1, &job, 10);
    job = stage_job_of(stage, W1);
    assert_int_equal(job.node_budget, (1000 - 10) / 2);
    MessageResult *partial = stage_compose_result(stage, &job, 0);
    partial->is_complete = false;
    partial->cost_count = 0;
    partial->nodes = 985;
    stage_deliver(stage, W1);
    assert_null(strstr(stage->trace, "BESTMOVE")); /* the other brother is still out */
    partial->id.job = job.id.job == 2 ? 3 : 2;
    partial->nodes = 2;
    stage_deliver(stage, W1);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    stage_destroy(stage);
}

static void test_mate_stalemate_and_bad_positions_are_answered(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    (void)stage_compose_search(stage, 5, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    stage_deliver(stage, B1);
    stage_expect(stage, "21 BESTMOVE 5 none\n");
    (void)stage_compose_search(stage, 6, "no chess");
    stage_deliver(stage, B1);
    stage_expect(stage, "21 ERROR 4\n21 BESTMOVE 6 none\n");
    MessageSearch *search = stage_compose_search(stage, 7, STAGE_FEW_MOVES);
    search->position.move_count = 1;
    search->position.moves[0] = move_make(SQUARE_H8, SQUARE_A1);
    stage_deliver(stage, B1);
    stage_expect(stage, "21 ERROR 4\n21 BESTMOVE 7 none\n");
    stage_search_to_depth(stage, B1, 8, 2);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

static void test_without_workers_a_stopped_search_still_has_a_move(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 4);
    stage_expect(stage, "");
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    stage_destroy(stage);
}

static void test_work_waits_for_the_first_worker(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 4);
    stage_hello(stage, W1, 1);
    stage_expect(stage, "11 WELCOME\n11 JOB 1 eldest depth 1 moves 3\n");
    stage_destroy(stage);
}

static void test_who_comes_later_shares_the_only_slots_job(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    MessageJob job = stage_job_of(stage, W1);
    while (job.depth < 5) {
        stage_result(stage, W1, &job, 10);
        job = stage_job_of(stage, W1);
    }
    assert_true(job.is_eldest);
    assert_int_equal(job.move_count, 3);
    stage_hello(stage, W2, 1);
    stage_expect(stage, "12 WELCOME\n11 TABLE 0\n12 TABLE 0\n11 HUNGRY 5 count 1\n");
    stage_improved(stage, W1, &job, job.moves[0], 10); /* the job goes on with the brothers */
    stage_expect(stage, "");
    stage_result(stage, W1, &job, 10);
    stage_expect(stage, "21 INFO depth 5 score 10 nodes 150\n11 JOB 6 eldest depth 6 moves 1\n"
                        "11 HUNGRY 6 count 1\n");
    stage_destroy(stage);
}

static void test_several_lines(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->multi_pv = 2;
    search->limits.depth = 1;
    stage_deliver(stage, B1);
    for (int i = 0; i < 2; i++) {
        const MessageJob job = stage_job_of(stage, W1);
        stage_result(stage, W1, &job, 20 - 10 * i);
    }
    assert_non_null(strstr(stage->trace, "21 INFO depth 1 score 20 nodes 50\n"
                                         "21 INFO depth 1 score 10 nodes 50 of rank 1\n"));
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    stage_destroy(stage);
}

/* Two lines of depth 1, worth 20 and 10; returns the first job of depth 2, of all moves. */
static MessageJob two_lines(Stage *stage)
{
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_compose_search(stage, 5, STAGE_FEW_MOVES)->multi_pv = 2;
    stage_deliver(stage, B1);
    for (int i = 0; i < 2; i++) {
        const MessageJob job = stage_job_of(stage, W1);
        stage_result(stage, W1, &job, 20 - 10 * i);
    }
    const MessageJob job = stage_job_of(stage, W1);
    assert_int_equal(job.move_count, 3);
    return job;
}

/* The end within an iteration: each rank has another move, the newest that is known of it. */
static void test_several_lines_at_the_end(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    const MessageJob job = two_lines(stage);
    stage_improved(stage, W1, &job, job.moves[0], 5);
    stage_improved(stage, W1, &job, job.moves[2], 8);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 8 nodes 50\n"
                                         "21 INFO depth 2 score 5 nodes 50 of rank 1\n"));
    stage_destroy(stage);
}

/* What a line was worth in the iteration before is not more than the best is worth now. */
static void test_a_line_is_worth_no_more_than_the_best(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    const MessageJob job = two_lines(stage);
    stage_improved(stage, W1, &job, job.moves[0], 5);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 5 nodes 50\n"
                                         "21 INFO depth 1 score 5 nodes 50 at most of rank 1\n"));
    stage_destroy(stage);
}

/* In a long search each line is told as soon as it is known, and each second what it has cost. */
static void test_a_long_iteration_is_told_of(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    MessageJob job = two_lines(stage);
    stage->now = instant_add(stage->now, duration_ms(600));
    stage_improved(stage, W1, &job, job.moves[0], 5);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 5 nodes 50\n"));
    stage_improved(stage, W1, &job, job.moves[2], 8); /* of many lines not each change is told */
    assert_null(strstr(stage->trace, "INFO"));
    stage->now = instant_add(stage->now, duration_ms(100));
    stage_result(stage, W1, &job, 8);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 8 nodes 80\n"));
    job = stage_job_of(stage, W1);
    MessageHeartbeat *heartbeat = &stage_compose(stage, MESSAGE_HEARTBEAT)->heartbeat;
    heartbeat->busy_count = 1;
    heartbeat->busy[0] = (SlotProgress){.job = job.id, .nodes = 7000};
    stage_deliver(stage, W1);
    stage_tick_after(stage, 300);
    assert_non_null(strstr(stage->trace, "21 INFO depth 2 score 8 nodes 7080\n"));
    stage_tick_after(stage, 900);
    assert_null(strstr(stage->trace, "INFO"));
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_tick_after(stage, 100);
    assert_null(strstr(stage->trace, "INFO"));
    stage_destroy(stage);
}

/* ---- what workers learn ---- */

static void tell_of(Stage *stage, uint64_t peer, uint64_t first_key, int count)
{
    MessageTable *table = &stage_compose(stage, MESSAGE_TABLE)->table;
    const uint64_t data = given_entry_data(4, -1, BOUND_UPPER);
    table->count = count;
    for (int i = 0; i < count; i++) {
        table->entries[i] = (TableEntry){.key = first_key + (uint64_t)i, .data = data};
    }
    stage_deliver(stage, peer);
}

/* Of positions that nobody has told of before. */
static void tell(Stage *stage, uint64_t peer, int count)
{
    static uint64_t next_key = 100;
    tell_of(stage, peer, next_key, count);
    next_key += (uint64_t)count;
}

static void test_two_workers_are_asked_to_tell(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_expect(stage, "11 WELCOME\n"); /* alone it has nobody to tell */
    stage_hello(stage, W2, 1);
    stage_expect(stage, "12 WELCOME\n11 TABLE 0\n12 TABLE 0\n");
    stage_deliver_empty(stage, W1, MESSAGE_BYE);
    stage_deliver_empty(stage, W2, MESSAGE_BYE);
    stage_hello(stage, W3, 1);
    stage_expect(stage, "13 WELCOME\n");
    stage_destroy(stage);
}

static void test_a_table_goes_to_all_others(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    tell(stage, W2, 3);
    stage_expect(stage, "11 TABLE 3\n");
    const MessageTable *told = &stage->actions->list[0].message.table;
    assert_memory_equal(told->entries, stage->message->table.entries, 3 * sizeof(TableEntry));
    tell(stage, W1, 3); /* W2 has no job yet, but may have one next */
    stage_expect(stage, "12 TABLE 3\n");
    stage_result(stage, W1, &eldest, 10);
    tell(stage, W1, MESSAGE_TABLE_ENTRIES_MAX);
    assert_int_equal(stage->actions->count, 1);
    assert_int_equal(stage->actions->list[0].peer.value, W2);
    assert_int_equal(stage->actions->list[0].message.table.count, MESSAGE_TABLE_ENTRIES_MAX);
    stage_hello(stage, W3, 1);
    tell(stage, W2, 2);
    stage_expect(stage, "11 TABLE 2\n13 TABLE 2\n");
    tell(stage, B1, 2);
    stage_expect(stage, "21 ERROR 5\n");
    tell(stage, W4, 2);
    stage_expect(stage, "14 RESET\n");
    stage_destroy(stage);
}

static void test_what_has_just_been_told_is_left_out(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_hello(stage, W3, 1);
    tell_of(stage, W2, 10, 4);
    stage_expect(stage, "11 TABLE 4\n13 TABLE 4\n");
    tell_of(stage, W1, 12, 4); /* 12 and 13 have gone to all */
    stage_expect(stage, "12 TABLE 2\n13 TABLE 2\n");
    assert_int_equal(stage->actions->list[0].message.table.entries[0].key, 14);
    tell_of(stage, W3, 13, 3);
    stage_expect(stage, "");
    stage_destroy(stage);
}

/* Who does not say that they come gets no more; who told some is told that they came. */
static void test_no_more_tables_go_out_than_a_link_takes(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_hello(stage, W3, 1);
    for (uint64_t i = 1; i <= 16; i++) {
        tell(stage, W1, 2);
        stage_expect(stage, i == 8    ? "11 HEARD 8\n12 TABLE 2\n13 TABLE 2\n"
                            : i == 16 ? "11 HEARD 16\n12 TABLE 2\n13 TABLE 2\n"
                                      : "12 TABLE 2\n13 TABLE 2\n");
    }
    tell(stage, W1, 2);
    stage_expect(stage, "");
    stage_compose(stage, MESSAGE_HEARD)->heard.count = 16;
    stage_deliver(stage, W3);
    tell(stage, W1, 2);
    stage_expect(stage, "13 TABLE 2\n");
    tell(stage, W1, 0); /* an invitation is the master's to give */
    stage_expect(stage, "");
    stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    stage_expect(stage, "11 PING\n11 HEARD 18\n12 PING\n13 PING\n");
    stage_tick_after(stage, STAGE_HEARTBEAT_MS);
    stage_expect(stage, "11 PING\n12 PING\n13 PING\n");
    stage_destroy(stage);
}

/* W1 tells 64 TABLEs to three others, of whom so many never say that any has come. */
static bool is_crowded_beside(int silent_count)
{
    enum { OTHERS = 3, TABLES = 64 };
    static const int others[OTHERS] = {W2, W3, W4};
    Stage *stage = stage_new(250);
    bool is_crowded = false;
    stage_hello(stage, W1, 1);
    for (int i = 0; i < OTHERS; i++) {
        stage_hello(stage, others[i], 1);
    }
    for (uint64_t count = 1; count <= TABLES; count++) {
        tell(stage, W1, 2);
        is_crowded = strstr(stage->trace, "11 HEARD 64 crowded\n") != NULL;
        for (int i = silent_count; i < OTHERS; i++) {
            stage_compose(stage, MESSAGE_HEARD)->heard.count = count;
            stage_deliver(stage, others[i]);
        }
    }
    stage_destroy(stage);
    return is_crowded;
}

/* One narrow link is that worker's own; most of them crowded are the master's line. */
static void test_who_tells_hears_when_most_links_are_crowded(void **state)
{
    (void)state;
    assert_false(is_crowded_beside(0));
    assert_false(is_crowded_beside(1));
    assert_true(is_crowded_beside(2));
    assert_true(is_crowded_beside(3));
}

/* How many of W1's TABLEs go on to W2 until one is kept back. */
static int tables_until_the_window_is_full(Stage *stage)
{
    int sent = -1;
    do {
        assert_in_range(++sent, 0, 1000);
        tell(stage, W1, 2);
    } while (strstr(stage->trace, "12 TABLE 2\n") != NULL);
    return sent;
}

/* The same, after word that all sent before have come, 400 ms later. */
static int tables_after_late_word(int heartbeat_ms)
{
    Stage *stage = stage_new_with_heartbeat(heartbeat_ms);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    const int sent = tables_until_the_window_is_full(stage);
    stage->now = instant_add(stage->now, duration_ms(400));
    stage_compose(stage, MESSAGE_HEARD)->heard.count = (uint64_t)sent;
    stage_deliver(stage, W2);
    const int more = tables_until_the_window_is_full(stage);
    stage_destroy(stage);
    return more;
}

/* What is late on a link with frequent heartbeats is in time on one with rare ones. */
static void test_the_heartbeat_says_how_late_word_may_be(void **state)
{
    (void)state;
    assert_int_equal(tables_after_late_word(100), 8);
    assert_int_equal(tables_after_late_word(500), 32);
}

/* A worker that others would wait for too long has no work until they are gone. */
static void test_a_much_slower_worker_is_kept_in_reserve(void **state)
{
    (void)state;
    Stage *stage = stage_new(0);
    stage_hello_at(stage, W2, 3, 320000);
    stage_hello_at(stage, W1, 1, 1000000);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 20);
    MessageJob job = stage_job_of(stage, W1);
    assert_int_equal(job.move_count, 3); /* the whole root, as for one slot alone */
    stage_tick_after(stage, 1000);
    assert_true(status_to(stage, B1)->workers[0].is_in_reserve);
    assert_false(status_to(stage, B1)->workers[1].is_in_reserve);
    stage_result(stage, W1, &job, 10);
    job = stage_job_of(stage, W1);
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    job = stage_job_of(stage, W2);
    stage_hello_at(stage, W3, 1, 960000); /* exactly three times faster: both work */
    stage_result(stage, W2, &job, 10);
    stage_expect(stage, "13 JOB 4 brothers depth 2 moves 1\n12 JOB 5 brothers depth 2 moves 1\n");
    stage_destroy(stage);
}

/* One fast worker is not worth more than five slow ones, so none of them waits for it to go. */
static void test_many_slow_workers_work(void **state)
{
    enum { SLOW = 5 };
    (void)state;
    Stage *stage = stage_new(0);
    for (uint64_t peer = W2; peer < W2 + SLOW; peer++) {
        stage_hello_at(stage, peer, 1, 250000);
    }
    stage_open_session(stage, B1);
    stage_hello_at(stage, W1, 1, 1000000);
    for (int i = 0; i <= SLOW; i++) {
        assert_false(status_to(stage, B1)->workers[i].is_in_reserve);
    }
    stage_search_to_depth(stage, B1, 5, 20);
    const MessageJob eldest = stage_job_of(stage, W1);
    stage_result(stage, W1, &eldest, 10);
    assert_int_equal(stage_job_of(stage, W2).move_count, 1); /* a brother */
    stage_step(stage, MASTER_EVENT_PEER_GONE,
               W2 + SLOW - 1); /* four are worth as much: they wait */
    assert_non_null(strstr(stage->trace, "12 CANCEL "));
    stage_tick_after(stage, 1000);
    for (int i = 0; i < SLOW - 1; i++) {
        assert_true(status_to(stage, B1)->workers[i].is_in_reserve);
    }
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2 + SLOW - 2);
    stage_hello_at(stage, W2 + SLOW, 2, 150000); /* its slots count */
    for (int i = 0; i < SLOW; i++) {
        assert_false(status_to(stage, B1)->workers[i].is_in_reserve);
    }
    stage_destroy(stage);
}

/* ---- several bridges ---- */

/* A search of the start position: enough brothers for everybody. */
static void search_start(Stage *stage, uint64_t peer)
{
    stage_compose_search(stage, 1, FEN_START)->limits.depth = 20;
    stage_deliver(stage, peer);
}

static int count_jobs(const Stage *stage, uint32_t session)
{
    int count = 0;
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        count += action->type == MASTER_ACTION_SEND && action->message.type == MESSAGE_JOB &&
                 action->message.job.id.session.value == session;
    }
    return count;
}

static void test_two_sessions_share_the_slots(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 8);
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    search_start(stage, B1);
    const MessageJob first = stage_job_of(stage, W1);
    search_start(stage, B2);
    const MessageJob second = stage_job_of(stage, W1);
    assert_int_equal(second.id.session.value, 2);
    stage_result(stage, W1, &first, 10);
    const int first_jobs = count_jobs(stage, 1);
    MessageJob returned = stage_job_of(stage, W1);
    assert_int_equal(first_jobs, 7); /* all that is free while the other cannot use it */
    stage_result(stage, W1, &second, 10);
    assert_int_equal(count_jobs(stage, 2), 1);
    /* From now on each slot goes to the one that has fewer. */
    int balance[3] = {0, first_jobs, 1};
    for (int i = 0; i < 3; i++) {
        stage_result(stage, W1, &returned, -50);
        const int session = count_jobs(stage, 2) == 1 ? 2 : 1;
        balance[1]--;
        balance[session]++;
        assert_int_equal(session, 2);
        returned.id.job--; /* the jobs of the first session were handed out in a row */
    }
    assert_int_equal(balance[1], balance[2]);
    stage_destroy(stage);
}

static void test_a_new_game_is_told_to_every_worker(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    assert_non_null(strstr(stage->trace, "11 NEW_GAME\n12 NEW_GAME\n"));
    stage_destroy(stage);
}

/* The bridge hears of it when the last worker has answered, or is gone; of another's it does not.
 */
static void test_a_new_game_is_answered_when_all_tables_are_void(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_open_session(stage, B1);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_expect(stage, "21 CLEARED 1\n");
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1);
    stage_open_session(stage, B2);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n12 NEW_GAME\n");
    stage_cleared(stage, W1, 1);
    stage_expect(stage, "");
    stage_cleared(stage, W1, 1);
    stage_expect(stage, "");
    stage_cleared(stage, W2, 3); /* no such session */
    stage_expect(stage, "");
    stage_cleared(stage, W1, 2);
    stage_expect(stage, "");
    stage_cleared(stage, W2, 1);
    stage_expect(stage, "21 CLEARED 1\n");
    stage_cleared(stage, W2, 1);
    stage_expect(stage, "");
    stage_step(stage, MASTER_EVENT_PEER_GONE, W2);
    assert_non_null(strstr(stage->trace, "22 CLEARED 2\n"));
    assert_null(strstr(stage->trace, "21 CLEARED"));
    stage_destroy(stage);
}

/* One table serves all: what a session has searched since its own new game stays for it. */
static void test_a_new_game_leaves_the_tables_of_others_alone(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B1, 5, 9);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "22 CLEARED 2\n");
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_cleared(stage, W1, 1);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_search_to_depth(stage, B1, 6, 9);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME); /* the tables are void anyway by now */
    assert_non_null(strstr(stage->trace, "11 NEW_GAME\n"));
    stage_cleared(stage, W1, 2);
    stage_deliver_empty(stage, B1, MESSAGE_CLOSE);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_destroy(stage);
}

/* A worker that has cleared its tables for one session works for another: those stay. */
static void test_a_new_game_joins_what_is_still_being_cleared(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_hello(stage, W2, 1); /* takes its time */
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    stage_open_session(stage, B3);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n12 NEW_GAME\n");
    stage_cleared(stage, W1, 1);
    stage_search_to_depth(stage, B2, 5, 9);
    stage_deliver_empty(stage, B3, MESSAGE_NEW_GAME);
    stage_expect(stage, "12 NEW_GAME\n");
    stage_cleared(stage, W2, 1);
    stage_expect(stage, "21 CLEARED 1\n");
    stage_cleared(stage, W2, 3);
    stage_expect(stage, "23 CLEARED 3\n");
    stage_deliver_empty(stage, B3, MESSAGE_NEW_GAME); /* none is left that clears */
    stage_expect(stage, "23 CLEARED 3\n");
    stage_destroy(stage);
}

/* A minute in which W1 and two sessions tell of their lives. */
static void pass_minute(Stage *stage)
{
    for (int second = 0; second < 60; second++) {
        stage_deliver_empty(stage, W1, MESSAGE_HEARD);
        stage_deliver_empty(stage, B1, MESSAGE_PING);
        stage_deliver_empty(stage, B2, MESSAGE_PING);
        stage_tick_after(stage, 1000);
    }
    stage_deliver_empty(stage, B1, MESSAGE_PING);
}

/* Who left a GUI open, or died without a word, is not in the middle of anything. */
static void test_a_new_game_after_one_that_nobody_plays(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_open_session(stage, B2);
    for (int ms = 0; ms < 2400; ms += 100) {
        stage_deliver_empty(stage, W1, MESSAGE_HEARD);
        stage_tick_after(stage, 100);
    }
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "22 CLEARED 2\n");
    stage_tick_after(stage, 100); /* B1 has said nothing all the time */
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_cleared(stage, W1, 2);
    stage_deliver_empty(stage, B1, MESSAGE_PING);
    for (int minute = 0; minute < 30; minute++) {
        stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
        stage_expect(stage, "22 CLEARED 2\n");
        pass_minute(stage);
    }
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_destroy(stage);
}

/* The pause before a session's next search begins with the end of the one before. */
static void test_a_new_game_after_another_s_long_search(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_open_session(stage, B2);
    stage_compose_search(stage, 5, STAGE_FEW_MOVES)->limits.infinite = true;
    stage_deliver(stage, B1);
    for (int minute = 0; minute < 31; minute++) {
        pass_minute(stage);
    }
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_deliver_empty(stage, B2, MESSAGE_NEW_GAME);
    stage_expect(stage, "22 CLEARED 2\n");
    stage_destroy(stage);
}

/* Nor has it that of the session before it in its place, or of a position that is refused. */
static void test_a_session_that_has_searched_nothing_needs_no_tables(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_search_to_depth(stage, B1, 5, 9);
    stage_name_search(stage, B1, MESSAGE_STOP, 5);
    stage_deliver_empty(stage, B1, MESSAGE_CLOSE);
    stage_open_session(stage, B2);
    stage_deliver_empty(stage, B2, MESSAGE_SEARCH); /* of an empty board */
    assert_non_null(strstr(stage->trace, "22 ERROR"));
    stage_open_session(stage, B3);
    stage_deliver_empty(stage, B3, MESSAGE_NEW_GAME);
    stage_expect(stage, "11 NEW_GAME\n");
    stage_destroy(stage);
}

/* Its place may be another's meanwhile, who has not asked for anything. */
static void test_a_new_game_of_a_session_that_is_over(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    stage_deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    stage_deliver_empty(stage, B1, MESSAGE_CLOSE);
    stage_open_session(stage, B2);
    stage_cleared(stage, W1, 1);
    stage_expect(stage, "");
    stage_step(stage, MASTER_EVENT_PEER_GONE, W1);
    assert_null(strstr(stage->trace, "CLEARED"));
    stage_destroy(stage);
}

/* A bridge that has gone without a word, or lost its answer, leaves nothing behind. */
static void test_a_silent_session_ends_after_ten_seconds(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    for (int ms = 100; ms < 10000; ms += 100) {
        stage_deliver_empty(stage, W1, MESSAGE_HEARD);
        stage_deliver_empty(stage, W2, MESSAGE_HEARD);
        stage_tick_after(stage, 100);
        assert_null(strstr(stage->trace, "RESET"));
        assert_null(strstr(stage->trace, "CANCEL"));
    }
    stage_deliver_empty(stage, W1, MESSAGE_HEARD);
    stage_deliver_empty(stage, W2, MESSAGE_HEARD);
    stage_tick_after(stage, 100);
    assert_non_null(strstr(stage->trace, "21 RESET\n"));
    assert_non_null(strstr(stage->trace, "11 CANCEL all"));
    stage_deliver_empty(stage, B1, MESSAGE_PING);
    stage_expect(stage, "21 RESET\n");
    stage_destroy(stage);
}

static void test_a_second_open_begins_a_new_session(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_open_session(stage, B1);
    assert_non_null(strstr(stage->trace, "11 CANCEL all"));
    assert_non_null(strstr(stage->trace, "21 OPENED"));
    stage_result(stage, W1, &eldest, 10);
    stage_expect(stage, "");
    stage_search_to_depth(stage, B1, 5, 9);
    assert_int_equal(stage_job_of(stage, W1).id.session.value, 2);
    stage_destroy(stage);
}

/* `searchmoves` with one move asks for what that move is worth, which takes the time given. */
static void test_one_wanted_move_takes_its_time(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    stage_hello(stage, W1, 1);
    stage_open_session(stage, B1);
    MessageSearch *search = stage_compose_search(stage, 5, STAGE_FEW_MOVES);
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(1000);
    search->limits.search_move_count = 1;
    search->limits.search_moves[0] = move_make(SQUARE_A1, SQUARE_A1 + 8);
    stage_deliver(stage, B1);
    for (int depth = 1; depth < 10; depth++) {
        const MessageJob job = stage_job_of(stage, W1);
        assert_int_equal(job.depth, depth);
        assert_int_equal(job.move_count, 1);
        stage_result(stage, W1, &job, 10);
        assert_null(strstr(stage->trace, "BESTMOVE"));
    }
    stage_destroy(stage);
}

static void test_a_closed_session_frees_its_slots(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    stage_deliver_empty(stage, B1, MESSAGE_CLOSE);
    stage_expect(stage, "11 CANCEL all\n");
    stage_result(stage, W1, &eldest, 10);
    stage_expect(stage, "");
    stage_open_session(stage, B2);
    stage_search_to_depth(stage, B2, 1, 2);
    stage_expect(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    stage_step(stage, MASTER_EVENT_PEER_GONE, B2);
    stage_expect(stage, "11 CANCEL all\n");
    stage_destroy(stage);
}

/* Sixteen searches with jobs on every worker that end in one step. */
static void test_many_searches_may_end_at_once(void **state)
{
    (void)state;
    Stage *stage = stage_new(250);
    for (uint64_t i = 0; i < MASTER_WORKERS_MAX; i++) {
        stage_hello(stage, 1000 + i, 2);
    }
    for (uint64_t i = 0; i < MASTER_SESSIONS_MAX; i++) {
        stage_open_session(stage, 2000 + i);
        MessageSearch *search = stage_compose_search(stage, 1, FEN_START);
        search->limits.has_move_time = true;
        search->limits.move_time = duration_ms(600);
        stage_deliver(stage, 2000 + i);
        for (int j = stage->actions->count - 1; j >= 0; j--) {
            if (stage->actions->list[j].message.type == MESSAGE_JOB) {
                const MessageJob job = stage->actions->list[j].message.job;
                stage_result(stage, stage->actions->list[j].peer.value, &job, 10);
                break;
            }
        }
    }
    int answers = 0;
    stage_tick_after(stage, 600);
    for (int steps = 0; answers < MASTER_SESSIONS_MAX; steps++) {
        assert_true(steps < 40);
        for (const char *at = stage->trace; (at = strstr(at, "BESTMOVE")) != NULL; at++) {
            answers++;
        }
        assert_true(stage->actions->more || answers == MASTER_SESSIONS_MAX);
        stage_tick_after(stage, 0);
    }
    assert_int_equal(answers, MASTER_SESSIONS_MAX);
    stage_destroy(stage);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_worker_is_welcomed),
        cmocka_unit_test(test_other_versions_and_evaluations_are_refused),
        cmocka_unit_test(test_strangers_are_reset),
        cmocka_unit_test(test_roles_are_kept_apart),
        cmocka_unit_test(test_a_session_hears_the_status),
        cmocka_unit_test(test_the_status_tells_the_speed_that_was_measured),
        cmocka_unit_test(test_all_sessions_hear_of_a_new_worker),
        cmocka_unit_test(test_too_many_are_refused),
        cmocka_unit_test(test_the_eldest_first_then_the_brothers_on_all_slots),
        cmocka_unit_test(test_an_improvement_goes_to_the_others),
        cmocka_unit_test(test_a_fail_high_cancels_the_others_and_goes_out_first),
        cmocka_unit_test(test_a_fail_high_known_from_the_result_alone),
        cmocka_unit_test(test_a_fail_low_is_searched_again_with_a_wider_window),
        cmocka_unit_test(test_a_lost_worker_s_job_is_sent_again_in_the_same_step),
        cmocka_unit_test(test_a_move_that_kills_its_workers_is_left_out),
        cmocka_unit_test(test_silence_is_not_held_against_a_move),
        cmocka_unit_test(test_an_iteration_that_ends_by_a_move_left_out_is_told),
        cmocka_unit_test(test_doubled_and_foreign_results_count_for_their_nodes_alone),
        cmocka_unit_test(test_an_incomplete_result_is_done_again),
        cmocka_unit_test(test_a_silent_worker_expires),
        cmocka_unit_test(test_nobody_expires_for_the_master_s_own_lateness),
        cmocka_unit_test(test_no_session_expires_for_the_master_s_own_lateness),
        cmocka_unit_test(test_the_depth_limit_ends_the_search),
        cmocka_unit_test(test_stop_answers_at_once_and_only_once),
        cmocka_unit_test(test_a_new_search_ends_the_old_one),
        cmocka_unit_test(test_the_clock_ends_the_search),
        cmocka_unit_test(test_infinite_holds_the_answer_until_stop),
        cmocka_unit_test(test_ponder_holds_the_answer_until_the_hit),
        cmocka_unit_test(test_a_hit_is_answered_when_enough_is_known),
        cmocka_unit_test(test_a_hit_starts_the_clock_once),
        cmocka_unit_test(test_no_session_is_left_without_a_slot),
        cmocka_unit_test(test_sessions_take_turns_with_an_only_slot),
        cmocka_unit_test(test_the_node_limit_is_shared_out),
        cmocka_unit_test(test_mate_stalemate_and_bad_positions_are_answered),
        cmocka_unit_test(test_without_workers_a_stopped_search_still_has_a_move),
        cmocka_unit_test(test_work_waits_for_the_first_worker),
        cmocka_unit_test(test_who_comes_later_shares_the_only_slots_job),
        cmocka_unit_test(test_several_lines),
        cmocka_unit_test(test_several_lines_at_the_end),
        cmocka_unit_test(test_a_line_is_worth_no_more_than_the_best),
        cmocka_unit_test(test_a_long_iteration_is_told_of),
        cmocka_unit_test(test_two_workers_are_asked_to_tell),
        cmocka_unit_test(test_a_table_goes_to_all_others),
        cmocka_unit_test(test_what_has_just_been_told_is_left_out),
        cmocka_unit_test(test_no_more_tables_go_out_than_a_link_takes),
        cmocka_unit_test(test_who_tells_hears_when_most_links_are_crowded),
        cmocka_unit_test(test_the_heartbeat_says_how_late_word_may_be),
        cmocka_unit_test(test_workers_that_die_together_are_no_fault_of_a_move),
        cmocka_unit_test(test_no_move_is_better_than_one_never_looked_at),
        cmocka_unit_test(test_the_last_worker_is_gone),
        cmocka_unit_test(test_many_slow_workers_work),
        cmocka_unit_test(test_a_much_slower_worker_is_kept_in_reserve),
        cmocka_unit_test(test_two_sessions_share_the_slots),
        cmocka_unit_test(test_a_new_game_is_told_to_every_worker),
        cmocka_unit_test(test_a_new_game_is_answered_when_all_tables_are_void),
        cmocka_unit_test(test_a_new_game_leaves_the_tables_of_others_alone),
        cmocka_unit_test(test_a_new_game_joins_what_is_still_being_cleared),
        cmocka_unit_test(test_a_new_game_after_one_that_nobody_plays),
        cmocka_unit_test(test_a_new_game_after_another_s_long_search),
        cmocka_unit_test(test_a_session_that_has_searched_nothing_needs_no_tables),
        cmocka_unit_test(test_a_new_game_of_a_session_that_is_over),
        cmocka_unit_test(test_a_silent_session_ends_after_ten_seconds),
        cmocka_unit_test(test_a_second_open_begins_a_new_session),
        cmocka_unit_test(test_one_wanted_move_takes_its_time),
        cmocka_unit_test(test_a_closed_session_frees_its_slots),
        cmocka_unit_test(test_many_searches_may_end_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
