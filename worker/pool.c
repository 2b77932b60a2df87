#include "worker/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "messages/game_position.h"
#include "os/clock.h"
#include "os/thread_watch.h"
#include "worker/cores.h"
#include "worker/populator.h"
#include "worker/search/message_job.h"
#include "worker/shares.h"

/* The deepest recursion of search and quiescence takes about a quarter of it. */
enum { STACK_BYTES = 8 << 20 };

typedef enum { ORDER_NONE, ORDER_RUN, ORDER_CLEAR, ORDER_END } Order;

typedef struct {
    Pool *pool;               /* that it belongs to */
    int number;               /* from 0 */
    atomic_int thread_number; /* for `watch`; 0 before the thread has begun */
    pthread_t thread;
    ThreadWatch watch;    /* the owner's, as the next */
    uint64_t nodes_seen;  /* at the last look */
    pthread_mutex_t lock; /* guards `order` and `shares` */
    pthread_cond_t wake;  /* an order has come, or what a search waits for */
    Order order;          /* NONE again once the thread has taken it */
    bool has_job;         /* from pool_start to its DONE; the owner's */

    MessageJob job; /* the owner's while the lane is free, else the thread's */
    Search *search; /* the thread's */
    SearchControl control;
    atomic_int alpha;       /* the bound that the owner wants; may come before the search begins */
    _Atomic uint64_t nodes; /* of the running job, its own */

    Shares shares;              /* of the running job */
    atomic_bool has_share_news; /* for the owner: of shares or parking; changed under the lock */

    MessageImproved improved[MOVES_MAX]; /* news of the running job */
    atomic_int improved_count;           /* written by the thread, which publishes the lines */
    int improved_taken;                  /* by the owner */
    MessageResult result;                /* of the job */
    uint64_t own_nodes;                  /* of the job, searched by this lane */
    bool is_refused;                     /* the job was no legal chess */
    atomic_bool is_done;                 /* publishes the three before it */
} Lane;

struct Pool {
    Tt *tt;
    Cores *cores;
    Lane *lanes; /* `count` of them */
    int slots;
    int count;
    int started;              /* lanes whose thread runs */
    int descriptor;           /* an eventfd: there may be news */
    uint64_t nodes_done;      /* of finished jobs whose news was taken */
    bool is_clean;            /* nothing searched or learned since the last clear; the owner's */
    bool is_clearing;         /* from pool_clear to its news; the owner's */
    atomic_int clearing_left; /* lanes that have yet to clear their part */
    atomic_bool is_cleared;   /* the news */
    Populator populator;      /* brings the table's memory in */
};

static void lock(Lane *lane)
{
    CHECK(pthread_mutex_lock(&lane->lock) == 0);
}

static void unlock(Lane *lane)
{
    CHECK(pthread_mutex_unlock(&lane->lock) == 0);
}

static void announce(const Pool *pool)
{
    CHECK(eventfd_write(pool->descriptor, 1) == 0);
}

/* ---- what a lane's search says ---- */

/* Makes the bound that the owner wants known to the search; true when it is a higher one. */
static bool pass_bound_on(Lane *lane)
{
    return search_control_raise(&lane->control,
                                atomic_load_explicit(&lane->alpha, memory_order_relaxed));
}

static void on_poll(void *context, uint64_t nodes)
{
    Lane *lane = context;
    Cores *cores = lane->pool->cores;
    atomic_store_explicit(&lane->nodes, nodes, memory_order_relaxed);
    if (cores_must_pause(cores, lane->number)) {
        cores_pause(cores, lane->number, &lane->control.stop);
    }
    (void)pass_bound_on(lane);
}

/*
 * A move may improve again when a share of it was lost. Lines beyond the last place are not told:
 * the result has the best one.
 */
