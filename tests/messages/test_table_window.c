/*
 * TableWindow: a link that keeps pace gets all there is, a narrow one never has more than one
 * message under way for long.
 */
#include "messages/table_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FIRST = 16, LARGEST = 1024, HEARTBEAT_MS = 100 };

/* A window of a stay that begins at the clock's origin. */
static TableWindow opened(void)
{
    TableWindow window;
    table_window_open(&window, duration_ms(HEARTBEAT_MS));
    return window;
}

static Instant at_ms(int64_t milliseconds)
{
    return (Instant){.us = milliseconds * 1000};
}

/* Sends as much as it may; returns how much that is. */
static int fill(TableWindow *window, Instant now)
{
    int count = 0;
    while (table_window_take(window, now)) {
        count++;
    }
    return count;
}

static void test_a_new_one_lets_some_through(void **state)
{
    (void)state;
    TableWindow window = opened();
    assert_int_equal(fill(&window, at_ms(0)), FIRST);
    assert_int_equal(fill(&window, at_ms(1000)), 0);
    window = opened();
    assert_int_equal(fill(&window, at_ms(0)), FIRST);
}

static void test_it_is_crowded_while_much_is_kept(void **state)
{
    (void)state;
    TableWindow window = opened();
    assert_int_equal(fill(&window, at_ms(0)), FIRST); /* and one is kept */
    assert_false(table_window_is_crowded(&window));
    for (int i = 0; i < 16; i++) {
        assert_false(table_window_take(&window, at_ms(0)));
    }
    assert_true(table_window_is_crowded(&window));
    for (int i = 0; i < 64; i++) {
        table_window_heard(&window, window.sent, at_ms(1));
        assert_true(table_window_take(&window, at_ms(1)));
    }
    assert_false(table_window_is_crowded(&window));
}

static void test_it_grows_while_the_link_keeps_pace(void **state)
{
    (void)state;
    TableWindow window = opened();
    int64_t ms = 0;
    for (int size = FIRST; size < 8 * LARGEST; size *= 2) {
        const int expected = size < LARGEST ? size : LARGEST;
        assert_int_equal(fill(&window, at_ms(ms)), expected);
        ms += HEARTBEAT_MS + 5; /* a HEARD that waits for the heartbeat is in time, too */
        table_window_heard(&window, window.sent, at_ms(ms));
    }
}

/* One that has been too wide is tried out with care. */
static void test_it_grows_by_one_after_it_was_too_large(void **state)
{
    (void)state;
    TableWindow window = opened();
    assert_int_equal(fill(&window, at_ms(0)), FIRST);
    int64_t ms = 3 * HEARTBEAT_MS;
    table_window_heard(&window, FIRST, at_ms(ms));
    for (int size = FIRST / 2; size < FIRST; size++) {
        assert_int_equal(fill(&window, at_ms(ms)), size);
        table_window_heard(&window, window.sent, at_ms(++ms));
    }
}

/* Many at once are no sign of a narrow link, if word of them comes back at once. */
static void test_a_burst_does_not_shrink_it(void **state)
{
    (void)state;
    TableWindow window = opened();
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < FIRST; j++) {
            assert_true(table_window_take(&window, at_ms(10 * i)));
        }
        table_window_heard(&window, window.sent - TABLE_WINDOW_EACH, at_ms(10 * i + 1));
        assert_int_equal(window.size, FIRST); /* nor is there a reason for it to grow */
        table_window_heard(&window, window.sent, at_ms(10 * i + 2));
    }
}

/* Word that has to wait for a slow heartbeat, or comes from far away, is no sign of it either. */
static void test_a_long_way_does_not_shrink_it(void **state)
{
    (void)state;
    enum { WAY_MS = 200 };
    for (int heartbeat_ms = 10; heartbeat_ms <= 1000; heartbeat_ms *= 10) {
        const int64_t way_ms = heartbeat_ms > WAY_MS ? heartbeat_ms : WAY_MS;
        TableWindow window;
        table_window_open(&window, duration_ms(heartbeat_ms));
        for (int64_t i = 0; i < 3; i++) {
            assert_int_equal(fill(&window, at_ms(i * way_ms)), FIRST << i);
            table_window_heard(&window, window.sent, at_ms((i + 1) * way_ms));
        }
        (void)fill(&window, at_ms(3 * way_ms));
        table_window_heard(&window, window.sent, at_ms(4 * way_ms + 30));
        assert_int_equal(window.size, FIRST << 2); /* but this was longer than it need be */
    }
}

