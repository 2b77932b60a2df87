/*
 * Marks: what they hold, and what a search does with those of others: it puts moves off but leaves
 * none out, takes in what others have found, and leaves no mark of its own behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>

#include "tests/support/given_search.h"

enum { TABLE_MB = 4, DEPTH = 12, BETA = 100 };

static bool is_empty(const Marks *marks)
{
    for (int i = 0; i < MARKS_SETS; i++) {
        for (int j = 0; j < MARKS_WAYS; j++) {
            if (atomic_load(&marks->sets[i][j]) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void test_a_mark_is_there_from_set_to_unset(void **state)
{
    (void)state;
    static Marks marks;
    const uint64_t mark = marks_name(0, MOVE_NONE, 0);
    const uint64_t others[] = {marks_name(2, MOVE_NONE, 0), marks_name(0, 1, 0),
                               marks_name(0, MOVE_NONE, 1)};
    assert_false(marks_has(&marks, mark));
    marks_set(&marks, mark);
    assert_true(marks_has(&marks, mark));
    for (int i = 0; i < 3; i++) {
        assert_false(marks_has(&marks, others[i]));
        marks_unset(&marks, others[i]);
    }
    marks_set(&marks, mark); /* by another search */
    marks_unset(&marks, mark);
    assert_true(marks_has(&marks, mark));
    marks_unset(&marks, mark);
    assert_true(is_empty(&marks));
}

static void test_a_full_set_takes_no_more(void **state)
{
    (void)state;
    static Marks marks;
    for (uint64_t i = 0; i <= MARKS_WAYS; i++) {
        marks_set(&marks, i << 32 | 1);
    }
    assert_true(marks_has(&marks, (uint64_t)(MARKS_WAYS - 1) << 32 | 1));
    assert_false(marks_has(&marks, (uint64_t)MARKS_WAYS << 32 | 1));
    for (uint64_t i = 0; i <= MARKS_WAYS; i++) {
        marks_unset(&marks, i << 32 | 1);
    }
    assert_true(is_empty(&marks));
}

/* ---- several threads ---- */

enum { THREADS = 2, ROUNDS = 10, TURNS = 2000000 };

typedef struct {
    Marks *marks;
    pthread_barrier_t *barrier; /* all begin a round at once */
    int stale;                  /* rounds after which a mark was left */
} Marker;

/* Sets the same mark as the other threads, and takes it back, time and again. */
static void *mark_in_turns(void *context)
{
    Marker *marker = context;
    const uint64_t mark = marks_name(2, 3, 4);
    for (int round = 0; round < ROUNDS; round++) {
        (void)pthread_barrier_wait(marker->barrier);
        for (int i = 0; i < TURNS; i++) {
            marks_set(marker->marks, mark);
            marks_unset(marker->marks, mark);
        }
        (void)pthread_barrier_wait(marker->barrier);
        marker->stale += !is_empty(marker->marks);
    }
    return NULL;
}

