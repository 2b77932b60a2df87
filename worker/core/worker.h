/*
 * Worker core: the state machine of one worker's stay with its master.
 *
 * Events in, actions out, time inside the event: no socket, clock, thread or output. All memory is
 * taken at start. The host (worker/worker.c, the simulator, a test) feeds events and carries out
 * the actions of each step, in their order, before the next step.
 *
 *     PAUSED ---- the pause is over: CONNECT, HELLO ----> CONNECTING
 *        ^  ^--- no answer in time, or refused (ERROR) -------'  |  ^
 *        |                                               WELCOME |  | RESET
 *        |                                                       v  |
 *        '-- silent for a lease, or a SEND not taken ------- JOINED
 *
 *     JOINED --- a search has not gone on for a second: DISCONNECT ---> HANGING
 *     HANGING -- all lanes are free: CONNECT, HELLO --------------> CONNECTING
 *     HANGING -- 10 s later still not, or TERMINATE: ABORT --------> ENDED
 *
 *     JOINED --- TERMINATE or DRAIN: jobs given back ---> LEAVING --- BYE ---> ENDED
 *     PAUSED, CONNECTING, LEAVING --- TERMINATE ---> ENDING --- all lanes are free --> ENDED
 *     LEAVING, ENDING --- a second later still not: ABORT ---> ENDED
 *
 * A worker waits for its master for ever: pauses grow and are spread at random, so that a lab does
 * not come back all at once, and each attempt has a new socket, because some failures kill one
 * without a sign. The jobs of a stay end with it: nothing is ever answered to another master.
 * What happens to jobs in between is in lanes.h.
 *
 * Lanes: a worker of S slots (cores) has 2 S lanes (threads), numbered from 0. At most S of them
 * search at a time. A lane whose search waits for its shares is parked and leaves its core to
 * another lane's job; when it goes on, the host sees to it that no more than S search, the longest
 * started first.
 */
#ifndef ROOKERY_WORKER_CORE_WORKER_H
#define ROOKERY_WORKER_CORE_WORKER_H

#include "messages/messages.h"

enum {
    /* A slot has two lanes, each with a search of its own: see above. */
    WORKER_LANES_PER_SLOT = 2,
    WORKER_LANES_MAX = WORKER_LANES_PER_SLOT * MESSAGE_SLOTS_MAX,
    WORKER_ACTIONS_MAX = 4 * WORKER_LANES_MAX + 16, /* more than one step can ask for */
    WORKER_LOG_BYTES_MAX = 384,
    WORKER_HANG_MS = 1000, /* a search that does not go on in so much time of its own hangs ... */
    WORKER_HANG_LOOKS = 5, /* ... by so many looks, for a worker that was stopped has not looked */
    WORKER_NOTES_INTERVAL_MS = 3, /* between two NOTED, at least */
    WORKER_SLOTS_PER_HISTORY =
        8, /* more that write the same histories would slow each other down */
};

/* The lane of the first slots whose histories the lane shares; a lane itself when it has its own.
 */
static inline int worker_history_lane(int slots, int lane)
{
    return lane % slots / WORKER_SLOTS_PER_HISTORY * WORKER_SLOTS_PER_HISTORY;
}

typedef struct {
    MessageHello hello; /* what it says of itself; its slots are the worker's */
    Duration
        retry_first;     /* longest pause before it connects again, doubled with each failure ... */
    Duration retry_last; /* ... up to this */
    uint64_t seed;       /* of the pauses' spread; different for each worker */
} WorkerConfig;

/* What the lanes have done by now; the host samples it. */
typedef struct {
    uint64_t nodes_total; /* of all jobs since the start */
    int hash_permille;
    uint64_t lane_nodes[WORKER_LANES_MAX]; /* of each lane's running job, its own */
    /* How long each lane's thread could have gone on, since some start: the clock's time without
       what it waited for the machine (os/thread_watch.h). */
    Duration lane_time[WORKER_LANES_MAX];
} WorkerProgress;

