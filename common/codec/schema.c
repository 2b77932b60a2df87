#include "codec/schema.h"

#include <string.h>

/* Fields of a message array: its type, and the version in those that begin a conversation. */
enum { TYPE_ONLY = 1, TYPE_AND_VERSION = 2 };

/* ---- Parts that several messages share ------------------------------------------------------- */

static void epoch(Fields *fields, Epoch *value)
{
    fields_uint64(fields, &value->value, 1);
}

static void session(Fields *fields, SessionId *value)
{
    fields_uint32(fields, &value->value, 1);
}

static void search(Fields *fields, SearchId *value)
{
    fields_uint32(fields, &value->value, 1);
}

static void worker(Fields *fields, WorkerId *value)
{
    fields_uint32(fields, &value->value, 1);
}

/* [epoch, session, search, job, attempt]; the last three from `minimum`. */
static void job_name(Fields *fields, JobId *id, uint32_t minimum)
{
    fields_array(fields, 5);
    epoch(fields, &id->epoch);
    session(fields, &id->session);
    fields_uint32(fields, &id->search.value, minimum);
    fields_uint32(fields, &id->job, minimum);
    fields_uint32(fields, &id->attempt, minimum);
}

static void job_id(Fields *fields, JobId *id)
{
    job_name(fields, id, 1);
}

/* [fen, chess960, moves] */
static void game_position(Fields *fields, GamePosition *position)
{
    fields_array(fields, 3);
    fields_text(fields, position->fen, FEN_BYTES_MAX);
    fields_bool(fields, &position->chess960);
    fields_moves(fields, position->moves, &position->move_count, MESSAGE_GAME_MOVES_MAX);
}

/* A score of a search, or the one that says that there is none. */
static void score(Fields *fields, int *value)
{
    fields_int(fields, value, -SCORE_INFINITE, SCORE_NONE);
}

/* An end of a window. */
static void window_end(Fields *fields, int *value)
{
    fields_int(fields, value, -SCORE_INFINITE, SCORE_INFINITE);
}

static void bound(Fields *fields, Bound *value)
{
    int number = (int)*value;
    fields_int(fields, &number, BOUND_NONE, BOUND_EXACT);
    if (fields_is_decoding(fields)) {
        *value = (Bound)number;
    }
}

static void permille(Fields *fields, int *value)
{
    fields_int(fields, value, 0, 1000);
}

/* [score, bound, depth, selective depth, moves] */
static void line(Fields *fields, Line *value, int length_min)
{
    fields_array(fields, 5);
    score(fields, &value->score);
    bound(fields, &value->bound);
    fields_int(fields, &value->depth, 0, CODEC_DEPTH_MAX);
    fields_int(fields, &value->selective_depth, 0, CODEC_DEPTH_MAX);
    fields_moves(fields, value->moves, &value->length, PLY_MAX);
    fields_require(fields, value->length >= length_min);
}

/* ---- Between bridge and master --------------------------------------------------------------- */

static void open_fields(Fields *fields, Message *message)
{
    fields_text(fields, message->open.name, MESSAGE_NAME_BYTES_MAX);
}

static void opened_fields(Fields *fields, Message *message)
{
    epoch(fields, &message->opened.epoch);
    session(fields, &message->opened.session);
}

/* [clock, clock, increment, increment, moves to go, move time, depth, nodes, mate, infinite,
 * ponder, search moves]; of the pairs White's is first. */
static void go_limits(Fields *fields, GoLimits *limits)
{
    fields_array(fields, 12);
    for (int color = WHITE; color <= BLACK; color++) {
        fields_optional_duration(fields, &limits->has_clock[color], &limits->clock[color],
                                 -CODEC_DURATION_US_MAX);
    }
    for (int color = WHITE; color <= BLACK; color++) {
        fields_duration(fields, &limits->increment[color], 0);
    }
    fields_int(fields, &limits->moves_to_go, 0, CODEC_GO_NUMBER_MAX);
    fields_optional_duration(fields, &limits->has_move_time, &limits->move_time, 0);
    fields_int(fields, &limits->depth, 0, CODEC_GO_NUMBER_MAX);
    fields_uint64(fields, &limits->nodes, 0);
    fields_int(fields, &limits->mate_moves, 0, CODEC_GO_NUMBER_MAX);
    fields_bool(fields, &limits->infinite);
    fields_bool(fields, &limits->ponder);
    fields_moves(fields, limits->search_moves, &limits->search_move_count, MOVES_MAX);
}

