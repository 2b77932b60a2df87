/*
 * Registry: the workers that have joined, their leases and how busy each is.
 *
 * A worker much slower than the fastest is kept in reserve: it has no free slots, for whoever waits
 * for it would lose more than it gains, until the faster ones have gone, or there are so many slow
 * ones that together they search more. One that turns out to be much slower than it said, for
 * others use its machine too, gets a rest (recall.h): it has no free slots for a while.
 *
 * A slot is free while fewer jobs search on its worker than there are slots. A job that is parked
 * leaves its slot to another, but a worker keeps only so many jobs in all (WORKER_JOBS_PER_SLOT).
 */
#ifndef ROOKERY_MASTER_CORE_REGISTRY_H
#define ROOKERY_MASTER_CORE_REGISTRY_H

#include "master/core/actions.h"
#include "messages/table_window.h"

enum { WORKER_JOBS_PER_SLOT = 2 }; /* a worker has two search threads a slot */

typedef struct {
    bool is_joined;                       /* else the place is free */
    bool is_in_reserve;                   /* too slow beside the others */
    bool reserve_is_told;                 /* the log says so */
    bool is_resting;                      /* was late with a job a short while ago */
    bool rest_is_told;                    /* the log says so */
    Instant rest_ends;                    /* then it is tried again */
    PeerId peer;                          /* its connection */
    WorkerId id;                          /* of this stay, never used again */
    char name[MESSAGE_NAME_BYTES_MAX];    /* from HELLO, for people */
    int slots;                            /* jobs that it can search at once */
    uint64_t nodes_per_second_calibrated; /* of one slot, from HELLO */
    uint64_t nodes_per_second;            /* measured while busy, all slots; 0 before */
    uint64_t nodes_total;                 /* by the last heartbeat */
    int hash_permille;                    /* how full its table is, by the last heartbeat */
    Instant heard;                        /* last message of any kind */
    Instant measured;                     /* when nodes_total was taken */
    bool was_busy;                        /* all slots were at work then */
    uint64_t window_nodes;                /* searched in the present window of measurement */
    int64_t window_us;                    /* that window's length so far */
    TableWindow window;                   /* TABLEs to it and from it */
    uint64_t jobs_done;                   /* whose results have come */
    int64_t busy_us;                      /* slot time at work while any search was running */
    int64_t available_us;                 /* slot time there was */
    int jobs_out;                         /* jobs that it has; counted by jobs.c */
    int jobs_active;                      /* of them, not parked; likewise */
} Worker;

typedef struct {
    Worker workers[MASTER_WORKERS_MAX]; /* each stays at its place */
    int count;                          /* joined */
    int end;                            /* behind the last place in use: no loop looks further */
    uint32_t next_id;                   /* of the next worker */
    uint64_t ping_number;               /* of the newest round of PINGs */
    Instant ping_sent;                  /* when it went out */
    Instant accounted;                  /* until when busy and available time are counted */
} Registry;

void registry_init(Registry *registry, Instant now);

/* The joined worker behind `peer`, or NULL. */
Worker *registry_find(Registry *registry, PeerId peer);

/* The joined worker of this name, or NULL. */
Worker *registry_find_id(Registry *registry, WorkerId id);

/*
 * Takes in a new worker, which is to send a HEARTBEAT each `heartbeat`; NULL when there is no room.
 * `hello` has been accepted.
 */
Worker *registry_join(Registry *registry, PeerId peer, const MessageHello *hello,
                      Duration heartbeat, Instant now);

/*
 * Forgets a worker. Its jobs must have been given back before. All rests end, for those who have
 * one may be all that are left.
 */
void registry_remove(Registry *registry, Worker *worker);

/* Ends the rests that are over. */
void registry_wake(Registry *registry, Instant now);

/* Takes a heartbeat's figures. */
void registry_heartbeat(Worker *worker, const MessageHeartbeat *heartbeat, Instant now);

/* The worker's speed is measured from the next heartbeat on. */
void registry_restart_window(Worker *worker);

/* The same of all workers. */
void registry_restart_windows(Registry *registry);

/* The slots of all joined workers that are not in reserve. */
int registry_slot_count(const Registry *registry);

/* The joined worker with a free slot that is fastest per slot, ties to the first; or NULL. */
Worker *registry_free_worker(Registry *registry);

/* Whether it gets no jobs, however many of its slots are idle. */
static inline bool registry_is_kept_back(const Worker *worker)
{
    return worker->is_in_reserve || worker->is_resting;
}

/* How many jobs more the worker would search at once. */
static inline int registry_free_slots(const Worker *worker)
{
    if (registry_is_kept_back(worker)) {
        return 0;
    }
    const int slots = worker->slots - worker->jobs_active;
    const int places = WORKER_JOBS_PER_SLOT * worker->slots - worker->jobs_out;
    const int free_slots = slots < places ? slots : places;
    return free_slots > 0 ? free_slots : 0;
}

static inline bool registry_has_free_slot(const Worker *worker)
{
    return registry_free_slots(worker) > 0;
}

/* The free slots of all joined workers. */
int registry_free_slot_count(const Registry *registry);

/* Counts slot time up to `now`; `is_searching` says whether it was time that work was wanted. */
void registry_account(Registry *registry, Instant now, bool is_searching);

/* Fills the rows of a STATUS. */
void registry_status(const Registry *registry, MessageStatus *status);

#endif