typedef enum {
    WORKER_EVENT_TICK,      /* worker_next_tick has come */
    WORKER_EVENT_MESSAGE,   /* from the master */
    WORKER_EVENT_UNSENT,    /* a SEND of the last step was not taken; the rest was tried */
    WORKER_EVENT_IMPROVED,  /* a lane's job found a better move */
    WORKER_EVENT_DONE,      /* a lane's job has ended, by itself or by STOP */
    WORKER_EVENT_OFFERED,   /* a lane's search gives a share away */
    WORKER_EVENT_WITHDRAWN, /* ... and wants it no longer */
    WORKER_EVENT_RAISED,    /* ... and has a higher lower bound for it */
    WORKER_EVENT_PARKED,    /* a lane's search waits for its shares, or goes on */
    WORKER_EVENT_NOTED,     /* a round of what the table was told to note, see TELL */
    WORKER_EVENT_CLEARED,   /* CLEAR has been carried out */
    WORKER_EVENT_TERMINATE, /* the user wants the worker to end */
} WorkerEventType;

/* Pointers are borrowed until the actions of the step have been carried out. */
typedef struct {
    WorkerEventType type;
    Instant now;
    int lane;                        /* all from IMPROVED to PARKED */
    const Message *message;          /* MESSAGE */
    const MessageImproved *improved; /* IMPROVED */
    const MessageResult *result;     /* DONE */
    const MessageJob *offered;       /* OFFERED: the share; id and position are not looked at */
    uint32_t share;                  /* OFFERED, WITHDRAWN, RAISED: its number */
    int alpha;                       /* RAISED */
    bool is_parked;                  /* PARKED: it waits, else it goes on */
    const WorkerProgress *progress;  /* TICK */
    const MessageTable *noted;       /* NOTED */
} WorkerEvent;

typedef enum {
    WORKER_ACTION_CONNECT,     /* close the connection, if any, and open a new one */
    WORKER_ACTION_DISCONNECT,  /* close the connection */
    WORKER_ACTION_SEND,        /* `message` to the master */
    WORKER_ACTION_START,       /* `job` on `lane`, which is free */
    WORKER_ACTION_STOP,        /* end the job of `lane` soon; DONE follows */
    WORKER_ACTION_RAISE_ALPHA, /* of the job of `lane` */
    WORKER_ACTION_WANT,        /* so many shares of the job of `lane` (SearchControl.wanted) */
    WORKER_ACTION_DELIVER,     /* `news` of a share to the search of `lane` */
    WORKER_ACTION_TELL,        /* note table entries of at least `depth`: NOTED each `interval` */
    WORKER_ACTION_LEARN,       /* take `news`, a TABLE, into the table */
    WORKER_ACTION_AGE,         /* a new search begins: age the table, before the next START */
    WORKER_ACTION_CLEAR, /* forget all that was learned; all lanes are free; CLEARED follows */
    WORKER_ACTION_LOG,   /* one line */
    WORKER_ACTION_EXIT,  /* end now; nothing follows */
    WORKER_ACTION_ABORT, /* end the process, for a search cannot be ended; nothing follows */
} WorkerActionType;

typedef struct {
    WorkerActionType type;
    int lane;              /* all from START to DELIVER */
    int alpha;             /* RAISE_ALPHA */
    int count;             /* WANT */
    int depth;             /* TELL: plies; TT_TELL_NOTHING: none */
    Duration interval;     /* TELL: between two looks at the notes */
    const Message *news;   /* DELIVER: IMPROVED or RESULT; LEARN; the message of the event */
    const MessageJob *job; /* START; the worker's, good until the lane's DONE */
    bool is_warning;       /* LOG: a person should know */
    union {
        Message message;                 /* SEND */
        char text[WORKER_LOG_BYTES_MAX]; /* LOG */
    };
} WorkerAction;

/* What a step asks for, in order. Large: keep one and use it again. */
typedef struct {
    int count;
    WorkerAction list[WORKER_ACTIONS_MAX];
} WorkerActions;

typedef struct Worker Worker;

/* Makes a worker that connects with its first TICK, or NULL when memory is short. */
Worker *worker_new(const WorkerConfig *config, Instant now);

/* Frees it and nulls the pointer; NULL is allowed. */
void worker_destroy(Worker **worker);

/* Takes one event; `actions` is emptied first. One thread. */
void worker_step(Worker *worker, const WorkerEvent *event, WorkerActions *actions);

/* When the next TICK is due; may have passed. */
Instant worker_next_tick(const Worker *worker);

#endif
