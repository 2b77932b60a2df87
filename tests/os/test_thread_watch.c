/*
 * A thread's own time goes on while it works or waits for others, and not while it waits for a
 * processor.
 */
#define _GNU_SOURCE 1

#include "os/thread_watch.h"

#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "os/clock.h"

enum { RIVALS = 4, LOOKS = 30, LOOK_MS = 10 };

typedef struct {
    pthread_t thread;
    atomic_int number; /* 0 before it runs */
    atomic_bool ends;
    bool waits;  /* for `ended`; else it spins */
    sem_t ended; /* posted when it is to end */
} Other;

static void *run(void *context)
{
    Other *other = context;
    atomic_store(&other->number, thread_watch_number());
    while (other->waits ? sem_wait(&other->ended) != 0 : !atomic_load(&other->ends)) {
    }
    return NULL;
}

static void begin(Other *other, bool waits)
{
    atomic_init(&other->number, 0);
    atomic_init(&other->ends, false);
    assert_int_equal(sem_init(&other->ended, 0, 0), 0);
    other->waits = waits;
    assert_int_equal(pthread_create(&other->thread, NULL, run, other), 0);
    while (atomic_load(&other->number) == 0) {
        clock_sleep(duration_ms(1));
    }
}

static void end(Other *other)
{
    atomic_store(&other->ends, true);
    assert_int_equal(sem_post(&other->ended), 0);
    assert_int_equal(pthread_join(other->thread, NULL), 0);
    assert_int_equal(sem_destroy(&other->ended), 0);
}

/* Its own time in percent of the clock's, over some looks. */
static int own_percent(const Other *other, bool looks)
{
    const Instant start = clock_now();
    Instant now = start;
    ThreadWatch watch = thread_watch_begin(other->thread, start);
    for (int i = 0; i < LOOKS; i++) {
        clock_sleep(duration_ms(LOOK_MS));
        now = clock_now();
        if (looks) {
            thread_watch_look(&watch, other->thread, atomic_load(&other->number), now);
        } else {
            thread_watch_pass(&watch, other->thread, now);
        }
    }
    return (int)(watch.own.us * 100 / instant_since(now, start).us);
}

static void who_waits_for_others_has_all_the_time(void **state)
{
    (void)state;
    Other other;
    begin(&other, true);
    assert_in_range(own_percent(&other, true), 90, 100); /* it may just have begun to wait */
    end(&other);
}

/* Five threads on one processor. */
static void who_waits_for_a_processor_has_what_it_uses(void **state)
{
    (void)state;
    Other others[RIVALS + 1];
    cpu_set_t old;
    cpu_set_t one;
    assert_int_equal(sched_getaffinity(0, sizeof old, &old), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &old)) {
        cpu++;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    for (int i = 0; i <= RIVALS; i++) {
        begin(&others[i], false);
        assert_int_equal(pthread_setaffinity_np(others[i].thread, sizeof one, &one), 0);
    }
    assert_in_range(own_percent(&others[0], true), 0, 60);
    assert_int_equal(own_percent(&others[0], false), 100);
    for (int i = 0; i <= RIVALS; i++) {
        end(&others[i]);
    }
}

/* Nor has a thread that waits for its first moment. */
static void who_has_not_begun_waits_for_a_processor(void **state)
{
    (void)state;
    Other other;
    begin(&other, true);
    atomic_store(&other.number, 0);
    assert_in_range(own_percent(&other, true), 0, 10);
    end(&other);
}

/* A name of no thread: nothing is known of it, and then it has all the time. */
static void nothing_known_is_no_excuse(void **state)
{
    (void)state;
    Other other;
    begin(&other, false);
    atomic_store(&other.number, -1);
    assert_int_equal(own_percent(&other, true), 100);
    end(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_others_has_all_the_time),
        cmocka_unit_test(who_waits_for_a_processor_has_what_it_uses),
        cmocka_unit_test(who_has_not_begun_waits_for_a_processor),
        cmocka_unit_test(nothing_known_is_no_excuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
