/*
 * The whole worker on a thread, between a master that the test plays and its own search threads;
 * and the program rookery-worker's command line.
 */
#include "worker/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "codec/codec.h"
#include "os/clock.h"
#include "support/given.h"
#include "support/process.h"
#include "support/program.h"
#include "transport/poller.h"
#include "worker/search/identity.h"

enum { WAIT_MS = 10000, EPOCH = 7, SLOTS = 2, HEARTBEAT_MS = 100, LEASE_MS = 1500 };

/* A worker on its thread and the master that the test plays. */
typedef struct {
    char address[64];
    pthread_t thread;
    int stop;      /* eventfd of the worker */
    Status result; /* of worker_run */
    Router *router;
    uint64_t peer; /* the worker's connection, by its last message */
    Message message;
    CodecBuffer buffer;
} Play;

static Play play;

/* ---- the worker's thread ---- */

static void *run_worker(void *context)
{
    (void)context;
    const WorkerOptions options = {
        .master = play.address,
        .name = "lab-1",
        .slots = SLOTS,
        .hash_mb = 2,
        .retry_first_ms = 20,
        .retry_last_ms = 100,
        .stop_descriptor = play.stop,
    };
    play.result = worker_run(&options);
    return NULL;
}

static void open_master(void)
{
    const RouterOptions options = {.address = play.address, .queue_max = 100};
    const Status status = router_new(&options, &play.router);
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.message);
    }
}

static void start_worker(void)
{
    play.stop = eventfd(0, EFD_NONBLOCK);
    assert_true(play.stop >= 0);
    assert_int_equal(pthread_create(&play.thread, NULL, run_worker, NULL), 0);
}

static void begin(const char *address)
{
    (void)snprintf(play.address, sizeof play.address, "%s", address);
    open_master();
    start_worker();
}

static void begin_on_loopback(void)
{
    char address[64];
    (void)snprintf(address, sizeof address, "tcp://127.0.0.1:%d", 10000 + (int)getpid() % 20000);
    begin(address);
}

static void stop_worker(void)
{
    assert_int_equal(eventfd_write(play.stop, 1), 0);
}

static void join_worker(void)
{
    assert_int_equal(pthread_join(play.thread, NULL), 0);
    assert_int_equal(close(play.stop), 0);
    assert_true(status_is_ok(&play.result));
}

/* ---- the master ---- */

/* Waits for a message of `type`; the others on the way are passed over. */
static const Message *expect(MessageType type)
{
    PollerItem item = {.router = play.router};
    TransportMessage bytes;
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    for (;;) {
        while (!router_receive(play.router, &play.peer, &bytes)) {
            if (!instant_is_before(clock_now(), deadline)) {
                fail_msg("no %s has come", message_type_name(type));
            }
            poller_wait(&item, 1, deadline);
        }
        const DecodeError error = codec_decode(bytes.bytes, (size_t)bytes.length, &play.message);
        assert_int_equal(error, DECODE_OK);
        if (play.message.type == type) {
            return &play.message;
        }
    }
}

static void answer(const Message *message)
{
    const Status status = codec_encode(message, &play.buffer);
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.message);
    }
    assert_int_equal(
        router_send(play.router, play.peer, play.buffer.bytes, (int)play.buffer.length),
        TRANSPORT_OK);
}

/* ... and asks for a sign of life so often. */
static void welcome_with(int heartbeat_ms, int lease_ms)
{
    answer(&(Message){.type = MESSAGE_WELCOME,
                      .welcome = {.epoch = {EPOCH},
                                  .worker = {3},
                                  .heartbeat = duration_ms(heartbeat_ms),
                                  .lease = duration_ms(lease_ms)}});
}

static void welcome(void)
{
    welcome_with(HEARTBEAT_MS, LEASE_MS);
}

static void let_join(void)
{
    (void)expect(MESSAGE_HELLO);
    welcome();
}

static JobId job_id(uint32_t job)
{
    return (JobId){
        .epoch = {EPOCH}, .session = {1}, .search = {1}, .job = job, .attempt = job > 0 ? 1 : 0};
}

/* All moves of the initial position. */
static void send_job(uint32_t number, int depth)
{
    Message message = {.type = MESSAGE_JOB};
    MessageJob *job = &message.job;
    const Position position = given_position(FEN_START);
    MoveList list;
    movegen_all(&position, &list);
    *job = (MessageJob){
        .id = job_id(number),
        .depth = depth,
        .alpha = -SCORE_INFINITE,
        .beta = SCORE_INFINITE,
        .is_eldest = true,
        .move_count = list.count,
    };
    (void)snprintf(job->position.fen, sizeof job->position.fen, "%s", FEN_START);
    for (int i = 0; i < list.count; i++) {
        job->moves[i] = list.moves[i];
        job->numbers[i] = (uint8_t)(i + 1);
    }
    answer(&message);
}

