/*
 * Registry: the workers that have joined, their leases and what each is doing.
 */
#ifndef ROOKERY_MASTER_CORE_REGISTRY_H
#define ROOKERY_MASTER_CORE_REGISTRY_H

#include "master/core/actions.h"

/* A job that is out. */
typedef struct {
    JobId id;            /* job 0 marks a free record */
    bool is_eldest;      /* critical: all others wait for it */
    uint64_t nodes_seen; /* its progress by the last heartbeat */
} JobRecord;

typedef struct {
    bool is_joined;
    PeerId peer;
    WorkerId id;
    char name[MESSAGE_NAME_BYTES_MAX];
    int slots;
    uint64_t nodes_per_second_calibrated; /* of one slot, from HELLO */
    uint64_t nodes_per_second;            /* measured while busy, all slots; 0 before */
    uint64_t nodes_total;                 /* by the last heartbeat */
    int hash_permille;
    Instant heard;         /* last message of any kind */
    Instant measured;      /* when nodes_total was taken */
    bool was_busy;         /* all slots were at work then */
    uint64_t window_nodes; /* searched in the present window of measurement */
    int64_t window_us;     /* that window's length so far */
    Duration round_trip;   /* of the last answered PING; 0 before */
    uint64_t jobs_done;
    int64_t busy_us;      /* slot time at work while any search was running */
    int64_t available_us; /* slot time there was */
    int job_count;        /* jobs out */
    JobRecord jobs[MESSAGE_SLOTS_MAX];
} Worker;

typedef struct {
    Worker workers[MASTER_WORKERS_MAX];
    int count;            /* joined */
    int end;              /* behind the last place in use: no loop need look further */
    uint32_t next_id;     /* of the next worker */
    uint64_t ping_number; /* of the newest round of PINGs */
    Instant ping_sent;    /* when it went out */
    Instant accounted;    /* until when busy and available time are counted */
} Registry;

void registry_init(Registry *registry, Instant now);

/* The joined worker behind `peer`, or NULL. */
Worker *registry_find(Registry *registry, PeerId peer);

/* Takes in a new worker; NULL when there is no room. `hello` has been accepted. */
Worker *registry_join(Registry *registry, PeerId peer, const MessageHello *hello, Instant now);

/* Forgets a worker. Its jobs must have been given back before. */
void registry_remove(Registry *registry, Worker *worker);

/* Takes a heartbeat's figures. */
void registry_heartbeat(Registry *registry, Worker *worker, const MessageHeartbeat *heartbeat,
                        Instant now);

/* All slots of all joined workers. */
int registry_slot_count(const Registry *registry);

/* The joined worker with a free slot that is fastest per slot, ties to the first; or NULL. */
Worker *registry_free_worker(Registry *registry);

/* Whether the worker has a slot without a job. */
static inline bool registry_has_free_slot(const Worker *worker)
{
    return worker->job_count < worker->slots;
}

/* Records a job as out with the worker, which must have a free slot. */
JobRecord *registry_add_job(Worker *worker, const JobId *id, bool is_eldest);

/* The record of exactly this job, or NULL. */
JobRecord *registry_find_job(Worker *worker, const JobId *id);

/* Removes a record returned by registry_find_job; the slot is free. */
void registry_remove_job(Worker *worker, JobRecord *record);

/* Counts slot time up to `now`; `is_searching` says whether it was time that work was wanted. */
void registry_account(Registry *registry, Instant now, bool is_searching);

/* Fills the rows of a STATUS. */
void registry_status(const Registry *registry, MessageStatus *status);

#endif
