/*
 * Router and Dealer over loopback and inproc: messages both ways, peers that go, stop, send junk or
 * come back, addresses that are refused, and the poller.
 */
#include "transport/poller.h"
#include "transport/transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <czmq.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/clock.h"

enum { WAIT_MS = 5000, QUEUE = 1000 };

/* A port that no other test of a parallel run uses: derived from the process, below 32768. */
static const char *loopback(void)
{
    static char address[64];
    (void)snprintf(address, sizeof address, "tcp://127.0.0.1:%d", 10000 + (int)getpid() % 20000);
    return address;
}

static Router *router_at(const char *address)
{
    const RouterOptions options = {.address = address, .queue_max = QUEUE};
    Router *router = NULL;
    const Status status = router_new(&options, &router);
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.message);
    }
    return router;
}

static Dealer *dealer_to(const char *address)
{
    const DealerOptions options = {
        .address = address, .queue_max = QUEUE, .retry_first_ms = 10, .retry_last_ms = 50};
    Dealer *dealer = NULL;
    Status status = dealer_new(&options, &dealer);
    assert_true(status_is_ok(&status));
    status = dealer_open(dealer);
    assert_true(status_is_ok(&status));
    return dealer;
}

static Instant soon(void)
{
    return instant_add(clock_now(), duration_ms(WAIT_MS));
}

/* Sends as soon as there is a connection. */
static void send_when_connected(Dealer *dealer, const char *text)
{
    const Instant deadline = soon();
    while (dealer_send(dealer, text, (int)strlen(text)) != TRANSPORT_OK) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_ms(1));
    }
}

static uint64_t expect_at_router(Router *router, const char *text)
{
    PollerItem item = {.router = router};
    uint64_t peer = 0;
    TransportMessage message = {.length = 0};
    const Instant deadline = soon();
    while (!router_receive(router, &peer, &message)) {
        assert_true(instant_is_before(clock_now(), deadline));
        poller_wait(&item, 1, deadline);
    }
    assert_int_equal(message.length, strlen(text));
    assert_memory_equal(message.bytes, text, strlen(text));
    assert_true(peer != 0);
    return peer;
}

static void expect_at_dealer(Dealer *dealer, const char *text)
{
    PollerItem item = {.dealer = dealer};
    TransportMessage message = {.length = 0};
    const Instant deadline = soon();
    while (!dealer_receive(dealer, &message)) {
        assert_true(instant_is_before(clock_now(), deadline));
        poller_wait(&item, 1, deadline);
    }
    assert_int_equal(message.length, strlen(text));
    assert_memory_equal(message.bytes, text, strlen(text));
}

static void talk(const char *address)
{
    Router *router = router_at(address);
    Dealer *first = dealer_to(address);
    Dealer *second = dealer_to(address);

    send_when_connected(first, "one");
    const uint64_t first_peer = expect_at_router(router, "one");
    send_when_connected(second, "two");
    const uint64_t second_peer = expect_at_router(router, "two");
    assert_true(first_peer != second_peer);

    assert_int_equal(router_send(router, second_peer, "to two", 6), TRANSPORT_OK);
    assert_int_equal(router_send(router, first_peer, "to one", 6), TRANSPORT_OK);
    expect_at_dealer(first, "to one");
    expect_at_dealer(second, "to two");

    send_when_connected(first, "again");
    assert_true(expect_at_router(router, "again") == first_peer);

    dealer_destroy(&first);
    assert_null(first);
    dealer_destroy(&second);
    router_destroy(&router);
    assert_null(router);
}

static void messages_go_both_ways_over_loopback(void **state)
{
    (void)state;
    talk(loopback());
}

static void messages_go_both_ways_within_the_process(void **state)
{
    (void)state;
    talk("inproc://test-talk");
}

