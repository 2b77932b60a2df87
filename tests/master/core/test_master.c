/*
 * The master core as traces: what it sends in answer to each event.
 *
 * A step's actions are written as one line each, "PEER TYPE details", LOGs and STATUS left out.
 * Workers are peers 11, 12, ..., bridges 21, 22, ...
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
#include "master/core/master.h"
#include "tests/support/given.h"

enum {
    EPOCH = 77,
    IDENTITY = 4242,
    HEARTBEAT_MS = 100,
    LEASE_MS = 1500,
    TRACE_BYTES_MAX = 1 << 16,
    W1 = 11,
    W2 = 12,
    W3 = 13,
    B1 = 21,
    B2 = 22,
    B3 = 23,
};

/* Three legal moves, a1a2 a1b1 a1b2 in some order, and nothing to win. */
static const char few_moves[] = "7k/8/8/8/8/8/8/K7 w - - 0 1";

typedef struct {
    Master *master;
    MasterActions *actions;
    Message *message; /* the next to send */
    Instant now;
    char trace[TRACE_BYTES_MAX]; /* of the last step */
} Stage;

/* ---- trace ---- */

static const char *square_pair(Move move, char text[8])
{
    if (move == MOVE_NONE) {
        return "none";
    }
    (void)snprintf(text, 8, "%c%d%c%d", 'a' + square_file(move_from(move)),
                   1 + square_rank(move_from(move)), 'a' + square_file(move_to(move)),
                   1 + square_rank(move_to(move)));
    return text;
}