static void search_fields(Fields *fields, Message *message)
{
    MessageSearch *body = &message->search;
    search(fields, &body->search);
    game_position(fields, &body->position);
    go_limits(fields, &body->limits);
    fields_int(fields, &body->multi_pv, 1, MESSAGE_MULTI_PV_MAX);
    fields_duration(fields, &body->move_overhead, 0);
}

/* STOP and PONDERHIT. */
static void search_name_fields(Fields *fields, Message *message)
{
    search(fields, &message->search_name.search);
}

/* NEW_GAME and CLEARED. */
static void new_game_fields(Fields *fields, Message *message)
{
    session(fields, &message->new_game.session);
}

static void info_fields(Fields *fields, Message *message)
{
    MessageInfo *body = &message->info;
    search(fields, &body->search);
    fields_int(fields, &body->multi_pv_index, 0, MESSAGE_MULTI_PV_MAX - 1);
    line(fields, &body->line, 1);
    fields_uint64(fields, &body->nodes, 0);
    fields_duration(fields, &body->elapsed, 0);
    permille(fields, &body->hash_permille);
}

static void bestmove_fields(Fields *fields, Message *message)
{
    MessageBestMove *body = &message->bestmove;
    search(fields, &body->search);
    fields_move(fields, &body->move);
    fields_move(fields, &body->ponder);
}

/* [worker, name, slots, nodes per second, jobs, idle permille, in reserve] */
static void worker_row(Fields *fields, WorkerRow *row)
{
    fields_array(fields, 7);
    worker(fields, &row->id);
    fields_text(fields, row->name, MESSAGE_NAME_BYTES_MAX);
    fields_int(fields, &row->slots, 1, MESSAGE_SLOTS_MAX);
    fields_uint64(fields, &row->nodes_per_second, 0);
    fields_uint64(fields, &row->jobs, 0);
    permille(fields, &row->idle_permille);
    fields_bool(fields, &row->is_in_reserve);
}

static void status_fields(Fields *fields, Message *message)
{
    MessageStatus *body = &message->status;
    epoch(fields, &body->epoch);
    fields_list(fields, &body->worker_count, MESSAGE_WORKERS_MAX);
    for (int i = 0; i < body->worker_count && fields->error == DECODE_OK; i++) {
        worker_row(fields, &body->workers[i]);
    }
}

static void error_fields(Fields *fields, Message *message)
{
    int code = (int)message->error.code;
    fields_int(fields, &code, ERROR_VERSION, ERROR_PROTOCOL);
    if (fields_is_decoding(fields)) {
        message->error.code = (ErrorCode)code;
    }
    fields_text(fields, message->error.text, MESSAGE_TEXT_BYTES_MAX);
}

/* PING and PONG. */
static void ping_fields(Fields *fields, Message *message)
{
    fields_uint64(fields, &message->ping.number, 0);
}

/* ---- Between worker and master --------------------------------------------------------------- */

static void hello_fields(Fields *fields, Message *message)
{
    MessageHello *body = &message->hello;
    fields_uint64(fields, &body->search_identity, 0);
    fields_text(fields, body->build, MESSAGE_NAME_BYTES_MAX);
    fields_text(fields, body->name, MESSAGE_NAME_BYTES_MAX);
    fields_int(fields, &body->slots, 1, MESSAGE_SLOTS_MAX);
    fields_int(fields, &body->hash_mb, 0, MESSAGE_HASH_MB_MAX);
    fields_uint64(fields, &body->nodes_per_second, 1);
}