static void the_longest_message_passes(void **state)
{
    (void)state;
    static uint8_t bytes[TRANSPORT_MESSAGE_BYTES_MAX];
    memset(bytes, 0xA5, sizeof bytes);
    Router *router = router_at(loopback());
    Dealer *dealer = dealer_to(loopback());
    send_when_connected(dealer, "here");
    const uint64_t peer = expect_at_router(router, "here");
    assert_int_equal(router_send(router, peer, bytes, sizeof bytes), TRANSPORT_OK);

    PollerItem item = {.dealer = dealer};
    poller_wait(&item, 1, soon());
    assert_true(item.is_readable);
    TransportMessage message;
    assert_true(dealer_receive(dealer, &message));
    assert_int_equal(message.length, sizeof bytes);
    assert_memory_equal(message.bytes, bytes, sizeof bytes);
    dealer_destroy(&dealer);
    router_destroy(&router);
}

/* Sends to `peer` until the result is `wanted`; fails when it never comes. */
static void send_until(Router *router, uint64_t peer, TransportResult wanted)
{
    static const uint8_t bytes[4096];
    const Instant deadline = soon();
    while (router_send(router, peer, bytes, sizeof bytes) != wanted) {
        assert_true(instant_is_before(clock_now(), deadline));
        if (wanted == TRANSPORT_PEER_GONE) {
            clock_sleep(
                duration_ms(1)); /* a queue that fills before the end is noticed stays full */
        }
    }
}

static void sends_to_a_peer_that_went_fail(void **state)
{
    (void)state;
    static const char *const addresses[] = {NULL, "inproc://test-gone"};
    for (int i = 0; i < 2; i++) {
        const char *address = addresses[i] != NULL ? addresses[i] : loopback();
        Router *router = router_at(address);
        Dealer *dealer = dealer_to(address);
        send_when_connected(dealer, "here");
        const uint64_t peer = expect_at_router(router, "here");
        dealer_destroy(&dealer);
        send_until(router, peer, TRANSPORT_PEER_GONE);
        assert_int_equal(router_send(router, 12345, "x", 1), TRANSPORT_PEER_GONE);
        router_destroy(&router);
    }
}

static void sends_to_a_peer_that_reads_nothing_end(void **state)
{
    (void)state;
    static const char *const addresses[] = {NULL, "inproc://test-full"};
    for (int i = 0; i < 2; i++) {
        const char *address = addresses[i] != NULL ? addresses[i] : loopback();
        Router *router = router_at(address);
        Dealer *stopped = dealer_to(address);
        Dealer *other = dealer_to(address);
        send_when_connected(stopped, "here");
        const uint64_t peer = expect_at_router(router, "here");
        send_when_connected(other, "there");
        const uint64_t other_peer = expect_at_router(router, "there");

        send_until(router, peer, TRANSPORT_PEER_FULL);
        assert_int_equal(router_send(router, other_peer, "free", 4), TRANSPORT_OK);
        expect_at_dealer(other, "free");

        /* Once it reads again, it can be sent to again. */
        TransportMessage message;
        const Instant deadline = soon();
        while (router_send(router, peer, "more", 4) != TRANSPORT_OK) {
            assert_true(instant_is_before(clock_now(), deadline));
            (void)dealer_receive(stopped, &message);
        }
        dealer_destroy(&stopped);
        dealer_destroy(&other);
        router_destroy(&router);
    }
}

static void a_dealer_keeps_nothing_for_a_router_that_is_not_there(void **state)
{
    (void)state;
    Dealer *dealer = dealer_to(loopback());
    clock_sleep(duration_ms(30));
    assert_int_equal(dealer_send(dealer, "lost", 4), TRANSPORT_PEER_FULL);

    Router *router = router_at(loopback());
    send_when_connected(dealer, "arrives");
    const uint64_t before = expect_at_router(router, "arrives");

    dealer_close(dealer);
    assert_int_equal(dealer_send(dealer, "lost", 4), TRANSPORT_PEER_GONE);
    const Status status = dealer_open(dealer);
    assert_true(status_is_ok(&status));
    send_when_connected(dealer, "new");
    assert_true(expect_at_router(router, "new") != before);
    dealer_destroy(&dealer);
    router_destroy(&router);
}

