/*
 * The sender's side of the limits: a value at either end of its range goes out and comes back,
 * one beyond is refused with a message that says where. (The receiver's side is the same code;
 * test_errors.c shows its answers.)
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

static const int64_t year_us = INT64_C(31536000000000);

/* A message that tests change; the golden one of its type at first. */
static Message message;

static void begin(MessageType type)
{
    uint8_t bytes[GOLDEN_BYTES_MAX];
    const size_t length = golden_bytes(golden_hex[type], bytes, sizeof bytes);
    assert_int_equal(codec_decode(bytes, length, &message), DECODE_OK);
}

static bool goes_out(void)
{
    static CodecBuffer buffer;
    static Message decoded;
    const Status status = codec_encode(&message, &buffer);
    if (!status_is_ok(&status)) {
        assert_int_equal(status.code, STATUS_INVALID);
        return false;
    }
    assert_int_equal(codec_decode(buffer.bytes, buffer.length, &decoded), DECODE_OK);
    assert_true(bodies_equal(&decoded, &message));
    return true;
}

static void expect_int(int *field, int minimum, int maximum)
{
    const int before = *field;
    const struct {
        int value;
        bool is_good;
    } cases[] = {
        {minimum - 1, false}, {minimum, true},    {maximum, true},
        {maximum + 1, false}, {INT32_MIN, false}, {INT32_MAX, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *field = cases[i].value;
        if (goes_out() != cases[i].is_good) {
            fail_msg("%s: %d is judged wrongly", message_type_name(message.type), *field);
        }
    }
    *field = before;
}

static void expect_duration(Duration *field, int64_t minimum_us)
{
    const Duration before = *field;
    field->us = minimum_us;
    assert_true(goes_out());
    field->us = minimum_us - 1;
    assert_false(goes_out());
    field->us = year_us;
    assert_true(goes_out());
    field->us = year_us + 1;
    assert_false(goes_out());
    *field = before;
}

static void expect_named32(uint32_t *field)
{
    const uint32_t before = *field;
    *field = 0;
    assert_false(goes_out());
    *field = UINT32_MAX;
    assert_true(goes_out());
    *field = before;
}

static void expect_named64(uint64_t *field)
{
    const uint64_t before = *field;
    *field = 0;
    assert_false(goes_out());
    *field = UINT64_MAX;
    assert_true(goes_out());
    *field = before;
}

/* The number of a share, or 0. */
static void expect_share(uint32_t *field)
{
    const uint32_t before = *field;
    *field = 0;
    assert_true(goes_out());
    *field = UINT32_MAX;
    assert_true(goes_out());
    *field = before;
}

/* A text of letters up to its room; a room without a NUL; a control character. */
static void expect_text(char *text, size_t bytes_max)
{
    memset(text, 0, bytes_max);
    assert_true(goes_out());
    memset(text, 'x', bytes_max - 1);
    assert_true(goes_out());
    text[bytes_max - 1] = 'x';
    assert_false(goes_out());
    text[bytes_max - 1] = '\0';
    text[0] = '\n';
    assert_false(goes_out());
    text[0] = '\x80';
    assert_false(goes_out());
    text[0] = ' ';
    assert_true(goes_out());
}

static void expect_job_id(JobId *id)
{
    expect_named64(&id->epoch.value);
    expect_named32(&id->session.value);
    expect_named32(&id->search.value);
    expect_named32(&id->job);
    expect_named32(&id->attempt);
}

static void expect_line(Line *line, int length_min)
{
    expect_int(&line->score, -SCORE_INFINITE, SCORE_NONE);
    expect_int(&line->depth, 0, 255);
    expect_int(&line->selective_depth, 0, 255);
    line->length = length_min - 1;
    assert_false(goes_out());
    line->length = PLY_MAX + 1;
    assert_false(goes_out());
    line->length = PLY_MAX;
    assert_true(goes_out());
    line->bound = (Bound)4;
    assert_false(goes_out());
    line->bound = BOUND_NONE;
    assert_true(goes_out());
}

static void what_bridges_say(void **state)
{
    (void)state;
    begin(MESSAGE_OPEN);
    expect_text(message.open.name, MESSAGE_NAME_BYTES_MAX);
    message.open.protocol_version = 0;
    assert_false(goes_out());

    begin(MESSAGE_SEARCH);
    GoLimits *limits = &message.search.limits;
    expect_named32(&message.search.search.value);
    expect_duration(&limits->clock[WHITE], -year_us);
    expect_duration(&limits->clock[BLACK], -year_us);
    expect_duration(&limits->increment[WHITE], 0);
    expect_duration(&limits->increment[BLACK], 0);
    expect_int(&limits->moves_to_go, 0, CODEC_GO_NUMBER_MAX);
    expect_int(&limits->depth, 0, CODEC_GO_NUMBER_MAX);
    expect_int(&limits->mate_moves, 0, CODEC_GO_NUMBER_MAX);
    limits->has_move_time = true;
    expect_duration(&limits->move_time, 0);
    limits->search_move_count = MOVES_MAX + 1;
    assert_false(goes_out());
    limits->search_move_count = 1;
    expect_int(&message.search.multi_pv, 1, MESSAGE_MULTI_PV_MAX);
    expect_duration(&message.search.move_overhead, 0);
    expect_text(message.search.position.fen, FEN_BYTES_MAX);
    message.search.position.move_count = MESSAGE_GAME_MOVES_MAX + 1;
    assert_false(goes_out());

    begin(MESSAGE_STOP);
    expect_named32(&message.search_name.search.value);
    begin(MESSAGE_PONDERHIT);
    expect_named32(&message.search_name.search.value);
    begin(MESSAGE_NEW_GAME);
    expect_named32(&message.new_game.session.value);
    begin(MESSAGE_CLEARED);
    expect_named32(&message.new_game.session.value);
}

static void what_masters_say_to_bridges(void **state)
{
    (void)state;
    begin(MESSAGE_OPENED);
    expect_named64(&message.opened.epoch.value);
    expect_named32(&message.opened.session.value);

    begin(MESSAGE_INFO);
    expect_named32(&message.info.search.value);
    expect_int(&message.info.multi_pv_index, 0, MESSAGE_MULTI_PV_MAX - 1);
    expect_duration(&message.info.elapsed, 0);
    expect_int(&message.info.hash_permille, 0, 1000);
    expect_line(&message.info.line, 1);

    begin(MESSAGE_BESTMOVE);
    expect_named32(&message.bestmove.search.value);

    begin(MESSAGE_STATUS);
    WorkerRow *row = &message.status.workers[1];
    expect_named64(&message.status.epoch.value);
    expect_named32(&row->id.value);
    expect_text(row->name, MESSAGE_NAME_BYTES_MAX);
    expect_int(&row->slots, 1, MESSAGE_SLOTS_MAX);
    expect_int(&row->idle_permille, 0, 1000);
    message.status.worker_count = MESSAGE_WORKERS_MAX + 1;
    assert_false(goes_out());
    message.status.worker_count = -1;
    assert_false(goes_out());

    begin(MESSAGE_ERROR);
    expect_text(message.error.text, MESSAGE_TEXT_BYTES_MAX);
    message.error.code = (ErrorCode)0;
    assert_false(goes_out());
    message.error.code = (ErrorCode)6;
    assert_false(goes_out());
}

static void what_workers_say(void **state)
{
    (void)state;
    begin(MESSAGE_HELLO);
    expect_text(message.hello.build, MESSAGE_NAME_BYTES_MAX);
    expect_text(message.hello.name, MESSAGE_NAME_BYTES_MAX);
    expect_int(&message.hello.slots, 1, MESSAGE_SLOTS_MAX);
    expect_int(&message.hello.hash_mb, 0, MESSAGE_HASH_MB_MAX);
    expect_named64(&message.hello.nodes_per_second);

    begin(MESSAGE_HEARTBEAT);
    expect_named32(&message.heartbeat.worker.value);
    expect_int(&message.heartbeat.hash_permille, 0, 1000);
    expect_job_id(&message.heartbeat.busy[0].job);
    message.heartbeat.busy_count = MESSAGE_BUSY_MAX + 1;
    assert_false(goes_out());

    begin(MESSAGE_IMPROVED);
    expect_job_id(&message.improved.id);
    expect_share(&message.improved.share);
    expect_line(&message.improved.line, 1);

    begin(MESSAGE_RESULT);
    expect_job_id(&message.result.id);
    expect_share(&message.result.share);
    expect_int(&message.result.score, -SCORE_INFINITE, SCORE_NONE);
    expect_int(&message.result.selective_depth, 0, 255);
    expect_line(&message.result.line, 0);
    message.result.cost_count = MOVES_MAX + 1;
    assert_false(goes_out());

    begin(MESSAGE_PARKED);
    expect_job_id(&message.parked.id);

    begin(MESSAGE_BYE);
    expect_named32(&message.bye.worker.value);
}

static void what_masters_say_to_workers(void **state)
{
    (void)state;
    begin(MESSAGE_WELCOME);
    expect_named64(&message.welcome.epoch.value);
    expect_named32(&message.welcome.worker.value);
    expect_duration(&message.welcome.heartbeat, 1000);
    expect_duration(&message.welcome.lease, 1000);

    begin(MESSAGE_JOB);
    MessageJob *job = &message.job;
    expect_job_id(&job->id);
    expect_int(&job->depth, 1, 255);
    expect_int(&job->alpha, -SCORE_INFINITE, job->beta - 1);
    expect_int(&job->beta, job->alpha + 1, SCORE_INFINITE);
    expect_int(&job->node_kind, 0, CODEC_NODE_KIND_MAX);
    job->numbers[1] = 0;
    assert_false(goes_out());
    job->numbers[1] = UINT8_MAX;
    assert_true(goes_out());
    job->path_length = MESSAGE_PATH_MAX + 1;
    assert_false(goes_out());
    job->path_length = 0;
    job->path[0] = MOVE_NONE;
    assert_true(goes_out());
    job->move_count = MOVES_MAX + 1;
    assert_false(goes_out());
    job->move_count = 2;
    expect_text(job->position.fen, FEN_BYTES_MAX);

    begin(MESSAGE_HUNGRY);
    expect_job_id(&message.hungry.id);
    expect_int(&message.hungry.count, 0, MESSAGE_SHARES_MAX);

    begin(MESSAGE_BOUNDS);
    expect_job_id(&message.bounds.id);
    expect_share(&message.bounds.share);
    expect_int(&message.bounds.alpha, -SCORE_INFINITE, SCORE_INFINITE);
}

static void what_is_said_of_splits(void **state)
{
    (void)state;
    begin(MESSAGE_OFFER);
    MessageJob *job = &message.offer.job;
    expect_job_id(&message.offer.parent);
    expect_named32(&message.offer.share);
    expect_int(&job->depth, 1, 255);
    expect_int(&job->best, -SCORE_INFINITE, SCORE_INFINITE);
    expect_int(&job->root_depth, 1, 255);
    expect_int(&job->double_extensions, 0, PLY_MAX);
    expect_int(&job->null_move_ply_min, 0, CODEC_NULL_MOVE_PLY_MAX);
    job->path_length = MESSAGE_PATH_MAX + 1;
    assert_false(goes_out());
    job->path_length = 3;
    job->move_count = 0; /* a share of nothing */
    assert_false(goes_out());
    job->move_count = 2;
    job->alpha = job->beta;
    assert_false(goes_out());

    begin(MESSAGE_JOB);
    message.job.is_split = true;
    message.job.root_depth = 11;
    assert_true(goes_out());
    message.job.root_depth = 0;
    assert_false(goes_out());
}

static void what_both_say_of_their_tables(void **state)
{
    (void)state;
    begin(MESSAGE_TABLE);
    message.table.entries[0] = (TableEntry){.key = UINT64_MAX, .data = UINT64_MAX};
    message.table.entries[1] = (TableEntry){.key = 0, .data = 0};
    assert_true(goes_out());
    message.table.count = -1;
    assert_false(goes_out());
    message.table.count = MESSAGE_TABLE_ENTRIES_MAX + 1;
    assert_false(goes_out());
    message.table.count = MESSAGE_TABLE_ENTRIES_MAX;
    assert_true(goes_out());
    memset(&message.table, 0, sizeof message.table); /* an invitation */
    assert_true(goes_out());
}

/* Session, search and job can be cancelled, and a share of a job; nothing between them. */
static void what_can_be_cancelled(void **state)
{
    (void)state;
    const struct {
        uint32_t search;
        uint32_t job;
        uint32_t attempt;
        uint32_t share;
        bool is_good;
    } cases[] = {
        {0, 0, 0, 0, true},  {5, 0, 0, 0, true},  {5, 3, 1, 0, true},  {5, 3, 1, 9, true},
        {0, 3, 1, 0, false}, {5, 3, 0, 0, false}, {5, 0, 1, 0, false}, {0, 0, 0, 9, false},
        {5, 0, 0, 9, false}, {0, 3, 1, 9, false},
    };
    begin(MESSAGE_CANCEL);
    expect_named64(&message.cancel.id.epoch.value);
    expect_named32(&message.cancel.id.session.value);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        message.cancel.id.search.value = cases[i].search;
        message.cancel.id.job = cases[i].job;
        message.cancel.id.attempt = cases[i].attempt;
        message.cancel.share = cases[i].share;
        assert_int_equal(goes_out(), cases[i].is_good);
    }
}

static void a_refusal_says_where(void **state)
{
    (void)state;
    static CodecBuffer buffer;
    begin(MESSAGE_BOUNDS);
    message.bounds.id.session.value = 0;
    const Status status = codec_encode(&message, &buffer);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_string_equal(status.message, "cannot send BOUNDS: its value 5 is OUT_OF_RANGE");

    message.type = MESSAGE_TYPE_COUNT;
    const Status unknown = codec_encode(&message, &buffer);
    assert_int_equal(unknown.code, STATUS_INVALID);
    assert_non_null(strstr(unknown.message, "UNKNOWN_TYPE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_bridges_say),       cmocka_unit_test(what_masters_say_to_bridges),
        cmocka_unit_test(what_is_said_of_splits), cmocka_unit_test(what_both_say_of_their_tables),
        cmocka_unit_test(what_workers_say),       cmocka_unit_test(what_masters_say_to_workers),
        cmocka_unit_test(what_can_be_cancelled),  cmocka_unit_test(a_refusal_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