/* What is late while nothing is kept back cannot have been held up by TABLEs. */
static void test_a_large_enough_one_does_not_shrink(void **state)
{
    (void)state;
    TableWindow window = opened();
    for (int i = 0; i < 10; i++) {
        assert_true(table_window_take(&window, at_ms(1000 * i)));
        table_window_heard(&window, window.sent, at_ms(1000 * i + 400));
        assert_int_equal(window.size, FIRST);
    }
}

/* A link that takes `rate` in a heartbeat, filled with whatever may be sent. */
static void test_it_shrinks_to_what_the_link_takes(void **state)
{
    (void)state;
    for (uint64_t rate = 1; rate <= 64; rate *= 4) {
        TableWindow window = opened();
        uint64_t heard = 0;
        uint64_t under_way_most = 0;
        for (int i = 0; i < 1000; i++) {
            const int64_t ms = (int64_t)i * HEARTBEAT_MS;
            (void)fill(&window, at_ms(ms));
            const uint64_t under_way = window.sent - heard;
            under_way_most = i >= 500 && under_way > under_way_most ? under_way : under_way_most;
            heard += under_way < rate ? under_way : rate;
            table_window_heard(&window, heard, at_ms(ms + HEARTBEAT_MS));
        }
        assert_true(heard >= 900 * rate);        /* the link is hardly ever idle */
        assert_true(under_way_most <= 3 * rate); /* and its queue is short */
    }
}

/*
 * A link that takes a TABLE each `each_us`, filled with whatever may be sent, and word from its end
 * as the protocol has it. Afterwards nothing waits longer than a few take, and the link is at work.
 */
static void expect_a_short_queue(int64_t each_us)
{
    enum { ROUNDS = 4000, WAY_US = 200, QUEUE_US = 8000 };
    static int64_t arrivals[1 << 20];
    TableWindow window = opened();
    Instant now = at_ms(0);
    int64_t free_us = 0; /* when the link has taken all there is */
    int64_t queue_most_us = 0;
    uint64_t heard = 0;
    for (int i = 0; i < ROUNDS; i++) {
        while (table_window_take(&window, now)) {
            free_us = (free_us > now.us ? free_us : now.us) + each_us;
            assert_true(window.sent < sizeof arrivals / sizeof arrivals[0]);
            arrivals[window.sent] = free_us + WAY_US;
        }
        if (i >= ROUNDS / 2 && free_us - now.us > queue_most_us) {
            queue_most_us = free_us - now.us;
        }
        if (window.sent - heard >= TABLE_WINDOW_EACH) {
            heard += TABLE_WINDOW_EACH;
            now.us = arrivals[heard] + WAY_US;
        } else {
            const int64_t heartbeat_us = duration_ms(HEARTBEAT_MS).us;
            heard = window.sent;
            now.us = (arrivals[heard] / heartbeat_us + 1) * heartbeat_us;
        }
        table_window_heard(&window, heard, now);
    }
    assert_true(queue_most_us <= 2 * (QUEUE_US + TABLE_WINDOW_EACH * each_us));
    assert_true((int64_t)heard * each_us >= now.us * 4 / 5);
}

static void test_word_that_comes_at_once_keeps_the_queue_short(void **state)
{
    (void)state;
    expect_a_short_queue(50);
    expect_a_short_queue(300);
    expect_a_short_queue(1000);
    expect_a_short_queue(5000);
}

/* A far link whose way varies is not taken for a full one. */
static void test_a_far_link_may_vary(void **state)
{
    (void)state;
    enum { WAY_MS = 100, ROUNDS = 100 };
    TableWindow window = opened();
    int64_t ms = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t way_ms = WAY_MS + i % 4 * 10;
        (void)fill(&window, at_ms(ms));
        assert_true(window.size >= FIRST);
        ms += way_ms;
        table_window_heard(&window, window.heard + TABLE_WINDOW_EACH, at_ms(ms));
        table_window_heard(&window, window.heard + TABLE_WINDOW_EACH, at_ms(ms));
        table_window_heard(&window, window.sent, at_ms(ms));
    }
}

