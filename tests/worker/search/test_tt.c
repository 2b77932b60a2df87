/*
 * The transposition table: what is kept, what gives way, and what is never believed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* The note of an entry as another table would send it. */
static TableEntry note_of(const TtEntry *entry)
{
    Tt *tt = new_table();
    TableEntry note;
    tt_tell(tt, -TT_DEPTH_OFFSET);
    tt_store(tt, 5, entry);
    assert_int_equal(tt_take_notes(tt, &note, 1), 1);
    tt_destroy(&tt);
    return note;
}

/* MiB of this process that are in memory. */
static int resident_mb(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %ld", &pages), 1);
    assert_int_equal(fclose(file), 0);
    return (int)(pages * sysconf(_SC_PAGESIZE) >> 20);
}

/* Whether the system brings memory in when it is asked to: an emulator may only say so. */
static bool system_populates(void)
{
    enum { MB = 32 };
    const size_t bytes = (size_t)MB << 20;
    const int before_mb = resident_mb();
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    const bool is_said = madvise(memory, bytes, MADV_POPULATE_WRITE) == 0;
    const bool is_done = resident_mb() - before_mb >= MB / 2;
    assert_int_equal(munmap(memory, bytes), 0);
    return is_said && is_done;
}

static void test_memory_comes_later(void **state)
{
    (void)state;
    enum { MB = 256, PARTS = 7, NEAR_MB = 16 };
    const bool populates = system_populates();
    const int before_mb = resident_mb();
    Tt *tt = NULL;
    const Status status = tt_new(MB, &tt);
    assert_true(status_is_ok(&status));
    assert_in_range(resident_mb() - before_mb, 0, NEAR_MB);
    for (int i = 0; i < PARTS; i++) {
        assert_true(tt_populate_part(tt, i, PARTS) || !populates);
    }
    if (populates) {
        assert_in_range(resident_mb() - before_mb, MB - 1, MB + NEAR_MB);
    }
    tt_destroy(&tt);
    assert_in_range(resident_mb(), 0, before_mb + NEAR_MB);
}