static void a_dealer_finds_a_restarted_router(void **state)
{
    (void)state;
    Router *router = router_at(loopback());
    Dealer *dealer = dealer_to(loopback());
    send_when_connected(dealer, "first life");
    (void)expect_at_router(router, "first life");
    router_destroy(&router);

    /* Until the dealer has seen the end, it may take messages that nobody gets. */
    const Instant deadline = soon();
    while (dealer_send(dealer, "lost", 4) == TRANSPORT_OK) {
        assert_true(instant_is_before(clock_now(), deadline));
        clock_sleep(duration_ms(1));
    }
    router = router_at(loopback());
    const Instant start = clock_now();
    send_when_connected(dealer, "second life");
    const uint64_t peer = expect_at_router(router, "second life");
    assert_in_range(instant_since(clock_now(), start).us, 0, 1000000);
    assert_int_equal(router_send(router, peer, "yes", 3), TRANSPORT_OK);
    expect_at_dealer(dealer, "yes");
    dealer_destroy(&dealer);
    router_destroy(&router);
}

/* A plain connection to the test's port. */
static int connect_raw(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)(10000 + getpid() % 20000));
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    return descriptor;
}

static void junk_on_the_port_is_ignored(void **state)
{
    (void)state;
    Router *router = router_at(loopback());
    Dealer *dealer = dealer_to(loopback());
    send_when_connected(dealer, "before");
    const uint64_t peer = expect_at_router(router, "before");

    static const char http[] = "GET / HTTP/1.1\r\nHost: rookery\r\n\r\n";
    static const uint8_t greeting[] = {0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0, 'X', 'X', 'X'};
    uint8_t noise[3000];
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (uint8_t)(i * 167 + 13);
    }
    const int strangers[] = {connect_raw(), connect_raw(), connect_raw(), connect_raw()};
    assert_int_equal(send(strangers[0], http, sizeof http, MSG_NOSIGNAL), sizeof http);
    assert_int_equal(send(strangers[1], greeting, sizeof greeting, MSG_NOSIGNAL), sizeof greeting);
    (void)send(strangers[2], noise, sizeof noise, MSG_NOSIGNAL);
    clock_sleep(duration_ms(50));

    assert_int_equal(router_send(router, peer, "still here", 10), TRANSPORT_OK);
    expect_at_dealer(dealer, "still here");
    send_when_connected(dealer, "so am I");
    assert_true(expect_at_router(router, "so am I") == peer);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(close(strangers[i]), 0);
    }
    dealer_destroy(&dealer);
    router_destroy(&router);
}

/* A peer that speaks ZMTP but not our way. */
static void messages_of_another_shape_are_dropped(void **state)
{
    (void)state;
    Router *router = router_at(loopback());
    zsock_t *odd = zsock_new(ZMQ_DEALER);
    zsock_t *named = zsock_new(ZMQ_DEALER);
    assert_non_null(odd);
    assert_non_null(named);
    zsock_set_identity(named, "chosen by myself");
    assert_int_equal(zsock_connect(odd, "%s", loopback()), 0);
    assert_int_equal(zsock_connect(named, "%s", loopback()), 0);

    void *handle = zsock_resolve(odd);
    assert_int_equal(zmq_send(handle, "", 0, 0), 0);
    assert_int_equal(zmq_send(handle, "two", 3, ZMQ_SNDMORE), 3);
    assert_int_equal(zmq_send(handle, "frames", 6, 0), 6);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(zmq_send(handle, "x", 1, ZMQ_SNDMORE), 1);
    }
    assert_int_equal(zmq_send(handle, "x", 1, 0), 1);
    assert_int_equal(zmq_send(zsock_resolve(named), "named", 5, 0), 5);
    assert_int_equal(zmq_send(handle, "proper", 6, 0), 6);
    (void)expect_at_router(router, "proper");

    const Instant deadline = soon();
    PollerItem item = {.router = router};
    uint64_t peer;
    TransportMessage message;
    while (router_dropped(router) < 4) {
        assert_true(instant_is_before(clock_now(), deadline));
        assert_false(router_receive(router, &peer, &message));
        poller_wait(&item, 1, instant_add(clock_now(), duration_ms(10)));
    }
    assert_int_equal(router_dropped(router), 4);
    zsock_destroy(&odd);
    zsock_destroy(&named);
    router_destroy(&router);
}

