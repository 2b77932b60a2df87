/*
 * The engine child's connection: made, given up after a lease of silence, made anew, and kept where
 * the silence is this process's own.
 */
#include "uci_bridge/core/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { START_MS = 5000, LEASE_MS = 1500, FIRST_MS = 100, LAST_MS = 800 };

typedef struct {
    Link link;
    Instant now;
} Play;

static Play begin(void)
{
    Play play = {.now = {.us = START_MS * 1000}};
    const LinkConfig config = {
        .lease = duration_ms(LEASE_MS),
        .retry_first = duration_ms(FIRST_MS),
        .retry_last = duration_ms(LAST_MS),
        .seed = 1,
    };
    link_init(&play.link, &config, play.now);
    return play;
}

static LinkAction tick(Play *play)
{
    const LinkEvent event = {.type = LINK_TICK, .now = play->now};
    return link_step(&play->link, &event);
}

static LinkAction receive(Play *play, LinkEventType from, MessageType type)
{
    static Message message;
    message.type = type;
    const LinkEvent event = {.type = from, .now = play->now, .message = &message};
    return link_step(&play->link, &event);
}

static Play begin_connected(void)
{
    Play play = begin();
    assert_int_equal(tick(&play), LINK_CONNECT);
    return play;
}

/* Ticks whenever one is due until something is to be done, or for so long. */
static LinkAction run(Play *play, int milliseconds)
{
    const Instant end = instant_add(play->now, duration_ms(milliseconds));
    LinkAction action = LINK_NOTHING;
    while (action == LINK_NOTHING && !instant_is_before(end, link_next_tick(&play->link))) {
        assert_true(instant_is_before(play->now, link_next_tick(&play->link)));
        play->now = link_next_tick(&play->link);
        action = tick(play);
    }
    if (action == LINK_NOTHING) {
        play->now = end;
    }
    return action;
}

/* The process stands still. */
static void stop_for(Play *play, int milliseconds)
{
    play->now = instant_add(play->now, duration_ms(milliseconds));
}

static void test_it_connects_at_once_and_passes_on(void **state)
{
    (void)state;
    Play play = begin();
    assert_int_equal(receive(&play, LINK_FROM_PARENT, MESSAGE_OPEN), LINK_NOTHING);
    assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_STATUS), LINK_NOTHING);
    assert_int_equal(link_next_tick(&play.link).us, play.now.us);
    assert_int_equal(tick(&play), LINK_CONNECT);
    assert_int_equal(tick(&play), LINK_NOTHING);
    assert_int_equal(receive(&play, LINK_FROM_PARENT, MESSAGE_OPEN), LINK_PASS_ON);
    assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_OPENED), LINK_PASS_ON);
}

static void test_a_silent_master_is_given_up(void **state)
{
    (void)state;
    Play play = begin_connected();
    const Instant connected = play.now;
    assert_int_equal(run(&play, 2 * LEASE_MS), LINK_DISCONNECT);
    assert_int_equal(instant_since(play.now, connected).us, LEASE_MS * 1000);
    assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_STATUS), LINK_NOTHING);
    assert_int_equal(run(&play, 2 * FIRST_MS), LINK_CONNECT);
}

static void test_any_message_is_a_sign_of_life(void **state)
{
    (void)state;
    Play play = begin_connected();
    for (int i = 0; i < 10; i++) {
        assert_int_equal(run(&play, LEASE_MS - 1), LINK_NOTHING);
        assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_PONG), LINK_PASS_ON);
    }
    assert_int_equal(run(&play, LEASE_MS - 1), LINK_NOTHING);
    assert_int_equal(receive(&play, LINK_FROM_PARENT, MESSAGE_PING), LINK_PASS_ON);
    assert_int_equal(run(&play, 1), LINK_DISCONNECT); /* the parent's are none */
}

/* Pauses grow until a session has begun. */
static void test_pauses_grow(void **state)
{
    (void)state;
    Play play = begin_connected();
    Instant given_up = play.now;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(run(&play, LEASE_MS), LINK_DISCONNECT);
        given_up = play.now;
        assert_int_equal(run(&play, 2 * LAST_MS), LINK_CONNECT);
    }
    assert_in_range(instant_since(play.now, given_up).us, LAST_MS * 500, LAST_MS * 1500);
    assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_OPENED), LINK_PASS_ON);
    assert_int_equal(run(&play, LEASE_MS), LINK_DISCONNECT);
    given_up = play.now;
    assert_int_equal(run(&play, 2 * LAST_MS), LINK_CONNECT);
    assert_in_range(instant_since(play.now, given_up).us, FIRST_MS * 500, FIRST_MS * 1500);
}

/* The master's signs of life may wait unread; without any, it is given up a lease later. */
static void test_it_listens_after_it_stood_still(void **state)
{
    (void)state;
    static const int stops_ms[] = {LEASE_MS, LEASE_MS + LEASE_MS / 4, 10 * LEASE_MS};
    for (unsigned i = 0; i < sizeof stops_ms / sizeof stops_ms[0]; i++) {
        Play play = begin_connected();
        stop_for(&play, stops_ms[i]);
        assert_int_equal(tick(&play), LINK_NOTHING);
        assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_PONG), LINK_PASS_ON);
        assert_int_equal(run(&play, LEASE_MS - 1), LINK_NOTHING);

        assert_int_equal(receive(&play, LINK_FROM_MASTER, MESSAGE_PONG), LINK_PASS_ON);
        stop_for(&play, stops_ms[i]);
        assert_int_equal(receive(&play, LINK_FROM_PARENT, MESSAGE_PING), LINK_PASS_ON);
        const Instant awake = play.now;
        assert_int_equal(run(&play, 2 * LEASE_MS), LINK_DISCONNECT);
        assert_int_equal(instant_since(play.now, awake).us, LEASE_MS * 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_connects_at_once_and_passes_on),
        cmocka_unit_test(test_a_silent_master_is_given_up),
        cmocka_unit_test(test_any_message_is_a_sign_of_life),
        cmocka_unit_test(test_pauses_grow),
        cmocka_unit_test(test_it_listens_after_it_stood_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
