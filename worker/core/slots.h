/*
 * Slots: which jobs a worker has, which of them run, and which wait.
 *
 *     (slots_add) -> queued --- START ---> running --- (slots_done) ---> RESULT
 *                      |                     | STOP
 *                      | (slots_cancel)      v
 *                      v                  stopping --- (slots_done) ---> RESULT, not complete
 *                   RESULT, not complete
 *
 * Invariants:
 *  1. Each job that was added is answered by exactly one RESULT, unless its stay with the master
 *     ends first (slots_abandon): then by none.
 *  2. A slot is free only after its DONE: a job that was told to stop holds it until then.
 *  3. The queue has room for one job a slot, and one more for each slot that is still stopping; a
 *     master that sends more is answered RESULT, not complete, at once.
 *  4. Jobs start in the order in which they came, each on the lowest free slot. The table is aged
 *     before the first job of each search. Nothing starts while a CLEAR is wanted or under way.
 */
#ifndef ROOKERY_WORKER_CORE_SLOTS_H
#define ROOKERY_WORKER_CORE_SLOTS_H

#include "worker/core/worker.h"

typedef struct Slots Slots;

/* Makes 1 to MESSAGE_SLOTS_MAX free slots, or NULL when memory is short. */
Slots *slots_new(int count);

/* Frees them and nulls the pointer; NULL is allowed. */
void slots_destroy(Slots **slots);

/* Takes a new job. One that is known already, running or queued, is ignored. */
void slots_add(Slots *slots, const MessageJob *job, WorkerActions *actions);

/*
 * Gives up what `pattern` names: one job, or with job 0 all of its search, or with search 0 too all
 * of its session.
 */
void slots_cancel(Slots *slots, const JobId *pattern, WorkerActions *actions);

/* Gives up every job. */
void slots_cancel_all(Slots *slots, WorkerActions *actions);

/* The stay with the master is over: gives up every job and answers none. */
void slots_abandon(Slots *slots, WorkerActions *actions);

/* Raises the alpha of one job, if it is there. */
void slots_raise_alpha(Slots *slots, const MessageBounds *bounds, WorkerActions *actions);

/*
 * What was learned from `session` is void: gives up its jobs and wants a CLEAR, unless another
 * session has jobs here, whose tables must stay.
 */
void slots_new_game(Slots *slots, SessionId session, WorkerActions *actions);

/* Starts what can be started now: call after anything that may have made room or work. */
void slots_start(Slots *slots, WorkerActions *actions);

/* News of a slot. */
void slots_improved(Slots *slots, int slot, const MessageImproved *improved,
                    WorkerActions *actions);
void slots_done(Slots *slots, int slot, const MessageResult *result, WorkerActions *actions);
void slots_cleared(Slots *slots);

/* Is no job here, neither running nor queued? */
bool slots_are_empty(const Slots *slots);

/*
 * Fills in the part of a heartbeat that says what the worker has: the jobs that run and those that
 * wait. A job that is not there has been lost on the way.
 */
void slots_describe(const Slots *slots, const WorkerProgress *progress,
                    MessageHeartbeat *heartbeat);

#endif
