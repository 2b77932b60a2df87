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

enum { FIRST = 16, LARGEST = 1024 };

/* Sends as much as it may; returns how much that is. */
static int fill(TableWindow *window)
{
    int count = 0;
    while (table_window_take(window)) {
        count++;
    }
    return count;
}

static void test_a_new_one_lets_some_through(void **state)
{
    (void)state;
    TableWindow window;
    table_window_open(&window);
    assert_int_equal(fill(&window), FIRST);
    assert_int_equal(fill(&window), 0);
    table_window_open(&window);
    assert_int_equal(fill(&window), FIRST);
}

static void test_it_grows_while_the_link_keeps_pace(void **state)
{
    (void)state;
    TableWindow window;
    table_window_open(&window);
    uint64_t sent = 0;
    for (int size = FIRST; size < 8 * LARGEST; size *= 2) {
        const int expected = size < LARGEST ? size : LARGEST;
        assert_int_equal(fill(&window), expected);
        sent += (uint64_t)expected;
        table_window_heard(&window, sent);
    }
}

/* A link that takes `rate` between two HEARDs, filled with whatever may be sent. */
static void test_it_shrinks_to_what_the_link_takes(void **state)
{
    (void)state;
    for (uint64_t rate = 1; rate <= 64; rate *= 4) {
        TableWindow window;
        table_window_open(&window);
        uint64_t heard = 0;
        uint64_t under_way_most = 0;
        for (int i = 0; i < 1000; i++) {
            (void)fill(&window);
            const uint64_t under_way = window.sent - heard;
            under_way_most = i >= 500 && under_way > under_way_most ? under_way : under_way_most;
            heard += under_way < rate ? under_way : rate;
            table_window_heard(&window, heard);
        }
        assert_true(heard >= 900 * rate);        /* the link is hardly ever idle */
        assert_true(under_way_most <= 3 * rate); /* and its queue is short */
    }
}

static void test_a_link_that_stands_still_gets_one_message(void **state)
{
    (void)state;
    TableWindow window;
    table_window_open(&window);
    (void)fill(&window);
    for (int i = 0; i < 100; i++) {
        table_window_heard(&window, 0);
        assert_int_equal(fill(&window), 0);
    }
    table_window_heard(&window, FIRST); /* all has come at last: as at the first HEARD */
    assert_int_equal(fill(&window), 2);
}

static void test_impossible_numbers_are_ignored(void **state)
{
    (void)state;
    TableWindow window;
    table_window_open(&window);
    (void)fill(&window);
    table_window_heard(&window, FIRST + 1);
    table_window_heard(&window, UINT64_MAX);
    assert_int_equal(fill(&window), 0);
    table_window_heard(&window, 10);
    const int more = fill(&window);
    table_window_heard(&window, 9);
    assert_int_equal(fill(&window), 0);
    assert_int_equal(window.sent, FIRST + more);
}

static void test_what_came_is_told_once(void **state)
{
    (void)state;
    TableWindow window;
    uint64_t count;
    table_window_open(&window);
    assert_false(table_window_owes(&window, &count));
    table_window_came(&window);
    table_window_came(&window);
    assert_true(table_window_owes(&window, &count));
    assert_int_equal(count, 2);
    assert_false(table_window_owes(&window, &count));
    table_window_came(&window);
    assert_true(table_window_owes(&window, &count));
    assert_int_equal(count, 3);
    table_window_open(&window);
    assert_false(table_window_owes(&window, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_one_lets_some_through),
        cmocka_unit_test(test_it_grows_while_the_link_keeps_pace),
        cmocka_unit_test(test_it_shrinks_to_what_the_link_takes),
        cmocka_unit_test(test_a_link_that_stands_still_gets_one_message),
        cmocka_unit_test(test_impossible_numbers_are_ignored),
        cmocka_unit_test(test_what_came_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