static void welcome_fields(Fields *fields, Message *message)
{
    MessageWelcome *body = &message->welcome;
    epoch(fields, &body->epoch);
    worker(fields, &body->worker);
    fields_duration(fields, &body->heartbeat, duration_ms(CODEC_PERIOD_MS_MIN).us);
    fields_duration(fields, &body->lease, duration_ms(CODEC_PERIOD_MS_MIN).us);
}

/* [job, nodes] */
static void slot_progress(Fields *fields, SlotProgress *slot)
{
    fields_array(fields, 2);
    job_id(fields, &slot->job);
    fields_uint64(fields, &slot->nodes, 0);
}

static void heartbeat_fields(Fields *fields, Message *message)
{
    MessageHeartbeat *body = &message->heartbeat;
    worker(fields, &body->worker);
    fields_uint64(fields, &body->nodes_total, 0);
    fields_uint64(fields, &body->last_ping, 0);
    permille(fields, &body->hash_permille);
    fields_list(fields, &body->busy_count, MESSAGE_BUSY_MAX);
    for (int i = 0; i < body->busy_count && fields->error == DECODE_OK; i++) {
        slot_progress(fields, &body->busy[i]);
    }
}

/* [best, was pv, root depth, double extensions, null move ply], or an empty list. */
static void split_fields(Fields *fields, MessageJob *body)
{
    enum { SPLIT_FIELDS = 5 };
    int count = body->is_split ? SPLIT_FIELDS : 0;
    fields_list(fields, &count, SPLIT_FIELDS);
    body->is_split = count > 0;
    if (!body->is_split) {
        return;
    }
    if (count != SPLIT_FIELDS) {
        fields_fail(fields, DECODE_WRONG_ARITY);
    }
    window_end(fields, &body->best);
    fields_bool(fields, &body->was_pv);
    fields_int(fields, &body->root_depth, 1, CODEC_DEPTH_MAX);
    fields_int(fields, &body->double_extensions, 0, PLY_MAX);
    fields_int(fields, &body->null_move_ply_min, 0, CODEC_NULL_MOVE_PLY_MAX);
}

/* What JOB and OFFER say of a job beyond its name and game. */
static void job_node_fields(Fields *fields, MessageJob *body)
{
    fields_moves(fields, body->path, &body->path_length, MESSAGE_PATH_MAX);
    fields_int(fields, &body->depth, 1, CODEC_DEPTH_MAX);
    window_end(fields, &body->alpha);
    window_end(fields, &body->beta);
    fields_require(fields, body->alpha < body->beta);
    fields_int(fields, &body->node_kind, 0, CODEC_NODE_KIND_MAX);
    fields_bool(fields, &body->is_eldest);
    fields_uint64(fields, &body->node_budget, 0);
    fields_moves(fields, body->moves, &body->move_count, MOVES_MAX);
    fields_numbers(fields, body->numbers, body->move_count);
    split_fields(fields, body);
}

static void job_fields(Fields *fields, Message *message)
{
    job_id(fields, &message->job.id);
    game_position(fields, &message->job.position);
    job_node_fields(fields, &message->job);
}

static void offer_fields(Fields *fields, Message *message)
{
    MessageOffer *body = &message->offer;
    job_id(fields, &body->parent);
    fields_uint32(fields, &body->share, 1);
    job_node_fields(fields, &body->job);
    fields_require(fields, body->job.move_count > 0);
}

static void parked_fields(Fields *fields, Message *message)
{
    job_id(fields, &message->parked.id);
    fields_bool(fields, &message->parked.is_parked);
}

static void hungry_fields(Fields *fields, Message *message)
{
    job_id(fields, &message->hungry.id);
    fields_int(fields, &message->hungry.count, 0, MESSAGE_SHARES_MAX);
}

/* [key, data] */
static void table_entry(Fields *fields, TableEntry *entry)
{
    fields_array(fields, 2);
    fields_uint64(fields, &entry->key, 0);
    fields_uint64(fields, &entry->data, 0);
}

static void table_fields(Fields *fields, Message *message)
{
    MessageTable *body = &message->table;
    fields_list(fields, &body->count, MESSAGE_TABLE_ENTRIES_MAX);
    for (int i = 0; i < body->count && fields->error == DECODE_OK; i++) {
        table_entry(fields, &body->entries[i]);
    }
}

