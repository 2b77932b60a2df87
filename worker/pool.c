#include "worker/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "messages/game_position.h"
#include "worker/search/message_job.h"

/* The deepest recursion of search and quiescence takes about a quarter of it. */
enum { STACK_BYTES = 8 << 20 };

typedef enum { ORDER_NONE, ORDER_RUN, ORDER_CLEAR, ORDER_END } Order;

typedef struct {
    Pool *pool; /* that it belongs to */
    int number; /* from 0 */
    pthread_t thread;
    pthread_mutex_t lock; /* guards `order` */
    pthread_cond_t wake;  /* an order has come */
    Order order;          /* NONE again once the thread has taken it */

    MessageJob job; /* the owner's while the slot is free, else the thread's */
    Search *search; /* the thread's */
    SearchControl control;
    atomic_int alpha;       /* the bound that the owner wants; may come before the search begins */
    _Atomic uint64_t nodes; /* of the running job */

    MessageImproved improved[MOVES_MAX]; /* news of the running job */
    atomic_int improved_count;           /* written by the thread, which publishes the lines */
    int improved_taken;                  /* by the owner */
    MessageResult result;                /* of the job */
    bool is_refused;                     /* the job was no legal chess */
    atomic_bool is_done;                 /* publishes the two before it */
} Slot;

struct Pool {
    Tt *tt;
    Slot *slots; /* `count` of them */
    int count;
    int started;            /* slots whose thread runs */
    int descriptor;         /* an eventfd: there may be news */
    uint64_t nodes_done;    /* of finished jobs whose news was taken */
    bool is_clean;          /* no job since the last clear; the owner's */
    bool is_clearing;       /* from pool_clear to its news; the owner's */
    atomic_bool is_cleared; /* the news */
};

/* ---- a slot's thread ---- */

static void announce(const Pool *pool)
{
    CHECK(eventfd_write(pool->descriptor, 1) == 0);
}

static void on_poll(void *context, uint64_t nodes)
{
    Slot *slot = context;
    atomic_store_explicit(&slot->nodes, nodes, memory_order_relaxed);
    const int alpha = atomic_load_explicit(&slot->alpha, memory_order_relaxed);
    if (alpha > atomic_load_explicit(&slot->control.alpha, memory_order_relaxed)) {
        atomic_store_explicit(&slot->control.alpha, alpha, memory_order_relaxed);
    }
}

static void on_improved(void *context, const Line *line)
{
    Slot *slot = context;
    const int count = atomic_load_explicit(&slot->improved_count, memory_order_relaxed);
    CHECK(count < MOVES_MAX);
    slot->improved[count] = (MessageImproved){
        .id = slot->job.id,
        .line = *line,
        .nodes = atomic_load_explicit(&slot->nodes, memory_order_relaxed),
    };
    atomic_store_explicit(&slot->improved_count, count + 1, memory_order_release);
    announce(slot->pool);
}

static void run_job(Slot *slot)
{
    const MessageJob *job = &slot->job;
    Position root;
    History game;
    SearchResult found = {.score = -SCORE_INFINITE, .stopped = true};

    const Status resolved = game_position_resolve(&job->position, &root, &game);
    slot->is_refused = !status_is_ok(&resolved) || !message_job_is_playable(job, &root);
    if (!slot->is_refused) {
        const SearchJob search_job = message_job_search(job, &root, &game);
        const SearchHost host = {.context = slot, .poll = on_poll, .improved = on_improved};
        search_run(slot->search, &search_job, &slot->control, &host, &found);
    }
    message_job_result(&found, &job->id, &slot->result);
    atomic_store_explicit(&slot->is_done, true, memory_order_release);
    announce(slot->pool);
}

/* By the first slot's thread, because it can take a second; all others are free. */
static void clear(Pool *pool)
{
    tt_clear(pool->tt);
    for (int i = 0; i < pool->count; i++) {
        search_clear(pool->slots[i].search);
    }
    atomic_store_explicit(&pool->is_cleared, true, memory_order_release);
    announce(pool);
}

