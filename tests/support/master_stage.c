#include "support/master_stage.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- trace ---- */

const char *stage_square_pair(Move move, char text[8])
{
    if (move == MOVE_NONE) {
        return "none";
    }
    const Square squares[] = {move_from(move), move_to(move)};
    for (int i = 0; i < 2; i++) {
        text[2 * i] = (char)('a' + square_file(squares[i]));
        text[2 * i + 1] = (char)('1' + square_rank(squares[i]));
    }
    text[4] = '\0';
    return text;
}

static void append(Stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(Stage *stage, const char *format, ...)
{
    const size_t length = strlen(stage->trace);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(stage->trace + length, STAGE_TRACE_BYTES_MAX - length, format, arguments);
    va_end(arguments);
}

static const char *job_name(const JobId *id, char text[16])
{
    const uint32_t first_share = 0x80000000;
    const uint32_t names_each = 1 << 24; /* of a search of the root */
    if (id->job >= first_share) {
        (void)snprintf(text, 16, "s%u", id->job % first_share);
    } else if (id->job >= names_each) {
        (void)snprintf(text, 16, "%u.%u", id->job / names_each, id->job % names_each);
    } else {
        (void)snprintf(text, 16, "%u", id->job);
    }
    return text;
}

static const char *job_kind(const MessageJob *job)
{
    return job->is_split ? "share" : job->is_eldest ? "eldest" : "brothers";
}

static void append_share(Stage *stage, uint32_t share)
{
    if (share != 0) {
        append(stage, " share %u", share);
    }
}

static void append_rank(Stage *stage, int rank)
{
    if (rank != 0) {
        append(stage, " of rank %d", rank);
    }
}

static void append_details(Stage *stage, const Message *message)
{
    char text[16];
    switch (message->type) {
    case MESSAGE_JOB:
        append(stage, " %s %s depth %d moves %d", job_name(&message->job.id, text),
               job_kind(&message->job), message->job.depth, message->job.move_count);
        break;
    case MESSAGE_BOUNDS:
        append(stage, " %s alpha %d", job_name(&message->bounds.id, text), message->bounds.alpha);
        append_share(stage, message->bounds.share);
        break;
    case MESSAGE_CANCEL:
        append(stage, " %s",
               message->cancel.id.job == 0 ? "all" : job_name(&message->cancel.id, text));
        append_share(stage, message->cancel.share);
        break;
    case MESSAGE_IMPROVED:
        append(stage, " %s", job_name(&message->improved.id, text));
        append_share(stage, message->improved.share);
        append(stage, " score %d", message->improved.line.score);
        break;
    case MESSAGE_RESULT:
        append(stage, " %s", job_name(&message->result.id, text));
        append_share(stage, message->result.share);
        append(stage, message->result.is_complete ? " score %d" : " given back",
               message->result.score);
        append(stage, " nodes %" PRIu64, message->result.nodes);
        break;
    case MESSAGE_HUNGRY:
        append(stage, " %s count %d", job_name(&message->hungry.id, text), message->hungry.count);
        break;
    case MESSAGE_CLEARED:
        append(stage, " %u", message->new_game.session.value);
        break;
    case MESSAGE_HEARD:
        append(stage, " %d", (int)message->heard.count);
        append(stage, message->heard.is_crowded ? " crowded" : "");
        break;
    case MESSAGE_TABLE:
        append(stage, " %d", message->table.count);
        break;
    case MESSAGE_INFO:
        append(stage, " depth %d score %d nodes %" PRIu64, message->info.line.depth,
               message->info.line.score, message->info.nodes);
        append(stage, message->info.line.bound == BOUND_UPPER ? " at most" : "");
        append_rank(stage, message->info.multi_pv_index);
        break;
    case MESSAGE_BESTMOVE:
        append(stage, " %u %s", message->bestmove.search.value,
               stage_square_pair(message->bestmove.move, text));
        break;
    case MESSAGE_ERROR:
        append(stage, " %d", message->error.code);
        break;
    default:
        break;
    }
}

void stage_step(Stage *stage, MasterEventType type, uint64_t peer)
{
    stage->now.us += type == MASTER_EVENT_PEER_GONE; /* that is seen later than what was before */
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

void stage_lose_together(Stage *stage, uint64_t first, int count)
{
    for (int i = 0; i < count; i++) {
        stage->now.us -= i > 0;
        stage_step(stage, MASTER_EVENT_PEER_GONE, first + (uint64_t)i);
    }
}

Message *stage_compose(Stage *stage, MessageType type)
{
    memset(stage->message, 0, sizeof *stage->message);
    stage->message->type = type;
    return stage->message;
}

void stage_deliver(Stage *stage, uint64_t peer)
{
    stage_step(stage, MASTER_EVENT_MESSAGE, peer);
}

void stage_deliver_empty(Stage *stage, uint64_t peer, MessageType type)
{
    (void)stage_compose(stage, type);
    stage_deliver(stage, peer);
}

void stage_tick_after(Stage *stage, int64_t milliseconds)
{
    stage->now = instant_add(stage->now, duration_ms(milliseconds));
    stage_step(stage, MASTER_EVENT_TICK, 0);
}

/* ---- who there is ---- */

static Stage *new_stage(int searches, int surplus_permille, int heartbeat_ms, int lease_ms)
{
    Stage *stage = calloc(1, sizeof *stage);
    const MasterConfig config = {.epoch = {STAGE_EPOCH},
                                 .search_identity = STAGE_IDENTITY,
                                 .heartbeat = duration_ms(heartbeat_ms),
                                 .lease = duration_ms(lease_ms),
                                 .searches_max = searches,
                                 .surplus_permille = surplus_permille};
    stage->now.us = 5000000;
    stage->master = master_new(&config, stage->now);
    stage->actions = malloc(sizeof *stage->actions);
    stage->message = malloc(sizeof *stage->message);
    return stage;
}

Stage *stage_new(int surplus_permille)
{
    return new_stage(1, surplus_permille, STAGE_HEARTBEAT_MS, STAGE_LEASE_MS);
}

Stage *stage_new_with_searches(int searches)
{
    return new_stage(searches, 0, STAGE_HEARTBEAT_MS, STAGE_LEASE_MS);
}

Stage *stage_new_with_heartbeat(int heartbeat_ms)
{
    return new_stage(1, 0, heartbeat_ms, STAGE_LEASE_MS);
}

Stage *stage_new_with_lease(int lease_ms)
{
    return new_stage(1, 0, STAGE_HEARTBEAT_MS, lease_ms);
}

void stage_destroy(Stage *stage)
{
    master_destroy(&stage->master);
    assert_null(stage->master);
    free(stage->actions);
    free(stage->message);
    free(stage);
}

void stage_hello(Stage *stage, uint64_t peer, int slots)
{
    stage_hello_at(stage, peer, slots, 1000000);
}

void stage_hello_at(Stage *stage, uint64_t peer, int slots, uint64_t nodes_per_second)
{
    MessageHello *body = &stage_compose(stage, MESSAGE_HELLO)->hello;
    body->protocol_version = PROTOCOL_VERSION;
    body->search_identity = STAGE_IDENTITY;
    body->slots = slots;
    body->hash_mb = 16;
    body->nodes_per_second = nodes_per_second;
    (void)snprintf(body->name, sizeof body->name, "w%" PRIu64, peer);
    stage_deliver(stage, peer);
}

void stage_open_session(Stage *stage, uint64_t peer)
{
    stage_compose(stage, MESSAGE_OPEN)->open.protocol_version = PROTOCOL_VERSION;
    stage_deliver(stage, peer);
}

MessageSearch *stage_compose_search(Stage *stage, uint32_t number, const char *fen)
{
    MessageSearch *search = &stage_compose(stage, MESSAGE_SEARCH)->search;
    search->search.value = number;
    search->multi_pv = 1;
    (void)snprintf(search->position.fen, sizeof search->position.fen, "%s", fen);
    return search;
}

void stage_search_to_depth(Stage *stage, uint64_t peer, uint32_t number, int depth)
{
    stage_compose_search(stage, number, STAGE_FEW_MOVES)->limits.depth = depth;
    stage_deliver(stage, peer);
}

void stage_name_search(Stage *stage, uint64_t peer, MessageType type, uint32_t number)
{
    stage_compose(stage, type)->search_name.search.value = number;
    stage_deliver(stage, peer);
}

void stage_cleared(Stage *stage, uint64_t peer, uint32_t session)
{
    stage_compose(stage, MESSAGE_CLEARED)->new_game.session.value = session;
    stage_deliver(stage, peer);
}

MessageJob stage_job_of(const Stage *stage, uint64_t peer)
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

MessageResult *stage_compose_result(Stage *stage, const MessageJob *job, int score)
{
    MessageResult *result = &stage_compose(stage, MESSAGE_RESULT)->result;
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

void stage_result(Stage *stage, uint64_t peer, const MessageJob *job, int score)
{
    (void)stage_compose_result(stage, job, score);
    stage_deliver(stage, peer);
}

void stage_give_back(Stage *stage, uint64_t peer, const MessageJob *job, uint64_t nodes)
{
    MessageResult *result = &stage_compose(stage, MESSAGE_RESULT)->result;
    result->id = job->id;
    result->nodes = nodes;
    stage_deliver(stage, peer);
}

void stage_improved(Stage *stage, uint64_t peer, const MessageJob *job, Move move, int score)
{
    MessageImproved *body = &stage_compose(stage, MESSAGE_IMPROVED)->improved;
    body->id = job->id;
    body->line = (Line){.score = score,
                        .bound = score >= job->beta ? BOUND_LOWER : BOUND_EXACT,
                        .depth = job->depth,
                        .length = 1,
                        .moves = {move}};
    stage_deliver(stage, peer);
}

void stage_expect(const Stage *stage, const char *expected)
{
    assert_string_equal(stage->trace, expected);
}