/* Nothing that is stored meanwhile is lost by it. */
static void test_memory_that_comes_changes_nothing(void **state)
{
    (void)state;
    enum { ENTRIES = 1000 };
    static const int sizes_mb[] = {1, 3, 64};
    for (int size = 0; size < 3; size++) {
        Tt *tt = NULL;
        Prng prng;
        const Status status = tt_new(sizes_mb[size], &tt);
        assert_true(status_is_ok(&status));
        prng_init(&prng, 1);
        for (int i = 0; i < ENTRIES; i++) {
            const uint64_t key = prng_next(&prng);
            assert_false(holds(tt, key));
            store(tt, key, DEEP, BOUND_EXACT, (Move)(i + 1));
        }
        for (int i = 0; i < 5; i++) {
            (void)tt_populate_part(tt, i, 5);
        }
        prng_init(&prng, 1);
        for (int i = 0; i < ENTRIES; i++) {
            assert_true(holds(tt, prng_next(&prng)));
        }
        tt_destroy(&tt);
    }
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

/* Each part of the table is one part's, whatever the size and the number of them. */
static void test_parts_are_cleared_one_by_one(void **state)
{
    (void)state;
    enum { KEYS = 1000, PARTS = 7 };
    Tt *tt = new_table();
    int held = KEYS;
    for (int i = 0; i < KEYS; i++) {
        store(tt, prng_mix((uint64_t)i), DEEP, BOUND_EXACT, 77);
    }
    for (int part = 0; part < PARTS; part++) {
        tt_clear_part(tt, part, PARTS);
        int left = 0;
        for (int i = 0; i < KEYS; i++) {
            left += holds(tt, prng_mix((uint64_t)i));
        }
        assert_in_range(held - left, KEYS / PARTS / 2, 2 * KEYS / PARTS);
        held = left;
    }
    assert_int_equal(held, 0);
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
    assert_int_equal(entry.bound, BOUND_LOWER);
    assert_int_equal(entry.move, 77); /* the move of the deeper search, for others too */

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

/* A forced mate holds at any depth; what only may be one does not. */
static void test_a_shallow_proof_pushes_out_a_deep_bound(void **state)
{
    (void)state;
    static const struct {
        int16_t score;
        uint8_t bound;
        bool is_proof;
    } cases[] = {{SCORE_MATE - 9, BOUND_LOWER, true},
                 {8 - SCORE_MATE, BOUND_UPPER, true},
                 {SCORE_MATE - 9, BOUND_UPPER, false},
                 {8 - SCORE_MATE, BOUND_LOWER, false},
                 {SCORE_WIN_MIN - 1, BOUND_LOWER, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const TtEntry fresh = {
            .move = 88, .score = cases[i].score, .depth = SHALLOW, .bound = cases[i].bound};
        const TableEntry note = note_of(&fresh);
        Tt *tt = new_table();
        Tt *pupil = new_table();
        TtEntry entry;
        store(tt, 5, DEEP, BOUND_LOWER, 77);
        tt_store(tt, 5, &fresh);
        assert_true(tt_probe(tt, 5, &entry));
        assert_int_equal(entry.move, cases[i].is_proof ? 88 : 77);
        store(pupil, 5, DEEP, BOUND_LOWER, 77);
        assert_true(tt_learn(pupil, &note));
        assert_true(tt_probe(pupil, 5, &entry));
        assert_int_equal(entry.move, cases[i].is_proof ? 88 : 77);
        tt_destroy(&tt);
        tt_destroy(&pupil);
    }
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

/* ---- what machines tell each other ---- */

/* Stores an entry of so many plies, whose key is `number`. */
static void store_plies(Tt *tt, uint64_t number, int plies)
{
    store(tt, number, plies + TT_DEPTH_OFFSET, BOUND_LOWER, 77);
}

static void expect_note(const TableEntry *note, uint64_t key)
{
    assert_true(note->key == key);
}

static void test_notes_are_taken_once_and_in_order(void **state)
{
    (void)state;
    Tt *tt = new_table();
    TableEntry notes[8];
    store_plies(tt, 1, 20); /* nobody wants to know yet */
    assert_int_equal(tt_take_notes(tt, notes, 8), 0);
    tt_tell(tt, 6);
    for (uint64_t i = 2; i < 12; i++) {
        store_plies(tt, i, 10);
    }
    assert_int_equal(tt_take_notes(tt, notes, 8), 8);
    for (int i = 0; i < 8; i++) {
        expect_note(&notes[i], 2 + (uint64_t)i);
    }
    store_plies(tt, 12, 10);
    assert_int_equal(tt_take_notes(tt, notes, 8), 3);
    expect_note(&notes[0], 10);
    expect_note(&notes[2], 12);
    assert_int_equal(tt_take_notes(tt, notes, 8), 0);
    tt_destroy(&tt);
}

static void test_only_deep_entries_are_noted(void **state)
{
    (void)state;
    Tt *tt = new_table();
    TableEntry notes[8];
    tt_tell(tt, 6);
    store_plies(tt, 1, 5);
    store_plies(tt, 2, 6);
    store_plies(tt, 3, 7);
    assert_int_equal(tt_take_notes(tt, notes, 8), 2);
    expect_note(&notes[0], 2);
    expect_note(&notes[1], 3);
    tt_tell(tt, 7);
    store_plies(tt, 4, 6);
    store_plies(tt, 5, 7);
    store_plies(tt, 6, 20);
    store_plies(tt, 6, 7); /* not taken into the table itself */
    assert_int_equal(tt_take_notes(tt, notes, 8), 2);
    expect_note(&notes[0], 5);
    expect_note(&notes[1], 6);
    tt_tell(tt, TT_TELL_NOTHING);
    store_plies(tt, 7, 100);
    assert_int_equal(tt_take_notes(tt, notes, 8), 0);
    tt_destroy(&tt);
}

/* Notes of 7, 9, 8, 9, 7 and 8 plies, numbered by their keys, of which the deepest are left. */
static void expect_deepest(int most, const char *expected)
{
    Tt *tt = new_table();
    TableEntry notes[6];
    char left[8] = "";
    const int plies[] = {7, 9, 8, 9, 7, 8};
    tt_tell(tt, 6);
    for (uint64_t i = 0; i < 6; i++) {
        store_plies(tt, i + 1, plies[i]);
    }
    assert_int_equal(tt_take_notes(tt, notes, 6), 6);
    const int count = tt_deepest(notes, 6, most);
    for (int i = 0; i < count; i++) {
        left[i] = (char)('0' + notes[i].key);
    }
    assert_string_equal(left, expected);
    tt_destroy(&tt);
}

static void test_the_deepest_notes_are_left(void **state)
{
    (void)state;
    expect_deepest(0, "");
    expect_deepest(1, "2");
    expect_deepest(2, "24");
    expect_deepest(3, "234");
    expect_deepest(4, "2346");
    expect_deepest(5, "12346");
    expect_deepest(6, "123456");
    expect_deepest(128, "123456");
    assert_int_equal(tt_deepest(NULL, 0, 5), 0);
}

static void test_the_oldest_notes_are_forgotten(void **state)
{
    (void)state;
    Tt *tt = new_table();
    static TableEntry notes[TT_NOTES + 1];
    tt_tell(tt, 6);
    for (uint64_t i = 0; i < TT_NOTES + 5; i++) {
        store_plies(tt, i << 40, 10);
    }
    assert_int_equal(tt_take_notes(tt, notes, TT_NOTES + 1), TT_NOTES);
    for (uint64_t i = 0; i < TT_NOTES; i++) {
        expect_note(&notes[i], (i + 5) << 40);
    }
    assert_int_equal(tt_take_notes(tt, notes, TT_NOTES + 1), 0);
    tt_destroy(&tt);
}

static void test_what_one_table_notes_another_learns(void **state)
{
    (void)state;
    Tt *teacher = new_table();
    Tt *pupil = new_table();
    const TtEntry taught[] = {
        {.move = 0xFFFF, .score = -SCORE_MATE, .eval = SCORE_NONE, .depth = 255, .bound = 3},
        {.move = 1, .score = SCORE_MATE, .eval = -SCORE_EVAL_MAX, .depth = 30, .bound = 1},
        {.score = 5, .eval = SCORE_EVAL_MAX, .depth = TT_DEPTH_OFFSET, .bound = 2, .is_pv = true},
        {.move = 9, .score = SCORE_NONE, .eval = 17, .depth = 30},
    };
    enum { COUNT = sizeof taught / sizeof taught[0] };
    TableEntry notes[COUNT];
    tt_tell(teacher, 0);
    tt_tell(pupil, 0);
    tt_age(pupil); /* generations are each table's own */
    for (uint64_t i = 0; i < COUNT; i++) {
        tt_store(teacher, prng_mix(i), &taught[i]);
    }
    assert_int_equal(tt_take_notes(teacher, notes, COUNT), COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        TtEntry known;
        assert_true(tt_learn(pupil, &notes[i]));
        assert_true(tt_probe(pupil, prng_mix(i), &known));
        assert_int_equal(known.move, taught[i].move);
        assert_int_equal(known.score, taught[i].score);
        assert_int_equal(known.eval, taught[i].eval);
        assert_int_equal(known.depth, taught[i].depth);
        assert_int_equal(known.bound, taught[i].bound);
        assert_int_equal(known.is_pv, taught[i].is_pv);
    }
    /* What was learned is not told on: it would go round for ever. */
    assert_int_equal(tt_take_notes(pupil, notes, COUNT), 0);
    tt_destroy(&teacher);
    tt_destroy(&pupil);
}

static void test_nonsense_is_not_learned(void **state)
{
    (void)state;
    Tt *tt = new_table();
    const TtEntry good = entry_of(DEEP, BOUND_LOWER, 77);
    TtEntry bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].bound = BOUND_NONE;          /* a score that is nothing */
    bad[1].score = SCORE_NONE;          /* a bound of nothing */
    bad[2].depth = TT_DEPTH_OFFSET - 1; /* less than quiescence stores */
    bad[3].score = SCORE_INFINITE;      /* beyond every mate */
    bad[4].score = -SCORE_INFINITE;     /* likewise */
    bad[5].eval = SCORE_EVAL_MAX + 1;   /* evaluations are no mates */
    bad[6].eval = -SCORE_EVAL_MAX - 1;  /* likewise */
    bad[7].score = INT16_MIN;
    for (int i = 0; i < 8; i++) {
        const TableEntry note = note_of(&bad[i]);
        assert_false(tt_learn(tt, &note));
    }
    assert_false(tt_learn(tt, &(TableEntry){.key = 5, .data = 0}));
    assert_false(holds(tt, 5));
    const TableEntry note = note_of(&good);
    assert_true(tt_learn(tt, &note));
    assert_true(holds(tt, 5));
    tt_destroy(&tt);
}

static void test_what_is_known_as_deep_is_not_learned(void **state)
{
    (void)state;
    const int depths[] = {SHALLOW, DEEP - 1, DEEP};
    for (int i = 0; i < 3; i++) {
        Tt *tt = new_table();
        TtEntry entry;
        const TtEntry late = entry_of(depths[i], BOUND_EXACT, 88);
        const TableEntry note = note_of(&late);
        store(tt, 5, DEEP, BOUND_LOWER, 77);
        assert_true(tt_learn(tt, &note));
        assert_true(tt_probe(tt, 5, &entry));
        assert_int_equal(entry.depth, DEEP);
        assert_int_equal(entry.move, 77);
        tt_destroy(&tt);
    }
}

static void test_what_is_deeper_or_new_is_learned(void **state)
{
    (void)state;
    Tt *tt = new_table();
    TtEntry entry;
    const TtEntry deeper = entry_of(DEEP, BOUND_UPPER, 88);
    const TableEntry note = note_of(&deeper);
    store(tt, 5, DEEP - 1, BOUND_LOWER, 77);
    assert_true(tt_learn(tt, &note));
    assert_true(tt_probe(tt, 5, &entry));
    assert_int_equal(entry.depth, DEEP);
    /* An evaluation alone says less than a score. */
    const TtEntry evaluated = {.score = SCORE_NONE, .eval = 10, .depth = SHALLOW + 1};
    const TtEntry scored = entry_of(SHALLOW, BOUND_LOWER, 99);
    const TableEntry told = {.key = 6, .data = note_of(&scored).data};
    tt_store(tt, 6, &evaluated);
    assert_true(tt_learn(tt, &told));
    assert_true(tt_probe(tt, 6, &entry));
    assert_int_equal(entry.score, 123);
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
        cmocka_unit_test(test_memory_comes_later),
        cmocka_unit_test(test_memory_that_comes_changes_nothing),
        cmocka_unit_test(test_what_is_stored_is_found_whole),
        cmocka_unit_test(test_a_key_is_compared_whole),
        cmocka_unit_test(test_parts_are_cleared_one_by_one),
        cmocka_unit_test(test_a_bound_without_a_move_keeps_the_move),
        cmocka_unit_test(test_a_shallow_bound_does_not_push_out_a_deep_one),
        cmocka_unit_test(test_a_shallow_proof_pushes_out_a_deep_bound),
        cmocka_unit_test(test_a_full_bucket_gives_up_its_shallowest),
        cmocka_unit_test(test_old_entries_give_way_first),
        cmocka_unit_test(test_generations_may_wrap),
        cmocka_unit_test(test_fullness_counts_this_generation),
        cmocka_unit_test(test_notes_are_taken_once_and_in_order),
        cmocka_unit_test(test_only_deep_entries_are_noted),
        cmocka_unit_test(test_the_deepest_notes_are_left),
        cmocka_unit_test(test_the_oldest_notes_are_forgotten),
        cmocka_unit_test(test_what_one_table_notes_another_learns),
        cmocka_unit_test(test_nonsense_is_not_learned),
        cmocka_unit_test(test_what_is_known_as_deep_is_not_learned),
        cmocka_unit_test(test_what_is_deeper_or_new_is_learned),
        cmocka_unit_test(test_mate_scores_count_from_the_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
