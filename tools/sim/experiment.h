/*
 * Experiment: many positions, each searched by clusters of several sizes, with several seeds.
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

enum { EXPERIMENT_SIZES_MAX = 32, EXPERIMENT_SEEDS_MAX = 64 };

typedef struct {
    TrialSettings settings;
    int workers[EXPERIMENT_SIZES_MAX]; /* the sizes of clusters */
    int size_count;
    uint64_t seeds[EXPERIMENT_SEEDS_MAX];
    int seed_count;
    SimPosition *positions; /* borrowed */
    int position_count;
    int jobs;             /* processes at once, at least 1 */
    uint64_t build;       /* tells this program from any other */
    uint64_t search;      /* tells this serial search from any other */
    TrialResult *results; /* by position, then size, then seed; borrowed */
    int too_easy;         /* test positions that the serial search solves too soon ... */
    int too_hard;         /* ... or not soon enough: found and left out by experiment_run */
} Experiment;

/* How many trials each position has. */
int experiment_trials_each(const Experiment *experiment);

/* The one of the position, size and seed with these indices. */
TrialResult *experiment_result(const Experiment *experiment, int position, int size, int seed);

/*
 * Runs what is not in the cache yet, with progress on stderr, and reads all results. Test positions
 * that do not count are taken out of `positions`. Errors: those of a trial, after all others have
 * had their turn; STATUS_UNAVAILABLE when no position is left; those of the cache.
 */
__attribute__((warn_unused_result)) Status experiment_run(Experiment *experiment, Cache *cache);

/* The serial search of one position, from the cache if it is there, else added to it. */
__attribute__((warn_unused_result)) Status
experiment_baseline(const Experiment *experiment, Cache *cache, int position, Baseline *baseline);

/* A number that is another for each build of this program. Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status experiment_build(uint64_t *build);

#endif
