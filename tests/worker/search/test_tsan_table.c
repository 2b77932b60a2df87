/*
 * Threads that search different positions on one small table: the races of the table are
 * deliberate and atomic, so that the thread sanitizer has nothing to say, and what one thread reads
 * of another's never makes an unsound line. A third thread stops them and moves their bounds.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "tests/support/given_search.h"

enum { THREADS = 2, SEARCHES = 12, NODES = 6000 };

typedef struct {
    Tt *tt;
    uint64_t seed;
    int unsound; /* lines found wanting */
} Runner;

static void *run_searches(void *context)
{
    Runner *runner = context;
    Prng prng;
    prng_init(&prng, runner->seed);
    GivenSearch given = {.tt = runner->tt, .search = search_new(runner->tt)};
    history_clear(&given.game);
    for (int i = 0; i < SEARCHES; i++) {
        const Position position = given_random_position(&prng, 40);
        const Line *line = given_search_run(&given, &position, &(RootLimits){.nodes = NODES});
        runner->unsound += line != NULL && !given_search_line_is_sound(&position, line);
        (void)tt_full_permille(runner->tt);
    }
    search_destroy(&given.search);
    return NULL;
}

static void test_two_threads_share_a_small_table(void **state)
{
    (void)state;
    Tt *tt;
    const Status status = tt_new(1, &tt);
    assert_true(status_is_ok(&status));
    pthread_t threads[THREADS];
    Runner runners[THREADS];
    for (int i = 0; i < THREADS; i++) {
        runners[i] = (Runner){.tt = tt, .seed = 1 + (uint64_t)i % 2};
        assert_int_equal(pthread_create(&threads[i], NULL, run_searches, &runners[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(runners[i].unsound, 0);
    }
    tt_destroy(&tt);
}

typedef struct {
    GivenSearch given;
    SearchResult result;
    _Atomic uint64_t nodes; /* so far, as the search tells */
} Stoppable;

static void note_nodes(void *context, uint64_t nodes)
{
    Stoppable *stoppable = context;
    atomic_store(&stoppable->nodes, nodes);
}

/* Waits until the search has gone on from what it has searched by now. */
static void await_progress(const Stoppable *stoppable)
{
    const uint64_t before = atomic_load(&stoppable->nodes);
    while (atomic_load(&stoppable->nodes) == before) {
        (void)sched_yield();
    }
}

static void *run_until_stopped(void *context)
{
    Stoppable *stoppable = context;
    const Position start = fen_start_position();
    const SearchHost host = {.context = stoppable, .poll = note_nodes};
    MoveList list;
    uint8_t numbers[MOVES_MAX];
    movegen_all(&start, &list);
    for (int i = 0; i < list.count; i++) {
        numbers[i] = (uint8_t)(i + 1);
    }
    const SearchJob job = {.root = &start,
                           .game = &stoppable->given.game,
                           .depth = 60,
                           .alpha = -SCORE_INFINITE,
                           .beta = SCORE_INFINITE,
                           .move_count = list.count,
                           .moves = list.moves,
                           .numbers = numbers};
    search_run(stoppable->given.search, &job, &stoppable->given.control, &host, &stoppable->result);
    return NULL;
}

static void test_a_search_is_controlled_by_another_thread(void **state)
{
    (void)state;
    static Stoppable stoppable;
    given_search_new(&stoppable.given, 1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_until_stopped, &stoppable), 0);
    for (int alpha = -200; alpha < 0; alpha++) {
        await_progress(&stoppable);
        atomic_store(&stoppable.given.control.alpha, alpha);
    }
    await_progress(&stoppable);
    atomic_store(&stoppable.given.control.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(stoppable.result.stopped);
    assert_true(stoppable.result.nodes >= 200);
    given_search_destroy(&stoppable.given);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_threads_share_a_small_table),
        cmocka_unit_test(test_a_search_is_controlled_by_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