static void on_improved(void *context, const Line *line)
{
    Lane *lane = context;
    const int count = atomic_load_explicit(&lane->improved_count, memory_order_relaxed);
    if (count == MOVES_MAX) {
        return;
    }
    lane->improved[count] = (MessageImproved){
        .id = lane->job.id,
        .line = *line,
        .nodes = atomic_load_explicit(&lane->nodes, memory_order_relaxed),
    };
    atomic_store_explicit(&lane->improved_count, count + 1, memory_order_release);
    announce(lane->pool);
}

/* There is news of shares; under the lock. */
static void announce_shares(Lane *lane)
{
    if (!atomic_exchange_explicit(&lane->has_share_news, true, memory_order_release)) {
        announce(lane->pool);
    }
}

static bool on_offer(void *context, uint32_t share, const SearchJob *job)
{
    Lane *lane = context;
    lock(lane);
    const bool is_taken = shares_offer(&lane->shares, share, job);
    if (is_taken) {
        announce_shares(lane);
    }
    unlock(lane);
    return is_taken;
}

static bool on_withdraw(void *context, uint32_t share)
{
    Lane *lane = context;
    lock(lane);
    const bool is_untold = shares_withdraw(&lane->shares, share);
    announce_shares(lane);
    unlock(lane);
    return is_untold;
}

static void on_raise(void *context, uint32_t share, int alpha)
{
    Lane *lane = context;
    lock(lane);
    shares_raise(&lane->shares, share, alpha);
    announce_shares(lane);
    unlock(lane);
}

/* Leaves its core to others until there is something to do; under the lock. */
static void park(Lane *lane)
{
    Cores *cores = lane->pool->cores;
    shares_turn_wait(&lane->shares);
    announce_shares(lane);
    cores_park(cores, lane->number);
    while (!shares_have_news(&lane->shares) && !search_control_must_stop(&lane->control) &&
           !search_control_is_below(&lane->control,
                                    atomic_load_explicit(&lane->alpha, memory_order_relaxed))) {
        CHECK(pthread_cond_wait(&lane->wake, &lane->lock) == 0);
    }
    cores_resume(cores, lane->number);
    shares_turn_wait(&lane->shares);
    announce_shares(lane);
}

/*
 * Waits for news; a higher bound is news of no share. False when told to stop. Under the lock.
 */
static bool wait_for_news(Lane *lane, ShareNews *news)
{
    while (!search_control_must_stop(&lane->control)) {
        if (shares_take(&lane->shares, news)) {
            return true;
        }
        if (pass_bound_on(lane)) {
            shares_write_no_news(news);
            return true;
        }
        park(lane);
    }
    return false;
}

static bool on_take(void *context, bool wait, ShareNews *news)
{
    Lane *lane = context;
    lock(lane);
    const bool has_news = wait ? wait_for_news(lane, news) : shares_take(&lane->shares, news);
    unlock(lane);
    return has_news;
}

/* ---- a lane's thread ---- */

static bool make_search(Lane *lane)
{
    const Pool *pool = lane->pool;
    const int first = worker_history_lane(pool->slots, lane->number);
    lane->search =
        first == lane->number ? search_new(pool->tt) : search_new_beside(pool->lanes[first].search);
    if (lane->search != NULL) {
        search_clear(lane->search);
    }
    return lane->search != NULL;
}

static void search_job(Lane *lane, const Position *root, const History *game, SearchResult *found)
{
    const SearchJob job = message_job_search(&lane->job, root, game);
    const SearchHost host = {
        .context = lane,
        .poll = on_poll,
        .improved = on_improved,
        .offer = on_offer,
        .take = on_take,
        .withdraw = on_withdraw,
        .raise = on_raise,
    };
    search_run(lane->search, &job, &lane->control, &host, found);
}

/* A job that is no legal chess ends incomplete. */
static void run_job(Lane *lane)
{
    const MessageJob *job = &lane->job;
    Position root;
    History game;
    SearchResult found = {.score = -SCORE_INFINITE, .stopped = true};

    const Status resolved = game_position_resolve(&job->position, &root, &game);
    lane->is_refused = !status_is_ok(&resolved) || !message_job_is_playable(job, &root);
    if (!lane->is_refused) {
        search_job(lane, &root, &game, &found);
    }
    message_job_result(&found, &job->id, &lane->result);
    lane->own_nodes = found.own_nodes;
    cores_leave(lane->pool->cores, lane->number);
    atomic_store_explicit(&lane->is_done, true, memory_order_release);
    announce(lane->pool);
}