static void heard_fields(Fields *fields, Message *message)
{
    fields_uint64(fields, &message->heard.count, 0);
    fields_bool(fields, &message->heard.is_crowded);
}

static void improved_fields(Fields *fields, Message *message)
{
    MessageImproved *body = &message->improved;
    job_id(fields, &body->id);
    fields_uint32(fields, &body->share, 0);
    line(fields, &body->line, 1);
    fields_uint64(fields, &body->nodes, 0);
}

/* [move, nodes] */
static void move_cost(Fields *fields, MoveCost *cost)
{
    fields_array(fields, 2);
    fields_move(fields, &cost->move);
    fields_uint64(fields, &cost->nodes, 0);
}

static void result_fields(Fields *fields, Message *message)
{
    MessageResult *body = &message->result;
    job_id(fields, &body->id);
    fields_uint32(fields, &body->share, 0);
    fields_bool(fields, &body->is_complete);
    score(fields, &body->score);
    line(fields, &body->line, 0);
    fields_uint64(fields, &body->nodes, 0);
    fields_int(fields, &body->selective_depth, 0, CODEC_DEPTH_MAX);
    fields_list(fields, &body->cost_count, MOVES_MAX);
    for (int i = 0; i < body->cost_count && fields->error == DECODE_OK; i++) {
        move_cost(fields, &body->costs[i]);
    }
}

static void bounds_fields(Fields *fields, Message *message)
{
    job_id(fields, &message->bounds.id);
    fields_uint32(fields, &message->bounds.share, 0);
    window_end(fields, &message->bounds.alpha);
}

/* A job, all of a search (job and attempt 0), or all of a session (search 0 too). */
static void cancel_fields(Fields *fields, Message *message)
{
    JobId *id = &message->cancel.id;
    job_name(fields, id, 0);
    fields_require(fields, id->search.value != 0 || id->job == 0);
    fields_require(fields, (id->job == 0) == (id->attempt == 0));
    fields_uint32(fields, &message->cancel.share, 0);
    fields_require(fields, id->job != 0 || message->cancel.share == 0);
}

static void bye_fields(Fields *fields, Message *message)
{
    worker(fields, &message->bye.worker);
}

/* ---- All messages ---------------------------------------------------------------------------- */

/* CLOSE, DRAIN and RESET. */
static void no_fields(Fields *fields, Message *message)
{
    (void)fields;
    (void)message;
}

typedef struct {
    int field_count;                                  /* with the type, and the version if any */
    size_t body_bytes;                                /* of the type's member of the union */
    void (*fields)(Fields *fields, Message *message); /* what follows those */
} Schema;

