/*
 * Whatever may be said survives the wire: random messages within the limits, their corners often.
 * Another implementation of MessagePack, msgpack-c's reader, understands every one of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <msgpack.h>

#include "base/prng.h"
#include "codec/codec.h"
#include "tests/codec/bodies.h"
#include "tests/codec/limits.h"

enum { MESSAGES_PER_TYPE = 1500, DAMAGED_MESSAGES = 40000 };

/* A number in [minimum, maximum]; every fourth one is an end of it. */
static int64_t number(Prng *prng, int64_t minimum, int64_t maximum)
{
    switch (prng_below(prng, 8)) {
    case 0:
        return minimum;
    case 1:
        return maximum;
    default:
        return minimum + (int64_t)prng_below(prng, (uint64_t)(maximum - minimum) + 1);
    }
}

static int small(Prng *prng, int minimum, int maximum)
{
    return (int)number(prng, minimum, maximum);
}

/* An unsigned number of any magnitude. */
static uint64_t wide(Prng *prng, uint64_t minimum)
{
    const uint64_t value = prng_next(prng) >> prng_below(prng, 64);
    return value < minimum ? minimum : value;
}

/* A number that names something: any magnitude, not 0. */
static uint32_t name(Prng *prng)
{
    const uint32_t value = (uint32_t)(wide(prng, 0) >> 32);
    return value == 0 ? 1 : value;
}

static bool flag(Prng *prng)
{
    return prng_below(prng, 2) == 0;
}

/* The number of a share, often 0. */
static uint32_t share(Prng *prng)
{
    return flag(prng) ? 0 : name(prng);
}

/* How long a list is: mostly short, sometimes full. */
static int list_length(Prng *prng, int maximum)
{
    return prng_below(prng, 8) == 0 ? maximum : small(prng, 0, maximum < 20 ? maximum : 20);
}

static Duration duration(Prng *prng, int64_t minimum_us)
{
    return duration_us(number(prng, minimum_us, CODEC_DURATION_US_MAX));
}

static void text(Prng *prng, char *bytes, int bytes_max)
{
    const int length = small(prng, 0, bytes_max - 1);
    for (int i = 0; i < length; i++) {
        bytes[i] = (char)number(prng, ' ', '~');
    }
}

static int moves(Prng *prng, Move *list, int maximum)
{
    const int count = list_length(prng, maximum);
    for (int i = 0; i < count; i++) {
        list[i] = (Move)prng_next(prng);
    }
    return count;
}

static void job_id(Prng *prng, JobId *id)
{
    id->epoch.value = wide(prng, 1);
    id->session.value = name(prng);
    id->search.value = name(prng);
    id->job = name(prng);
    id->attempt = name(prng);
}

static void position(Prng *prng, GamePosition *out)
{
    text(prng, out->fen, FEN_BYTES_MAX);
    out->chess960 = flag(prng);
    out->move_count = moves(prng, out->moves, MESSAGE_GAME_MOVES_MAX);
}

static void line(Prng *prng, Line *out, int length_min)
{
    out->score = small(prng, -SCORE_INFINITE, SCORE_NONE);
    out->bound = (Bound)small(prng, BOUND_NONE, BOUND_EXACT);
    out->depth = small(prng, 0, CODEC_DEPTH_MAX);
    out->selective_depth = small(prng, 0, CODEC_DEPTH_MAX);
    out->length = moves(prng, out->moves, PLY_MAX);
    if (out->length < length_min) {
        out->length = length_min;
    }
}

