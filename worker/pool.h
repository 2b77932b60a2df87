/*
 * Pool: the lanes of a worker, one search thread each, and the table that they share.
 *
 * All functions are for one thread, the owner's, which is the only one that hands out jobs. News
 * comes back over a descriptor to poll. A lane runs one job at a time:
 *
 *     free -- pool_start --> running -- news IMPROVED and of shares, any number of times
 *       ^                       |
 *       '---- news DONE --------' by itself, or soon after pool_stop
 *
 * A pool of S slots has WORKER_LANES_PER_SLOT times S lanes, of which S search at a time (cores.h).
 *
 * Invariants:
 *  1. Each started job gives exactly one DONE, after all its other news.
 *  2. News of a job has its own place in its lane: a line for each move that can improve once, and
 *     what there is of its shares (shares.h). So no queue can overflow and no thread ever waits for
 *     the owner.
 *  3. A search that waits is reported as PARKED before its core goes to another, and again when it
 *     goes on. If the owner has not looked in between, it learns of neither.
 *  4. Lanes write only what is theirs and the table (tt.h on its deliberate races); stop flags,
 *     bounds and node counts are relaxed atomics that carry no other data.
 */
#ifndef ROOKERY_WORKER_POOL_H
#define ROOKERY_WORKER_POOL_H

#include "base/status.h"
#include "worker/core/worker.h"

typedef struct Pool Pool;

typedef enum {
    POOL_IMPROVED,
    POOL_DONE,
    POOL_OFFERED,
    POOL_WITHDRAWN,
    POOL_RAISED,
    POOL_PARKED,
    POOL_CLEARED
} PoolNewsType;

typedef struct {
    PoolNewsType type;
    int lane; /* all but CLEARED */
    /* DONE: the job could not be run: its position, path or moves are not legal chess. */
    bool is_refused;
    uint32_t share; /* OFFERED, WITHDRAWN, RAISED: its number, the search's */
    int alpha;      /* RAISED */
    bool is_parked; /* PARKED: the search waits, else it goes on */
    union {
        MessageImproved improved; /* IMPROVED */
        MessageResult result;     /* DONE */
        MessageJob offered;       /* OFFERED: the share; its id and position are void */
    };
} PoolNews;

/*
 * Makes the lanes' threads for `slots` slots (1 to MESSAGE_SLOTS_MAX), which wait for jobs, and a
 * table of `hash_mb` MiB, at once: a thread beside them has the system give it its memory. After
 * attacks_init and eval_init. Errors: STATUS_NO_MEMORY, STATUS_IO (no more threads or descriptors).
 */
__attribute__((warn_unused_result)) Status pool_new(int slots, int hash_mb, Pool **pool);

/*
 * Stops all jobs, ends the threads and nulls the pointer; NULL is allowed. Takes about 1 ms, or
 * some more while the memory of a new table is still being brought in.
 */
void pool_destroy(Pool **pool);

/*
 * Whether the table's memory is there, as far as the system gives it beforehand; pool_descriptor is
 * readable when it comes to be. A search before that waits for each piece of it, which where memory
 * is fragmented may take a tenth of a second.
 */
bool pool_is_populated(const Pool *pool);

/* Readable when there may be news: poll for POLLIN. The pool's. */
int pool_descriptor(const Pool *pool);

/* The next piece of news; call until it says false. */
bool pool_take(Pool *pool, PoolNews *news);

/* Runs a copy of `job`, whose values are within the codec's limits, on a free lane. */
void pool_start(Pool *pool, int lane, const MessageJob *job);

/* Asks the lane to end its job, also when it waits or pauses. */
void pool_stop(Pool *pool, int lane);

/* Raises the lower bound of the lane's job; a lower one changes nothing. */
void pool_raise_alpha(Pool *pool, int lane, int alpha);

/* Others would search so many shares of the lane's job; in the place of any number before. */
void pool_want(Pool *pool, int lane, int count);

/* Gives IMPROVED or RESULT of a share to the lane's search; dropped when it has no such share. */
void pool_deliver(Pool *pool, int lane, const Message *news);

/* Notes table entries of at least `depth` plies from now on, for pool_take_notes; see tt_tell. */
void pool_tell(Pool *pool, int depth);

/* What was noted since the last call, as much as a message holds. */
void pool_take_notes(Pool *pool, MessageTable *notes);

/* Takes in what another machine noted; nothing while the pool is being cleared. */
void pool_learn(Pool *pool, const MessageTable *notes);

/* Tells the table that a new search begins. */
void pool_age(Pool *pool);

/* Forgets all that was learned. All lanes are free and stay so until the news CLEARED. */
void pool_clear(Pool *pool);

/* What the lanes have done by now, and how long each could have. */
void pool_sample(Pool *pool, WorkerProgress *progress);

#endif
