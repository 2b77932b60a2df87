#include "worker/cores.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

typedef struct {
    uint64_t start;         /* counts the jobs: the smaller, the older */
    atomic_bool must_pause; /* written under the lock */
    pthread_cond_t wake;    /* it need not pause any more */
} CoreUser;

struct Cores {
    pthread_mutex_t lock; /* guards all but must_pause */
    int count;            /* of cores */
    int lane_count;
    uint64_t starts;  /* jobs so far */
    int *active;      /* lanes that search or would, oldest job first */
    int active_count; /* of them, 0 to lane_count */
    CoreUser *lanes;  /* lane_count of them */
};

Cores *cores_new(int count, int lanes)
{
    CHECK(count >= 1 && lanes >= count);
    Cores *cores = calloc(1, sizeof *cores);
    int *active = calloc((size_t)lanes, sizeof *active);
    CoreUser *users = calloc((size_t)lanes, sizeof *users);
    if (cores == NULL || active == NULL || users == NULL) {
        free(cores);
        free(active);
        free(users);
        return NULL;
    }
    cores->count = count;
    cores->lane_count = lanes;
    cores->active = active;
    cores->lanes = users;
    CHECK(pthread_mutex_init(&cores->lock, NULL) == 0);
    for (int i = 0; i < lanes; i++) {
        CHECK(pthread_cond_init(&users[i].wake, NULL) == 0);
    }
    return cores;
}

void cores_destroy(Cores **cores)
{
    Cores *ended = *cores;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < ended->lane_count; i++) {
        CHECK(pthread_cond_destroy(&ended->lanes[i].wake) == 0);
    }
    CHECK(pthread_mutex_destroy(&ended->lock) == 0);
    free(ended->active);
    free(ended->lanes);
    free(ended);
    *cores = NULL;
}

static void lock(Cores *cores)
{
    CHECK(pthread_mutex_lock(&cores->lock) == 0);
}

static void unlock(Cores *cores)
{
    CHECK(pthread_mutex_unlock(&cores->lock) == 0);
}

/* Gives the cores to the oldest jobs. */
static void deal(Cores *cores)
{
    for (int i = 0; i < cores->active_count; i++) {
        CoreUser *user = &cores->lanes[cores->active[i]];
        const bool must_pause = i >= cores->count;
        if (must_pause != atomic_load_explicit(&user->must_pause, memory_order_relaxed)) {
            atomic_store_explicit(&user->must_pause, must_pause, memory_order_relaxed);
            CHECK(pthread_cond_signal(&user->wake) == 0);
        }
    }
}

/* Puts the lane at its job's place among the active ones. */
static void insert(Cores *cores, int lane)
{
    int to = cores->active_count++;
    CHECK(to < cores->lane_count);
    while (to > 0 && cores->lanes[cores->active[to - 1]].start > cores->lanes[lane].start) {
        cores->active[to] = cores->active[to - 1];
        to--;
    }
    cores->active[to] = lane;
    deal(cores);
}

static void withdraw(Cores *cores, int lane)
{
    int from = 0;
    while (from < cores->active_count && cores->active[from] != lane) {
        from++;
    }
    CHECK(from < cores->active_count);
    cores->active_count--;
    memmove(&cores->active[from], &cores->active[from + 1],
            (size_t)(cores->active_count - from) * sizeof *cores->active);
    atomic_store_explicit(&cores->lanes[lane].must_pause, false, memory_order_relaxed);
    deal(cores);
}

void cores_enter(Cores *cores, int lane)
{
    lock(cores);
    cores->lanes[lane].start = cores->starts++;
    insert(cores, lane);
    unlock(cores);
}

void cores_leave(Cores *cores, int lane)
{
    lock(cores);
    withdraw(cores, lane);
    unlock(cores);
}

void cores_park(Cores *cores, int lane)
{
    cores_leave(cores, lane);
}

void cores_resume(Cores *cores, int lane)
{
    lock(cores);
    insert(cores, lane);
    unlock(cores);
}

bool cores_must_pause(const Cores *cores, int lane)
{
    return atomic_load_explicit(&cores->lanes[lane].must_pause, memory_order_relaxed);
}

void cores_pause(Cores *cores, int lane, const atomic_bool *stop)
{
    CoreUser *user = &cores->lanes[lane];
    lock(cores);
    while (atomic_load_explicit(&user->must_pause, memory_order_relaxed) &&
           !atomic_load_explicit(stop, memory_order_relaxed)) {
        CHECK(pthread_cond_wait(&user->wake, &cores->lock) == 0);
    }
    unlock(cores);
}

void cores_wake(Cores *cores, int lane)
{
    lock(cores);
    CHECK(pthread_cond_signal(&cores->lanes[lane].wake) == 0);
    unlock(cores);
}