static void limits(Prng *prng, GoLimits *go)
{
    for (int color = WHITE; color <= BLACK; color++) {
        go->has_clock[color] = flag(prng);
        if (go->has_clock[color]) {
            go->clock[color] = duration(prng, -CODEC_DURATION_US_MAX);
        }
        go->increment[color] = duration(prng, 0);
    }
    go->moves_to_go = small(prng, 0, CODEC_GO_NUMBER_MAX);
    go->has_move_time = flag(prng);
    if (go->has_move_time) {
        go->move_time = duration(prng, 0);
    }
    go->depth = small(prng, 0, CODEC_GO_NUMBER_MAX);
    go->nodes = wide(prng, 0);
    go->mate_moves = small(prng, 0, CODEC_GO_NUMBER_MAX);
    go->infinite = flag(prng);
    go->ponder = flag(prng);
    go->search_move_count = moves(prng, go->search_moves, MOVES_MAX);
}

static void search(Prng *prng, MessageSearch *out)
{
    out->search.value = name(prng);
    position(prng, &out->position);
    limits(prng, &out->limits);
    out->multi_pv = small(prng, 1, MESSAGE_MULTI_PV_MAX);
    out->move_overhead = duration(prng, 0);
}

static void info(Prng *prng, MessageInfo *out)
{
    out->search.value = name(prng);
    out->multi_pv_index = small(prng, 0, MESSAGE_MULTI_PV_MAX - 1);
    line(prng, &out->line, 1);
    out->nodes = wide(prng, 0);
    out->elapsed = duration(prng, 0);
    out->hash_permille = small(prng, 0, 1000);
}

static void status(Prng *prng, MessageStatus *out)
{
    out->epoch.value = wide(prng, 1);
    out->worker_count = list_length(prng, MESSAGE_WORKERS_MAX);
    for (int i = 0; i < out->worker_count; i++) {
        WorkerRow *row = &out->workers[i];
        row->id.value = name(prng);
        text(prng, row->name, MESSAGE_NAME_BYTES_MAX);
        row->slots = small(prng, 1, MESSAGE_SLOTS_MAX);
        row->nodes_per_second = wide(prng, 0);
        row->jobs = wide(prng, 0);
        row->idle_permille = small(prng, 0, 1000);
        row->is_in_reserve = flag(prng);
    }
}

static void hello(Prng *prng, MessageHello *out)
{
    out->protocol_version = PROTOCOL_VERSION;
    out->search_identity = wide(prng, 0);
    text(prng, out->build, MESSAGE_NAME_BYTES_MAX);
    text(prng, out->name, MESSAGE_NAME_BYTES_MAX);
    out->slots = small(prng, 1, MESSAGE_SLOTS_MAX);
    out->hash_mb = small(prng, 0, MESSAGE_HASH_MB_MAX);
    out->nodes_per_second = wide(prng, 1);
}

static void heartbeat(Prng *prng, MessageHeartbeat *out)
{
    out->worker.value = name(prng);
    out->nodes_total = wide(prng, 0);
    out->last_ping = wide(prng, 0);
    out->hash_permille = small(prng, 0, 1000);
    out->busy_count = list_length(prng, MESSAGE_BUSY_MAX);
    for (int i = 0; i < out->busy_count; i++) {
        job_id(prng, &out->busy[i].job);
        out->busy[i].nodes = wide(prng, 0);
    }
}

/* What a job and an offer have in common. */
static void job_node(Prng *prng, MessageJob *out)
{
    out->path_length = moves(prng, out->path, MESSAGE_PATH_MAX);
    out->depth = small(prng, 1, CODEC_DEPTH_MAX);
    out->alpha = small(prng, -SCORE_INFINITE, SCORE_INFINITE - 1);
    out->beta = small(prng, out->alpha + 1, SCORE_INFINITE);
    out->node_kind = small(prng, 0, CODEC_NODE_KIND_MAX);
    out->is_eldest = flag(prng);
    out->node_budget = wide(prng, 0);
    out->move_count = moves(prng, out->moves, MOVES_MAX);
    for (int i = 0; i < out->move_count; i++) {
        out->numbers[i] = (uint8_t)small(prng, 1, UINT8_MAX);
    }
    out->is_split = flag(prng);
    if (out->is_split) {
        out->best = small(prng, -SCORE_INFINITE, SCORE_INFINITE);
        out->was_pv = flag(prng);
        out->root_depth = small(prng, 1, CODEC_DEPTH_MAX);
        out->double_extensions = small(prng, 0, PLY_MAX);
        out->null_move_ply_min = small(prng, 0, CODEC_NULL_MOVE_PLY_MAX);
    }
}