static void test_no_mark_is_left_by_threads_that_meet(void **state)
{
    (void)state;
    static Marks marks;
    pthread_barrier_t barrier;
    pthread_t threads[THREADS];
    Marker markers[THREADS];
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        markers[i] = (Marker){.marks = &marks, .barrier = &barrier};
        assert_int_equal(pthread_create(&threads[i], NULL, mark_in_turns, &markers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(pthread_barrier_destroy(&barrier), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(markers[i].stale, 0);
    }
}

static void test_a_mark_does_not_outlive_its_table(void **state)
{
    (void)state;
    enum { PARTS = 3 };
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    for (Move move = 1; move < 100; move++) {
        marks_set(tt_marks(given.tt), marks_name(5, move, 6));
    }
    assert_false(is_empty(tt_marks(given.tt)));
    for (int part = 0; part < PARTS; part++) {
        tt_clear_part(given.tt, part, PARTS);
    }
    assert_true(is_empty(tt_marks(given.tt)));
    given_search_destroy(&given);
}

/* ---- searches ---- */

/* A whole node as expected to fail high at `beta`, searched to DEPTH. */
static SearchJob cut_job(const GivenSearch *given, const Position *position, int beta)
{
    return (SearchJob){.root = position,
                       .game = &given->game,
                       .depth = DEPTH,
                       .alpha = beta - 1,
                       .beta = beta,
                       .kind = NODE_CUT};
}

static SearchResult run(GivenSearch *given, const SearchJob *job, const SearchHost *host)
{
    SearchResult result;
    search_run(given->search, job, &given->control, host, &result);
    return result;
}

/* Marks the move in the position for each depth that its node may come to have. */
static void mark(Tt *tt, const Position *position, Move move)
{
    for (int depth = DEPTH - 2; depth <= DEPTH + 1; depth++) {
        marks_set(tt_marks(tt), marks_name(position->key, move, depth));
    }
}

static void test_a_move_that_others_search_is_put_off_but_not_left_out(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const SearchHost host = {0};
    /* Only Rf6-a6, not the first move to be tried, mates in three. */
    const Position position = given_position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    const SearchJob job = {.root = &position,
                           .game = &given.game,
                           .depth = DEPTH,
                           .alpha = -SCORE_INFINITE,
                           .beta = SCORE_INFINITE,
                           .kind = NODE_PV};
    const SearchResult alone = run(&given, &job, &host);
    given_search_forget(&given);
    mark(given.tt, &position, given_move(&position, "f6a6"));
    const SearchResult beside = run(&given, &job, &host);
    assert_int_equal(alone.score, score_mate_in(5));
    assert_int_equal(beside.score, score_mate_in(5));
    assert_true(beside.nodes > alone.nodes);
    given_search_destroy(&given);
}

/* A host that stores, once, what another search has found of a position. */
typedef struct {
    Tt *tt;
    uint64_t key;
    TtEntry found;
    uint64_t when; /* nodes */
    bool is_told;
} Other;

static void on_poll(void *context, uint64_t nodes)
{
    Other *other = context;
    if (!other->is_told && nodes >= other->when) {
        tt_store(other->tt, other->key, &other->found);
        other->is_told = true;
    }
}

static SearchResult run_beside(GivenSearch *given, const Position *position, TtEntry found)
{
    enum { EARLY = 1000 };
    Other other = {.tt = given->tt, .key = position->key, .found = found, .when = EARLY};
    const SearchHost host = {.context = &other, .poll = on_poll};
    const SearchJob job = cut_job(given, position, BETA); /* above the truth */
    given_search_forget(given);
    const SearchResult result = run(given, &job, &host);
    assert_true(other.is_told);
    return result;
}

static void test_a_node_that_another_has_cut_off_is_left(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const Position position =
        given_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    TtEntry found = {.score = BETA + 50,
                     .eval = SCORE_NONE,
                     .depth = DEPTH + TT_DEPTH_OFFSET + 1,
                     .bound = BOUND_LOWER};
    const SearchResult cut = run_beside(&given, &position, found);
    assert_int_equal(cut.score, BETA + 50);
    found.bound = BOUND_UPPER; /* says nothing to a node that wants to fail high */
    const SearchResult whole = run_beside(&given, &position, found);
    assert_true(whole.score < BETA);
    assert_true(whole.nodes > cut.nodes);
    given_search_destroy(&given);
}

static void test_no_search_leaves_a_mark_behind(void **state)
{
    (void)state;
    GivenSearch given;
    given_search_new(&given, TABLE_MB);
    const SearchHost host = {0};
    Prng prng;
    prng_init(&prng, 7);
    for (int i = 0; i < 50; i++) {
        const Position position = given_random_position(&prng, 60);
        SearchJob job = cut_job(&given, &position, (int)prng_below(&prng, 400) - 200);
        job.node_budget = 1 + prng_below(&prng, 20000); /* most are stopped */
        given_search_forget(&given);
        (void)run(&given, &job, &host);
        assert_true(is_empty(tt_marks(given.tt)));
    }
    given_search_destroy(&given);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mark_is_there_from_set_to_unset),
        cmocka_unit_test(test_a_full_set_takes_no_more),
        cmocka_unit_test(test_no_mark_is_left_by_threads_that_meet),
        cmocka_unit_test(test_a_mark_does_not_outlive_its_table),
        cmocka_unit_test(test_a_move_that_others_search_is_put_off_but_not_left_out),
        cmocka_unit_test(test_a_node_that_another_has_cut_off_is_left),
        cmocka_unit_test(test_no_search_leaves_a_mark_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