/* By all lanes' threads, because a large table can take seconds; none of them searches. */
static void clear(Lane *lane)
{
    Pool *pool = lane->pool;
    tt_clear_part(pool->tt, lane->number, pool->count);
    search_clear(lane->search);
    if (atomic_fetch_sub_explicit(&pool->clearing_left, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&pool->is_cleared, true, memory_order_release);
        announce(pool);
    }
}

static Order wait_for_order(Lane *lane)
{
    lock(lane);
    while (lane->order == ORDER_NONE) {
        CHECK(pthread_cond_wait(&lane->wake, &lane->lock) == 0);
    }
    const Order order = lane->order;
    lane->order = ORDER_NONE;
    unlock(lane);
    return order;
}

static void *run_lane(void *context)
{
    Lane *lane = context;
    atomic_store_explicit(&lane->thread_number, thread_watch_number(), memory_order_relaxed);
    for (;;) {
        switch (wait_for_order(lane)) {
        case ORDER_RUN:
            run_job(lane);
            break;
        case ORDER_CLEAR:
            clear(lane);
            break;
        case ORDER_END:
            return NULL;
        case ORDER_NONE:
            break;
        }
    }
}

/* ---- making and ending ---- */

static Status start_thread(Lane *lane)
{
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    const int error = pthread_create(&lane->thread, &attributes, run_lane, lane);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    if (error == 0) {
        lane->watch = thread_watch_begin(lane->thread, clock_now());
    }
    return error == 0 ? status_ok()
                      : status_error(STATUS_IO, "cannot start search thread %d: %s",
                                     lane->number + 1, strerror(error));
}

static Status no_memory(const Pool *pool)
{
    return status_error(STATUS_NO_MEMORY, "not enough memory for %d slots", pool->slots);
}

static Status open_lane(Pool *pool, int number)
{
    CHECK(pool->lanes != NULL);
    Lane *lane = &pool->lanes[number];
    lane->pool = pool;
    lane->number = number;
    CHECK(pthread_mutex_init(&lane->lock, NULL) == 0);
    CHECK(pthread_cond_init(&lane->wake, NULL) == 0);
    const Status status = make_search(lane) ? start_thread(lane) : no_memory(pool);
    if (!status_is_ok(&status)) {
        search_destroy(&lane->search);
        CHECK(pthread_cond_destroy(&lane->wake) == 0);
        CHECK(pthread_mutex_destroy(&lane->lock) == 0);
    }
    return status;
}

bool pool_is_populated(const Pool *pool)
{
    return populator_is_done(&pool->populator);
}

static Status open_descriptor(Pool *pool)
{
    pool->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return pool->descriptor >= 0
               ? status_ok()
               : status_error(STATUS_IO, "cannot make an event descriptor: %s", strerror(errno));
}

static Status open_all(Pool *pool, int hash_mb)
{
    pool->cores = cores_new(pool->slots, pool->count);
    pool->lanes = calloc((size_t)pool->count, sizeof *pool->lanes);
    Status status =
        pool->cores == NULL || pool->lanes == NULL ? no_memory(pool) : tt_new(hash_mb, &pool->tt);
    if (status_is_ok(&status)) {
        status = open_descriptor(pool);
    }
    while (status_is_ok(&status) && pool->started < pool->count) {
        status = open_lane(pool, pool->started);
        pool->started += status_is_ok(&status);
    }
    if (status_is_ok(&status)) {
        populator_start(&pool->populator, pool->tt, hash_mb, pool->descriptor);
    }
    return status;
}