static void job(Prng *prng, MessageJob *out)
{
    job_id(prng, &out->id);
    position(prng, &out->position);
    job_node(prng, out);
}

static void offer(Prng *prng, MessageOffer *out)
{
    job_id(prng, &out->parent);
    out->share = name(prng);
    job_node(prng, &out->job);
    if (out->job.move_count == 0) {
        out->job.move_count = 1;
        out->job.numbers[0] = 1;
    }
}

static void table(Prng *prng, MessageTable *out)
{
    out->count = list_length(prng, MESSAGE_TABLE_ENTRIES_MAX);
    for (int i = 0; i < out->count; i++) {
        out->entries[i] = (TableEntry){.key = wide(prng, 0), .data = wide(prng, 0)};
    }
}

static void result(Prng *prng, MessageResult *out)
{
    job_id(prng, &out->id);
    out->share = share(prng);
    out->is_complete = flag(prng);
    out->score = small(prng, -SCORE_INFINITE, SCORE_NONE);
    line(prng, &out->line, 0);
    out->nodes = wide(prng, 0);
    out->selective_depth = small(prng, 0, CODEC_DEPTH_MAX);
    out->cost_count = list_length(prng, MOVES_MAX);
    for (int i = 0; i < out->cost_count; i++) {
        out->costs[i].move = (Move)prng_next(prng);
        out->costs[i].nodes = wide(prng, 0);
    }
}

/* A job or a share of it, all jobs of a search, or of a session. */
static void cancel(Prng *prng, MessageCancel *out)
{
    JobId *id = &out->id;
    job_id(prng, id);
    const uint64_t scope = prng_below(prng, 3);
    out->share = scope == 0 ? share(prng) : 0;
    if (scope > 0) {
        id->job = 0;
        id->attempt = 0;
    }
    if (scope > 1) {
        id->search.value = 0;
    }
}

/* A random message of the type; whatever it does not name is zero, padding too. */
static void random_message(Prng *prng, MessageType type, Message *message)
{
    memset(message, 0, sizeof *message);
    message->type = type;
    switch (type) {
    case MESSAGE_OPEN:
        message->open.protocol_version = PROTOCOL_VERSION;
        text(prng, message->open.name, MESSAGE_NAME_BYTES_MAX);
        return;
    case MESSAGE_OPENED:
        message->opened.epoch.value = wide(prng, 1);
        message->opened.session.value = name(prng);
        return;
    case MESSAGE_SEARCH:
        search(prng, &message->search);
        return;
    case MESSAGE_STOP:
    case MESSAGE_PONDERHIT:
        message->search_name.search.value = name(prng);
        return;
    case MESSAGE_NEW_GAME:
    case MESSAGE_CLEARED:
        message->new_game.session.value = name(prng);
        return;
    case MESSAGE_INFO:
        info(prng, &message->info);
        return;
    case MESSAGE_BESTMOVE:
        message->bestmove.search.value = name(prng);
        message->bestmove.move = (Move)prng_next(prng);
        message->bestmove.ponder = (Move)prng_next(prng);
        return;
    case MESSAGE_STATUS:
        status(prng, &message->status);
        return;
    case MESSAGE_ERROR:
        message->error.code = (ErrorCode)small(prng, ERROR_VERSION, ERROR_PROTOCOL);
        text(prng, message->error.text, MESSAGE_TEXT_BYTES_MAX);
        return;
    case MESSAGE_PING:
    case MESSAGE_PONG:
        message->ping.number = wide(prng, 0);
        return;
    case MESSAGE_HELLO:
        hello(prng, &message->hello);
        return;
    case MESSAGE_WELCOME:
        message->welcome.epoch.value = wide(prng, 1);
        message->welcome.worker.value = name(prng);
        message->welcome.heartbeat = duration(prng, 1000);
        message->welcome.lease = duration(prng, 1000);
        return;
    case MESSAGE_HEARTBEAT:
        heartbeat(prng, &message->heartbeat);
        return;
    case MESSAGE_JOB:
        job(prng, &message->job);
        return;
    case MESSAGE_IMPROVED:
        job_id(prng, &message->improved.id);
        message->improved.share = share(prng);
        line(prng, &message->improved.line, 1);
        message->improved.nodes = wide(prng, 0);
        return;
    case MESSAGE_RESULT:
        result(prng, &message->result);
        return;
    case MESSAGE_BOUNDS:
        job_id(prng, &message->bounds.id);
        message->bounds.share = share(prng);
        message->bounds.alpha = small(prng, -SCORE_INFINITE, SCORE_INFINITE);
        return;
    case MESSAGE_CANCEL:
        cancel(prng, &message->cancel);
        return;
    case MESSAGE_OFFER:
        offer(prng, &message->offer);
        return;
    case MESSAGE_PARKED:
        job_id(prng, &message->parked.id);
        message->parked.is_parked = flag(prng);
        return;
    case MESSAGE_HUNGRY:
        job_id(prng, &message->hungry.id);
        message->hungry.count = small(prng, 0, MESSAGE_SHARES_MAX);
        return;
    case MESSAGE_HEARD:
        message->heard.count = wide(prng, 0);
        message->heard.is_crowded = flag(prng);
        return;
    case MESSAGE_TABLE:
        table(prng, &message->table);
        return;
    case MESSAGE_BYE:
        message->bye.worker.value = name(prng);
        return;
    default:
        return;
    }
}

