/*
 * News: what has just gone to all is left out, and nothing else.
 */
#include "master/core/news.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/given_entry.h"

static News news;

/* Nothing has been told yet. */
static void forget(void)
{
    memset(&news, 0, sizeof news);
}

/* Whether an entry is passed on that is told at `ms`. */
static bool passes(uint64_t key, uint64_t data, int ms)
{
    MessageTable table = {.count = 1, .entries = {{.key = key, .data = data}}};
    news_sift(&news, &table, (Instant){.us = duration_ms(ms).us});
    return table.count == 1;
}

static void test_only_as_much_of_the_same_position_is_left_out(void **state)
{
    (void)state;
    forget();
    const uint64_t data = given_entry_data(8, 20, BOUND_LOWER);
    assert_true(passes(77, data, 5));
    assert_false(passes(77, data, 6));
    assert_false(passes(77, given_entry_data(7, -15, BOUND_UPPER), 6));
    assert_true(passes(78, data, 6));
    assert_true(passes(77, given_entry_data(9, 20, BOUND_LOWER), 7));
    assert_false(passes(77, data, 8)); /* the deeper one is what counts now */
}

static void test_a_proof_always_passes(void **state)
{
    (void)state;
    forget();
    assert_true(passes(77, given_entry_data(8, 20, BOUND_LOWER), 0));
    assert_true(passes(77, given_entry_data(2, score_mate_in(5), BOUND_EXACT), 1));
    assert_false(passes(77, given_entry_data(2, score_mate_in(5), BOUND_EXACT), 2));
}

static void test_a_moment_later_it_is_news_again(void **state)
{
    (void)state;
    forget();
    const uint64_t data = given_entry_data(8, 20, BOUND_LOWER);
    assert_true(passes(77, data, 100));
    assert_false(passes(77, data, 100 + NEWS_MOMENT_MS - 1));
    assert_true(passes(77, data, 100 + NEWS_MOMENT_MS));
    assert_false(passes(77, data, 100 + NEWS_MOMENT_MS + 1));
}

/* Two positions of one place push each other out, which lets more pass, never less. */
static void test_positions_of_one_place_do_not_hide_each_other(void **state)
{
    (void)state;
    forget();
    const uint64_t data = given_entry_data(8, 20, BOUND_LOWER);
    assert_true(passes(77, data, 0));
    assert_true(passes(77 + NEWS_PLACES, data, 0));
    assert_true(passes(77, data, 0));
}

/* A depth that no search reaches would hide every entry of its position. */
static void test_what_is_no_entry_hides_none(void **state)
{
    (void)state;
    forget();
    const uint64_t data = given_entry_data(8, 20, BOUND_LOWER);
    const uint64_t bound_mask = UINT64_C(3) << 56;
    assert_false(passes(77, (data | (UINT64_C(0xFF) << 48)) & ~bound_mask, 0));
    assert_false(passes(77, 0, 0));
    assert_true(passes(77, data, 0));
}

static void test_the_order_stays(void **state)
{
    (void)state;
    forget();
    const uint64_t data = given_entry_data(8, 20, BOUND_LOWER);
    assert_true(passes(2, data, 0));
    assert_true(passes(4, data, 0));
    MessageTable table = {.count = 5,
                          .entries = {{.key = 5, .data = data},
                                      {.key = 4, .data = data},
                                      {.key = 3, .data = data},
                                      {.key = 2, .data = data},
                                      {.key = 1, .data = data}}};
    news_sift(&news, &table, (Instant){.us = 0});
    assert_int_equal(table.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(table.entries[i].key, 5 - 2 * i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_as_much_of_the_same_position_is_left_out),
        cmocka_unit_test(test_a_proof_always_passes),
        cmocka_unit_test(test_a_moment_later_it_is_news_again),
        cmocka_unit_test(test_positions_of_one_place_do_not_hide_each_other),
        cmocka_unit_test(test_what_is_no_entry_hides_none),
        cmocka_unit_test(test_the_order_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