/* ---- tests ---- */

static void it_introduces_itself_and_works(void)
{
    Identity identity;
    const Status status = identity_measure(&identity);
    assert_true(status_is_ok(&status));
    const MessageHello hello = expect(MESSAGE_HELLO)->hello;
    assert_int_equal(hello.protocol_version, PROTOCOL_VERSION);
    assert_string_equal(hello.name, "lab-1");
    assert_int_equal(hello.slots, SLOTS);
    assert_int_equal(hello.hash_mb, 2);
    assert_true(hello.search_identity == identity.value);
    assert_in_range(hello.nodes_per_second, 1000, 100000000);
    welcome();

    send_job(1, 5);
    const MessageImproved improved = expect(MESSAGE_IMPROVED)->improved;
    const JobId id = job_id(1);
    assert_true(job_id_equal(&improved.id, &id));
    const MessageResult result = expect(MESSAGE_RESULT)->result;
    assert_true(job_id_equal(&result.id, &id));
    assert_true(result.is_complete);
    assert_int_equal(result.cost_count, 20);
    const Position start = given_position(FEN_START);
    assert_true(result.line.length > 0);
    assert_true(given_line_is_legal(&start, &result.line, NULL));
    assert_int_equal(result.line.score, result.score);
}

static void it_works_within_the_process(void **state)
{
    (void)state;
    begin("inproc://test-worker");
    it_introduces_itself_and_works();
    stop_worker();
    assert_int_equal(expect(MESSAGE_BYE)->bye.worker.value, 3);
    join_worker();
    router_destroy(&play.router);
}

static void it_works_over_loopback(void **state)
{
    (void)state;
    begin_on_loopback();
    it_introduces_itself_and_works();
    stop_worker();
    assert_int_equal(expect(MESSAGE_BYE)->bye.worker.value, 3);
    join_worker();
    router_destroy(&play.router);
}

/* The heartbeat that answers; well before the next one is due by itself. */
static const MessageHeartbeat *ping(uint64_t number)
{
    answer(&(Message){.type = MESSAGE_PING, .ping.number = number});
    const MessageHeartbeat *heartbeat = &expect(MESSAGE_HEARTBEAT)->heartbeat;
    while (heartbeat->last_ping != number) {
        heartbeat = &expect(MESSAGE_HEARTBEAT)->heartbeat;
    }
    return heartbeat;
}

static void it_obeys_while_it_searches(void **state)
{
    (void)state;
    enum { SELDOM_MS = 20000 }; /* so that what comes is the answer to a PING */
    begin("inproc://test-worker");
    (void)expect(MESSAGE_HELLO);
    welcome_with(SELDOM_MS, 3 * SELDOM_MS);
    send_job(1, 60);
    send_job(2, 60);
    send_job(3, 60);

    const MessageHeartbeat *heartbeat = ping(99);
    while (heartbeat->busy_count != 3 || heartbeat->busy[0].nodes == 0 ||
           heartbeat->busy[1].nodes == 0) {
        heartbeat = ping(heartbeat->last_ping + 1);
    }
    assert_true(heartbeat->nodes_total >= heartbeat->busy[0].nodes + heartbeat->busy[1].nodes);

    const Instant cancelled = clock_now();
    answer(&(Message){.type = MESSAGE_CANCEL, .cancel.id = job_id(0)});
    bool seen[4] = {false};
    for (int i = 0; i < 3; i++) {
        const MessageResult *result = &expect(MESSAGE_RESULT)->result;
        assert_false(result->is_complete);
        assert_in_range(result->id.job, 1, 3);
        assert_false(seen[result->id.job]);
        seen[result->id.job] = true;
    }
    assert_in_range(instant_since(clock_now(), cancelled).us, 0, 1000000);

    answer(&(Message){.type = MESSAGE_NEW_GAME, .new_game.session = {1}});
    send_job(4, 3);
    assert_true(expect(MESSAGE_RESULT)->result.is_complete);
    stop_worker();
    (void)expect(MESSAGE_BYE);
    join_worker();
    router_destroy(&play.router);
}

static void junk_from_the_master_is_dropped(void **state)
{
    (void)state;
    begin("inproc://test-worker");
    let_join();
    assert_int_equal(router_send(play.router, play.peer, "\xC1junk", 5), TRANSPORT_OK);
    send_job(1, 2);
    assert_true(expect(MESSAGE_RESULT)->result.is_complete);
    stop_worker();
    (void)expect(MESSAGE_BYE);
    join_worker();
    router_destroy(&play.router);
}