static void append(Stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(Stage *stage, const char *format, ...)
{
    const size_t length = strlen(stage->trace);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(stage->trace + length, TRACE_BYTES_MAX - length, format, arguments);
    va_end(arguments);
}

static void append_details(Stage *stage, const Message *message)
{
    char text[8];
    switch (message->type) {
    case MESSAGE_JOB:
        append(stage, " %u %s depth %d moves %d", message->job.id.job,
               message->job.is_eldest ? "eldest" : "brothers", message->job.depth,
               message->job.move_count);
        break;
    case MESSAGE_BOUNDS:
        append(stage, " %u alpha %d", message->bounds.id.job, message->bounds.alpha);
        break;
    case MESSAGE_CANCEL:
        append(stage, message->cancel.id.job == 0 ? " all" : " %u", message->cancel.id.job);
        break;
    case MESSAGE_INFO:
        append(stage, " depth %d score %d nodes %" PRIu64, message->info.line.depth,
               message->info.line.score, message->info.nodes);
        break;
    case MESSAGE_BESTMOVE:
        append(stage, " %u %s", message->bestmove.search.value,
               square_pair(message->bestmove.move, text));
        break;
    case MESSAGE_ERROR:
        append(stage, " %d", message->error.code);
        break;
    default:
        break;
    }
}

static void step(Stage *stage, MasterEventType type, uint64_t peer)
{
    const MasterEvent event = {
        .type = type, .now = stage->now, .peer = {peer}, .message = stage->message};
    master_step(stage->master, &event, stage->actions);
    stage->trace[0] = '\0';
    for (int i = 0; i < stage->actions->count; i++) {
        const MasterAction *action = &stage->actions->list[i];
        if (action->type == MASTER_ACTION_SEND && action->message.type != MESSAGE_STATUS) {
            append(stage, "%" PRIu64 " %s", action->peer.value,
                   message_type_name(action->message.type));
            append_details(stage, &action->message);
            append(stage, "\n");
        }
    }
}

/* Empties the next message. */
static Message *compose(Stage *stage, MessageType type)
{
    memset(stage->message, 0, sizeof *stage->message);
    stage->message->type = type;
    return stage->message;
}

static void deliver(Stage *stage, uint64_t peer)
{
    step(stage, MASTER_EVENT_MESSAGE, peer);
}

static void deliver_empty(Stage *stage, uint64_t peer, MessageType type)
{
    (void)compose(stage, type);
    deliver(stage, peer);
}

static void tick_after(Stage *stage, int64_t milliseconds)
{
    stage->now = instant_add(stage->now, duration_ms(milliseconds));
    step(stage, MASTER_EVENT_TICK, 0);
}

/* ---- who there is ---- */

static Stage *new_stage(void)
{
    Stage *stage = calloc(1, sizeof *stage);
    const MasterConfig config = {.epoch = {EPOCH},
                                 .search_identity = IDENTITY,
                                 .heartbeat = duration_ms(HEARTBEAT_MS),
                                 .lease = duration_ms(LEASE_MS)};
    stage->now.us = 5000000;
    stage->master = master_new(&config, stage->now);
    stage->actions = malloc(sizeof *stage->actions);
    stage->message = malloc(sizeof *stage->message);
    return stage;
}

static void end_stage(Stage *stage)
{
    master_destroy(&stage->master);
    assert_null(stage->master);
    free(stage->actions);
    free(stage->message);
    free(stage);
}

static void hello(Stage *stage, uint64_t peer, int slots)
{
    MessageHello *body = &compose(stage, MESSAGE_HELLO)->hello;
    body->protocol_version = PROTOCOL_VERSION;
    body->search_identity = IDENTITY;
    body->slots = slots;
    body->hash_mb = 16;
    body->nodes_per_second = 1000000;
    (void)snprintf(body->name, sizeof body->name, "w%" PRIu64, peer);
    deliver(stage, peer);
}

static void open_session(Stage *stage, uint64_t peer)
{
    compose(stage, MESSAGE_OPEN)->open.protocol_version = PROTOCOL_VERSION;
    deliver(stage, peer);
}

static MessageSearch *compose_search(Stage *stage, uint32_t number, const char *fen)
{
    MessageSearch *search = &compose(stage, MESSAGE_SEARCH)->search;
    search->search.value = number;
    search->multi_pv = 1;
    (void)snprintf(search->position.fen, sizeof search->position.fen, "%s", fen);
    return search;
}

static void search_to_depth(Stage *stage, uint64_t peer, uint32_t number, int depth)
{
    compose_search(stage, number, few_moves)->limits.depth = depth;
    deliver(stage, peer);
}

static void name_search(Stage *stage, uint64_t peer, MessageType type, uint32_t number)
{
    compose(stage, type)->search_name.search.value = number;
    deliver(stage, peer);
}

/* The newest JOB in the actions to this peer. */
static MessageJob job_of(const Stage *stage, uint64_t peer)
{
    for (int i = stage->actions->count - 1; i >= 0; i--) {
        const MasterAction *action = &stage->actions->list[i];
        if (action->type == MASTER_ACTION_SEND && action->peer.value == peer &&
            action->message.type == MESSAGE_JOB) {
            return action->message.job;
        }
    }
    fail_msg("no job for %" PRIu64 " in\n%s", peer, stage->trace);
    return (MessageJob){0};
}

/* All moves of the job searched, 10 nodes each, the best scoring `score`. */
static MessageResult *compose_result(Stage *stage, const MessageJob *job, int score)
{
    MessageResult *result = &compose(stage, MESSAGE_RESULT)->result;
    result->id = job->id;
    result->is_complete = true;
    result->score = score;
    result->cost_count = job->move_count;
    result->nodes = 10 * (uint64_t)job->move_count;
    for (int i = 0; i < job->move_count; i++) {
        result->costs[i] = (MoveCost){.move = job->moves[i], .nodes = 10};
    }
    if (score > job->alpha) {
        result->line = (Line){.score = score,
                              .bound = score >= job->beta ? BOUND_LOWER : BOUND_EXACT,
                              .depth = job->depth,
                              .length = 1,
                              .moves = {job->moves[0]}};
    }
    return result;
}

static void result(Stage *stage, uint64_t peer, const MessageJob *job, int score)
{
    (void)compose_result(stage, job, score);
    deliver(stage, peer);
}

static void improved(Stage *stage, uint64_t peer, const MessageJob *job, Move move, int score)
{
    MessageImproved *body = &compose(stage, MESSAGE_IMPROVED)->improved;
    body->id = job->id;
    body->line = (Line){.score = score,
                        .bound = score >= job->beta ? BOUND_LOWER : BOUND_EXACT,
                        .depth = job->depth,
                        .length = 1,
                        .moves = {move}};
    deliver(stage, peer);
}

static void assert_trace(const Stage *stage, const char *expected)
{
    assert_string_equal(stage->trace, expected);
}

/* ---- joining and leaving ---- */

static void test_a_worker_is_welcomed(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 2);
    assert_trace(stage, "11 WELCOME\n");
    const MessageWelcome *welcome = &stage->actions->list[0].message.welcome;
    assert_int_equal(welcome->epoch.value, EPOCH);
    assert_int_equal(welcome->worker.value, 1);
    assert_int_equal(welcome->heartbeat.us, duration_ms(HEARTBEAT_MS).us);
    assert_int_equal(welcome->lease.us, duration_ms(LEASE_MS).us);
    hello(stage, W2, 1);
    assert_int_equal(stage->actions->list[0].message.welcome.worker.value, 2);
    end_stage(stage);
}

