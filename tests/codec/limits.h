/*
 * Limits: what every decoded message keeps to, written down apart from the codec.
 *
 * The comments of messages.h and the tables of docs/protocol.md, as plain tests.
 */
#ifndef ROOKERY_TESTS_CODEC_LIMITS_H
#define ROOKERY_TESTS_CODEC_LIMITS_H

#include <string.h>

#include "codec/codec.h"

static inline bool limits_int(int64_t value, int64_t minimum, int64_t maximum)
{
    return value >= minimum && value <= maximum;
}

static inline bool limits_duration(Duration duration, int64_t minimum_us)
{
    return limits_int(duration.us, minimum_us, INT64_C(31536000000000));
}

static inline bool limits_text(const char *text, size_t bytes_max)
{
    const size_t length = strnlen(text, bytes_max);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7E) {
            return false;
        }
    }
    return length < bytes_max;
}

static inline bool limits_job_id(const JobId *id)
{
    return id->epoch.value > 0 && id->session.value > 0 && id->search.value > 0 && id->job > 0 &&
           id->attempt > 0;
}

static inline bool limits_position(const GamePosition *position)
{
    return limits_text(position->fen, sizeof position->fen) &&
           limits_int(position->move_count, 0, 160);
}

static inline bool limits_line(const Line *line, int length_min)
{
    return limits_int(line->score, -32001, 32002) && limits_int(line->bound, 0, 3) &&
           limits_int(line->depth, 0, 255) && limits_int(line->selective_depth, 0, 255) &&
           limits_int(line->length, length_min, 128);
}

static inline bool limits_clock(bool is_given, Duration clock, int64_t minimum_us)
{
    return is_given ? limits_duration(clock, minimum_us) : clock.us == 0;
}

static inline bool limits_search(const MessageSearch *search)
{
    const GoLimits *go = &search->limits;
    const int64_t year_us = INT64_C(31536000000000);
    return search->search.value > 0 && limits_position(&search->position) &&
           limits_clock(go->has_clock[WHITE], go->clock[WHITE], -year_us) &&
           limits_clock(go->has_clock[BLACK], go->clock[BLACK], -year_us) &&
           limits_duration(go->increment[WHITE], 0) && limits_duration(go->increment[BLACK], 0) &&
           limits_int(go->moves_to_go, 0, 65535) &&
           limits_clock(go->has_move_time, go->move_time, 0) && limits_int(go->depth, 0, 65535) &&
           limits_int(go->mate_moves, 0, 65535) && limits_int(go->search_move_count, 0, 256) &&
           limits_int(search->multi_pv, 1, 256) && limits_duration(search->move_overhead, 0);
}

static inline bool limits_info(const MessageInfo *info)
{
    return info->search.value > 0 && limits_int(info->multi_pv_index, 0, 255) &&
           limits_line(&info->line, 1) && limits_duration(info->elapsed, 0) &&
           limits_int(info->hash_permille, 0, 1000);
}

static inline bool limits_status(const MessageStatus *status)
{
    if (status->epoch.value == 0 || !limits_int(status->worker_count, 0, 256)) {
        return false;
    }
    for (int i = 0; i < status->worker_count; i++) {
        const WorkerRow *row = &status->workers[i];
        if (row->id.value == 0 || !limits_text(row->name, sizeof row->name) ||
            !limits_int(row->slots, 1, 256) || !limits_int(row->idle_permille, 0, 1000)) {
            return false;
        }
    }
    return true;
}

/* Of another version only the version is known. */
static inline bool limits_hello(const MessageHello *hello)
{
    if (hello->protocol_version != PROTOCOL_VERSION) {
        return limits_int(hello->protocol_version, 1, 65535) && hello->slots == 0 &&
               hello->name[0] == '\0';
    }
    return limits_text(hello->build, sizeof hello->build) &&
           limits_text(hello->name, sizeof hello->name) && limits_int(hello->slots, 1, 256) &&
           limits_int(hello->hash_mb, 0, 1048576) && hello->nodes_per_second > 0;
}

static inline bool limits_heartbeat(const MessageHeartbeat *heartbeat)
{
    if (heartbeat->worker.value == 0 || !limits_int(heartbeat->hash_permille, 0, 1000) ||
        !limits_int(heartbeat->busy_count, 0, 1280)) {
        return false;
    }
    for (int i = 0; i < heartbeat->busy_count; i++) {
        if (!limits_job_id(&heartbeat->busy[i].job)) {
            return false;
        }
    }
    return true;
}

/* Of a job that is no split those fields are void. */
static inline bool limits_split(const MessageJob *job)
{
    if (!job->is_split) {
        return job->best == 0 && !job->was_pv && job->root_depth == 0 &&
               job->double_extensions == 0 && job->null_move_ply_min == 0;
    }
    return limits_int(job->best, -32001, 32001) && limits_int(job->root_depth, 1, 255) &&
           limits_int(job->double_extensions, 0, 128) && limits_int(job->null_move_ply_min, 0, 256);
}

