/*
 * `rookery analyse --cluster`: a search by a whole cluster, watched live.
 */
#ifndef ROOKERY_UCI_BRIDGE_ANALYSE_CLUSTER_H
#define ROOKERY_UCI_BRIDGE_ANALYSE_CLUSTER_H

#include "base/status.h"
#include "messages/messages.h"

typedef struct {
    const char *address; /* of the master */
    bool insecure;       /* addresses beyond loopback are allowed */
    int worker_count;    /* wait until so many have joined before the clock starts; may be 0 */
    Position position;   /* not finished: there is a legal move */
    GoLimits limits;     /* at least one */
    int multi_pv;        /* lines shown */
} AnalyseClusterOptions;

/*
 * Searches and prints a row for each new line, about once a second the speed of each worker, and at
 * the end the best move. Errors: STATUS_UNAVAILABLE when the master is not there or is lost.
 */
__attribute__((warn_unused_result)) Status
analyse_cluster_run(const AnalyseClusterOptions *options);

#endif
