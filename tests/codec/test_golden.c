/*
 * The wire form of every message type, byte by byte, in both directions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/codec.h"
#include "tests/codec/bodies.h"
#include "tests/codec/golden.h"
#include "worker/search/search.h"

static const Move e2e4 = 0x070C, e7e5 = 0x0934, g1f3 = 0x0546, b8c6 = 0x0AB9, e7e6 = 0x0B34;

static const Epoch epoch = {0x0123456789ABCDEF};

static JobId job_id(void)
{
    return (JobId){.epoch = epoch, .session = {7}, .search = {5}, .job = 300, .attempt = 1};
}

static void fill_position(GamePosition *position)
{
    strcpy(position->fen, FEN_START);
    position->move_count = 2;
    position->moves[0] = e2e4;
    position->moves[1] = e7e5;
}

static void fill_line(Line *line)
{
    line->score = -37;
    line->bound = BOUND_EXACT;
    line->depth = 12;
    line->selective_depth = 20;
    line->length = 2;
    line->moves[0] = g1f3;
    line->moves[1] = b8c6;
}

static void fill_open(Message *message)
{
    message->open.protocol_version = PROTOCOL_VERSION;
    strcpy(message->open.name, "rookery");
}

static void fill_opened(Message *message)
{
    message->opened.epoch = epoch;
    message->opened.session.value = 7;
}

static void fill_search(Message *message)
{
    MessageSearch *search = &message->search;
    search->search.value = 5;
    fill_position(&search->position);
    search->limits.has_clock[WHITE] = true;
    search->limits.has_clock[BLACK] = true;
    search->limits.clock[WHITE] = duration_ms(60000);
    search->limits.clock[BLACK] = duration_ms(-1500);
    search->limits.increment[WHITE] = duration_ms(600);
    search->limits.moves_to_go = 40;
    search->limits.ponder = true;
    search->limits.search_move_count = 1;
    search->limits.search_moves[0] = g1f3;
    search->multi_pv = 1;
    search->move_overhead = duration_ms(30);
}

static void fill_search_name(Message *message)
{
    message->search_name.search.value = 5;
}

/* CLEARED too. */
static void fill_new_game(Message *message)
{
    message->new_game.session.value = 7;
}

static void fill_nothing(Message *message)
{
    (void)message;
}

static void fill_info(Message *message)
{
    message->info.search.value = 5;
    fill_line(&message->info.line);
    message->info.nodes = 1234567;
    message->info.elapsed = duration_ms(250);
    message->info.hash_permille = 17;
}

static void fill_bestmove(Message *message)
{
    message->bestmove.search.value = 5;
    message->bestmove.move = g1f3;
    message->bestmove.ponder = MOVE_NONE;
}

static void fill_status(Message *message)
{
    MessageStatus *status = &message->status;
    status->epoch = epoch;
    status->worker_count = 2;
    status->workers[0].id.value = 1;
    strcpy(status->workers[0].name, "pi");
    status->workers[0].slots = 4;
    status->workers[0].nodes_per_second = 300000;
    status->workers[0].jobs = 12;
    status->workers[0].idle_permille = 250;
    status->workers[0].is_in_reserve = true;
    status->workers[1].id.value = 70000;
    strcpy(status->workers[1].name, "lab-7");
    status->workers[1].slots = 16;
    status->workers[1].nodes_per_second = 16000000;
}

static void fill_error(Message *message)
{
    message->error.code = ERROR_VERSION;
    strcpy(message->error.text, "update the worker");
}

static void fill_ping(Message *message)
{
    message->ping.number = UINT64_MAX;
}

static void fill_hello(Message *message)
{
    MessageHello *hello = &message->hello;
    hello->protocol_version = PROTOCOL_VERSION;
    hello->search_identity = 0xFEDCBA9876543210;
    strcpy(hello->build, "0.1.0");
    strcpy(hello->name, "lab-7");
    hello->slots = 16;
    hello->hash_mb = 64;
    hello->nodes_per_second = 1000000;
}

static void fill_welcome(Message *message)
{
    message->welcome.epoch = epoch;
    message->welcome.worker.value = 3;
    message->welcome.heartbeat = duration_ms(100);
    message->welcome.lease = duration_ms(1500);
}

static void fill_heartbeat(Message *message)
{
    MessageHeartbeat *heartbeat = &message->heartbeat;
    heartbeat->worker.value = 3;
    heartbeat->nodes_total = 1000000000000;
    heartbeat->last_ping = 41;
    heartbeat->hash_permille = 999;
    heartbeat->busy_count = 1;
    heartbeat->busy[0].job = job_id();
    heartbeat->busy[0].nodes = 4096;
}

