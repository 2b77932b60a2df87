#include "master/core/master.h"

#include <stdlib.h>

#include "master/core/bridge_messages.h"
#include "master/core/cluster_status.h"
#include "master/core/departure.h"
#include "master/core/dispatch.h"
#include "master/core/searches.h"
#include "master/core/state.h"
#include "master/core/tables.h"
#include "master/core/worker_messages.h"

enum { SESSION_LEASE_MS = 10000 }; /* bridges ping every second */

Master *master_new(const MasterConfig *config, Instant now)
{
    Master *master = calloc(1, sizeof *master);
    if (master == NULL) {
        return NULL;
    }
    CHECK(config->epoch.value != 0 && config->searches_max >= 1);
    master->config = *config;
    master->next_session = 1;
    master->stepped = now;
    master->status_sent = now;
    registry_init(&master->registry, now);
    jobs_init(&master->jobs);
    scouts_init(&master->scouts);
    affinity_init(&master->affinity);
    return master;
}

void master_destroy(Master **master)
{
    free(*master);
    *master = NULL;
}

/* ---- peers ---- */

static void on_message(Master *master, const MasterEvent *event, MasterActions *actions)
{
    Worker *worker = registry_find(&master->registry, event->peer);
    Session *session = state_find_session(master, event->peer);
    if (event->message->type == MESSAGE_HELLO && session == NULL) {
        worker_messages_hello(master, event, actions);
    } else if (event->message->type == MESSAGE_OPEN && worker == NULL) {
        bridge_messages_open(master, event, actions);
    } else if (worker != NULL) {
        worker_messages_take(master, worker, event, actions);
    } else if (session != NULL) {
        bridge_messages_take(master, session, event, actions);
    } else if (event->message->type != MESSAGE_BYE && event->message->type != MESSAGE_CLOSE) {
        (void)actions_send(actions, event->peer, MESSAGE_RESET);
    }
}

static void on_peer_gone(Master *master, PeerId peer, MasterActions *actions)
{
    Worker *worker = registry_find(&master->registry, peer);
    Session *session = state_find_session(master, peer);
    if (worker != NULL) {
        departure_of_worker(master, worker, "is gone", true, actions);
    }
    if (session != NULL) {
        departure_of_session(master, session, "is gone", actions);
    }
}

/* ---- time ---- */

/*
 * After a late step of our own nobody can be blamed: not for his pace, since heartbeats were read
 * late, and if it was very late, not for silence either, so that all get a new lease.
 */
static void grant_grace(Master *master, Instant now)
{
    const Duration of_sessions = duration_ms(SESSION_LEASE_MS);
    const Duration lease =
        master->config.lease.us < of_sessions.us ? master->config.lease : of_sessions;
    const int64_t late_us = instant_since(now, master->stepped).us;
    if (late_us >= 2 * master->config.heartbeat.us) {
        jobs_restart_paces(&master->jobs, NULL, now);
        registry_restart_windows(&master->registry);
    }
    if (late_us < lease.us / 2) {
        return;
    }
    for (int i = 0; i < master->registry.end; i++) {
        master->registry.workers[i].heard = now;
    }
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        master->sessions[i].heard = now;
    }
}

/* One by one while there is room: a whole lab may vanish at once. */
static void expire_peers(Master *master, Instant now, MasterActions *actions)
{
    for (int i = 0; i < master->registry.end && actions_have_room(actions); i++) {
        Worker *worker = &master->registry.workers[i];
        if (worker->is_joined && instant_since(now, worker->heard).us >= master->config.lease.us) {
            (void)actions_send(actions, worker->peer, MESSAGE_RESET);
            departure_of_worker(master, worker, "has been silent too long", false, actions);
        }
    }
    for (int i = 0; i < MASTER_SESSIONS_MAX && actions_have_room(actions); i++) {
        Session *session = &master->sessions[i];
        if (session->is_open &&
            instant_since(now, session->heard).us >= duration_ms(SESSION_LEASE_MS).us) {
            (void)actions_send(actions, session->peer, MESSAGE_RESET);
            departure_of_session(master, session, "has been silent too long", actions);
        }
    }
}

/* A send to a dead process fails at once, so a ping of our own finds it long before the lease. */
static void ping_workers(Master *master, Instant now, MasterActions *actions)
{
    Registry *registry = &master->registry;
    if (instant_since(now, registry->ping_sent).us < master->config.heartbeat.us) {
        return;
    }
    registry->ping_sent = now;
    registry->ping_number++;
    for (int i = 0; i < registry->end; i++) {
        Worker *worker = &registry->workers[i];
        if (worker->is_joined) {
            actions_send(actions, worker->peer, MESSAGE_PING)->ping.number = registry->ping_number;
            tables_acknowledge(registry, worker, actions);
        }
    }
}

static void on_tick(Master *master, Instant now, MasterActions *actions)
{
    expire_peers(master, now, actions);
    if (!actions_have_room(actions)) {
        actions->more = true;
        return;
    }
    ping_workers(master, now, actions);
    cluster_status_publish(master, now, actions);
}

void master_step(Master *master, const MasterEvent *event, MasterActions *actions)
{
    actions->count = 0;
    actions->more = false;
    registry_account(&master->registry, event->now, state_at_work_count(master) > 0);
    grant_grace(master, event->now);
    registry_wake(&master->registry, event->now);
    master->stepped = event->now;

    switch (event->type) {
    case MASTER_EVENT_MESSAGE:
        on_message(master, event, actions);
        break;
    case MASTER_EVENT_PEER_GONE:
        on_peer_gone(master, event->peer, actions);
        break;
    case MASTER_EVENT_TICK:
        on_tick(master, event->now, actions);
        break;
    }
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        searches_conclude_if_due(master, &master->sessions[i], event->now, actions);
    }
    dispatch_work(master, actions);
}

Instant master_next_tick(const Master *master)
{
    Instant next = instant_add(master->registry.ping_sent, master->config.heartbeat);
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (master->sessions[i].is_open) {
            next = session_deadline(&master->sessions[i], next);
        }
    }
    return next;
}
