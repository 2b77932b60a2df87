/*
 * State of the master core: what its files share and nobody else sees.
 */
#ifndef ROOKERY_MASTER_CORE_STATE_H
#define ROOKERY_MASTER_CORE_STATE_H

#include "master/core/affinity.h"
#include "master/core/jobs.h"
#include "master/core/news.h"
#include "master/core/scouts.h"

struct Master {
    MasterConfig config;                   /* as master_new was given it */
    Registry registry;                     /* the workers */
    Session sessions[MASTER_SESSIONS_MAX]; /* the bridges; each stays at its place */
    Jobs jobs;                             /* what is out or waits to be handed out */
    Scouts scouts;                         /* of all sessions */
    Affinity affinity;                     /* which worker had which subtree last */
    News news;                             /* table entries just passed on; as calloc leaves it */
    uint32_t next_session;                 /* id of the next session */
    int first_session;                     /* where handing out begins its round, for fairness */
    Instant stepped;                       /* time of this step; at its start, of the last one */
    Instant status_sent;                   /* when bridges were last told of the workers */
};

/* The session of the bridge behind `peer`, or NULL. */
Session *state_find_session(Master *master, PeerId peer);

/* How many sessions have a search at work. */
int state_at_work_count(const Master *master);

/*
 * The slots that one session's search may count on: all of them, shared evenly by the sessions at
 * work; at least 1.
 */
int state_slot_share(const Master *master);

/* How many searches of its root the session has: its own and its scouts. */
int state_search_count(const Master *master, const Session *session);

/*
 * How many it should have: one where nodes are counted, for they are worth most in one search, and
 * where a move seems to cost workers, lest it cost them all at once.
 */
int state_searches_wanted(const Master *master, const Session *session);

#endif