Status pool_new(int slots, int hash_mb, Pool **pool)
{
    CHECK(slots >= 1 && slots <= MESSAGE_SLOTS_MAX);
    *pool = NULL;
    Pool *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    made->slots = slots;
    made->count = WORKER_LANES_PER_SLOT * slots;
    made->descriptor = -1;
    made->is_clean = true;
    const Status status = open_all(made, hash_mb);
    if (!status_is_ok(&status)) {
        pool_destroy(&made);
    }
    *pool = made;
    return status;
}

static void give_order(Lane *lane, Order order)
{
    lock(lane);
    lane->order = order;
    unlock(lane);
    /* Behind the unlock, or the thread would wake up only to wait for the lock. */
    CHECK(pthread_cond_signal(&lane->wake) == 0);
}

static void join_lane(Lane *lane)
{
    give_order(lane, ORDER_END);
    CHECK(pthread_join(lane->thread, NULL) == 0);
}

static void close_lane(Lane *lane)
{
    search_destroy(&lane->search);
    CHECK(pthread_cond_destroy(&lane->wake) == 0);
    CHECK(pthread_mutex_destroy(&lane->lock) == 0);
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
    populator_end(&ended->populator);
    for (int i = 0; i < ended->started; i++) {
        join_lane(&ended->lanes[i]);
    }
    for (int i = ended->started - 1; i >= 0; i--) { /* the first ones' histories are shared */
        close_lane(&ended->lanes[i]);
    }
    if (ended->descriptor >= 0) {
        CHECK(close(ended->descriptor) == 0);
    }
    tt_destroy(&ended->tt);
    cores_destroy(&ended->cores);
    free(ended->lanes);
    free(ended);
    *pool = NULL;
}

/* ---- the owner ---- */

int pool_descriptor(const Pool *pool)
{
    return pool->descriptor;
}

static bool take_share_news(Lane *lane, PoolNews *news)
{
    if (!atomic_load_explicit(&lane->has_share_news, memory_order_acquire)) {
        return false;
    }
    lock(lane);
    const bool has_news = shares_collect(&lane->shares, news);
    if (!has_news) {
        atomic_store_explicit(&lane->has_share_news, false, memory_order_relaxed);
    }
    unlock(lane);
    return has_news;
}

static bool take_improved(Lane *lane, PoolNews *news)
{
    const int count = atomic_load_explicit(&lane->improved_count, memory_order_acquire);
    if (lane->improved_taken == count) {
        return false;
    }
    news->type = POOL_IMPROVED;
    news->improved = lane->improved[lane->improved_taken++];
    return true;
}

static void take_result(Pool *pool, Lane *lane, PoolNews *news)
{
    news->type = POOL_DONE;
    news->is_refused = lane->is_refused;
    news->result = lane->result;
    pool->nodes_done += lane->own_nodes;
    lane->has_job = false;
    atomic_store_explicit(&lane->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&lane->is_done, false, memory_order_relaxed);
}

static bool take_from_lane(Pool *pool, Lane *lane, PoolNews *news)
{
    news->lane = lane->number;
    /* A finished job has published all else before, so look whether it is finished first. */
    const bool is_done = atomic_load_explicit(&lane->is_done, memory_order_acquire);
    if (take_improved(lane, news) || take_share_news(lane, news)) {
        return true;
    }
    if (is_done) {
        take_result(pool, lane, news);
    }
    return is_done;
}

static bool take_any(Pool *pool, PoolNews *news)
{
    if (atomic_exchange_explicit(&pool->is_cleared, false, memory_order_acquire)) {
        pool->is_clearing = false;
        news->type = POOL_CLEARED;
        return true;
    }
    for (int i = 0; i < pool->count; i++) {
        if (take_from_lane(pool, &pool->lanes[i], news)) {
            return true;
        }
    }
    return false;
}

bool pool_take(Pool *pool, PoolNews *news)
{
    eventfd_t announced;
    /* What comes after the reading makes the descriptor readable again. */
    return take_any(pool, news) ||
           (eventfd_read(pool->descriptor, &announced) == 0 && take_any(pool, news));
}

