/*
 * Session: one bridge's stay, and the search it has asked for.
 */
#ifndef ROOKERY_MASTER_CORE_SESSION_H
#define ROOKERY_MASTER_CORE_SESSION_H

#include "master/core/actions.h"
#include "master/core/losses.h"
#include "root/root.h"
#include "timeman/timeman.h"

enum { SESSION_LOSSES_KEPT_MS = 10 * 60 * 1000, SESSION_ACQUITTALS_MAX = 1 };

typedef struct {
    bool is_open;                          /* else the place is free */
    PeerId peer;                           /* the bridge's connection */
    SessionId id;                          /* of this stay, never used again */
    char name[MESSAGE_NAME_BYTES_MAX];     /* from OPEN, for people */
    Instant heard;                         /* last message of any kind */
    bool has_learned;                      /* tables hold what it searched since its NEW_GAME */
    WorkerId clearing[MASTER_WORKERS_MAX]; /* have not answered its newest NEW_GAME */
    int clearing_count;                    /* how many these are */

    bool is_searching;      /* it has a search, which may be held */
    bool is_pondering;      /* the clock waits for PONDERHIT */
    bool is_held;           /* finished, but may not say so before STOP or PONDERHIT */
    MessageSearch search;   /* as it was asked for */
    Position position;      /* the root */
    Root root;              /* the state of the session's own search */
    TimeBudget budget;      /* what the search may spend, from clock_started on */
    Instant received;       /* when the SEARCH came: where `elapsed` counts from */
    Instant clock_started;  /* then, or at PONDERHIT */
    Instant searched;       /* when the newest search that is over ended */
    Losses workers_lost;    /* that died with jobs of the root; see session_note_loss */
    Instant last_lost;      /* when the newest of them did */
    int lost_depth;         /* of the deepest job that they died with, plies */
    int acquittals;         /* of this search; see session_note_iteration */
    uint64_t other_nodes;   /* of scouts, and of results that came too late to count as results */
    uint64_t running_nodes; /* of jobs that are out, as last heard of; counted by jobs.c */
    uint64_t told_nodes;    /* the bridge knows of so many */
    Instant told;           /* when it last heard of the search */
    int hash_permille;      /* of the fullest worker */
    int jobs_out;           /* jobs that workers have; counted by jobs.c */
    int jobs_active;        /* of them, not parked; likewise */
} Session;

/* A bridge takes the place, which must be free, under the name `id`. */
void session_open(Session *session, PeerId peer, SessionId id, const MessageOpen *open,
                  Instant now);

/* Begins a search; a bad position is answered with ERROR and MOVE_NONE as best move. */
void session_search(Session *session, const MessageSearch *search, Instant now,
                    MasterActions *actions);

/* Whether its search is on: one that is held waits for STOP or PONDERHIT only. */
static inline bool session_is_at_work(const Session *session)
{
    return session->is_open && session->is_searching && !session->is_held;
}

/* The opponent played the pondered move: the clock starts. Nothing, if it runs already. */
void session_ponderhit(Session *session, Instant now);

/* Nodes of finished and dropped jobs; those of running jobs are not in it. */
uint64_t session_nodes(const Session *session);

/* Nodes that a job given out now may still use; 0 without a limit. */
uint64_t session_node_budget(const Session *session, int slot_share);

/*
 * Whether enough of a node limit is left to hand out more work. With several slots a small rest is
 * not worth sharing; one slot uses its budget to the last node, as the serial search does.
 */
bool session_has_nodes(const Session *session, int slot_share);

/*
 * A worker has died with a job of the root that searched `depth` plies. It is forgotten
 * SESSION_LOSSES_KEPT_MS after the last one: what happens seldom comes of the workers. But once a
 * move has been left out for that, it is known to come of the search: see session_costs_workers.
 */
void session_note_loss(Session *session, WorkerId worker, int depth, Instant now);

/*
 * The session's own search has completed an iteration. If it seemed to cost workers, was alone
 * therefore, and has come to the depth at which they died, then they died by chance: they are
 * forgotten, SESSION_ACQUITTALS_MAX times in a search. True if they are now.
 */
bool session_note_iteration(Session *session, Instant now);

/*
 * Whether the search may be to blame for lost workers: it has cost more than one of late, or a move
 * had to be left out.
 */
bool session_costs_workers(const Session *session, Instant now);

/*
 * Whether a search is on that has lasted so long that news within an iteration is worth telling;
 * of several lines, which are told of together, only now and then.
 */
bool session_wants_news(const Session *session, Instant now);

/*
 * Tells the bridge of all lines known, with figures up to now; the nodes are those of finished jobs
 * and of running ones as last heard of, and never fewer than told before. The first is the one to
 * play; of a line that the iteration before thought better than it, it is an upper bound.
 */
void session_tell(Session *session, Instant now, MasterActions *actions);

/*
 * Whether the search has to end now: budget, node limit or the root itself; `slot_share` as for
 * session_node_budget.
 */
bool session_is_due(const Session *session, int slot_share, Instant now);

/* Asks, after a complete iteration, whether another one is worth beginning. */
bool session_is_content(const Session *session, Instant now);

/* Whether the answer must wait for STOP (or PONDERHIT). */
bool session_must_hold(const Session *session);

/* Tells of all lines once more, sends the BESTMOVE and ends the search. */
void session_finish(Session *session, Instant now, MasterActions *actions);

/* When this session's search must be looked at again; far away without a budget. */
Instant session_deadline(const Session *session, Instant otherwise);

#endif
