/*
 * Master core: the state machine that makes one engine of many workers.
 *
 * Events in, actions out, time inside the event: no socket, clock, thread or output. One event is
 * one message of a peer, the loss of a peer, or the passing of time. All memory is taken at start.
 *
 * A peer becomes a worker by HELLO or a session (a bridge) by OPEN; anything else from an unknown
 * peer is answered RESET, which makes it start anew.
 *
 *     worker    HELLO -> joined --- silent for a lease, send failed, BYE, HELLO again --> gone
 *               (registry.c)        its jobs go back to where they came from (departure.c)
 *
 *     session   OPEN -> idle -- SEARCH --> searching -- budget, limit, STOP, finished --> idle
 *               (session.c)                 |  ponder, infinite: a finished search is
 *                                           |  held until STOP or PONDERHIT (searches.c)
 *               CLOSE, silent for SESSION_LEASE --> gone
 *
 *     job       root_next_job ------> out -- RESULT, complete --> done
 *               OFFER --> queued ---->' |--- RESULT not complete, worker gone --> given back to
 *               (jobs.c, relay.c )      |    where it came from: the root or its owner
 *                                       |--- window of the root changed, withdrawn by its owner,
 *                                       |    owner or search is no more --> cancelled
 *                                       '--- another session has no slot, or its worker is late
 *                                            (recall.c) --> back to the root or the queue
 *
 * Whatever ends a job ends all that was given away below it. Every job that is out or queued is on
 * record (job names: messages/names.h). A RESULT whose name is not on record is late or doubled and
 * counts for nothing but its nodes; anything else about such a job counts for nothing at all.
 *
 * Where there are several slots a session's root is searched by several searches side by side, each
 * with an equal part of them (scouts.h).
 *
 * A step takes its event in (worker_messages.h, bridge_messages.h), ends the searches that are due
 * (searches.h) and gives free slots work, the eldest jobs of roots first, then shares, then
 * brothers (dispatch.h); if slots stay free, jobs that run are asked for shares (hunger.h).
 */
#ifndef ROOKERY_MASTER_CORE_MASTER_H
#define ROOKERY_MASTER_CORE_MASTER_H

#include "base/status.h"
#include "messages/messages.h"

typedef struct {
    Epoch epoch;              /* of this life of the master, not 0 */
    uint64_t search_identity; /* workers with another one are refused */
    Duration heartbeat;       /* between two signs of life, both directions */
    Duration lease;           /* a worker silent for so long is gone */
    int surplus_permille;     /* shares to keep queued, in thousandths of the slots */
    int searches_max;         /* of a root side by side (scouts.h), at least 1: no scouts */
    bool ignores_affinity;    /* for measuring what it is worth (affinity.h) */
} MasterConfig;

enum {
    MASTER_WORKERS_MAX = 256,                   /* more are refused with ERROR_FULL */
    MASTER_SESSIONS_MAX = MESSAGE_SESSIONS_MAX, /* likewise */
    MASTER_ACTIONS_MAX = 2048,                  /* see MasterActions */
    MASTER_LOG_BYTES_MAX = 200,
    MASTER_SEARCHES_MAX = 128,     /* of one root side by side at most; the usual searches_max */
    MASTER_SURPLUS_PERMILLE = 250, /* the usual one: hides the hop from a slot that is free */
};

typedef enum { MASTER_EVENT_MESSAGE, MASTER_EVENT_PEER_GONE, MASTER_EVENT_TICK } MasterEventType;

typedef struct {
    MasterEventType type;   /* which of the fields below count */
    Instant now;            /* never before that of an earlier event; of a PEER_GONE that a failed
                               send shows, that of the step that sent (departure.c) */
    PeerId peer;            /* MESSAGE, PEER_GONE */
    const Message *message; /* MESSAGE; borrowed for the call */
} MasterEvent;

typedef enum { MASTER_ACTION_SEND, MASTER_ACTION_LOG } MasterActionType;

/* What a line of the log is about: a flood of one kind need not drown another. */
typedef enum {
    MASTER_LOG_WORKER,  /* comes, goes, is in reserve */
    MASTER_LOG_SESSION, /* comes, goes */
    MASTER_LOG_SEARCH,  /* costs workers */
    MASTER_LOG_KINDS
} MasterLogKind;

typedef struct {
    MasterActionType type;           /* which of the fields below count */
    PeerId peer;                     /* SEND */
    Message message;                 /* SEND */
    MasterLogKind kind;              /* LOG */
    char text[MASTER_LOG_BYTES_MAX]; /* LOG: one line */
} MasterAction;

/*
 * What a step asks for, in order. Jobs are handed out, searches ended and silent peers dropped only
 * while three quarters of the list are free, and LOGs are dropped when it is full; `more` then says
 * that another TICK at once has work to do. The rest of the list is enough for one message about
 * every job (jobs.h) and one to every peer, which is the most that follows from one loss.
 */
typedef struct {
    int count;                             /* of the list in use */
    bool more;                             /* another TICK at once has work to do */
    MasterAction list[MASTER_ACTIONS_MAX]; /* in the order in which they are to be done */
} MasterActions;

typedef struct Master Master;

/* Makes a master without peers, or NULL when memory is short. */
Master *master_new(const MasterConfig *config, Instant now);

/* Frees it and nulls the pointer; NULL is allowed. */
void master_destroy(Master **master);

/* Takes one event; `actions` is emptied first. One thread. */
void master_step(Master *master, const MasterEvent *event, MasterActions *actions);

/* When the next TICK is due at the latest. */
Instant master_next_tick(const Master *master);

#endif
