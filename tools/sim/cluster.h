/*
 * Cluster: a whole cluster on a virtual clock: the real master core, machines (machine.h), the
 * network between them, and a stand-in for a bridge that asks for one search.
 *
 * Everything is said through the master. The master is a server with one thread: messages queue at
 * it, and each one received or sent takes its time. It is never stopped by anything else.
 *
 * Machines and their lines may fail (faults.h), once the search has begun. A machine's new
 * connection is known to the master at once, which a hop would take: only then does the outcome
 * depend, by less than a hop, on who has run how far ahead, though not from one time to the next.
 *
 * Parties take turns: the one whose next event is earliest acts, and goes on until nothing that
 * another party could do would still reach it in time (the horizon: a hop from the master, two
 * from another machine). So the outcome does not depend on whose turn it is, and a search runs
 * for as long as possible before another's tables push its own out of the processor's caches.
 */
#ifndef ROOKERY_TOOLS_SIM_CLUSTER_H
#define ROOKERY_TOOLS_SIM_CLUSTER_H

#include "base/status.h"
#include "chess/position.h"
#include "tools/sim/faults.h"
#include "tools/sim/network.h"
#include "tools/sim/solution.h"
#include "tools/sim/timeline.h"

enum { CLUSTER_MACHINES_MAX = 256 };

typedef struct {
    int machines;             /* 1 to CLUSTER_MACHINES_MAX */
    int slots;                /* of each */
    int hash_mb;              /* of each */
    int64_t nodes_per_second; /* of a slot of a machine of speed 1 */
    const double *speeds;     /* of each machine, borrowed; NULL: all 1 */
    NetworkConfig network;
    int64_t master_receive_ns; /* processor time for a message received and its step */
    int64_t master_send_ns;    /* for a message sent */
    int64_t worker_message_ns; /* for a message received or sent by a worker */
    int64_t wake_ns;           /* from a change to the thread that waits for it */
    bool splits;               /* false: only the root is shared out */
    bool affinity;             /* false: jobs go to the worker that is free first */
    int searches;              /* of the root side by side, at most (master/core/scouts.h) */
    int multi_pv;              /* lines that the bridge asks for, at least 1 */
    bool pushes;               /* false: machines tell each other nothing of their tables */
    int64_t push_interval_ns;  /* between two tellings */
    int64_t fault_every_ns;    /* on average, from faults.h; 0: never */
    uint64_t fault_seed;       /* what befalls whom */
    const Fault *fault;        /* borrowed: instead, only this one, counted from SEARCH; or NULL */
    Timeline *timeline;        /* borrowed; NULL for none */
} ClusterConfig;

/* What a search took, from SEARCH to BESTMOVE or the solution's proof as the bridge sees it. */
typedef struct {
    int64_t begin_ns;
    int64_t end_ns;
    Move move;
    int score; /* of the best line */
    int depth; /* completed, of all lines: less than asked for when workers died too often */
    uint64_t reported_nodes;  /* by the last INFO */
    uint64_t nodes;           /* really searched by all */
    int64_t busy_ns;          /* time that slots searched, all together */
    int64_t message_ns;       /* processor time for messages, all together, the master's too */
    int64_t master_ns;        /* the master's part of it */
    uint64_t messages;        /* sent by anybody */
    uint64_t bytes;           /* likewise */
    uint64_t pushed_bytes;    /* of them, of TABLEs */
    uint64_t jobs;            /* ended */
    uint64_t shares;          /* of inner nodes, searched to the end */
    uint64_t share_nodes;     /* by those */
    uint64_t offers;          /* of shares */
    uint64_t withdrawn;       /* of them */
    uint64_t cancelled_nodes; /* by jobs that were cancelled */
    uint64_t waits;           /* of searches for their shares */
    int64_t waited_ns;        /* all together */
    uint64_t faults;          /* that befell machines */
} ClusterOutcome;

typedef struct Cluster Cluster;

/* Makes a cluster and lets its workers join. Errors: STATUS_NO_MEMORY, STATUS_UNAVAILABLE. */
__attribute__((warn_unused_result)) Status cluster_new(const ClusterConfig *config,
                                                       Cluster **cluster);

/* Frees it and nulls the pointer; NULL is allowed. */
void cluster_destroy(Cluster **cluster);

/*
 * Searches a position to a depth, once for each cluster. `solution`, if not NULL, is told when the
 * bridge hears of the end of an iteration, in nanoseconds since the search began, and ends the
 * search when it is over. Errors: STATUS_UNAVAILABLE when nobody searches any more and there is no
 * answer; who does what is then on stderr.
 */
__attribute__((warn_unused_result)) Status cluster_search(Cluster *cluster,
                                                          const Position *position, int depth,
                                                          Solution *solution,
                                                          ClusterOutcome *outcome);

#endif