void pool_start(Pool *pool, int lane, const MessageJob *job)
{
    Lane *chosen = &pool->lanes[lane];
    pool->is_clean = false;
    chosen->job = *job;
    chosen->has_job = true;
    chosen->improved_taken = 0;
    shares_clear(&chosen->shares);
    atomic_store_explicit(&chosen->improved_count, 0, memory_order_relaxed);
    search_control_reset(&chosen->control);
    atomic_store_explicit(&chosen->alpha, job->alpha, memory_order_relaxed);
    cores_enter(pool->cores, lane);
    give_order(chosen, ORDER_RUN);
}

/* What the lane's search may be waiting for has come; passing through the lock, it cannot be just
 * before its wait. */
static void wake(Lane *lane)
{
    lock(lane);
    unlock(lane);
    CHECK(pthread_cond_signal(&lane->wake) == 0);
}

void pool_stop(Pool *pool, int lane)
{
    atomic_store_explicit(&pool->lanes[lane].control.stop, true, memory_order_relaxed);
    wake(&pool->lanes[lane]);
    cores_wake(pool->cores, lane);
}

void pool_raise_alpha(Pool *pool, int lane, int alpha)
{
    atomic_int *wanted = &pool->lanes[lane].alpha;
    if (alpha > atomic_load_explicit(wanted, memory_order_relaxed)) {
        atomic_store_explicit(wanted, alpha, memory_order_relaxed);
        wake(&pool->lanes[lane]);
    }
}

void pool_want(Pool *pool, int lane, int count)
{
    atomic_store_explicit(&pool->lanes[lane].control.wanted, count, memory_order_relaxed);
}

void pool_deliver(Pool *pool, int lane, const Message *news)
{
    Lane *chosen = &pool->lanes[lane];
    lock(chosen);
    const bool is_taken = shares_deliver(&chosen->shares, news);
    if (is_taken) {
        atomic_store_explicit(&chosen->control.news, true, memory_order_relaxed);
    }
    unlock(chosen);
    if (is_taken) {
        CHECK(pthread_cond_signal(&chosen->wake) == 0);
    }
}

void pool_tell(Pool *pool, int depth)
{
    tt_tell(pool->tt, depth);
}

void pool_take_notes(Pool *pool, MessageTable *notes)
{
    notes->count = tt_take_notes(pool->tt, notes->entries, MESSAGE_TABLE_ENTRIES_MAX);
}

void pool_learn(Pool *pool, const MessageTable *notes)
{
    if (pool->is_clearing) {
        return; /* they are of the game that is being forgotten, and the lanes have the table */
    }
    pool->is_clean = false;
    for (int i = 0; i < notes->count; i++) {
        (void)tt_learn(pool->tt, &notes->entries[i]);
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
        atomic_store_explicit(&pool->clearing_left, pool->count, memory_order_relaxed);
        for (int i = 0; i < pool->count; i++) {
            give_order(&pool->lanes[i], ORDER_CLEAR);
        }
    }
}

/* The lane's own time by now. Only where a job does not go on does it matter what it waits for. */
static Duration lane_time(Lane *lane, uint64_t nodes, Instant now)
{
    if (lane->has_job && nodes == lane->nodes_seen) {
        const int number = atomic_load_explicit(&lane->thread_number, memory_order_relaxed);
        thread_watch_look(&lane->watch, lane->thread, number, now);
    } else {
        thread_watch_pass(&lane->watch, lane->thread, now);
    }
    lane->nodes_seen = nodes;
    return lane->watch.own;
}

void pool_sample(Pool *pool, WorkerProgress *progress)
{
    const Instant now = clock_now();
    progress->nodes_total = pool->nodes_done;
    for (int i = 0; i < pool->count; i++) {
        Lane *lane = &pool->lanes[i];
        const uint64_t nodes = atomic_load_explicit(&lane->nodes, memory_order_relaxed);
        progress->lane_nodes[i] = nodes;
        progress->lane_time[i] = lane_time(lane, nodes, now);
        progress->nodes_total += nodes;
    }
    progress->hash_permille = pool->is_clearing ? 0 : tt_full_permille(pool->tt);
}