static Order wait_for_order(Slot *slot)
{
    CHECK(pthread_mutex_lock(&slot->lock) == 0);
    while (slot->order == ORDER_NONE) {
        CHECK(pthread_cond_wait(&slot->wake, &slot->lock) == 0);
    }
    const Order order = slot->order;
    slot->order = ORDER_NONE;
    CHECK(pthread_mutex_unlock(&slot->lock) == 0);
    return order;
}

static void *run_slot(void *context)
{
    Slot *slot = context;
    for (;;) {
        switch (wait_for_order(slot)) {
        case ORDER_RUN:
            run_job(slot);
            break;
        case ORDER_CLEAR:
            clear(slot->pool);
            break;
        case ORDER_END:
            return NULL;
        case ORDER_NONE:
            break;
        }
    }
}

/* ---- making and ending ---- */

static Status start_thread(Slot *slot)
{
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    const int error = pthread_create(&slot->thread, &attributes, run_slot, slot);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    return error == 0 ? status_ok()
                      : status_error(STATUS_IO, "cannot start search thread %d: %s",
                                     slot->number + 1, strerror(error));
}

static Status open_slot(Pool *pool, int number)
{
    CHECK(pool->slots != NULL);
    Slot *slot = &pool->slots[number];
    slot->pool = pool;
    slot->number = number;
    CHECK(pthread_mutex_init(&slot->lock, NULL) == 0);
    CHECK(pthread_cond_init(&slot->wake, NULL) == 0);
    slot->search = search_new(pool->tt);
    Status status;
    if (slot->search == NULL) {
        status =
            status_error(STATUS_NO_MEMORY, "not enough memory for %d search threads", pool->count);
    } else {
        search_clear(slot->search);
        status = start_thread(slot);
    }
    if (!status_is_ok(&status)) {
        search_destroy(&slot->search);
        CHECK(pthread_cond_destroy(&slot->wake) == 0);
        CHECK(pthread_mutex_destroy(&slot->lock) == 0);
    }
    return status;
}

static Status open_descriptor(Pool *pool)
{
    pool->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return pool->descriptor >= 0
               ? status_ok()
               : status_error(STATUS_IO, "cannot make an event descriptor: %s", strerror(errno));
}

Status pool_new(int slots, int hash_mb, Pool **pool)
{
    CHECK(slots >= 1 && slots <= MESSAGE_SLOTS_MAX);
    *pool = NULL;
    Pool *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    made->count = slots;
    made->descriptor = -1;
    made->is_clean = true;
    made->slots = calloc((size_t)slots, sizeof *made->slots);
    Status status = made->slots == NULL
                        ? status_error(STATUS_NO_MEMORY, "not enough memory for %d slots", slots)
                        : tt_new(hash_mb, &made->tt);
    if (status_is_ok(&status)) {
        status = open_descriptor(made);
    }
    while (status_is_ok(&status) && made->started < slots) {
        status = open_slot(made, made->started);
        made->started += status_is_ok(&status);
    }
    if (!status_is_ok(&status)) {
        pool_destroy(&made);
    }
    *pool = made;
    return status;
}

static void give_order(Slot *slot, Order order)
{
    CHECK(pthread_mutex_lock(&slot->lock) == 0);
    slot->order = order;
    CHECK(pthread_mutex_unlock(&slot->lock) == 0);
    /* Behind the unlock, or the thread would wake up only to wait for the lock. */
    CHECK(pthread_cond_signal(&slot->wake) == 0);
}

static void close_slot(Slot *slot)
{
    give_order(slot, ORDER_END);
    CHECK(pthread_join(slot->thread, NULL) == 0);
    search_destroy(&slot->search);
    CHECK(pthread_cond_destroy(&slot->wake) == 0);
    CHECK(pthread_mutex_destroy(&slot->lock) == 0);
}