static void fill_job(Message *message)
{
    MessageJob *job = &message->job;
    job->id = job_id();
    fill_position(&job->position);
    job->path_length = 1;
    job->path[0] = g1f3;
    job->depth = 11;
    job->alpha = -SCORE_INFINITE;
    job->beta = SCORE_INFINITE;
    job->node_kind = NODE_PV;
    job->is_eldest = true;
    job->move_count = 2;
    job->moves[0] = b8c6;
    job->moves[1] = e7e6;
    job->numbers[0] = 1;
    job->numbers[1] = 2;
}

static void fill_improved(Message *message)
{
    message->improved.id = job_id();
    fill_line(&message->improved.line);
    message->improved.nodes = 128;
}

static void fill_result(Message *message)
{
    MessageResult *result = &message->result;
    result->id = job_id();
    result->share = 200;
    result->is_complete = true;
    result->score = -37;
    fill_line(&result->line);
    result->nodes = 5000;
    result->selective_depth = 20;
    result->cost_count = 2;
    result->costs[0].move = g1f3;
    result->costs[0].nodes = 4000;
    result->costs[1].move = 0xFFFF;
    result->costs[1].nodes = 1000;
}

static void fill_bounds(Message *message)
{
    message->bounds.id = job_id();
    message->bounds.share = 3;
    message->bounds.alpha = -20;
}

static void fill_cancel(Message *message)
{
    message->cancel.id = (JobId){.epoch = epoch, .session = {7}, .search = {5}};
}

static void fill_offer(Message *message)
{
    MessageOffer *offer = &message->offer;
    MessageJob *job = &offer->job;
    offer->parent = job_id();
    offer->share = 3;
    job->path_length = 3;
    job->path[0] = g1f3;
    job->path[1] = MOVE_NONE;
    job->path[2] = b8c6;
    job->depth = 7;
    job->alpha = -21;
    job->beta = -20;
    job->node_kind = NODE_CUT;
    job->node_budget = 100000;
    job->move_count = 2;
    job->moves[0] = e7e5;
    job->moves[1] = e7e6;
    job->numbers[0] = 2;
    job->numbers[1] = 30;
    job->is_split = true;
    job->best = -35;
    job->was_pv = true;
    job->root_depth = 11;
    job->double_extensions = 1;
    job->null_move_ply_min = 9;
}

static void fill_parked(Message *message)
{
    message->parked.id = job_id();
    message->parked.is_parked = true;
}

static void fill_hungry(Message *message)
{
    message->hungry.id = job_id();
    message->hungry.count = 3;
}

static void fill_table(Message *message)
{
    message->table.count = 2;
    message->table.entries[0] = (TableEntry){.key = epoch.value, .data = 0xFEDCBA9876543210};
    message->table.entries[1] = (TableEntry){.key = 5, .data = 70000};
}

static void fill_bye(Message *message)
{
    message->bye.worker.value = 3;
}

static void fill_heard(Message *message)
{
    message->heard = (MessageHeard){.count = 257, .is_crowded = true};
}

static void (*const fills[MESSAGE_TYPE_COUNT])(Message *) = {
    [MESSAGE_OPEN] = fill_open,
    [MESSAGE_OPENED] = fill_opened,
    [MESSAGE_SEARCH] = fill_search,
    [MESSAGE_STOP] = fill_search_name,
    [MESSAGE_PONDERHIT] = fill_search_name,
    [MESSAGE_NEW_GAME] = fill_new_game,
    [MESSAGE_CLOSE] = fill_nothing,
    [MESSAGE_INFO] = fill_info,
    [MESSAGE_BESTMOVE] = fill_bestmove,
    [MESSAGE_STATUS] = fill_status,
    [MESSAGE_ERROR] = fill_error,
    [MESSAGE_PING] = fill_ping,
    [MESSAGE_PONG] = fill_nothing,
    [MESSAGE_HELLO] = fill_hello,
    [MESSAGE_WELCOME] = fill_welcome,
    [MESSAGE_HEARTBEAT] = fill_heartbeat,
    [MESSAGE_JOB] = fill_job,
    [MESSAGE_IMPROVED] = fill_improved,
    [MESSAGE_RESULT] = fill_result,
    [MESSAGE_BOUNDS] = fill_bounds,
    [MESSAGE_CANCEL] = fill_cancel,
    [MESSAGE_DRAIN] = fill_nothing,
    [MESSAGE_BYE] = fill_bye,
    [MESSAGE_RESET] = fill_nothing,
    [MESSAGE_OFFER] = fill_offer,
    [MESSAGE_PARKED] = fill_parked,
    [MESSAGE_HUNGRY] = fill_hungry,
    [MESSAGE_TABLE] = fill_table,
    [MESSAGE_HEARD] = fill_heard,
    [MESSAGE_CLEARED] = fill_new_game,
};