/* What a job and an offer have in common. */
static inline bool limits_job_node(const MessageJob *job)
{
    if (!limits_int(job->path_length, 0, 64) || !limits_int(job->depth, 1, 255) ||
        !limits_int(job->alpha, -32001, 32001) || !limits_int(job->beta, -32001, 32001) ||
        job->alpha >= job->beta || !limits_int(job->node_kind, 0, 2) ||
        !limits_int(job->move_count, 0, 256)) {
        return false;
    }
    for (int i = 0; i < job->move_count; i++) {
        if (job->numbers[i] == 0) {
            return false;
        }
    }
    return limits_split(job);
}

static inline bool limits_job(const MessageJob *job)
{
    return limits_job_id(&job->id) && limits_position(&job->position) && limits_job_node(job);
}

/* The job in it has no name and no position. */
static inline bool limits_offer(const MessageOffer *offer)
{
    return limits_job_id(&offer->parent) && offer->share > 0 && offer->job.id.job == 0 &&
           offer->job.position.fen[0] == '\0' && offer->job.move_count > 0 &&
           limits_job_node(&offer->job);
}

static inline bool limits_result(const MessageResult *result)
{
    return limits_job_id(&result->id) && limits_int(result->score, -32001, 32002) &&
           limits_line(&result->line, 0) && limits_int(result->selective_depth, 0, 255) &&
           limits_int(result->cost_count, 0, 256);
}

static inline bool limits_cancel(const MessageCancel *cancel)
{
    const JobId *id = &cancel->id;
    return id->epoch.value > 0 && id->session.value > 0 && (id->search.value > 0 || id->job == 0) &&
           (id->job > 0) == (id->attempt > 0) && (id->job > 0 || cancel->share == 0);
}

/* Does the message keep to every limit of its type? */
static inline bool limits_hold(const Message *message)
{
    switch (message->type) {
    case MESSAGE_OPEN:
        return limits_int(message->open.protocol_version, 1, 65535) &&
               limits_text(message->open.name, sizeof message->open.name);
    case MESSAGE_OPENED:
        return message->opened.epoch.value > 0 && message->opened.session.value > 0;
    case MESSAGE_SEARCH:
        return limits_search(&message->search);
    case MESSAGE_STOP:
    case MESSAGE_PONDERHIT:
        return message->search_name.search.value > 0;
    case MESSAGE_NEW_GAME:
    case MESSAGE_CLEARED:
        return message->new_game.session.value > 0;
    case MESSAGE_INFO:
        return limits_info(&message->info);
    case MESSAGE_BESTMOVE:
        return message->bestmove.search.value > 0;
    case MESSAGE_STATUS:
        return limits_status(&message->status);
    case MESSAGE_ERROR:
        return limits_int(message->error.code, 1, 5) &&
               limits_text(message->error.text, sizeof message->error.text);
    case MESSAGE_HELLO:
        return limits_hello(&message->hello);
    case MESSAGE_WELCOME:
        return message->welcome.epoch.value > 0 && message->welcome.worker.value > 0 &&
               limits_duration(message->welcome.heartbeat, 1000) &&
               limits_duration(message->welcome.lease, 1000);
    case MESSAGE_HEARTBEAT:
        return limits_heartbeat(&message->heartbeat);
    case MESSAGE_JOB:
        return limits_job(&message->job);
    case MESSAGE_IMPROVED:
        return limits_job_id(&message->improved.id) && limits_line(&message->improved.line, 1);
    case MESSAGE_RESULT:
        return limits_result(&message->result);
    case MESSAGE_BOUNDS:
        return limits_job_id(&message->bounds.id) &&
               limits_int(message->bounds.alpha, -32001, 32001);
    case MESSAGE_CANCEL:
        return limits_cancel(&message->cancel);
    case MESSAGE_OFFER:
        return limits_offer(&message->offer);
    case MESSAGE_PARKED:
        return limits_job_id(&message->parked.id);
    case MESSAGE_HUNGRY:
        return limits_job_id(&message->hungry.id) && limits_int(message->hungry.count, 0, 64);
    case MESSAGE_TABLE:
        return limits_int(message->table.count, 0, MESSAGE_TABLE_ENTRIES_MAX);
    case MESSAGE_BYE:
        return message->bye.worker.value > 0;
    case MESSAGE_CLOSE:
    case MESSAGE_HEARD:
    case MESSAGE_PING:
    case MESSAGE_PONG:
    case MESSAGE_DRAIN:
    case MESSAGE_RESET:
        return true;
    case MESSAGE_TYPE_COUNT:
        break;
    }
    return false;
}

#endif
