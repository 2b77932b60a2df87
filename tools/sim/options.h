/*
 * Options: the command line of rookery-sim.
 */
#ifndef ROOKERY_TOOLS_SIM_OPTIONS_H
#define ROOKERY_TOOLS_SIM_OPTIONS_H

#include "tools/sim/experiment.h"

typedef struct {
    const char *positions; /* path of the file, borrowed from the command line as all texts */
    int64_t count;         /* of its positions; 0: all */
    int64_t jobs;
    const char *json;     /* path or NULL */
    const char *svg;      /* path or NULL */
    const char *timeline; /* path or NULL */
    int64_t index;        /* of the position for the timeline, from 1 */
    int64_t from_ms;      /* of the timeline */
    int64_t to_ms;        /* 0: to the end */
    bool each;            /* a row for each position too */
    int workers[EXPERIMENT_SIZES_MAX];
    int size_count;
    uint64_t seeds[EXPERIMENT_SEEDS_MAX];
    int seed_count;
    TrialSettings settings;
} Options;

/*
 * Reads the command, `speedup` or `solve`, and the words behind it; `count`, of all of them, is at
 * least 1. Errors: STATUS_INVALID.
 */
__attribute__((warn_unused_result)) Status options_read(char *const *words, int count,
                                                        Options *options);

/* What --help prints. */
const char *options_help(void);

#endif
