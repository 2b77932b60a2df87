/*
 * Trial: one position searched by one cluster, beside the serial search of the same position.
 */
#ifndef ROOKERY_TOOLS_SIM_TRIAL_H
#define ROOKERY_TOOLS_SIM_TRIAL_H

#include "tools/sim/baseline.h"
#include "tools/sim/cluster.h"
#include "tools/sim/quantity.h"

enum {
    TRIAL_TEXT_BYTES_MAX = 1024,
    TRIAL_LIMIT_FACTOR = 4, /* a cluster's time for a solution, by that of the serial search */
};

/* All that decides the outcome of a trial, but the position and its TrialCase. */
typedef struct {
    int slots;                        /* of each worker */
    int64_t nodes_per_second;         /* of a slot of speed 1 */
    double speeds[QUANTITY_LIST_MAX]; /* of the first workers; the others have 1 */
    int speed_count;                  /* of `speeds` */
    int64_t latency_ns;               /* one way, of a hop */
    int64_t jitter_ns;                /* at most the latency: what a hop takes more or less */
    int64_t bits_per_second;          /* of each party's line; 0: no limit */
    int64_t push_interval_ns;         /* between two pushes of table entries by a machine */
    int64_t master_receive_ns;        /* processor time for a message received and its step */
    int64_t master_send_ns;           /* for a message sent */
    int64_t worker_message_ns;        /* for a message received or sent by a worker */
    int64_t wake_ns;                  /* from a change to the thread that waits for it */
    int multi_pv;                     /* lines that are to have the depth */
    int hash_total_mb;       /* of all workers together, and of the serial search; 0: see below */
    int hash_worker_mb;      /* of each worker, and of the serial search */
    int64_t serial_nodes;    /* the depth is the first whose serial search takes more */
    int64_t work_per_worker; /* if not 0: more than this times the number of workers */
    bool solves;             /* to the solution instead of to a depth */
    int64_t solve_nodes_min; /* serial nodes to the solutions that count */
    int64_t solve_nodes_max; /* likewise */
    bool lazy;               /* the rival */
    bool splits;             /* false: only the root is shared out */
    bool push;               /* false: machines tell each other nothing of their tables */
    bool affinity;           /* false: jobs go to the worker that is free first */
    int searches;            /* of the root side by side, at most */
    int64_t fault_every_ns;  /* on average; 0: never */
} TrialSettings;

typedef struct {
    int workers;
    uint64_t seed; /* of all that is random */
} TrialCase;

typedef enum {
    FIGURE_DEPTH,
    FIGURE_SERIAL_NODES,
    FIGURE_SERIAL_MOVE,
    FIGURE_SERIAL_SCORE,
    FIGURE_BEGIN_NS, /* when SEARCH was sent */
    FIGURE_TIME_NS,  /* from then to BESTMOVE; to the solution, or the limit if there is none */
    FIGURE_MOVE,
    FIGURE_SCORE,
    FIGURE_NODES,   /* really searched by all */
    FIGURE_SLOTS,   /* of all workers */
    FIGURE_BUSY_NS, /* of all slots together */
    FIGURE_MESSAGE_NS,
    FIGURE_MASTER_NS,
    FIGURE_MESSAGES,
    FIGURE_BYTES,
    FIGURE_PUSHED_BYTES,
    FIGURE_JOBS,
    FIGURE_SHARES,
    FIGURE_SHARE_NODES,
    FIGURE_OFFERS,
    FIGURE_WITHDRAWN,
    FIGURE_CANCELLED_NODES,
    FIGURE_WAITS,
    FIGURE_WAITED_NS,
    FIGURE_IS_SOLVED, /* 0 or 1, always 1 for a search to a depth */
    FIGURE_COUNT
} Figure;

typedef struct {
    int64_t figures[FIGURE_COUNT];
} TrialResult;

/* Serial nodes that the depth of a search by so many workers must exceed. */
int64_t trial_work(const TrialSettings *settings, int workers);

/* Of the serial search. */
int trial_serial_hash_mb(const TrialSettings *settings);

/*
 * Searches the position of `epd` to the depth that `baseline` gives, or to its solution. `timeline`
 * may be NULL. Errors: STATUS_INVALID (the baseline ends before enough work or the solution), those
 * of cluster_search.
 */
__attribute__((warn_unused_result)) Status trial_run(const TrialSettings *settings,
                                                     const TrialCase *trial, const Epd *epd,
                                                     const Baseline *baseline, Timeline *timeline,
                                                     TrialResult *result);

/* How many times as fast as the serial search. */
double trial_speedup(const TrialSettings *settings, const TrialResult *result);

/* Writes it all as one word without spaces or tabs, the same for equal settings and cases. */
void trial_describe(const TrialSettings *settings, const TrialCase *trial,
                    char text[TRIAL_TEXT_BYTES_MAX]);

#endif