static void a_frame_that_is_too_long_ends_its_connection_only(void **state)
{
    (void)state;
    Router *router = router_at(loopback());
    Dealer *dealer = dealer_to(loopback());
    send_when_connected(dealer, "here");
    const uint64_t peer = expect_at_router(router, "here");

    zsock_t *odd = zsock_new(ZMQ_DEALER);
    assert_non_null(odd);
    zsock_set_linger(odd, 0);
    assert_int_equal(zsock_connect(odd, "%s", loopback()), 0);
    static const uint8_t bytes[TRANSPORT_MESSAGE_BYTES_MAX + 1];
    assert_int_equal(zmq_send(zsock_resolve(odd), bytes, sizeof bytes, 0), sizeof bytes);
    clock_sleep(duration_ms(30));
    uint64_t other;
    TransportMessage message;
    assert_false(router_receive(router, &other, &message));
    assert_int_equal(router_send(router, peer, "fine", 4), TRANSPORT_OK);
    expect_at_dealer(dealer, "fine");
    zsock_destroy(&odd);
    dealer_destroy(&dealer);
    router_destroy(&router);
}

static void expect_router_error(const char *address, StatusCode code, const char *part)
{
    const RouterOptions options = {.address = address, .queue_max = QUEUE};
    Router *router = NULL;
    const Status status = router_new(&options, &router);
    assert_null(router);
    assert_int_equal(status.code, code);
    if (strstr(status.message, part) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", part, status.message);
    }
}

static void bad_addresses_are_refused_with_a_reason(void **state)
{
    (void)state;
    Router *router = router_at(loopback());
    expect_router_error(loopback(), STATUS_UNAVAILABLE, "the address is in use");
    router_destroy(&router);
    expect_router_error("udp://127.0.0.1:1", STATUS_INVALID, "tcp://HOST:PORT");
    expect_router_error("inproc://", STATUS_INVALID, "tcp://HOST:PORT");
    expect_router_error("tcp://127.0.0.1:99999", STATUS_INVALID, "the port");
    expect_router_error("tcp://192.0.2.1:5570", STATUS_INVALID, "insecure = true");
    expect_router_error("tcp://*:5570", STATUS_INVALID, "insecure = true");

    const RouterOptions elsewhere = {
        .address = "tcp://192.0.2.1:5570", .insecure = true, .queue_max = QUEUE};
    Status status = router_new(&elsewhere, &router);
    assert_int_equal(status.code, STATUS_UNAVAILABLE);
    assert_non_null(strstr(status.message, "no such address"));

    const DealerOptions bad = {.address = "tcp://192.0.2.1:5570",
                               .queue_max = QUEUE,
                               .retry_first_ms = 10,
                               .retry_last_ms = 10};
    Dealer *dealer = NULL;
    status = dealer_new(&bad, &dealer);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_null(dealer);
}

static void localhost_can_be_bound(void **state)
{
    (void)state;
    char address[64];
    (void)snprintf(address, sizeof address, "tcp://localhost:%d", 10000 + (int)getpid() % 20000);
    talk(address);
}

static void a_port_is_free_again_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        talk(loopback());
    }
}

