/*
 * Timeman: from the clocks of a `go` to what may be spent on this move.
 *
 * The master and the bridge both use it, each with its own clock. All times are counted from one
 * start: the arrival of the `go`, or of the `ponderhit` for a search that began by pondering.
 *
 *     0 ----- soft ----------- hard -- deadline --------- clock - overhead
 *         no new iteration   the search   the bridge plays
 *         (scaled by facts)  is stopped   what it has
 *
 * Invariants of a limited budget:
 *  1. 0 < soft <= hard < deadline.
 *  2. Where the clock holds TIMEMAN_LEAST_US or more beyond the overhead, and `movetime` so much at
 *     all, the deadline is within both. With less nothing can be promised: it is TIMEMAN_LEAST_US.
 *     Of `movetime` the overhead keeps half at most.
 *  3. Under an increment, however large, both hold: it is credited only after the move.
 *
 * Integers alone, so that every architecture decides alike.
 * Source: chessprogramming.org/Time_Management.
 */
#ifndef ROOKERY_TIMEMAN_TIMEMAN_H
#define ROOKERY_TIMEMAN_TIMEMAN_H

#include "messages/messages.h"

enum {
    TIMEMAN_LEAST_US = 3000, /* the deadline of a clock that has run out */
};

/* What may be spent on one move. */
typedef struct {
    bool is_limited;   /* false: time never ends this search, and the rest is 0 */
    bool is_exact;     /* `movetime`: of the facts of the search only a forced move matters */
    Duration soft;     /* begin no iteration after this, before scaling; `hard` if exact */
    Duration hard;     /* stop the search */
    Duration deadline; /* the bridge answers with what it has */
} TimeBudget;

/* The facts of a search after an iteration; each as the field of that name in Root, but the last.
 */
typedef struct {
    int depth_done;
    int stable_iterations;
    int best_score;
    int previous_best_score;
    uint64_t best_move_nodes;
    uint64_t iteration_nodes;
    bool is_forced; /* one legal move only; not one that `searchmoves` has left */
} TimemanFacts;

/*
 * The budget of `side` at the game's `full_move` (from 1). `overhead` (not negative) is kept back
 * for what lies between the caller and the clock: the user's Move Overhead, and for a master the
 * round trip to its bridge as well. Where the own clock is missing, the opponent's stands for it.
 * Unlimited are `infinite` and a `go` without clock and movetime. Depth, nodes and mate are not
 * looked at: whichever limit is reached first ends the search. `ponder` is ignored, the caller
 * holds the budget until the ponderhit.
 */
TimeBudget timeman_budget(const GoLimits *limits, Color side, int full_move, Duration overhead);

/*
 * Whether to end the search instead of beginning another iteration, `elapsed` after the start.
 * Never true of an unlimited budget or before the first iteration is done.
 */
bool timeman_should_stop(const TimeBudget *budget, Duration elapsed, const TimemanFacts *facts);

#endif
