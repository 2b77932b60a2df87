/*
 * The transposition table: what is kept, what gives way, and what is never believed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "worker/search/tt.h"

enum { BUCKET_ENTRIES = 4, DEEP = 20, SHALLOW = 6 };

static Tt *new_table(void)
{
    Tt *tt;
    const Status status = tt_new(1, &tt);
    assert_true(status_is_ok(&status));
    return tt;
}

static TtEntry entry_of(int depth, Bound bound, Move move)
{
    return (TtEntry){.move = move,
                     .score = 123,
                     .eval = -45,
                     .depth = (uint8_t)depth,
                     .bound = (uint8_t)bound,
                     .is_pv = true};
}

static void store(Tt *tt, uint64_t key, int depth, Bound bound, Move move)
{
    const TtEntry entry = entry_of(depth, bound, move);
    tt_store(tt, key, &entry);
}

static bool holds(const Tt *tt, uint64_t key)
{
    TtEntry entry;
    return tt_probe(tt, key, &entry);
}

/* Keys that differ in their low bits alone lie in one bucket. */
static uint64_t neighbour(int i)
{
    return UINT64_C(0x1234567800000000) + (uint64_t)i;
}

static void test_what_is_stored_is_found_whole(void **state)
{
    (void)state;
    Tt *tt = new_table();
    const TtEntry extremes[] = {
        {.move = 0xFFFF, .score = -SCORE_MATE, .eval = SCORE_NONE, .depth = 255, .bound = 3},
        {.move = 1, .score = SCORE_MATE, .eval = -SCORE_EVAL_MAX, .bound = 1, .is_pv = true},
        {.move = MOVE_NONE, .score = SCORE_NONE, .eval = SCORE_EVAL_MAX, .depth = 7},
    };
    for (int i = 0; i < 3; i++) {
        const uint64_t key = prng_mix((uint64_t)i);
        TtEntry found;
        assert_false(tt_probe(tt, key, &found));
        tt_store(tt, key, &extremes[i]);
        assert_true(tt_probe(tt, key, &found));
        assert_int_equal(found.move, extremes[i].move);
        assert_int_equal(found.score, extremes[i].score);
        assert_int_equal(found.eval, extremes[i].eval);
        assert_int_equal(found.depth, extremes[i].depth);
        assert_int_equal(found.bound, extremes[i].bound);
        assert_int_equal(found.is_pv, extremes[i].is_pv);
    }
    tt_destroy(&tt);
    assert_null(tt);
    tt_destroy(&tt);
}

static void test_a_key_is_compared_whole(void **state)
{
    (void)state;
    Tt *tt = new_table();
    const uint64_t key = UINT64_C(0x0123456789ABCDEF);
    store(tt, key, DEEP, BOUND_EXACT, 77);
    for (int bit = 0; bit < 64; bit++) {
        assert_false(holds(tt, key ^ (UINT64_C(1) << bit)));
    }
    assert_true(holds(tt, key));
    tt_clear(tt);
    assert_false(holds(tt, key));
    tt_destroy(&tt);
}

static void test_a_bound_without_a_move_keeps_the_move(void **state)
{
    (void)state;
    Tt *tt = new_table();
    TtEntry entry;
    store(tt, 5, DEEP, BOUND_LOWER, 77);
    store(tt, 5, DEEP, BOUND_UPPER, MOVE_NONE);
    assert_true(tt_probe(tt, 5, &entry));
    assert_int_equal(entry.move, 77);
    assert_int_equal(entry.bound, BOUND_UPPER);
    tt_destroy(&tt);
}

static void test_a_shallow_bound_does_not_push_out_a_deep_one(void **state)
{
    (void)state;
    Tt *tt = new_table();
    TtEntry entry;
    store(tt, 5, DEEP, BOUND_LOWER, 77);
    store(tt, 5, SHALLOW, BOUND_UPPER, 88);
    assert_true(tt_probe(tt, 5, &entry));
    assert_int_equal(entry.depth, DEEP);

    store(tt, 5, SHALLOW, BOUND_EXACT, 88);
    assert_true(tt_probe(tt, 5, &entry));
    assert_int_equal(entry.depth, SHALLOW);

    store(tt, 5, DEEP, BOUND_LOWER, 77);
    tt_age(tt);
    store(tt, 5, SHALLOW, BOUND_UPPER, 88); /* of a later search: newer is better */
    assert_true(tt_probe(tt, 5, &entry));
    assert_int_equal(entry.depth, SHALLOW);
    tt_destroy(&tt);
}

