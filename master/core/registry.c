#include "master/core/registry.h"

#include <string.h>

void registry_init(Registry *registry, Instant now)
{
    memset(registry, 0, sizeof *registry);
    registry->next_id = 1;
    registry->ping_sent = now;
    registry->accounted = now;
}

Worker *registry_find(Registry *registry, PeerId peer)
{
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined && worker->peer.value == peer.value) {
            return worker;
        }
    }
    return NULL;
}

Worker *registry_find_id(Registry *registry, WorkerId id)
{
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined && worker->id.value == id.value) {
            return worker;
        }
    }
    return NULL;
}

/* The speed of the fastest slot, nodes a second; 0 without workers. */
static uint64_t fastest_slot(const Registry *registry)
{
    uint64_t fastest = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        if (worker->is_joined && worker->nodes_per_second_calibrated > fastest) {
            fastest = worker->nodes_per_second_calibrated;
        }
    }
    return fastest;
}

/* Decides who is in reserve: the slow, unless they are so many that they are worth more. */
static void rank(Registry *registry)
{
    enum { SLOWER_TIMES_MAX = 3 }; /* about where one more costs what it brings: docs/scaling.md */
    const uint64_t least = fastest_slot(registry) / SLOWER_TIMES_MAX;
    uint64_t of_fast = 0; /* nodes a second of all their slots */
    uint64_t of_slow = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        if (worker->is_joined) {
            const uint64_t speed = worker->nodes_per_second_calibrated;
            *(speed < least ? &of_slow : &of_fast) += speed * (uint64_t)worker->slots;
        }
    }
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        worker->is_in_reserve = worker->nodes_per_second_calibrated < least && of_slow <= of_fast;
    }
}

Worker *registry_join(Registry *registry, PeerId peer, const MessageHello *hello,
                      Duration heartbeat, Instant now)
{
    for (int i = 0; i < MASTER_WORKERS_MAX; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined) {
            continue;
        }
        memset(worker, 0, sizeof *worker);
        worker->is_joined = true;
        worker->peer = peer;
        worker->id.value = registry->next_id++;
        memcpy(worker->name, hello->name, sizeof worker->name);
        worker->slots = hello->slots;
        worker->nodes_per_second_calibrated = hello->nodes_per_second;
        table_window_open(&worker->window, heartbeat);
        worker->heard = now;
        worker->measured = now;
        registry->count++;
        registry->end = i < registry->end ? registry->end : i + 1;
        rank(registry);
        return worker;
    }
    return NULL;
}

void registry_remove(Registry *registry, Worker *worker)
{
    CHECK(worker->is_joined && worker->jobs_out == 0);
    worker->is_joined = false;
    registry->count--;
    while (registry->end > 0 && !registry->workers[registry->end - 1].is_joined) {
        registry->end--;
    }
    rank(registry);
    for (int i = 0; i < registry->end; i++) {
        registry->workers[i].is_resting = false;
    }
}

void registry_wake(Registry *registry, Instant now)
{
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        worker->is_resting = worker->is_resting && instant_is_before(now, worker->rest_ends);
    }
}

/*
 * Gathers nodes and time between heartbeats that both show all slots at work: anything else would
 * measure the work there was, not the speed. A second of it evens out late messages.
 */
static void measure_speed(Worker *worker, uint64_t nodes_total, bool is_busy, Instant now)
{
    enum { WINDOW_US = 1000000 };
    if (is_busy && worker->was_busy && nodes_total >= worker->nodes_total) {
        worker->window_nodes += nodes_total - worker->nodes_total;
        worker->window_us += instant_since(now, worker->measured).us;
    }
    if (worker->window_us >= WINDOW_US) {
        worker->nodes_per_second = worker->window_nodes * 1000000 / (uint64_t)worker->window_us;
        worker->window_nodes = 0;
        worker->window_us = 0;
    }
    worker->nodes_total = nodes_total;
    worker->measured = now;
    worker->was_busy = is_busy;
}

void registry_restart_window(Worker *worker)
{
    worker->was_busy = false;
    worker->window_nodes = 0;
    worker->window_us = 0;
}

void registry_restart_windows(Registry *registry)
{
    for (int i = 0; i < registry->end; i++) {
        registry_restart_window(&registry->workers[i]);
    }
}

void registry_heartbeat(Worker *worker, const MessageHeartbeat *heartbeat, Instant now)
{
    /* The list names parked and waiting jobs too. */
    const bool is_busy =
        heartbeat->busy_count >= worker->slots && worker->jobs_active >= worker->slots;
    measure_speed(worker, heartbeat->nodes_total, is_busy, now);
    worker->hash_permille = heartbeat->hash_permille;
}

int registry_slot_count(const Registry *registry)
{
    int slots = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        slots += worker->is_joined && !worker->is_in_reserve ? worker->slots : 0;
    }
    return slots;
}

int registry_free_slot_count(const Registry *registry)
{
    int slots = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        slots += worker->is_joined ? registry_free_slots(worker) : 0;
    }
    return slots;
}

Worker *registry_free_worker(Registry *registry)
{
    Worker *best = NULL;
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined && registry_has_free_slot(worker) &&
            (best == NULL ||
             worker->nodes_per_second_calibrated > best->nodes_per_second_calibrated)) {
            best = worker;
        }
    }
    return best;
}

void registry_account(Registry *registry, Instant now, bool is_searching)
{
    const int64_t us = instant_since(now, registry->accounted).us;
    registry->accounted = now;
    for (int i = 0; i < registry->end && is_searching && us > 0; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined) {
            const int active = worker->jobs_active;
            worker->busy_us += us * (active < worker->slots ? active : worker->slots);
            worker->available_us += us * worker->slots;
        }
    }
}

static uint64_t shown_speed(const Worker *worker)
{
    return worker->nodes_per_second != 0
               ? worker->nodes_per_second
               : worker->nodes_per_second_calibrated * (uint64_t)worker->slots;
}

void registry_status(const Registry *registry, MessageStatus *status)
{
    status->worker_count = 0;
    for (int i = 0; i < registry->end; i++) {
        const Worker *worker = &registry->workers[i];
        if (!worker->is_joined || status->worker_count == MESSAGE_WORKERS_MAX) {
            continue;
        }
        WorkerRow *row = &status->workers[status->worker_count++];
        memset(row, 0, sizeof *row);
        row->id = worker->id;
        memcpy(row->name, worker->name, sizeof row->name);
        row->slots = worker->slots;
        row->nodes_per_second = shown_speed(worker);
        row->jobs = worker->jobs_done;
        row->idle_permille =
            worker->available_us > 0
                ? (int)((worker->available_us - worker->busy_us) * 1000 / worker->available_us)
                : 0;
        row->is_in_reserve = worker->is_in_reserve;
    }
}
