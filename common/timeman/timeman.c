#include "timeman/timeman.h"

enum {
    US_PER_MS = 1000,
    PERMILLE = 1000,

    /* Sudden death: the share of this many moves, fewer by half a move for each that the game has
       had. Because it is a share of what is left, the clock never reaches zero. */
    HORIZON_MOVES_FIRST = 50,
    HORIZON_MOVES_LAST = 22,
    HORIZON_MOVES_MAX = 40,    /* of `movestogo`: a far control is no reason to hurry */
    SPARE_US = 30 * US_PER_MS, /* of the overhead: a reserve, not what each move costs */
    INCREMENT_PERMILLE = 750,
    SOFT_PERMILLE = 900,     /* the facts of a calm search take a third off it */
    HARD_FACTOR = 4,         /* times the move's share */
    HARD_CAP_PERMILLE = 800, /* of all that the clock holds */

    GRACE_US_MIN = 30 * US_PER_MS, /* from hard to deadline: the way of the answer */
    GRACE_US_MAX = 1000 * US_PER_MS,
    EXACT_GRACE_US_MAX = 5 * US_PER_MS,
    LEAST_HARD_US = 1000,

    SINGLE_MOVE_DEPTH = 4, /* enough for a score to show and a move to ponder on */

    /* Scores move the soft bound by this much a centipawn, within these bounds. */
    DROP_PERMILLE_PER_CP = 8,
    DROP_CP_MIN = -20,
    DROP_CP_MAX = 80,

    /* A best move that took all nodes has no rival; one that took few is in doubt. */
    SHARE_PERMILLE_AT_ZERO = 1500,
    SHARE_PERMILLE_AT_ALL = 600,
};

/* No clock is longer, so that no product below overflows. */
static const int64_t clock_us_max = (int64_t)1000 * 365 * 24 * 3600 * 1000 * US_PER_MS;

static int64_t smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static int64_t larger(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return larger(least, smaller(value, most));
}

static int64_t permille_of(int64_t value, int64_t permille)
{
    return value / PERMILLE * permille + value % PERMILLE * permille / PERMILLE;
}

/* A limited budget out of its two bounds and the last moment that the clock allows. */
static TimeBudget make_budget(int64_t soft, int64_t hard, int64_t grace, int64_t usable)
{
    hard = larger(hard, LEAST_HARD_US);
    return (TimeBudget){
        .is_limited = true,
        .soft.us = clamp(soft, LEAST_HARD_US, hard),
        .hard.us = hard,
        .deadline.us = larger(smaller(hard + grace, usable), TIMEMAN_LEAST_US),
    };
}

/* What the overhead leaves of a time, half of it at least: overheads are meant as upper bounds. */
static int64_t less_overhead(int64_t time, int64_t overhead)
{
    return larger(time - overhead, time / 2);
}

/* `usable`: the time of the move, or of the clock if that is less, without the overhead. */
static TimeBudget exact_budget(int64_t usable)
{
    const int64_t grace = smaller(usable / 10, EXACT_GRACE_US_MAX);
    TimeBudget budget = make_budget(usable - grace, usable - grace, grace, usable);
    budget.is_exact = true;
    return budget;
}

/* The moves among which what is left of the clock is shared at the game's `full_move`. */
static int64_t horizon_of(int moves_to_go, int full_move)
{
    if (moves_to_go > 0) {
        return smaller(moves_to_go, HORIZON_MOVES_MAX);
    }
    return larger(HORIZON_MOVES_FIRST - full_move / 2, HORIZON_MOVES_LAST);
}

/*
 * One move's share of the clock. What is kept of the clock already spares a move what is usual on
 * its way; overhead beyond that is the way to a far machine, which each move to come has to go.
 */
static int64_t move_share(int64_t usable, int64_t increment, int64_t overhead, int64_t horizon)
{
    const int64_t share = usable / horizon + permille_of(increment, INCREMENT_PERMILLE);
    return horizon == 1 ? share : less_overhead(share, larger(overhead - SPARE_US, 0));
}