static void it_serves_a_restarted_master(void **state)
{
    (void)state;
    begin_on_loopback();
    let_join();
    send_job(1, 60);
    (void)expect(MESSAGE_HEARTBEAT);
    router_destroy(&play.router);
    clock_sleep(duration_ms(300));

    open_master();
    const Instant start = clock_now();
    let_join();
    assert_in_range(instant_since(clock_now(), start).us, 0, 1000000);
    send_job(2, 4);
    const MessageResult *result = &expect(MESSAGE_RESULT)->result;
    assert_int_equal(result->id.job, 2);
    assert_true(result->is_complete);
    stop_worker();
    (void)expect(MESSAGE_BYE);
    join_worker();
    router_destroy(&play.router);
}

static void it_leaves_a_master_that_is_silent(void **state)
{
    (void)state;
    begin_on_loopback();
    let_join();
    const uint64_t first = play.peer;
    const Instant start = clock_now();
    (void)expect(MESSAGE_HELLO);
    assert_true(play.peer != first);
    assert_in_range(instant_since(clock_now(), start).us, (LEASE_MS - 100) * 1000,
                    (LEASE_MS + 1000) * 1000);
    stop_worker();
    join_worker();
    router_destroy(&play.router);
}

static void it_waits_for_a_master_and_ends_when_told(void **state)
{
    (void)state;
    (void)snprintf(play.address, sizeof play.address, "tcp://127.0.0.1:%d",
                   10000 + (int)getpid() % 20000);
    start_worker();
    clock_sleep(duration_ms(300));
    open_master();
    let_join();
    router_destroy(&play.router);
    stop_worker();
    join_worker();
}

static void a_bad_address_is_an_error(void **state)
{
    (void)state;
    const WorkerOptions options = {.master = "tcp://192.0.2.1:5570",
                                   .name = "lab-1",
                                   .slots = 1,
                                   .hash_mb = 1,
                                   .retry_first_ms = 1,
                                   .retry_last_ms = 1,
                                   .stop_descriptor = -1};
    const Status status = worker_run(&options);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_non_null(strstr(status.message, "insecure = true"));
}

static void the_program_explains_itself(void **state)
{
    (void)state;
    const char *program = ROOKERY_BIN_DIR "/rookery-worker";
    static ProgramResult result;
    if (access(program, X_OK) != 0) {
        print_message("skipped: %s is not built\n", program);
        skip();
    }
    program_run(&result, "%s --help", program);
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "usage: rookery-worker");
    program_run(&result, "%s --version", program);
    program_expect_output(&result, "rookery-worker 0.");
    program_run(&result, "%s --slots 0 2>&1", program);
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "--slots");
    program_run(&result, "%s --master tcp://192.0.2.1:5570 2>&1", program);
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "insecure = true");
    program_run(&result, "%s --name 'a b' 2>&1", program);
    assert_int_equal(result.exit_code, 2);
    program_run(&result, "%s nonsense 2>&1", program);
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "nonsense");
    program_run(&result, "%s --config /does/not/exist.toml 2>&1", program);
    assert_int_equal(result.exit_code, 1);
    program_expect_output(&result, "/does/not/exist.toml");
    program_run(&result,
                "timeout --preserve-status 1 %s --slots 1 --hash 1 --master tcp://127.0.0.1:%d "
                "2>&1",
                program, 10000 + (int)getpid() % 20000);
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "1 slot, 1 MiB; connecting to tcp://127.0.0.1:");
}

static void a_table_beyond_memory_is_halved(void **state)
{
    (void)state;
    const char *program = ROOKERY_BIN_DIR "/rookery-worker";
    static ProgramResult result;
    if (access(program, X_OK) != 0 || process_slowdown() > 1) {
        print_message("skipped: %s is not built, or has sanitizers\n", program);
        skip();
    }
    program_run(&result,
                "ulimit -v 1000000; timeout --preserve-status 4 %s --slots 1 --hash 16384 "
                "--master tcp://127.0.0.1:%d 2>&1",
                program, 10000 + (int)getpid() % 20000);
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "no memory for a table of 16384 MiB: it has 512 MiB");
    program_expect_output(&result, "1 slot, 512 MiB; connecting to tcp://127.0.0.1:");
}

int main(void)
{
    given_tables();
    transport_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_works_within_the_process),
        cmocka_unit_test(it_works_over_loopback),
        cmocka_unit_test(it_obeys_while_it_searches),
        cmocka_unit_test(junk_from_the_master_is_dropped),
        cmocka_unit_test(it_serves_a_restarted_master),
        cmocka_unit_test(it_leaves_a_master_that_is_silent),
        cmocka_unit_test(it_waits_for_a_master_and_ends_when_told),
        cmocka_unit_test(a_bad_address_is_an_error),
        cmocka_unit_test(the_program_explains_itself),
        cmocka_unit_test(a_table_beyond_memory_is_halved),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    transport_shutdown();
    return failed;
}
