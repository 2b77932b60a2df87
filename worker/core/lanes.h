/*
 * Lanes: which jobs a worker has, which of them run, and which wait.
 *
 *     (lanes_add) -> queued --- START ---> running --- (lanes_done) ---> RESULT
 *                      |                     | STOP
 *                      | (lanes_cancel)      v
 *                      v                  stopping --- (lanes_done) ---> RESULT, not complete
 *                   RESULT, not complete
 *
 * A job that runs or is stopping is parked from one lanes_parked to the next: it waits for its
 * shares and does not search.
 *
 * Invariants:
 *  1. Each job that was added is answered by exactly one RESULT, unless its stay with the master
 *     ends first (lanes_abandon): then by none.
 *  2. A lane is free only after its DONE: a job that was told to stop holds it until then.
 *  3. A job starts only while fewer jobs search than there are slots. What goes on after a wait may
 *     make them more; the host then lets only so many of them run (worker.h).
 *  4. The queue has room for one job a slot, and one more for each lane: it may still be stopping,
 *     or have gone on while the master sent another job. A master that sends more is answered
 *     RESULT, not complete, at once.
 *  5. Jobs start in the order in which they came, each on the lowest free lane. The table is aged
 *     before the first job of each search. Nothing starts while a CLEAR is wanted or under way.
 *  6. Of shares nothing is said for a job that is stopping, and nothing is told to it: the master
 *     has taken them back with the job.
 */
#ifndef ROOKERY_WORKER_CORE_LANES_H
#define ROOKERY_WORKER_CORE_LANES_H

#include "worker/core/worker.h"

typedef struct Lanes Lanes;

/* Makes the free lanes of 1 to MESSAGE_SLOTS_MAX slots, or NULL when memory is short. */
Lanes *lanes_new(int slots);

/* Frees them and nulls the pointer; NULL is allowed. */
void lanes_destroy(Lanes **lanes);

/* Takes a new job. One that is known already, running or queued, is ignored. */
void lanes_add(Lanes *lanes, const MessageJob *job, WorkerActions *actions);

/*
 * Gives up what `pattern` names: one job, or with job 0 all of its search, or with search 0 too all
 * of its session.
 */
void lanes_cancel(Lanes *lanes, const JobId *pattern, WorkerActions *actions);

/* To leave: gives up every job, and says no CLEARED any more. */
void lanes_leave(Lanes *lanes, WorkerActions *actions);

/* The stay with the master is over: gives up every job and answers none. */
void lanes_abandon(Lanes *lanes, WorkerActions *actions);

/* Raises the alpha of one job, if it is there. */
void lanes_raise_alpha(Lanes *lanes, const MessageBounds *bounds, WorkerActions *actions);

/* Others would search so many shares of one job, if it runs. */
void lanes_want(Lanes *lanes, const MessageHungry *hungry, WorkerActions *actions);

/* News of a share, IMPROVED or RESULT, for the job that gave it away, if it runs. */
void lanes_deliver(Lanes *lanes, const Message *news, WorkerActions *actions);

/* All that was learned is void: gives up every job, wants a CLEAR, and says CLEARED after it. */
void lanes_new_game(Lanes *lanes, SessionId session, WorkerActions *actions);

/* Starts what can be started now: call after anything that may have made room or work. */
void lanes_start(Lanes *lanes, WorkerActions *actions);

/* News of a lane. */
void lanes_improved(Lanes *lanes, int lane, const MessageImproved *improved,
                    WorkerActions *actions);
void lanes_done(Lanes *lanes, int lane, const MessageResult *result, WorkerActions *actions);
void lanes_cleared(Lanes *lanes, WorkerActions *actions);

/* News of a lane's shares; `job` is what is given away, its id and position are not looked at. */
void lanes_offered(Lanes *lanes, int lane, uint32_t share, const MessageJob *job,
                   WorkerActions *actions);
void lanes_withdrawn(Lanes *lanes, int lane, uint32_t share, WorkerActions *actions);
void lanes_raised(Lanes *lanes, int lane, uint32_t share, int alpha, WorkerActions *actions);

/* A lane's search waits for its shares, or goes on. */
void lanes_parked(Lanes *lanes, int lane, bool is_parked, WorkerActions *actions);

/* Is no job here, neither running nor queued? */
bool lanes_are_empty(const Lanes *lanes);

/*
 * Notes what the lanes have done by now and says whether a search hangs: more lanes than have to
 * wait for a core have not gone on for WORKER_HANG_MS of their own time and for so many looks.
 */
bool lanes_hang(Lanes *lanes, const WorkerProgress *progress);

/*
 * Fills in the part of a heartbeat that says what the worker has: the jobs that run, parked ones
 * too, and those that wait.
 */
void lanes_describe(const Lanes *lanes, const WorkerProgress *progress,
                    MessageHeartbeat *heartbeat);

#endif
