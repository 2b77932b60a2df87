/*
 * Cores: the oldest jobs search, the others pause, and nobody who may go on keeps waiting.
 */
#include "worker/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>

#include "os/clock.h"

/* Which of lanes 0 to 3 must pause, as the digits of a number. */
static int pausing(const Cores *cores)
{
    int digits = 0;
    for (int lane = 0; lane < 4; lane++) {
        digits = 10 * digits + cores_must_pause(cores, lane);
    }
    return digits;
}

static void the_last_started_pauses(void **state)
{
    (void)state;
    Cores *cores = cores_new(2, 4);
    assert_non_null(cores);
    cores_enter(cores, 0);
    cores_enter(cores, 2);
    assert_int_equal(pausing(cores), 0);
    cores_park(cores, 0);
    cores_enter(cores, 1);
    assert_int_equal(pausing(cores), 0);
    cores_resume(cores, 0);
    assert_int_equal(pausing(cores), 100); /* lane 1 */
    cores_park(cores, 2);
    assert_int_equal(pausing(cores), 0);
    cores_enter(cores, 3);
    assert_int_equal(pausing(cores), 1);
    cores_resume(cores, 2);
    assert_int_equal(pausing(cores), 101);
    cores_leave(cores, 0);
    assert_int_equal(pausing(cores), 1);
    cores_leave(cores, 2);
    assert_int_equal(pausing(cores), 0);
    cores_destroy(&cores);
    assert_null(cores);
    cores_destroy(&cores);
}

/* A lane that waits does not pause, and comes back to the place of its job. */
static void what_waits_does_not_pause(void **state)
{
    (void)state;
    Cores *cores = cores_new(1, 4);
    assert_non_null(cores);
    cores_enter(cores, 1);
    cores_enter(cores, 0);
    assert_int_equal(pausing(cores), 1000);
    cores_park(cores, 0);
    assert_int_equal(pausing(cores), 0);
    cores_resume(cores, 0);
    assert_int_equal(pausing(cores), 1000);
    cores_leave(cores, 0);
    cores_enter(cores, 0);
    assert_int_equal(pausing(cores), 1000);
    cores_leave(cores, 1);
    assert_int_equal(pausing(cores), 0);
    cores_destroy(&cores);
}

typedef struct {
    Cores *cores;
    atomic_bool stop;
    atomic_bool goes_on;
    pthread_t thread;
} Pause;

static void *pause_lane(void *context)
{
    Pause *pause = context;
    cores_pause(pause->cores, 1, &pause->stop);
    atomic_store(&pause->goes_on, true);
    return NULL;
}

static void begin_pause(Pause *pause)
{
    pause->cores = cores_new(1, 2);
    assert_non_null(pause->cores);
    atomic_init(&pause->stop, false);
    atomic_init(&pause->goes_on, false);
    cores_enter(pause->cores, 0);
    cores_enter(pause->cores, 1);
    assert_int_equal(pthread_create(&pause->thread, NULL, pause_lane, pause), 0);
    clock_sleep(duration_ms(20));
    assert_false(atomic_load(&pause->goes_on));
}

static void end_pause(Pause *pause)
{
    assert_int_equal(pthread_join(pause->thread, NULL), 0);
    assert_true(atomic_load(&pause->goes_on));
    cores_destroy(&pause->cores);
}

static void a_free_core_ends_a_pause(void **state)
{
    (void)state;
    Pause pause;
    begin_pause(&pause);
    cores_leave(pause.cores, 0);
    end_pause(&pause);
}

static void a_stop_ends_a_pause(void **state)
{
    (void)state;
    Pause pause;
    begin_pause(&pause);
    atomic_store(&pause.stop, true);
    cores_wake(pause.cores, 1);
    end_pause(&pause);
}

/* ---- many threads ---- */

enum { CORES = 2, LANES = 6, ROUNDS = 300 };

typedef struct {
    Cores *cores;
    int lane;
    unsigned seed;
    atomic_bool stop; /* never set */
} Worker;

/* Jobs that look for a pause, wait and end, in any order: every lane comes to its end. */
static void *work(void *context)
{
    Worker *worker = context;
    for (int i = 0; i < ROUNDS; i++) {
        cores_enter(worker->cores, worker->lane);
        for (int step = rand_r(&worker->seed) % 6; step > 0; step--) {
            if (cores_must_pause(worker->cores, worker->lane)) {
                cores_pause(worker->cores, worker->lane, &worker->stop);
            }
            if (rand_r(&worker->seed) % 2 == 0) {
                cores_park(worker->cores, worker->lane);
                cores_resume(worker->cores, worker->lane);
            }
        }
        cores_leave(worker->cores, worker->lane);
    }
    return NULL;
}

static void every_lane_gets_its_turn(void **state)
{
    (void)state;
    Cores *cores = cores_new(CORES, LANES);
    Worker workers[LANES];
    pthread_t threads[LANES];
    assert_non_null(cores);
    for (int i = 0; i < LANES; i++) {
        workers[i] = (Worker){.cores = cores, .lane = i, .seed = 7U * (unsigned)i + 1};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < LANES; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_false(cores_must_pause(cores, i));
    }
    cores_destroy(&cores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_started_pauses),  cmocka_unit_test(what_waits_does_not_pause),
        cmocka_unit_test(a_free_core_ends_a_pause), cmocka_unit_test(a_stop_ends_a_pause),
        cmocka_unit_test(every_lane_gets_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
