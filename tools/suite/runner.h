/*
 * Runner: searches all positions of a suite, several at once if wanted.
 *
 * Each slot is a thread with a searcher of its own, which forgets everything before each position,
 * so that the order and the number of slots do not matter (but for the time they take from each
 * other).
 */
#ifndef ROOKERY_TOOLS_SUITE_RUNNER_H
#define ROOKERY_TOOLS_SUITE_RUNNER_H

#include "base/duration.h"
#include "tools/suite/verdict.h"
#include "uci_bridge/epd.h"

/* A position and what came of it. */
typedef struct {
    Epd epd;
    Verdict verdict;
    Line line;      /* the engine's best at the end */
    Duration time;  /* solved: when the answer became right for good; else the whole search */
    uint64_t nodes; /* of the search */
    int depth;      /* the last complete iteration */
} SuiteEntry;

typedef struct {
    Duration time; /* for each position */
    int hash_mb;   /* of each slot's table */
    int slots;     /* positions searched at once, at least 1 */
    bool is_early; /* a search ends when its answer has been right for 3 iterations */
} RunnerSettings;

/* Counts over all positions. */
typedef struct {
    int solved;
    int total;
    int points;
    int points_max;   /* the points of the best moves; 0: the suite has none */
    int mates_wanted; /* positions with "bm #N" */
    int mates_found;  /* of these, with a true claim */
    int mates_false;  /* claims that failed the proof, in all positions */
    int pv_short;     /* claims whose line ends before the mate, in all positions */
} SuiteTotals;

/* Searches all entries, with progress on stderr. Errors: STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status runner_run(SuiteEntry *entries, int count,
                                                      const RunnerSettings *settings);

SuiteTotals runner_totals(const SuiteEntry *entries, int count);

#endif
