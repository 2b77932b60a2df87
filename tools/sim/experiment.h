/*
 * Experiment: many positions, each searched by clusters of several sizes.
 *
 * Positions are shared out to processes. Every finished trial is kept in a cache, from which the
 * results are read in the end: so an experiment that is interrupted goes on where it was when it
 * is started again, and the number of processes changes nothing but the time it takes.
 */
#ifndef ROOKERY_TOOLS_SIM_EXPERIMENT_H
#define ROOKERY_TOOLS_SIM_EXPERIMENT_H

#include "tools/sim/cache.h"
#include "tools/sim/positions.h"
#include "tools/sim/trial.h"

enum { EXPERIMENT_SIZES_MAX = 32 };

typedef struct {
    TrialSettings settings;
    int workers[EXPERIMENT_SIZES_MAX]; /* the sizes of clusters */
    int size_count;
    SimPosition *positions; /* borrowed */
    int position_count;
    int jobs;             /* processes at once, at least 1 */
    uint64_t build;       /* tells this program from any other */
    uint64_t search;      /* tells this serial search from any other */
    TrialResult *results; /* by position, then size; borrowed */
} Experiment;

/*
 * Runs what is not in the cache yet, with progress on stderr, and reads all results. Errors: those
 * of a trial, after all others have had their turn; those of the cache.
 */
__attribute__((warn_unused_result)) Status experiment_run(Experiment *experiment, Cache *cache);

/* The serial search of one position, from the cache if it is there, else added to it. */
__attribute__((warn_unused_result)) Status
experiment_baseline(const Experiment *experiment, Cache *cache, int position, Baseline *baseline);

/* A number that is another for each build of this program. Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status experiment_build(uint64_t *build);

#endif
