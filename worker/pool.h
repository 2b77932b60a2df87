/*
 * Pool: the search slots of a worker, one thread each, and the table that they share.
 *
 * All functions are for one thread, the owner's, which is the only one that hands out jobs. News
 * comes back over a descriptor to poll. A slot runs one job at a time:
 *
 *     free -- pool_start --> running -- news IMPROVED, any number of times
 *       ^                       |
 *       '---- news DONE --------' by itself, or soon after pool_stop
 *
 * Invariants:
 *  1. Each started job gives exactly one DONE, after all its IMPROVEDs.
 *  2. News of a job has its own place in its slot, a line for each move that can improve once, so
 *     no queue can overflow and no thread ever waits for the owner.
 *  3. Slots write only what is theirs and the table (tt.h on its deliberate races); stop flags,
 *     bounds and node counts are relaxed atomics that carry no other data.
 */
#ifndef ROOKERY_WORKER_POOL_H
#define ROOKERY_WORKER_POOL_H

#include "base/status.h"
#include "worker/core/worker.h"

typedef struct Pool Pool;

typedef enum { POOL_IMPROVED, POOL_DONE, POOL_CLEARED } PoolNewsType;

typedef struct {
    PoolNewsType type;
    int slot; /* IMPROVED, DONE */
    /* DONE: the job could not be run: its position, path or moves are not legal chess. */
    bool is_refused;
    union {
        MessageImproved improved; /* IMPROVED */
        MessageResult result;     /* DONE */
    };
} PoolNews;

/*
 * Makes `slots` threads (1 to MESSAGE_SLOTS_MAX), which wait for jobs, and a table of `hash_mb`
 * MiB. After attacks_init and eval_init. Errors: STATUS_NO_MEMORY, STATUS_IO (no more threads or
 * descriptors).
 */
__attribute__((warn_unused_result)) Status pool_new(int slots, int hash_mb, Pool **pool);

/* Stops all jobs, ends the threads and nulls the pointer; NULL is allowed. Takes about 1 ms. */
void pool_destroy(Pool **pool);

/* Readable when there may be news: poll for POLLIN. The pool's. */
int pool_descriptor(const Pool *pool);

/* The next piece of news; call until it says false. */
bool pool_take(Pool *pool, PoolNews *news);

/* Runs a copy of `job`, whose values are within the codec's limits, on a free slot. */
void pool_start(Pool *pool, int slot, const MessageJob *job);

/* Asks the slot to end its job. */
void pool_stop(Pool *pool, int slot);

/* Raises the lower bound of the slot's job; a lower one changes nothing. */
void pool_raise_alpha(Pool *pool, int slot, int alpha);

/* Tells the table that a new search begins. */
void pool_age(Pool *pool);

/* Forgets all that was learned. All slots are free and stay so until the news CLEARED. */
void pool_clear(Pool *pool);

/* What the slots have done by now. */
void pool_sample(const Pool *pool, WorkerProgress *progress);

#endif