static const Schema schemas[MESSAGE_TYPE_COUNT] = {
    [MESSAGE_OPEN] = {3, sizeof(MessageOpen), open_fields},
    [MESSAGE_OPENED] = {3, sizeof(MessageOpened), opened_fields},
    [MESSAGE_SEARCH] = {6, sizeof(MessageSearch), search_fields},
    [MESSAGE_STOP] = {2, sizeof(MessageSearchName), search_name_fields},
    [MESSAGE_PONDERHIT] = {2, sizeof(MessageSearchName), search_name_fields},
    [MESSAGE_NEW_GAME] = {2, sizeof(MessageNewGame), new_game_fields},
    [MESSAGE_CLOSE] = {TYPE_ONLY, 0, no_fields},
    [MESSAGE_INFO] = {7, sizeof(MessageInfo), info_fields},
    [MESSAGE_BESTMOVE] = {4, sizeof(MessageBestMove), bestmove_fields},
    [MESSAGE_STATUS] = {3, sizeof(MessageStatus), status_fields},
    [MESSAGE_ERROR] = {3, sizeof(MessageError), error_fields},
    [MESSAGE_PING] = {2, sizeof(MessagePing), ping_fields},
    [MESSAGE_PONG] = {2, sizeof(MessagePing), ping_fields},
    [MESSAGE_HELLO] = {8, sizeof(MessageHello), hello_fields},
    [MESSAGE_WELCOME] = {5, sizeof(MessageWelcome), welcome_fields},
    [MESSAGE_HEARTBEAT] = {6, sizeof(MessageHeartbeat), heartbeat_fields},
    [MESSAGE_JOB] = {13, sizeof(MessageJob), job_fields},
    [MESSAGE_IMPROVED] = {5, sizeof(MessageImproved), improved_fields},
    [MESSAGE_RESULT] = {9, sizeof(MessageResult), result_fields},
    [MESSAGE_BOUNDS] = {4, sizeof(MessageBounds), bounds_fields},
    [MESSAGE_CANCEL] = {3, sizeof(MessageCancel), cancel_fields},
    [MESSAGE_DRAIN] = {TYPE_ONLY, 0, no_fields},
    [MESSAGE_BYE] = {2, sizeof(MessageBye), bye_fields},
    [MESSAGE_RESET] = {TYPE_ONLY, 0, no_fields},
    [MESSAGE_OFFER] = {13, sizeof(MessageOffer), offer_fields},
    [MESSAGE_PARKED] = {3, sizeof(MessageParked), parked_fields},
    [MESSAGE_HUNGRY] = {3, sizeof(MessageHungry), hungry_fields},
    [MESSAGE_TABLE] = {2, sizeof(MessageTable), table_fields},
    [MESSAGE_HEARD] = {3, sizeof(MessageHeard), heard_fields},
    [MESSAGE_CLEARED] = {2, sizeof(MessageNewGame), new_game_fields},
};

/* Where a message that begins a conversation has its protocol version; NULL for others. */
static int *version_of(Message *message)
{
    switch (message->type) {
    case MESSAGE_OPEN:
        return &message->open.protocol_version;
    case MESSAGE_HELLO:
        return &message->hello.protocol_version;
    default:
        return NULL;
    }
}

/* The fields that we send of a message: of one of another version, only that version. */
static int field_count_to_send(Message *message)
{
    const int *version = version_of(message);
    return version != NULL && *version != PROTOCOL_VERSION ? TYPE_AND_VERSION
                                                           : schemas[message->type].field_count;
}

/* Any member of the union begins where the others do. */
static void clear_body(Message *message)
{
    memset((char *)message + offsetof(Message, ping), 0, schemas[message->type].body_bytes);
}

/* The type alone decides which of the union is meant, so an unknown one ends the pass. */
static bool type_field(Fields *fields, Message *message)
{
    uint32_t type = fields_is_decoding(fields) ? 0 : (uint32_t)message->type;
    fields_uint32(fields, &type, 0);
    if (type >= MESSAGE_TYPE_COUNT) {
        fields_fail(fields, DECODE_UNKNOWN_TYPE);
    } else if (fields_is_decoding(fields)) {
        message->type = (MessageType)type;
        clear_body(message);
    }
    return fields->error == DECODE_OK;
}

void schema_message(Fields *fields, Message *message)
{
    int field_count = 0;
    if (!fields_is_decoding(fields)) {
        if ((uint32_t)message->type >= MESSAGE_TYPE_COUNT) {
            fields_fail(fields, DECODE_UNKNOWN_TYPE);
            return;
        }
        field_count = field_count_to_send(message);
    }
    fields_list(fields, &field_count, CODEC_BYTES_MAX);
    if (fields->error == DECODE_OK && field_count < TYPE_ONLY) {
        fields_fail(fields, DECODE_WRONG_ARITY);
    }
    if (!type_field(fields, message)) {
        return;
    }
    int *version = version_of(message);
    if (version != NULL) {
        if (field_count < TYPE_AND_VERSION) {
            fields_fail(fields, DECODE_WRONG_ARITY);
        }
        fields_int(fields, version, 1, CODEC_VERSION_MAX);
        if (*version != PROTOCOL_VERSION) {
            return; /* what follows in another version is unknown */
        }
    }
    const Schema *schema = &schemas[message->type];
    if (field_count != schema->field_count) {
        fields_fail(fields, DECODE_WRONG_ARITY);
    }
    schema->fields(fields, message);
}