static TimeBudget clock_budget(int64_t usable, int64_t increment, int64_t overhead, int64_t horizon)
{
    const int64_t share = move_share(usable, increment, overhead, horizon);
    const int64_t hard = smaller(share * HARD_FACTOR, permille_of(usable, HARD_CAP_PERMILLE));
    const int64_t grace = clamp(hard / 4, GRACE_US_MIN, GRACE_US_MAX);
    return make_budget(permille_of(share, SOFT_PERMILLE), hard, grace, usable);
}

TimeBudget timeman_budget(const GoLimits *limits, Color side, int full_move, Duration overhead)
{
    const Color owner = limits->has_clock[side] ? side : color_other(side);
    const bool has_clock = limits->has_clock[owner];
    if (limits->infinite || (!has_clock && !limits->has_move_time)) {
        return (TimeBudget){.is_limited = false};
    }

    const int64_t kept = clamp(overhead.us, 0, clock_us_max);
    const int64_t clock = clamp(limits->clock[owner].us, 0, clock_us_max) - kept;
    if (limits->has_move_time) {
        const int64_t move_time = less_overhead(clamp(limits->move_time.us, 0, clock_us_max), kept);
        const int64_t cap = permille_of(larger(clock, 0), HARD_CAP_PERMILLE);
        return exact_budget(has_clock ? smaller(move_time, cap) : move_time);
    }
    const int64_t increment = clamp(limits->increment[owner].us, 0, clock_us_max);
    return clock_budget(larger(clock, 0), increment, kept,
                        horizon_of(limits->moves_to_go, full_move));
}

/* How much of the soft bound to use after so many iterations with the same best move. */
static int64_t stability_permille(int stable_iterations)
{
    static const int16_t table[] = {1600, 1250, 1050, 950, 880, 820, 770, 730};
    const int last = (int)(sizeof table / sizeof table[0]) - 1;
    return table[clamp(stable_iterations, 0, last)];
}

static int64_t score_permille(const TimemanFacts *facts)
{
    const int drop_cp = facts->previous_best_score - facts->best_score;
    return PERMILLE + clamp(drop_cp, DROP_CP_MIN, DROP_CP_MAX) * DROP_PERMILLE_PER_CP;
}

static int64_t node_share_permille(const TimemanFacts *facts)
{
    const uint64_t unit = facts->iteration_nodes / PERMILLE;
    if (unit == 0) {
        return PERMILLE; /* too few nodes to mean anything */
    }
    const int64_t share = (int64_t)(facts->best_move_nodes / unit);
    return SHARE_PERMILLE_AT_ZERO -
           permille_of(clamp(share, 0, PERMILLE), SHARE_PERMILLE_AT_ZERO - SHARE_PERMILLE_AT_ALL);
}

/* A forced mate that iterations twice as deep have confirmed will not get shorter. */
static bool is_settled_mate(const TimemanFacts *facts)
{
    const int score = facts->best_score;
    if (!score_is_mate(score)) {
        return false;
    }
    const int plies = SCORE_MATE - (score > 0 ? score : -score);
    return facts->depth_done >= 2 * plies;
}

bool timeman_should_stop(const TimeBudget *budget, Duration elapsed, const TimemanFacts *facts)
{
    if (!budget->is_limited || facts->depth_done == 0) {
        return false;
    }
    if (elapsed.us >= budget->hard.us) {
        return true;
    }
    if (budget->is_exact) {
        return false;
    }
    if (facts->is_forced && facts->depth_done >= SINGLE_MOVE_DEPTH) {
        return true;
    }
    if (is_settled_mate(facts)) {
        return true;
    }
    int64_t soft = budget->soft.us;
    soft = permille_of(soft, stability_permille(facts->stable_iterations));
    soft = permille_of(soft, score_permille(facts));
    soft = permille_of(soft, node_share_permille(facts));
    return elapsed.us >= smaller(soft, budget->hard.us);
}