static void expect_round_trip(const Message *message, CodecBuffer *buffer)
{
    static Message decoded;
    const Status encoding = codec_encode(message, buffer);
    if (!status_is_ok(&encoding)) {
        fail_msg("%s", encoding.message);
    }
    const DecodeError error = codec_decode(buffer->bytes, buffer->length, &decoded);
    if (error != DECODE_OK || !bodies_equal(&decoded, message)) {
        fail_msg("%s came back otherwise: %s", message_type_name(message->type),
                 codec_error_name(error));
    }
}

static void expect_understood_by_msgpack(const CodecBuffer *buffer)
{
    msgpack_unpacked unpacked;
    size_t used = 0;
    msgpack_unpacked_init(&unpacked);
    assert_int_equal(
        msgpack_unpack_next(&unpacked, (const char *)buffer->bytes, buffer->length, &used),
        MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(used, buffer->length);
    assert_int_equal(unpacked.data.type, MSGPACK_OBJECT_ARRAY);
    msgpack_unpacked_destroy(&unpacked);
}

static void random_messages_come_back_the_same(void **state)
{
    (void)state;
    static Message message;
    static CodecBuffer buffer;
    Prng prng;
    prng_init(&prng, 20);
    for (MessageType type = 0; type < MESSAGE_TYPE_COUNT; type++) {
        for (int i = 0; i < MESSAGES_PER_TYPE; i++) {
            random_message(&prng, type, &message);
            assert_true(limits_hold(&message));
            expect_round_trip(&message, &buffer);
            expect_understood_by_msgpack(&buffer);
        }
    }
}

/* Fills every list and every number of the longest types. */
static void the_longest_messages_fit(void **state)
{
    (void)state;
    static Message message;
    static CodecBuffer buffer;
    memset(&message, 0, sizeof message);
    message.type = MESSAGE_STATUS;
    message.status.epoch.value = UINT64_MAX;
    message.status.worker_count = MESSAGE_WORKERS_MAX;
    for (int i = 0; i < MESSAGE_WORKERS_MAX; i++) {
        WorkerRow *row = &message.status.workers[i];
        row->id.value = UINT32_MAX;
        memset(row->name, 'x', MESSAGE_NAME_BYTES_MAX - 1);
        row->slots = MESSAGE_SLOTS_MAX;
        row->nodes_per_second = UINT64_MAX;
        row->jobs = UINT64_MAX;
        row->idle_permille = 1000;
    }
    expect_round_trip(&message, &buffer);
    assert_true(buffer.length < CODEC_BYTES_MAX / 2);

    memset(&message, 0, sizeof message);
    message.type = MESSAGE_HEARTBEAT;
    message.heartbeat.worker.value = UINT32_MAX;
    message.heartbeat.nodes_total = UINT64_MAX;
    message.heartbeat.last_ping = UINT64_MAX;
    message.heartbeat.hash_permille = 1000;
    message.heartbeat.busy_count = MESSAGE_BUSY_MAX;
    for (int i = 0; i < MESSAGE_BUSY_MAX; i++) {
        SlotProgress *slot = &message.heartbeat.busy[i];
        slot->job.epoch.value = UINT64_MAX;
        slot->job.session.value = UINT32_MAX;
        slot->job.search.value = UINT32_MAX;
        slot->job.job = UINT32_MAX;
        slot->job.attempt = UINT32_MAX;
        slot->nodes = UINT64_MAX;
    }
    expect_round_trip(&message, &buffer);
    assert_true(buffer.length < CODEC_BYTES_MAX * 9 / 10);

    memset(&message, 0, sizeof message);
    message.type = MESSAGE_TABLE;
    message.table.count = MESSAGE_TABLE_ENTRIES_MAX;
    for (int i = 0; i < MESSAGE_TABLE_ENTRIES_MAX; i++) {
        message.table.entries[i] = (TableEntry){.key = UINT64_MAX, .data = UINT64_MAX};
    }
    expect_round_trip(&message, &buffer);
    assert_true(buffer.length < CODEC_BYTES_MAX / 16); /* what is urgent may have to wait for it */
}

/* Flips, cuts, inserts and joins bytes. */
static size_t mutate(Prng *prng, uint8_t *bytes, size_t length)
{
    for (uint64_t changes = 1 + prng_below(prng, 4); changes > 0; changes--) {
        const size_t at = (size_t)prng_below(prng, length);
        switch (prng_below(prng, 4)) {
        case 0:
            bytes[at] ^= (uint8_t)(1U << prng_below(prng, 8));
            break;
        case 1:
            bytes[at] = (uint8_t)prng_next(prng);
            break;
        case 2:
            memmove(bytes + at, bytes + at + 1, length - at - 1);
            length -= length > 1 ? 1 : 0;
            break;
        default:
            if (length < CODEC_BYTES_MAX) {
                memmove(bytes + at + 1, bytes + at, length - at);
                length++;
            }
            break;
        }
    }
    return length;
}

/* Damaged messages are within every limit, and then encode again, or have a named error. */
static void damaged_messages_are_good_or_named(void **state)
{
    (void)state;
    static Message message;
    static CodecBuffer buffer;
    int good = 0;
    Prng prng;
    prng_init(&prng, 21);
    for (int i = 0; i < DAMAGED_MESSAGES; i++) {
        random_message(&prng, (MessageType)prng_below(&prng, MESSAGE_TYPE_COUNT), &message);
        const Status encoding = codec_encode(&message, &buffer);
        assert_true(status_is_ok(&encoding));
        const size_t length = mutate(&prng, buffer.bytes, buffer.length);
        const DecodeError error = codec_decode(buffer.bytes, length, &message);
        if (error == DECODE_OK) {
            good++;
            assert_true(limits_hold(&message));
            expect_round_trip(&message, &buffer);
        } else {
            assert_string_not_equal(codec_error_name(error), "?");
        }
    }
    assert_in_range(good, 1000, DAMAGED_MESSAGES - 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_messages_come_back_the_same),
        cmocka_unit_test(the_longest_messages_fit),
        cmocka_unit_test(damaged_messages_are_good_or_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
