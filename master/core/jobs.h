/*
 * Jobs: the tree of all work that is out or waits to be handed out.
 *
 *     of the root                of an inner node
 *         | jobs_add_root            | jobs_add_share
 *         |                          v
 *         |                       QUEUED
 *         |            jobs_hand_out |  ^ jobs_queue_again, a share only
 *         '---------> OUT <----------'--'
 *                     | ^ jobs_set_parked: waits for its shares and searches nothing
 *                     '-'
 *     either state --- jobs_remove ---> gone
 *
 * Invariants:
 *  1. The owner of a share is on record and OUT: whoever removes a job removes what lies below it
 *     first (jobs_below).
 *  2. All jobs of one tree belong to the search that their session runs now.
 *  3. The counts of jobs in workers and sessions are those of the records. Only this file changes
 *     them.
 *
 * The pool is fixed. A share that finds it full is refused, and its owner keeps the moves; a root
 * job that does stays with its root until there is room.
 */
#ifndef ROOKERY_MASTER_CORE_JOBS_H
#define ROOKERY_MASTER_CORE_JOBS_H

#include "master/core/losses.h"
#include "master/core/registry.h"
#include "master/core/session.h"

enum {
    JOBS_MAX = 1024,
    JOB_HELPERS_LOST_MAX = 3, /* then what it gives away may be to blame: it keeps the rest */
};

typedef enum { JOB_FREE, JOB_QUEUED, JOB_OUT } JobState;

typedef struct Job Job;

struct Job {
    JobState state;      /* see above */
    JobId id;            /* its name */
    Session *session;    /* whose search it belongs to */
    Root *root;          /* where it comes from in the end: the session's, or a scout's */
    Job *owner;          /* the job that gave it away; NULL: it comes from the root */
    uint32_t share;      /* its number with the owner; 0: it comes from the root */
    Worker *worker;      /* OUT: who searches it */
    bool is_parked;      /* OUT: waits for its shares, its slot takes another job */
    Instant since;       /* OUT: when it went out */
    Instant resumed;     /* OUT: likewise, or later; since when its pace counts */
    Instant heard;       /* OUT: likewise, or when its worker told of its nodes last */
    bool is_eldest;      /* critical: all other jobs of the root wait for it */
    int depth;           /* remaining at its node, plies */
    int move_count;      /* of its node, that it searches */
    uint64_t nodes;      /* OUT: searched by the worker itself, when it was last heard of */
    uint64_t nodes_then; /* OUT: of them, those before `resumed` */
    int shares_asked;    /* HUNGRY as its worker must know it by now */
    Losses helpers_lost; /* workers that died with shares of it */
    uint64_t order;      /* the smaller, the older; shares are younger than their owner */
    MessageJob *work;    /* of a share: what is handed out, but for id and position; the pool's */
};

typedef struct {
    Job list[JOBS_MAX];        /* each job stays at its place */
    MessageJob work[JOBS_MAX]; /* of the job at the same place */
    int count;                 /* not free */
    int end;                   /* behind the last place in use: no loop looks further */
    uint32_t next_share;       /* the next share's job name */
    uint64_t next_order;       /* of the next record */
} Jobs;

void jobs_init(Jobs *jobs);

static inline bool jobs_have_room(const Jobs *jobs)
{
    return jobs->count < JOBS_MAX;
}

/* Records a job of the root, the session's or a scout's, as out with the worker from now on. There
 * must be room, and a free slot. */
void jobs_add_root(Jobs *jobs, Session *session, Root *root, Worker *worker, const MessageJob *work,
                   Instant now);

/* Queues what the owner gives away, under a new name; NULL when there is no room. */
Job *jobs_add_share(Jobs *jobs, Job *owner, const MessageOffer *offer);

/* A queued share goes out to a worker, which must have a free slot. */
void jobs_hand_out(Job *job, Worker *worker, Instant now);

/* A share that is out is queued once more, under another name. Nothing may lie below it any more.
 */
void jobs_queue_again(Jobs *jobs, Job *job);

/* A job that is out begins or ends to wait; its pace counts from now on. */
void jobs_set_parked(Job *job, bool is_parked, Instant now);

/*
 * News of a job that is out: its worker has searched so many nodes of it itself. While more jobs
 * search there than there are slots, its pace counts from now on.
 */
void jobs_note_nodes(Job *job, uint64_t nodes, Instant now);

/* The paces of all jobs that are out with the worker, or with any (NULL), count from now on. */
void jobs_restart_paces(Jobs *jobs, const Worker *worker, Instant now);

/* Forgets a job. Nothing may lie below it any more. */
void jobs_remove(Jobs *jobs, Job *job);

/* The job of exactly this name that is out with this worker, or NULL. */
Job *jobs_find(Jobs *jobs, const Worker *worker, const JobId *id);

/* What the owner gave away under this number, or NULL. */
Job *jobs_find_share(Jobs *jobs, const Job *owner, uint32_t share);

/* Lists all shares below a job, owners before what they gave away; returns how many. */
int jobs_below(Jobs *jobs, const Job *job, Job *list[JOBS_MAX]);

/*
 * The queued share of the session that a free slot of the worker should search: the one with the
 * most work to be expected, but before it those that a job parked on that worker waits for. NULL
 * when none is queued. No worker (NULL): of any.
 */
Job *jobs_next_share(Jobs *jobs, const Session *session, const Worker *worker);

/* Does a job that is parked on the worker wait for this share? */
bool jobs_is_waited_for(const Job *job, const Worker *worker);

/* Shares of all sessions that wait to be handed out. */
int jobs_queued_count(const Jobs *jobs);

#endif