static void test_other_versions_and_evaluations_are_refused(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1); /* to fill in the message */
    stage->message->hello.protocol_version = PROTOCOL_VERSION + 1;
    deliver(stage, W2);
    assert_trace(stage, "12 ERROR 1\n");
    assert_non_null(strstr(stage->actions->list[0].message.error.text, "install"));
    stage->message->hello.protocol_version = PROTOCOL_VERSION;
    stage->message->hello.search_identity = IDENTITY + 1;
    deliver(stage, W2);
    assert_trace(stage, "12 ERROR 2\n");
    compose(stage, MESSAGE_OPEN)->open.protocol_version = PROTOCOL_VERSION + 1;
    deliver(stage, B1);
    assert_trace(stage, "21 ERROR 1\n");
    /* None of them is known now. */
    deliver_empty(stage, W2, MESSAGE_HEARTBEAT);
    assert_trace(stage, "12 RESET\n");
    deliver_empty(stage, B1, MESSAGE_PING);
    assert_trace(stage, "21 RESET\n");
    end_stage(stage);
}

static void test_strangers_are_reset(void **state)
{
    (void)state;
    static const MessageType types[] = {MESSAGE_HEARTBEAT, MESSAGE_RESULT, MESSAGE_IMPROVED,
                                        MESSAGE_SEARCH,    MESSAGE_STOP,   MESSAGE_PING,
                                        MESSAGE_WELCOME,   MESSAGE_JOB};
    Stage *stage = new_stage();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        deliver_empty(stage, 99, types[i]);
        assert_trace(stage, "99 RESET\n");
    }
    deliver_empty(stage, 99, MESSAGE_BYE); /* it goes anyway */
    assert_trace(stage, "");
    end_stage(stage);
}

static void test_roles_are_kept_apart(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    deliver_empty(stage, W1, MESSAGE_SEARCH);
    assert_trace(stage, "11 ERROR 5\n");
    open_session(stage, B1);
    deliver_empty(stage, B1, MESSAGE_RESULT);
    assert_trace(stage, "21 ERROR 5\n");
    deliver_empty(stage, B1, MESSAGE_HELLO);
    assert_trace(stage, "21 ERROR 5\n");
    end_stage(stage);
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

static void test_a_session_hears_the_status(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 2);
    open_session(stage, B1);
    assert_trace(stage, "21 OPENED\n");
    const WorkerRow *row = &status_to(stage, B1)->workers[0];
    assert_string_equal(row->name, "w11");
    assert_int_equal(row->slots, 2);
    assert_int_equal(row->nodes_per_second, 2000000);
    compose(stage, MESSAGE_PING)->ping.number = 9;
    deliver(stage, B1);
    assert_trace(stage, "21 PONG\n");
    assert_int_equal(stage->actions->list[0].message.ping.number, 9);
    tick_after(stage, 1000);
    assert_trace(stage, "11 PING\n");
    assert_int_equal(status_to(stage, B1)->worker_count, 1);
    end_stage(stage);
}

/* A bridge that waits for the first worker need not wait for the next periodic STATUS. */
static void test_all_sessions_hear_of_a_new_worker(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    open_session(stage, B1);
    assert_int_equal(status_to(stage, B1)->worker_count, 0);
    open_session(stage, B2);
    deliver_empty(stage, B2, MESSAGE_CLOSE);
    open_session(stage, B3);
    hello(stage, W1, 2);
    assert_trace(stage, "11 WELCOME\n");
    assert_int_equal(status_to(stage, B1)->worker_count, 1);
    assert_int_equal(status_to(stage, B1)->epoch.value, EPOCH);
    assert_int_equal(status_to(stage, B3)->worker_count, 1);
    assert_int_equal(status_count(stage), 2);
    hello(stage, W2, 1);
    assert_int_equal(status_to(stage, B3)->worker_count, 2);
    end_stage(stage);
}

