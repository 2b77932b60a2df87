/*
 * Solution: when a search has found the right move of a test position.
 *
 * The solution is the end of the first iteration whose best move is right and stays right for two
 * more iterations. Those two prove it; their time does not count. It must come within a limit.
 * Serial searches measure in nodes, clusters in nanoseconds since the search began: the definition
 * is the same.
 */
#ifndef ROOKERY_TOOLS_SIM_SOLUTION_H
#define ROOKERY_TOOLS_SIM_SOLUTION_H

#include "uci_bridge/epd.h"

#include <stdint.h>

typedef struct {
    const Epd *epd;  /* says what is right; borrowed */
    int64_t limit;   /* the latest solution that counts */
    int depth;       /* of the last iteration that was noted; 0 before the first */
    Move best;       /* its best move */
    int right;       /* iterations in a row, up to it, whose best move was right */
    int64_t found;   /* the end of the first of those */
    int found_depth; /* its depth */
} Solution;

/* Nothing has been searched yet. `epd` must outlive the solution and have bm or am. */
void solution_init(Solution *solution, const Epd *epd, int64_t limit);

/* An iteration ended. One that is no deeper than the last, or comes after the proof, is ignored. */
void solution_note(Solution *solution, int depth, int64_t at, Move best);

/* Whether the right move has been found and proved. */
bool solution_is_found(const Solution *solution);

/* Whether a search that has come to `now` can be ended: found, or never within the limit. */
bool solution_is_over(const Solution *solution, int64_t now);

#endif