/* Padding stays zero too, so that whole messages can be compared. */
static void fill(Message *message, MessageType type)
{
    memset(message, 0, sizeof *message);
    message->type = type;
    fills[type](message);
}

static void every_type_encodes_to_its_golden_bytes(void **state)
{
    (void)state;
    static Message message;
    static CodecBuffer buffer;
    for (MessageType type = 0; type < MESSAGE_TYPE_COUNT; type++) {
        uint8_t golden[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(golden_hex[type], golden, sizeof golden);
        assert_int_equal(length, strlen(golden_hex[type]) / 2);
        fill(&message, type);
        const Status status = codec_encode(&message, &buffer);
        if (!status_is_ok(&status)) {
            fail_msg("%s", status.message);
        }
        if (buffer.length != length || memcmp(buffer.bytes, golden, length) != 0) {
            fail_msg("%s has other bytes", message_type_name(type));
        }
    }
}

static void golden_bytes_decode_to_their_message(void **state)
{
    (void)state;
    static Message expected;
    static Message decoded;
    for (MessageType type = 0; type < MESSAGE_TYPE_COUNT; type++) {
        uint8_t golden[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(golden_hex[type], golden, sizeof golden);
        fill(&expected, type);
        memset(&decoded, 0xA5, sizeof decoded);
        const DecodeError error = codec_decode(golden, length, &decoded);
        if (error != DECODE_OK || !bodies_equal(&decoded, &expected)) {
            fail_msg("%s decodes otherwise: %s", message_type_name(type), codec_error_name(error));
        }
        if (!bodies_end_with(&decoded, 0xA5)) {
            fail_msg("%s clears more than its body", message_type_name(type));
        }
    }
}

/* Text, bytes, arrays and integers in each longer form that MessagePack allows. */
static void longer_encodings_are_read_too(void **state)
{
    (void)state;
    static const char *const same[] = {
        "dc00020bcc29",           "dd00000002cc0b29",       "92cd000bcd0029",
        "92ce0000000bce00000029", "92cf000000000000000b29", "92d00bd029",
        "92d1000bd10029",         "92d20000000bd200000029", "92d3000000000000000b29",
        "920bd30000000000000029",
    };
    static Message message;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        uint8_t bytes[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(same[i], bytes, sizeof bytes);
        assert_int_equal(codec_decode(bytes, length, &message), DECODE_OK);
        assert_int_equal(message.type, MESSAGE_PING);
        assert_int_equal(message.ping.number, 0x29);
    }
    static const char *const names[] = {"930005a26869", "930005d9026869", "930005da00026869",
                                        "930005db000000026869"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t bytes[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(names[i], bytes, sizeof bytes);
        assert_int_equal(codec_decode(bytes, length, &message), DECODE_OK);
        assert_string_equal(message.open.name, "hi");
    }
}

/* What an OPEN or HELLO of another version holds behind the version is nobody's business. */
static void other_versions_can_be_told_apart(void **state)
{
    (void)state;
    static const char *const greetings[] = {"920001", "980001c0c281a16101cb3ff00000000000009090",
                                            "920d06", "9c0d06c0c0c0c0c0c0c0c0c0c0"};
    static Message message;
    static CodecBuffer buffer;
    for (size_t i = 0; i < sizeof greetings / sizeof greetings[0]; i++) {
        uint8_t bytes[GOLDEN_BYTES_MAX];
        const size_t length = golden_bytes(greetings[i], bytes, sizeof bytes);
        assert_int_equal(codec_decode(bytes, length, &message), DECODE_OK);
        if (message.type == MESSAGE_OPEN) {
            assert_int_equal(message.open.protocol_version, 1);
        } else {
            assert_int_equal(message.type, MESSAGE_HELLO);
            assert_int_equal(message.hello.protocol_version, 6);
            assert_int_equal(message.hello.slots, 0);
        }
        const Status status = codec_encode(&message, &buffer);
        assert_true(status_is_ok(&status));
        assert_int_equal(buffer.length, 3);
        assert_memory_equal(buffer.bytes + 1, bytes + 1, 2);
    }
}

static void the_node_kinds_are_those_of_the_search(void **state)
{
    (void)state;
    assert_int_equal(NODE_PV, 0);
    assert_int_equal(NODE_ALL, CODEC_NODE_KIND_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_encodes_to_its_golden_bytes),
        cmocka_unit_test(golden_bytes_decode_to_their_message),
        cmocka_unit_test(longer_encodings_are_read_too),
        cmocka_unit_test(other_versions_can_be_told_apart),
        cmocka_unit_test(the_node_kinds_are_those_of_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
