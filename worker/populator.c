#include "worker/populator.h"

#include <pthread.h>
#include <sys/eventfd.h>

#include "base/check.h"

/* The thread. */
static void *populate(void *context)
{
    enum { PART_MB = 16 };
    Populator *populator = context;
    const int parts = (populator->hash_mb + PART_MB - 1) / PART_MB;
    bool goes_on = true;
    for (int i = 0; i < parts && goes_on; i++) {
        goes_on = tt_populate_part(populator->tt, i, parts) &&
                  !atomic_load_explicit(&populator->must_end, memory_order_relaxed);
    }
    atomic_store_explicit(&populator->is_done, true, memory_order_release);
    CHECK(eventfd_write(populator->descriptor, 1) == 0);
    CHECK(sem_post(&populator->has_ended) == 0);
    return NULL;
}

void populator_start(Populator *populator, Tt *tt, int hash_mb, int descriptor)
{
    pthread_t thread;
    populator->tt = tt;
    populator->hash_mb = hash_mb;
    populator->descriptor = descriptor;
    CHECK(sem_init(&populator->has_ended, 0, 0) == 0);
    populator->is_started = pthread_create(&thread, NULL, populate, populator) == 0;
    if (populator->is_started) {
        CHECK(pthread_detach(thread) == 0);
    }
}

bool populator_is_done(const Populator *populator)
{
    return !populator->is_started ||
           atomic_load_explicit(&populator->is_done, memory_order_acquire);
}

void populator_end(Populator *populator)
{
    if (!populator->is_started) {
        return;
    }
    atomic_store_explicit(&populator->must_end, true, memory_order_relaxed);
    while (sem_wait(&populator->has_ended) != 0) {
        /* A signal has come. */
    }
    CHECK(sem_destroy(&populator->has_ended) == 0);
    populator->is_started = false;
}