void pool_destroy(Pool **pool)
{
    Pool *ended = *pool;
    if (ended == NULL) {
        return;
    }
    for (int i = 0; i < ended->started; i++) {
        pool_stop(ended, i);
    }
    for (int i = 0; i < ended->started; i++) {
        close_slot(&ended->slots[i]);
    }
    if (ended->descriptor >= 0) {
        CHECK(close(ended->descriptor) == 0);
    }
    tt_destroy(&ended->tt);
    free(ended->slots);
    free(ended);
    *pool = NULL;
}

/* ---- the owner ---- */

int pool_descriptor(const Pool *pool)
{
    return pool->descriptor;
}

static bool take_from_slot(Pool *pool, Slot *slot, PoolNews *news)
{
    news->slot = slot->number;
    /* A finished job has published all its lines before, so look whether it is finished first. */
    const bool is_done = atomic_load_explicit(&slot->is_done, memory_order_acquire);
    const int count = atomic_load_explicit(&slot->improved_count, memory_order_acquire);
    if (slot->improved_taken < count) {
        news->type = POOL_IMPROVED;
        news->improved = slot->improved[slot->improved_taken++];
        return true;
    }
    if (!is_done) {
        return false;
    }
    news->type = POOL_DONE;
    news->is_refused = slot->is_refused;
    news->result = slot->result;
    pool->nodes_done += slot->result.nodes;
    atomic_store_explicit(&slot->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->is_done, false, memory_order_relaxed);
    return true;
}

static bool take_any(Pool *pool, PoolNews *news)
{
    if (atomic_exchange_explicit(&pool->is_cleared, false, memory_order_acquire)) {
        pool->is_clearing = false;
        news->type = POOL_CLEARED;
        return true;
    }
    for (int i = 0; i < pool->count; i++) {
        if (take_from_slot(pool, &pool->slots[i], news)) {
            return true;
        }
    }
    return false;
}

bool pool_take(Pool *pool, PoolNews *news)
{
    eventfd_t announced;
    do {
        if (take_any(pool, news)) {
            return true;
        }
        /* What comes after this look makes the descriptor readable again. */
    } while (eventfd_read(pool->descriptor, &announced) == 0);
    return false;
}

void pool_start(Pool *pool, int slot, const MessageJob *job)
{
    Slot *chosen = &pool->slots[slot];
    pool->is_clean = false;
    chosen->job = *job;
    chosen->improved_taken = 0;
    atomic_store_explicit(&chosen->improved_count, 0, memory_order_relaxed);
    atomic_store_explicit(&chosen->control.stop, false, memory_order_relaxed);
    atomic_store_explicit(&chosen->alpha, job->alpha, memory_order_relaxed);
    give_order(chosen, ORDER_RUN);
}

void pool_stop(Pool *pool, int slot)
{
    atomic_store_explicit(&pool->slots[slot].control.stop, true, memory_order_relaxed);
}

void pool_raise_alpha(Pool *pool, int slot, int alpha)
{
    atomic_int *wanted = &pool->slots[slot].alpha;
    if (alpha > atomic_load_explicit(wanted, memory_order_relaxed)) {
        atomic_store_explicit(wanted, alpha, memory_order_relaxed);
    }
}

void pool_age(Pool *pool)
{
    tt_age(pool->tt);
}

void pool_clear(Pool *pool)
{
    pool->is_clearing = true;
    if (pool->is_clean) { /* a GUI's first ucinewgame: a large table need not be touched */
        atomic_store_explicit(&pool->is_cleared, true, memory_order_release);
        announce(pool);
    } else {
        pool->is_clean = true;
        give_order(&pool->slots[0], ORDER_CLEAR);
    }
}

void pool_sample(const Pool *pool, WorkerProgress *progress)
{
    progress->nodes_total = pool->nodes_done;
    for (int i = 0; i < pool->count; i++) {
        const uint64_t nodes = atomic_load_explicit(&pool->slots[i].nodes, memory_order_relaxed);
        progress->slot_nodes[i] = nodes;
        progress->nodes_total += nodes;
    }
    progress->hash_permille = pool->is_clearing ? 0 : tt_full_permille(pool->tt);
}