static void test_too_many_are_refused(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    for (uint64_t i = 0; i < MASTER_WORKERS_MAX; i++) {
        hello(stage, 1000 + i, 1);
        assert_int_equal(stage->actions->list[0].message.type, MESSAGE_WELCOME);
    }
    hello(stage, W1, 1);
    assert_trace(stage, "11 ERROR 3\n");
    for (uint64_t i = 0; i < MASTER_SESSIONS_MAX; i++) {
        open_session(stage, 2000 + i);
    }
    open_session(stage, B1);
    assert_trace(stage, "21 ERROR 3\n");
    /* All vanish at once: however long the list, every one is told and nothing overflows. */
    tick_after(stage, LEASE_MS / 4);
    int steps = 0;
    for (int ms = 0; ms < LEASE_MS; ms += HEARTBEAT_MS) {
        tick_after(stage, HEARTBEAT_MS);
    }
    while (stage->actions->more) {
        tick_after(stage, 0);
        assert_true(++steps < 10);
    }
    open_session(stage, B1);
    assert_trace(stage, "21 ERROR 3\n"); /* sessions have a longer lease */
    hello(stage, W1, 1);
    assert_trace(stage, "11 WELCOME\n");
    end_stage(stage);
}

/* ---- jobs ---- */

/* Two workers of one slot and a search of three moves; the eldest is out with the first. */
static Stage *stage_with_search(MessageJob *eldest)
{
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    hello(stage, W2, 1);
    open_session(stage, B1);
    search_to_depth(stage, B1, 5, 9);
    assert_trace(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    *eldest = job_of(stage, W1);
    assert_int_equal(eldest->id.epoch.value, EPOCH);
    assert_int_equal(eldest->id.session.value, 1);
    assert_int_equal(eldest->id.search.value, 5);
    assert_int_equal(eldest->id.attempt, 1);
    assert_string_equal(eldest->position.fen, few_moves);
    return stage;
}

static void test_the_eldest_first_then_the_brothers_on_all_slots(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    result(stage, W1, &eldest, 10);
    assert_trace(stage, "11 JOB 2 brothers depth 1 moves 1\n12 JOB 3 brothers depth 1 moves 1\n");
    const MessageJob left = job_of(stage, W1);
    const MessageJob right = job_of(stage, W2);
    assert_int_equal(left.alpha, 10);
    result(stage, W2, &right, 0);
    assert_trace(stage, "");
    result(stage, W1, &left, 0);
    assert_trace(stage, "21 INFO depth 1 score 10 nodes 30\n11 JOB 4 eldest depth 2 moves 1\n");
    end_stage(stage);
}

static void test_an_improvement_goes_to_the_others(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    result(stage, W1, &eldest, 10);
    const MessageJob left = job_of(stage, W1);
    const MessageJob right = job_of(stage, W2);
    improved(stage, W2, &right, right.moves[0], 25);
    assert_trace(stage, "11 BOUNDS 2 alpha 25\n");
    /* A worse one of a job that had not heard yet changes nothing. */
    improved(stage, W1, &left, left.moves[0], 20);
    assert_trace(stage, "");
    end_stage(stage);
}

/* Plays whole iterations until the eldest of depth 5 is out with W1. */
static MessageJob run_to_the_window(Stage *stage, MessageJob eldest)
{
    for (int depth = 1; depth < 5; depth++) {
        result(stage, W1, &eldest, 10);
        const MessageJob left = job_of(stage, W1);
        const MessageJob right = job_of(stage, W2);
        result(stage, W2, &right, 0);
        result(stage, W1, &left, 0);
        eldest = job_of(stage, W1);
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
    result(stage, W1, &eldest, 10);
    const MessageJob left = job_of(stage, W1);
    const MessageJob right = job_of(stage, W2);
    improved(stage, W2, &right, right.moves[0], right.beta + 5);
    char expected[128];
    (void)snprintf(expected, sizeof expected, "11 CANCEL %u\n11 JOB %u eldest depth 5 moves 1\n",
                   left.id.job, right.id.job + 1);
    assert_trace(stage, expected);
    const MessageJob again = job_of(stage, W1);
    assert_int_equal(again.moves[0], right.moves[0]);
    assert_true(again.beta > right.beta);
    /* The same when only the RESULT tells. */
    result(stage, W2, &right, right.beta + 5);
    assert_trace(stage, "");
    end_stage(stage);
}

static void test_a_fail_high_known_from_the_result_alone(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    eldest = run_to_the_window(stage, eldest);
    result(stage, W1, &eldest, 10);
    const MessageJob left = job_of(stage, W1);
    const MessageJob right = job_of(stage, W2);
    result(stage, W2, &right, right.beta + 5);
    char expected[128];
    (void)snprintf(expected, sizeof expected, "11 CANCEL %u\n11 JOB %u eldest depth 5 moves 1\n",
                   left.id.job, right.id.job + 1);
    assert_trace(stage, expected);
    end_stage(stage);
}

static void test_a_fail_low_is_searched_again_with_a_wider_window(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    eldest = run_to_the_window(stage, eldest);
    result(stage, W1, &eldest, eldest.alpha - 3);
    const MessageJob again = job_of(stage, W1);
    assert_true(again.is_eldest);
    assert_true(again.alpha < eldest.alpha);
    assert_int_not_equal(again.id.job, eldest.id.job);
    end_stage(stage);
}

static void test_a_lost_worker_s_job_is_sent_again_in_the_same_step(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    step(stage, MASTER_EVENT_PEER_GONE, W1);
    assert_trace(stage, "12 JOB 2 eldest depth 1 moves 1\n");
    /* Its late result comes from a peer that is no more. */
    result(stage, W1, &eldest, 500);
    assert_trace(stage, "11 RESET\n");

    hello(stage, W3, 1);
    assert_trace(stage, "13 WELCOME\n");
    deliver_empty(stage, W2, MESSAGE_BYE);
    assert_trace(stage, "13 JOB 3 eldest depth 1 moves 1\n");
    hello(stage, W3, 2); /* HELLO again: its jobs are lost, it starts anew */
    assert_trace(stage, "13 WELCOME\n13 JOB 4 eldest depth 1 moves 1\n");
    end_stage(stage);
}

static void test_doubled_and_foreign_results_count_for_their_nodes_alone(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    result(stage, W1, &eldest, 10);
    const MessageJob left = job_of(stage, W1);
    const MessageJob right = job_of(stage, W2);
    result(stage, W1, &eldest, 900); /* doubled: 10 nodes */
    assert_trace(stage, "");
    result(stage, W1, &right, 900); /* another's job: 10 nodes */
    assert_trace(stage, "");
    MessageJob other_life = left;
    other_life.id.epoch.value = EPOCH - 1;
    result(stage, W1, &other_life, 900); /* not even its nodes */
    MessageJob other_search = left;
    other_search.id.search.value = 4;
    result(stage, W1, &other_search, 900); /* likewise */
    assert_trace(stage, "");
    result(stage, W1, &left, 0);
    result(stage, W2, &right, 0);
    assert_trace(stage, "21 INFO depth 1 score 10 nodes 50\n11 JOB 4 eldest depth 2 moves 1\n");
    end_stage(stage);
}

static void test_an_incomplete_result_is_done_again(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    MessageResult *partial = compose_result(stage, &eldest, 900);
    partial->is_complete = false;
    partial->cost_count = 0;
    partial->line.length = 0;
    deliver(stage, W1);
    assert_trace(stage, "11 JOB 2 eldest depth 1 moves 1\n");
    end_stage(stage);
}

/* ---- time and life ---- */

static void test_a_silent_worker_expires(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    for (int ms = HEARTBEAT_MS; ms < LEASE_MS; ms += HEARTBEAT_MS) {
        tick_after(stage, HEARTBEAT_MS);
        assert_null(strstr(stage->trace, "RESET"));
        deliver_empty(stage, W2, MESSAGE_HEARTBEAT);
    }
    tick_after(stage, HEARTBEAT_MS);
    assert_non_null(strstr(stage->trace, "11 RESET\n"));
    assert_non_null(strstr(stage->trace, "12 JOB 2 eldest depth 1 moves 1\n"));
    assert_null(strstr(stage->trace, "11 PING"));
    end_stage(stage);
}

static void test_nobody_expires_for_the_master_s_own_lateness(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    tick_after(stage, 20 * LEASE_MS);
    assert_null(strstr(stage->trace, "RESET"));
    assert_null(strstr(stage->trace, "JOB"));
    for (int ms = HEARTBEAT_MS; ms < LEASE_MS; ms += HEARTBEAT_MS) {
        tick_after(stage, HEARTBEAT_MS);
        assert_null(strstr(stage->trace, "RESET"));
    }
    tick_after(stage, HEARTBEAT_MS); /* a whole lease after the grace */
    assert_non_null(strstr(stage->trace, "11 RESET\n"));
    end_stage(stage);
}

static void test_the_depth_limit_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    search_to_depth(stage, B1, 5, 1);
    const MessageJob eldest = job_of(stage, W1);
    result(stage, W1, &eldest, 10);
    const MessageJob brothers = job_of(stage, W1);
    assert_int_equal(brothers.move_count, 2);
    result(stage, W1, &brothers, 0);
    char text[8];
    char expected[160];
    (void)snprintf(expected, sizeof expected,
                   "21 INFO depth 1 score 10 nodes 30\n21 INFO depth 1 score 10 nodes 30\n"
                   "21 BESTMOVE 5 %s\n",
                   square_pair(eldest.moves[0], text));
    assert_trace(stage, expected);
    end_stage(stage);
}

static void test_stop_answers_at_once_and_only_once(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    name_search(stage, B1, MESSAGE_STOP, 4); /* another search's */
    assert_trace(stage, "");
    name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    name_search(stage, B1, MESSAGE_STOP, 5);
    assert_trace(stage, "");
    result(stage, W1, &eldest, 10);
    assert_trace(stage, "");
    end_stage(stage);
}

static void test_a_new_search_ends_the_old_one(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    search_to_depth(stage, B1, 6, 3);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    assert_non_null(strstr(stage->trace, "11 JOB 1 eldest depth 1 moves 1\n"));
    assert_int_equal(job_of(stage, W1).id.search.value, 6);
    /* The old search's result has the same job number but not the same name. */
    result(stage, W1, &eldest, 900);
    assert_trace(stage, "");
    end_stage(stage);
}

static void test_the_clock_ends_the_search(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    MessageSearch *search = compose_search(stage, 5, few_moves);
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(500);
    deliver(stage, B1);
    const Instant start = stage->now;
    while (strstr(stage->trace, "BESTMOVE") == NULL) {
        const Instant next = master_next_tick(stage->master);
        assert_true(next.us > stage->now.us);
        stage->now = next;
        step(stage, MASTER_EVENT_TICK, 0);
        assert_true(instant_since(stage->now, start).us <= 500 * 1000);
    }
    assert_true(instant_since(stage->now, start).us >= 450 * 1000);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n"));
    end_stage(stage);
}

/* Ends the one-worker search under way at its depth limit of one. */
static void finish_depth_one(Stage *stage)
{
    const MessageJob eldest = job_of(stage, W1);
    result(stage, W1, &eldest, 10);
    const MessageJob brothers = job_of(stage, W1);
    result(stage, W1, &brothers, 0);
}

static void test_infinite_holds_the_answer_until_stop(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    MessageSearch *search = compose_search(stage, 5, few_moves);
    search->limits.infinite = true;
    search->limits.depth = 1;
    deliver(stage, B1);
    finish_depth_one(stage);
    assert_trace(stage, "21 INFO depth 1 score 10 nodes 30\n");
    for (int i = 0; i < 30; i++) {
        deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
        deliver_empty(stage, B1, MESSAGE_PING);
        tick_after(stage, 100);
        assert_null(strstr(stage->trace, "BESTMOVE"));
        assert_null(strstr(stage->trace, "JOB"));
    }
    name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    end_stage(stage);
}

static void test_ponder_holds_the_answer_until_the_hit(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    MessageSearch *search = compose_search(stage, 5, few_moves);
    search->limits.ponder = true;
    search->limits.depth = 1;
    search->limits.has_move_time = true;
    search->limits.move_time = duration_ms(100);
    deliver(stage, B1);
    tick_after(stage, 400); /* the clock has not begun */
    assert_null(strstr(stage->trace, "BESTMOVE"));
    (void)compose_search(stage, 5, few_moves);
    deliver_empty(stage, W1, MESSAGE_HEARTBEAT);
    name_search(stage, B1, MESSAGE_PONDERHIT, 4);
    assert_trace(stage, "");
    name_search(stage, B1, MESSAGE_PONDERHIT, 5);
    assert_trace(stage, "");
    tick_after(stage, 100);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));

    /* Finished while pondering: the hit brings the answer at once. */
    search = compose_search(stage, 6, few_moves);
    search->limits.ponder = true;
    search->limits.depth = 1;
    deliver(stage, B1);
    finish_depth_one(stage);
    assert_trace(stage, "21 INFO depth 1 score 10 nodes 30\n");
    name_search(stage, B1, MESSAGE_PONDERHIT, 6);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 6 a1"));
    end_stage(stage);
}

