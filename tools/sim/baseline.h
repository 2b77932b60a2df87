/*
 * Baseline: the plain serial search of this very binary, one iteration after the other.
 */
#ifndef ROOKERY_TOOLS_SIM_BASELINE_H
#define ROOKERY_TOOLS_SIM_BASELINE_H

#include "base/status.h"
#include "chess/line.h"
#include "chess/position.h"
#include "root/root.h"
#include "tools/sim/solution.h"

/* What a search to one depth takes and finds. */
typedef struct {
    uint64_t nodes; /* of all iterations up to this one; 0: not known */
    Move move;      /* of the best line */
    int score;
} BaselineDepth;

typedef struct {
    int depth;                                /* the deepest one known, plies */
    uint64_t nodes;                           /* searched in all, in the next depth too */
    BaselineDepth depths[ROOT_DEPTH_MAX + 1]; /* by depth; 0 is not used */
} Baseline;

/*
 * Searches a position for its `multi_pv` best lines, with an empty table and empty histories, until
 * an iteration ends beyond `nodes`, or the search itself ends before. Errors: STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status baseline_measure(const Position *position, int multi_pv,
                                                            int hash_mb, uint64_t nodes,
                                                            Baseline *baseline);

/* Likewise for the best line until a test position is solved, or cannot be within `nodes` any more.
 */
__attribute__((warn_unused_result)) Status baseline_solve(const Epd *epd, int hash_mb,
                                                          uint64_t nodes, Baseline *baseline);

/* What the baseline says of a solution within `nodes`; its times are nodes. */
Solution baseline_solution(const Baseline *baseline, const Epd *epd, uint64_t nodes);

/* The first depth whose search takes more than `nodes`; 0 when the baseline does not tell. */
int baseline_depth_beyond(const Baseline *baseline, uint64_t nodes);

#endif