static void test_a_link_that_stands_still_gets_one_message(void **state)
{
    (void)state;
    TableWindow window = opened();
    (void)fill(&window, at_ms(0));
    int64_t ms = 0;
    for (int i = 0; i < 10; i++) {
        ms += 2 * HEARTBEAT_MS;
        table_window_heard(&window, 0, at_ms(ms));
        assert_int_equal(fill(&window, at_ms(ms)), 0);
    }
    /* All has come at last, and quickly: as at the first HEARD. */
    table_window_heard(&window, FIRST, at_ms(ms + 1));
    assert_int_equal(fill(&window, at_ms(ms + 1)), 2);
}

static void test_impossible_numbers_are_ignored(void **state)
{
    (void)state;
    TableWindow window = opened();
    (void)fill(&window, at_ms(0));
    table_window_heard(&window, FIRST + LARGEST + 1, at_ms(1));
    table_window_heard(&window, UINT64_MAX, at_ms(1));
    assert_int_equal(fill(&window, at_ms(1)), 0);
    table_window_heard(&window, 10, at_ms(1));
    const int more = fill(&window, at_ms(1));
    table_window_heard(&window, 9, at_ms(2));
    assert_int_equal(fill(&window, at_ms(2)), 0);
    assert_int_equal(window.sent, FIRST + more);
}

/* The other end began to count earlier: what it counts too many must not close the window. */
static void test_counts_from_before_are_taken_over(void **state)
{
    (void)state;
    TableWindow window = opened();
    enum { BEFORE = 3 };
    (void)fill(&window, at_ms(0));
    table_window_heard(&window, FIRST + BEFORE, at_ms(1));
    assert_true(fill(&window, at_ms(1)) > 0);
    const uint64_t sent = window.sent;
    table_window_heard(&window, sent, at_ms(2));
    assert_true(fill(&window, at_ms(2)) > 0);
}

static void test_what_came_is_told_once(void **state)
{
    (void)state;
    TableWindow window = opened();
    uint64_t count;
    assert_false(table_window_owes(&window, &count));
    assert_false(table_window_came(&window));
    assert_false(table_window_came(&window));
    assert_true(table_window_owes(&window, &count));
    assert_int_equal(count, 2);
    assert_false(table_window_owes(&window, &count));
    assert_false(table_window_came(&window));
    assert_true(table_window_owes(&window, &count));
    assert_int_equal(count, 3);
    window = opened();
    assert_false(table_window_owes(&window, &count));
}

static void test_several_that_came_are_to_be_told_at_once(void **state)
{
    (void)state;
    TableWindow window = opened();
    uint64_t count;
    for (int round = 0; round < 3; round++) {
        for (int i = 1; i < TABLE_WINDOW_EACH; i++) {
            assert_false(table_window_came(&window));
        }
        assert_true(table_window_came(&window));
        assert_true(table_window_owes(&window, &count));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_one_lets_some_through),
        cmocka_unit_test(test_it_is_crowded_while_much_is_kept),
        cmocka_unit_test(test_it_grows_while_the_link_keeps_pace),
        cmocka_unit_test(test_it_grows_by_one_after_it_was_too_large),
        cmocka_unit_test(test_a_burst_does_not_shrink_it),
        cmocka_unit_test(test_a_long_way_does_not_shrink_it),
        cmocka_unit_test(test_a_large_enough_one_does_not_shrink),
        cmocka_unit_test(test_it_shrinks_to_what_the_link_takes),
        cmocka_unit_test(test_word_that_comes_at_once_keeps_the_queue_short),
        cmocka_unit_test(test_a_far_link_may_vary),
        cmocka_unit_test(test_a_link_that_stands_still_gets_one_message),
        cmocka_unit_test(test_impossible_numbers_are_ignored),
        cmocka_unit_test(test_counts_from_before_are_taken_over),
        cmocka_unit_test(test_what_came_is_told_once),
        cmocka_unit_test(test_several_that_came_are_to_be_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
