/*
 * The whole master on a thread, between dealers that the test plays: what it does about bytes that
 * are no message, and what it writes of all this.
 */
#include "master/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "chess/attacks.h"
#include "codec/codec.h"
#include "os/clock.h"
#include "transport/dealer.h"
#include "worker/eval/eval.h"
#include "worker/search/identity.h"

enum {
    WAIT_MS = 10000,
    SILENCE_MS = 300, /* without an answer: there will be none */
    OFFENCES_MAX = 8, /* then a peer is ignored */
};

static const char address[] = "inproc://test-server";

/* The master on its thread. */
typedef struct {
    pthread_t thread;
    int stop;        /* eventfd */
    int ready;       /* eventfd: the address is bound, or it failed */
    bool is_running; /* the thread */
    Status result;   /* of server_new */
    FILE *lines;     /* what the log has written */
    Log log;         /* of the master */
} Play;

static Play play;
static CodecBuffer buffer;
static Message message;

static void *run_master(void *context)
{
    (void)context;
    const Config config = config_default();
    const ServerOptions options = {
        .address = address, .network = &config.network, .log = &play.log};
    Server *server;
    play.result = server_new(&options, &server);
    (void)eventfd_write(play.ready, 1);
    if (status_is_ok(&play.result)) {
        server_run(server, play.stop);
        server_destroy(&server);
    }
    return NULL;
}

static int start(void **state)
{
    (void)state;
    eventfd_t ready;
    play.stop = eventfd(0, 0);
    play.ready = eventfd(0, 0);
    play.lines = tmpfile();
    assert_non_null(play.lines);
    log_init(&play.log, "test", LOG_INFO, fileno(play.lines));
    assert_int_equal(pthread_create(&play.thread, NULL, run_master, NULL), 0);
    play.is_running = true;
    assert_int_equal(eventfd_read(play.ready, &ready), 0);
    assert_true(status_is_ok(&play.result));
    return 0;
}

static void stop(void)
{
    assert_int_equal(eventfd_write(play.stop, 1), 0);
    assert_int_equal(pthread_join(play.thread, NULL), 0);
    play.is_running = false;
}

static int end(void **state)
{
    (void)state;
    if (play.is_running) {
        stop();
    }
    log_destroy(&play.log);
    (void)fclose(play.lines);
    (void)close(play.stop);
    (void)close(play.ready);
    return 0;
}

/* How many lines with this in them the master has written, once it has been stopped. */
static int count_lines(const char *text)
{
    char line[LOG_LINE_BYTES_MAX + 1];
    int count = 0;
    rewind(play.lines);
    while (fgets(line, sizeof line, play.lines) != NULL) {
        count += strstr(line, text) != NULL;
    }
    return count;
}

static Dealer *new_peer(void)
{
    const DealerOptions options = {
        .address = address, .queue_max = 100, .retry_first_ms = 10, .retry_last_ms = 10};
    Dealer *peer;
    Status status = dealer_new(&options, &peer);
    assert_true(status_is_ok(&status));
    status = dealer_open(peer);
    assert_true(status_is_ok(&status));
    return peer;
}

static void send_bytes(Dealer *peer, const void *bytes, int length)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(WAIT_MS));
    while (dealer_send(peer, bytes, length) != TRANSPORT_OK) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_ms(1));
    }
}

static void send_message(Dealer *peer, const Message *sent)
{
    const Status status = codec_encode(sent, &buffer);
    assert_true(status_is_ok(&status));
    send_bytes(peer, buffer.bytes, (int)buffer.length);
}

static void send_open(Dealer *peer)
{
    send_message(peer, &(Message){.type = MESSAGE_OPEN,
                                  .open = {.protocol_version = PROTOCOL_VERSION, .name = "test"}});
}

static void send_junk(Dealer *peer, int count)
{
    for (int i = 0; i < count; i++) {
        send_bytes(peer, "\xC1junk", 5);
    }
}

