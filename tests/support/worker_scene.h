/*
 * WorkerScene: the worker's core played as events, its actions as readable text.
 *
 *     scene_receive_job(scene, 1, 1, 2);
 *     scene_expect(scene, "age; start 0: 1/1/2");
 *
 * Actions stand in one line, parted by semicolons; jobs are SESSION/SEARCH/JOB, shares go by +1,
 * +2, ... The scene is the worker's host: it knows what each lane runs, and checks that jobs start
 * on free lanes while there is a slot for them, and tables are cleared when all lanes are free.
 */
#ifndef ROOKERY_TESTS_WORKER_SCENE_H
#define ROOKERY_TESTS_WORKER_SCENE_H

#include "worker/core/worker.h"

enum {
    SCENE_EPOCH = 7,
    SCENE_HEARTBEAT_MS = 100,
    SCENE_LEASE_MS = 1500,
    SCENE_TEXT_BYTES_MAX = 4096,
};

typedef struct {
    Worker *worker;
    WorkerActions *actions;  /* of the last step */
    WorkerProgress progress; /* what the next tick brings */
    Message message;         /* the next to hand in */
    Instant now;
    bool is_starved; /* the lanes' threads get no processor: time passes, but not theirs */
    JobId running[WORKER_LANES_MAX];  /* what the host's lanes run by now; job 0: free */
    bool is_parked[WORKER_LANES_MAX]; /* ... and whether their searches wait */
    int running_count;
    int slots;                       /* the worker's */
    bool is_clearing;                /* CLEAR was said, CLEARED not yet */
    char text[SCENE_TEXT_BYTES_MAX]; /* since the last scene_expect or scene_forget */
    int length;
} Scene;

/* A worker, called lab-1, before its first event. Freed by scene_destroy. */
Scene *scene_new(int slots);

/* The same after it has joined as worker 3. */
Scene *scene_new_joined(int slots);
void scene_destroy(Scene *scene);

/* Time passes; no event. */
void scene_wait(Scene *scene, int64_t milliseconds);

/* Time passes with a tick whenever the worker wants one. */
void scene_run(Scene *scene, int64_t milliseconds);

/* Events of the host. */
void scene_tick(Scene *scene);
void scene_done(Scene *scene, int lane, uint32_t session, uint32_t search, uint32_t job,
                bool is_complete);
void scene_improved(Scene *scene, int lane, uint32_t session, uint32_t search, uint32_t job);
void scene_offered(Scene *scene, int lane, uint32_t share);
void scene_withdrawn(Scene *scene, int lane, uint32_t share);
void scene_raised(Scene *scene, int lane, uint32_t share, int alpha);
void scene_parked(Scene *scene, int lane, bool is_parked);
void scene_noted(Scene *scene, int count); /* so many entries of the table */
void scene_cleared(Scene *scene);
void scene_unsent(Scene *scene);
void scene_terminate(Scene *scene);

/* A job of the scene's epoch; job 0 names a whole search, search 0 a whole session. */
JobId scene_job_id(uint32_t session, uint32_t search, uint32_t job);

/* Messages of the master; the first hands in what `message` holds. */
void scene_receive(Scene *scene, MessageType type);
void scene_receive_welcome(Scene *scene, uint64_t epoch, uint32_t worker);
void scene_receive_welcome_with_heartbeat(Scene *scene, uint64_t epoch, uint32_t worker,
                                          int heartbeat_ms);
void scene_receive_error(Scene *scene, ErrorCode code, const char *text);
void scene_receive_job(Scene *scene, uint32_t session, uint32_t search, uint32_t job);
void scene_receive_cancel(Scene *scene, uint32_t session, uint32_t search, uint32_t job);
void scene_receive_bounds(Scene *scene, uint32_t session, uint32_t search, uint32_t job, int alpha);
void scene_receive_hungry(Scene *scene, uint32_t session, uint32_t search, uint32_t job, int count);
void scene_receive_new_game(Scene *scene, uint32_t session);
void scene_receive_table(Scene *scene, int count); /* an empty one invites */

/* Of a share of a job of search 1/1. */
void scene_receive_improved(Scene *scene, uint32_t job, uint32_t share);
void scene_receive_result(Scene *scene, uint32_t job, uint32_t share);

/* Fails unless the text is exactly `expected`, and empties it. */
void scene_expect(Scene *scene, const char *expected);

/* What was said so far is of no interest. */
void scene_forget(Scene *scene);

#endif