static void test_a_full_bucket_gives_up_its_shallowest(void **state)
{
    (void)state;
    Tt *tt = new_table();
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        store(tt, neighbour(i), DEEP + (i + 2) % BUCKET_ENTRIES, BOUND_LOWER, 1);
    }
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        assert_true(holds(tt, neighbour(i)));
    }
    store(tt, neighbour(100), SHALLOW, BOUND_LOWER, 1);
    assert_true(holds(tt, neighbour(100)));
    assert_false(holds(tt, neighbour(2))); /* the one at depth DEEP */
    assert_true(holds(tt, neighbour(0)));
    assert_true(holds(tt, neighbour(1)));
    assert_true(holds(tt, neighbour(3)));
    tt_destroy(&tt);
}

static void test_old_entries_give_way_first(void **state)
{
    (void)state;
    Tt *tt = new_table();
    store(tt, neighbour(0), DEEP, BOUND_LOWER, 1);
    for (int i = 0; i < 4; i++) {
        tt_age(tt);
    }
    for (int i = 1; i < BUCKET_ENTRIES; i++) {
        store(tt, neighbour(i), DEEP - 8, BOUND_LOWER, 1);
    }
    store(tt, neighbour(100), SHALLOW, BOUND_LOWER, 1);
    assert_false(holds(tt, neighbour(0)));
    for (int i = 1; i < BUCKET_ENTRIES; i++) {
        assert_true(holds(tt, neighbour(i)));
    }
    tt_destroy(&tt);
}

static void test_generations_may_wrap(void **state)
{
    (void)state;
    Tt *tt = new_table();
    for (int i = 0; i < 100; i++) {
        store(tt, (uint64_t)i << 40, DEEP, BOUND_LOWER, 1);
        assert_true(holds(tt, (uint64_t)i << 40));
        tt_age(tt);
    }
    tt_destroy(&tt);
}

static void test_fullness_counts_this_generation(void **state)
{
    (void)state;
    Tt *tt = new_table();
    Prng prng;
    prng_init(&prng, 1);
    assert_int_equal(tt_full_permille(tt), 0);
    for (int i = 0; i < 40000; i++) { /* of 65536 entries */
        store(tt, prng_next(&prng), DEEP, BOUND_LOWER, 1);
    }
    assert_in_range(tt_full_permille(tt), 500, 650);
    tt_age(tt);
    assert_int_equal(tt_full_permille(tt), 0);
    tt_destroy(&tt);
}

static void test_mate_scores_count_from_the_node(void **state)
{
    (void)state;
    /* A mate in 9 plies from the root, seen at ply 4, is a mate in 5 plies from there. */
    const int stored = tt_score_to_table(score_mate_in(9), 4);
    assert_int_equal(stored, score_mate_in(5));
    assert_int_equal(tt_score_from_table(stored, 4), score_mate_in(9));
    assert_int_equal(tt_score_from_table(stored, 10), score_mate_in(15));
    assert_int_equal(tt_score_to_table(score_mated_in(8), 4), score_mated_in(4));
    assert_int_equal(tt_score_from_table(score_mated_in(4), 6), score_mated_in(10));
    assert_int_equal(tt_score_to_table(300, 40), 300);
    assert_int_equal(tt_score_from_table(SCORE_NONE, 40), SCORE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_stored_is_found_whole),
        cmocka_unit_test(test_a_key_is_compared_whole),
        cmocka_unit_test(test_a_bound_without_a_move_keeps_the_move),
        cmocka_unit_test(test_a_shallow_bound_does_not_push_out_a_deep_one),
        cmocka_unit_test(test_a_full_bucket_gives_up_its_shallowest),
        cmocka_unit_test(test_old_entries_give_way_first),
        cmocka_unit_test(test_generations_may_wrap),
        cmocka_unit_test(test_fullness_counts_this_generation),
        cmocka_unit_test(test_mate_scores_count_from_the_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
