/*
 * Statistics: what the trials of one cluster size say together.
 */
#ifndef ROOKERY_TOOLS_SIM_STATISTICS_H
#define ROOKERY_TOOLS_SIM_STATISTICS_H

#include "tools/sim/experiment.h"

typedef struct {
    int workers;
    int positions;
    double speedup;    /* geometric mean */
    bool has_interval; /* false for one position, whose spread nobody knows */
    double low;        /* its 95% confidence interval, from the spread of the logarithms over the */
    double high;       /* positions, each the average over its seeds; else both the mean */
    int solved;        /* trials that found the right move in time */
    double overhead;   /* nodes of the cluster by those of the serial search, geometric mean */
    double idle;       /* share of the slots' time in which nobody searched on them */
    double comm;       /* processor time for messages by the slots' time */
    double master_load;    /* share of the time in which the master was busy */
    double messages_per_s; /* of virtual time, sent by anybody */
    double bytes_per_s;    /* likewise */
    double pushed_per_s;   /* of them, of pushed table entries */
    double same_move;      /* share of the trials */
    double share_nodes;    /* of a share of an inner node, on average */
    double offers_per_s;
    double withdrawn; /* share of the offers */
    double cancelled; /* share of all nodes that were searched by jobs that were cancelled */
    double wait_ms;   /* of a search for its shares, on average */
} Summary;

/* Of the size with this index. */
Summary statistics_summary(const Experiment *experiment, int size);

#endif
