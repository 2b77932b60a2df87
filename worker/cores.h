/*
 * Cores: which of a pool's lanes may search now.
 *
 * Of the lanes with a job that does not wait, as many as there are cores search; they are those
 * whose jobs started first. So a lane that goes on after a wait needs no leave: if it makes them
 * too many, the last started pauses, at its next look, until a core is free again.
 *
 *     idle -- cores_enter --> searching <-- cores_pause --> paused
 *      ^                       |     ^
 *      |          cores_park   v     |  cores_resume
 *      '---- cores_leave --- waiting-'
 *
 * Older jobs go first because others wait for them: a search waits only for shares, which are
 * younger than it, so that some lane can always go on.
 */
#ifndef ROOKERY_WORKER_CORES_H
#define ROOKERY_WORKER_CORES_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct Cores Cores;

/* `count` cores for lanes 0 to `lanes` - 1, all idle, or NULL when memory is short. */
Cores *cores_new(int count, int lanes);

/* Frees them and nulls the pointer; NULL is allowed. No lane is in a call. */
void cores_destroy(Cores **cores);

/* The idle lane begins a job, the newest. Any thread. */
void cores_enter(Cores *cores, int lane);

/* The lane's job has ended. The lane's thread. */
void cores_leave(Cores *cores, int lane);

/* The lane's search waits, and goes on. The lane's thread. */
void cores_park(Cores *cores, int lane);
void cores_resume(Cores *cores, int lane);

/* Shall the lane pause? Cheap: one relaxed load. */
bool cores_must_pause(const Cores *cores, int lane);

/* Blocks the lane's thread while it shall pause and *stop is not set. */
void cores_pause(Cores *cores, int lane, const atomic_bool *stop);

/* The lane's stop flag has been set: ends its pause. Any thread. */
void cores_wake(Cores *cores, int lane);

#endif