static void test_the_node_limit_is_shared_out(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 2);
    open_session(stage, B1);
    compose_search(stage, 5, few_moves)->limits.nodes = 1000;
    deliver(stage, B1);
    MessageJob job = job_of(stage, W1);
    assert_int_equal(job.node_budget, 1000); /* the eldest is alone */
    result(stage, W1, &job, 10);
    job = job_of(stage, W1);
    assert_int_equal(job.node_budget, (1000 - 10) / 2);
    MessageResult *partial = compose_result(stage, &job, 0);
    partial->is_complete = false;
    partial->cost_count = 0;
    partial->nodes = 985;
    deliver(stage, W1);
    assert_null(strstr(stage->trace, "BESTMOVE")); /* the other brother is still out */
    partial->id.job = job.id.job == 2 ? 3 : 2;
    partial->nodes = 2;
    deliver(stage, W1);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    end_stage(stage);
}

static void test_mate_stalemate_and_bad_positions_are_answered(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    (void)compose_search(stage, 5, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    deliver(stage, B1);
    assert_trace(stage, "21 BESTMOVE 5 none\n");
    (void)compose_search(stage, 6, "no chess");
    deliver(stage, B1);
    assert_trace(stage, "21 ERROR 4\n21 BESTMOVE 6 none\n");
    MessageSearch *search = compose_search(stage, 7, few_moves);
    search->position.move_count = 1;
    search->position.moves[0] = move_make(SQUARE_H8, SQUARE_A1);
    deliver(stage, B1);
    assert_trace(stage, "21 ERROR 4\n21 BESTMOVE 7 none\n");
    search_to_depth(stage, B1, 8, 2);
    assert_trace(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    end_stage(stage);
}

static void test_without_workers_a_stopped_search_still_has_a_move(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    open_session(stage, B1);
    search_to_depth(stage, B1, 5, 4);
    assert_trace(stage, "");
    name_search(stage, B1, MESSAGE_STOP, 5);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    end_stage(stage);
}

static void test_work_waits_for_the_first_worker(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    open_session(stage, B1);
    search_to_depth(stage, B1, 5, 4);
    hello(stage, W1, 1);
    assert_trace(stage, "11 WELCOME\n11 JOB 1 eldest depth 1 moves 1\n");
    end_stage(stage);
}

static void test_several_lines(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    hello(stage, W1, 1);
    open_session(stage, B1);
    MessageSearch *search = compose_search(stage, 5, few_moves);
    search->multi_pv = 2;
    search->limits.depth = 1;
    deliver(stage, B1);
    for (int i = 0; i < 2; i++) {
        MessageJob job = job_of(stage, W1);
        result(stage, W1, &job, 20 - 10 * i);
        job = job_of(stage, W1);
        result(stage, W1, &job, -5);
    }
    assert_non_null(strstr(stage->trace, "21 INFO depth 1 score 20 nodes 50\n"
                                         "21 INFO depth 1 score 10 nodes 50\n"));
    assert_int_equal(stage->actions->list[1].message.info.multi_pv_index, 1);
    assert_non_null(strstr(stage->trace, "21 BESTMOVE 5 a1"));
    end_stage(stage);
}

/* ---- several bridges ---- */

/* A search of the start position: enough brothers for everybody. */
static void search_start(Stage *stage, uint64_t peer)
{
    compose_search(stage, 1, FEN_START)->limits.depth = 20;
    deliver(stage, peer);
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
    Stage *stage = new_stage();
    hello(stage, W1, 8);
    open_session(stage, B1);
    open_session(stage, B2);
    search_start(stage, B1);
    const MessageJob first = job_of(stage, W1);
    search_start(stage, B2);
    const MessageJob second = job_of(stage, W1);
    assert_int_equal(second.id.session.value, 2);
    result(stage, W1, &first, 10);
    const int first_jobs = count_jobs(stage, 1);
    MessageJob returned = job_of(stage, W1);
    assert_int_equal(first_jobs, 7); /* all that is free while the other cannot use it */
    result(stage, W1, &second, 10);
    assert_int_equal(count_jobs(stage, 2), 1);
    /* From now on each slot goes to the one that has fewer. */
    int balance[3] = {0, first_jobs, 1};
    for (int i = 0; i < 3; i++) {
        result(stage, W1, &returned, -50);
        const int session = count_jobs(stage, 2) == 1 ? 2 : 1;
        balance[1]--;
        balance[session]++;
        assert_int_equal(session, 2);
        returned.id.job--; /* the jobs of the first session were handed out in a row */
    }
    assert_int_equal(balance[1], balance[2]);
    end_stage(stage);
}

static void test_a_new_game_is_told_to_every_worker(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    deliver_empty(stage, B1, MESSAGE_NEW_GAME);
    assert_non_null(strstr(stage->trace, "11 CANCEL all\n21 BESTMOVE 5 a1"));
    assert_non_null(strstr(stage->trace, "11 NEW_GAME\n12 NEW_GAME\n"));
    end_stage(stage);
}

static void test_a_closed_session_frees_its_slots(void **state)
{
    (void)state;
    MessageJob eldest;
    Stage *stage = stage_with_search(&eldest);
    deliver_empty(stage, B1, MESSAGE_CLOSE);
    assert_trace(stage, "11 CANCEL all\n");
    result(stage, W1, &eldest, 10);
    assert_trace(stage, "");
    open_session(stage, B2);
    search_to_depth(stage, B2, 1, 2);
    assert_trace(stage, "11 JOB 1 eldest depth 1 moves 1\n");
    step(stage, MASTER_EVENT_PEER_GONE, B2);
    assert_trace(stage, "11 CANCEL all\n");
    end_stage(stage);
}

/* Sixteen searches with jobs on every worker that end in one step. */
static void test_many_searches_may_end_at_once(void **state)
{
    (void)state;
    Stage *stage = new_stage();
    for (uint64_t i = 0; i < MASTER_WORKERS_MAX; i++) {
        hello(stage, 1000 + i, 2);
    }
    for (uint64_t i = 0; i < MASTER_SESSIONS_MAX; i++) {
        open_session(stage, 2000 + i);
        MessageSearch *search = compose_search(stage, 1, FEN_START);
        search->limits.has_move_time = true;
        search->limits.move_time = duration_ms(600);
        deliver(stage, 2000 + i);
        for (int j = stage->actions->count - 1; j >= 0; j--) {
            if (stage->actions->list[j].message.type == MESSAGE_JOB) {
                const MessageJob job = stage->actions->list[j].message.job;
                result(stage, stage->actions->list[j].peer.value, &job, 10);
                break;
            }
        }
    }
    int answers = 0;
    tick_after(stage, 600);
    for (int steps = 0; answers < MASTER_SESSIONS_MAX; steps++) {
        assert_true(steps < 40);
        for (const char *at = stage->trace; (at = strstr(at, "BESTMOVE")) != NULL; at++) {
            answers++;
        }
        assert_true(stage->actions->more || answers == MASTER_SESSIONS_MAX);
        tick_after(stage, 0);
    }
    assert_int_equal(answers, MASTER_SESSIONS_MAX);
    end_stage(stage);
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
        cmocka_unit_test(test_all_sessions_hear_of_a_new_worker),
        cmocka_unit_test(test_too_many_are_refused),
        cmocka_unit_test(test_the_eldest_first_then_the_brothers_on_all_slots),
        cmocka_unit_test(test_an_improvement_goes_to_the_others),
        cmocka_unit_test(test_a_fail_high_cancels_the_others_and_goes_out_first),
        cmocka_unit_test(test_a_fail_high_known_from_the_result_alone),
        cmocka_unit_test(test_a_fail_low_is_searched_again_with_a_wider_window),
        cmocka_unit_test(test_a_lost_worker_s_job_is_sent_again_in_the_same_step),
        cmocka_unit_test(test_doubled_and_foreign_results_count_for_their_nodes_alone),
        cmocka_unit_test(test_an_incomplete_result_is_done_again),
        cmocka_unit_test(test_a_silent_worker_expires),
        cmocka_unit_test(test_nobody_expires_for_the_master_s_own_lateness),
        cmocka_unit_test(test_the_depth_limit_ends_the_search),
        cmocka_unit_test(test_stop_answers_at_once_and_only_once),
        cmocka_unit_test(test_a_new_search_ends_the_old_one),
        cmocka_unit_test(test_the_clock_ends_the_search),
        cmocka_unit_test(test_infinite_holds_the_answer_until_stop),
        cmocka_unit_test(test_ponder_holds_the_answer_until_the_hit),
        cmocka_unit_test(test_the_node_limit_is_shared_out),
        cmocka_unit_test(test_mate_stalemate_and_bad_positions_are_answered),
        cmocka_unit_test(test_without_workers_a_stopped_search_still_has_a_move),
        cmocka_unit_test(test_work_waits_for_the_first_worker),
        cmocka_unit_test(test_several_lines),
        cmocka_unit_test(test_two_sessions_share_the_slots),
        cmocka_unit_test(test_a_new_game_is_told_to_every_worker),
        cmocka_unit_test(test_a_closed_session_frees_its_slots),
        cmocka_unit_test(test_many_searches_may_end_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