/* Whether a message of this type comes within the time; others are passed over. */
static bool hears(Dealer *peer, MessageType type, int milliseconds)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(milliseconds));
    PollerItem item = {.dealer = peer, .descriptor = -1};
    TransportMessage bytes;
    while (instant_is_before(clock_now(), deadline)) {
        while (dealer_receive(peer, &bytes)) {
            assert_int_equal(codec_decode(bytes.bytes, (size_t)bytes.length, &message), DECODE_OK);
            if (message.type == type) {
                return true;
            }
        }
        poller_wait(&item, 1, deadline);
    }
    return false;
}

/* Now and then somebody sends junk; who does it again and again is not listened to. */
static void junk_is_dropped_and_who_sends_much_is_ignored(void **state)
{
    (void)state;
    Dealer *innocent = new_peer();
    Dealer *clumsy = new_peer();
    Dealer *hostile = new_peer();
    send_open(innocent);
    assert_true(hears(innocent, MESSAGE_OPENED, WAIT_MS));

    send_bytes(innocent, "\x92", 1);
    send_junk(clumsy, OFFENCES_MAX - 1);
    send_open(clumsy);
    assert_true(hears(clumsy, MESSAGE_OPENED, WAIT_MS));
    send_junk(hostile, OFFENCES_MAX);
    send_open(hostile);
    assert_false(hears(hostile, MESSAGE_OPENED, SILENCE_MS));

    send_junk(clumsy, 1); /* the last straw, in the middle of a session */
    send_message(clumsy, &(Message){.type = MESSAGE_PING, .ping.number = 1});
    assert_false(hears(clumsy, MESSAGE_PONG, SILENCE_MS));
    send_message(innocent, &(Message){.type = MESSAGE_PING, .ping.number = 2});
    assert_true(hears(innocent, MESSAGE_PONG, WAIT_MS));
    assert_int_equal(message.ping.number, 2);
    dealer_destroy(&innocent);
    dealer_destroy(&clumsy);
    dealer_destroy(&hostile);
    stop();
    assert_int_equal(count_lines("no message: BAD_MSGPACK 16x"), 1);
    assert_int_equal(count_lines("no message: TRUNCATED 1x"), 1);
    assert_int_equal(count_lines("no message: "), 2);
}

static void send_hello(Dealer *peer, uint64_t identity)
{
    send_message(peer, &(Message){.type = MESSAGE_HELLO,
                                  .hello = {.protocol_version = PROTOCOL_VERSION,
                                            .search_identity = identity,
                                            .build = "test",
                                            .name = "test",
                                            .slots = 1,
                                            .nodes_per_second = 1000000}});
}

/* One that opens sessions in a loop does not fill the disk, nor hide who comes and goes. */
static void no_peer_makes_the_log_grow_without_end(void **state)
{
    (void)state;
    enum { OPENS = 700, LINES_MAX = 1000, REST_MAX = 50, WORKERS = 64 };
    Dealer *hostile = new_peer();
    for (int i = 0; i < OPENS; i++) {
        send_open(hostile);
        assert_true(hears(hostile, MESSAGE_OPENED, WAIT_MS));
    }
    Identity identity;
    const Status status = identity_measure(&identity);
    assert_true(status_is_ok(&status));
    Dealer *workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = new_peer();
        send_hello(workers[i], identity.value);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_true(hears(workers[i], MESSAGE_WELCOME, WAIT_MS));
        dealer_destroy(&workers[i]);
    }
    dealer_destroy(&hostile);
    stop();
    assert_in_range(count_lines(" session "), LINES_MAX, LINES_MAX + REST_MAX);
    assert_int_equal(count_lines(" joined with "), WORKERS);
}

int main(void)
{
    attacks_init(SLIDER_AUTO);
    eval_init();
    transport_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(junk_is_dropped_and_who_sends_much_is_ignored, start, end),
        cmocka_unit_test_setup_teardown(no_peer_makes_the_log_grow_without_end, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