/* Within a process a connection is made once: one to a socket that is closing would be lost. */
static void a_destroyed_router_takes_no_connection_within_the_process(void **state)
{
    (void)state;
    static const char address[] = "inproc://test-again";
    for (int i = 0; i < 100; i++) {
        Router *before = router_at(address);
        router_destroy(&before);
        Dealer *dealer = dealer_to(address);
        Router *after = router_at(address);
        send_when_connected(dealer, "here");
        (void)expect_at_router(after, "here");
        dealer_destroy(&dealer);
        router_destroy(&after);
    }
}

static void the_poller_wakes_for_descriptors_and_the_deadline(void **state)
{
    (void)state;
    Router *router = router_at("inproc://test-poll");
    const int descriptor = eventfd(0, EFD_NONBLOCK);
    assert_true(descriptor >= 0);
    PollerItem items[] = {{.router = router}, {.descriptor = descriptor}, {.descriptor = -1}};

    const Instant start = clock_now();
    poller_wait(items, 3, instant_add(start, duration_ms(20)));
    const int64_t waited_us = instant_since(clock_now(), start).us;
    assert_in_range(waited_us, 20000, 2000000);
    assert_false(items[0].is_readable || items[1].is_readable || items[2].is_readable);
    poller_wait(items, 3, start);

    assert_int_equal(eventfd_write(descriptor, 1), 0);
    poller_wait(items, 3, soon());
    assert_false(items[0].is_readable);
    assert_true(items[1].is_readable);
    assert_false(items[1].is_writable);
    items[1].wants_write = true;
    poller_wait(items, 3, soon());
    assert_true(items[1].is_readable && items[1].is_writable);

    poller_wait(NULL, 0, instant_add(clock_now(), duration_ms(1)));
    assert_int_equal(close(descriptor), 0);
    router_destroy(&router);
}

static void do_nothing(int signal_number)
{
    (void)signal_number;
}

static void *interrupt(void *thread)
{
    clock_sleep(duration_ms(20));
    (void)pthread_kill(*(pthread_t *)thread, SIGUSR1);
    return NULL;
}

static void a_signal_does_not_end_the_wait(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = do_nothing};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    Router *router = router_at("inproc://test-signal");
    pthread_t self = pthread_self();
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, interrupt, &self), 0);
    PollerItem item = {.router = router};
    const Instant start = clock_now();
    poller_wait(&item, 1, instant_add(start, duration_ms(60)));
    assert_in_range(instant_since(clock_now(), start).us, 60000, 2000000);
    assert_int_equal(pthread_join(other, NULL), 0);
    router_destroy(&router);
}

int main(void)
{
    transport_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_go_both_ways_over_loopback),
        cmocka_unit_test(messages_go_both_ways_within_the_process),
        cmocka_unit_test(the_longest_message_passes),
        cmocka_unit_test(sends_to_a_peer_that_went_fail),
        cmocka_unit_test(sends_to_a_peer_that_reads_nothing_end),
        cmocka_unit_test(a_dealer_keeps_nothing_for_a_router_that_is_not_there),
        cmocka_unit_test(a_dealer_finds_a_restarted_router),
        cmocka_unit_test(junk_on_the_port_is_ignored),
        cmocka_unit_test(messages_of_another_shape_are_dropped),
        cmocka_unit_test(a_frame_that_is_too_long_ends_its_connection_only),
        cmocka_unit_test(bad_addresses_are_refused_with_a_reason),
        cmocka_unit_test(localhost_can_be_bound),
        cmocka_unit_test(a_port_is_free_again_at_once),
        cmocka_unit_test(a_destroyed_router_takes_no_connection_within_the_process),
        cmocka_unit_test(the_poller_wakes_for_descriptors_and_the_deadline),
        cmocka_unit_test(a_signal_does_not_end_the_wait),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    transport_shutdown();
    return failed;
}
