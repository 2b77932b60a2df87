/*
 * Root: iterative deepening as one state machine, used by the serial search and by the master.
 *
 * The root knows no clock, no thread and no network. Its host pulls jobs from it whenever a slot
 * is free (root_next_job), has them searched, and tells it what came of them. With one slot the
 * jobs are exactly the serial search; with more, brothers are searched at once (YBWC).
 *
 * One iteration, for each line of MultiPV:
 *
 *     ELDEST    the first move alone, in the aspiration window
 *        | fails low: window opened downwards, again     | fails high: opened upwards, again
 *        v exact
 *     BROTHERS  shares of the other moves, costliest first, each with a null window and, where that
 *        |      fails high, the open window (the helper owns that whole ladder)
 *        |-- a brother is better: alpha rises for all (root_job_improved)
 *        |-- a brother passes beta: all jobs void, it becomes the eldest with a wider window
 *        v all done
 *     next line, or next depth, or FINISHED
 *
 * With one slot the eldest's job has the brothers too: where it comes out inside the window they
 * follow at once, above its score, which saves the way to the master and back. News of the eldest
 * (root_job_improved) then begins BROTHERS while the job runs; without it no brother is believed
 * and the job is handed out again. Any other outcome ends the job with the eldest.
 *
 * Several roots may search one position side by side, each with slots of its own, in different
 * iterations (root_skips); one that falls behind goes on where another is (root_adopt).
 *
 * Jobs are named by `RootJobId`, which never repeats within a search; news of a job that is no
 * longer out is ignored. Sources: Feldmann, "Spielbaumsuche mit massiv parallelen Systemen", 1993
 * (YBWC); chessprogramming.org/Aspiration_Windows.
 */
#ifndef ROOKERY_ROOT_ROOT_H
#define ROOKERY_ROOT_ROOT_H

#include "chess/history.h"
#include "chess/line.h"
#include "chess/movegen.h"

enum {
    ROOT_DEPTH_MAX = 100,  /* plies; deeper iterations add nothing that a search can reach */
    ROOT_KILLS_MAX = 3,    /* a move that has cost so many workers in a row is given up ... */
    ROOT_GIVEN_UP_MAX = 1, /* ... and so many of them: with another one the search ends */
};

typedef struct {
    int depth;      /* stop after this iteration; 0 is no limit */
    int mate_moves; /* stop when a mate in this many full moves is proven; 0 is no limit */
    uint64_t nodes; /* stop after this many nodes; 0 is no limit */
    int multi_pv;   /* lines wanted, at least 1 */
    Move search_moves[MOVES_MAX]; /* only these, if any */
    int search_move_count;        /* 0: all legal moves */
} RootLimits;

typedef uint32_t RootJobId;

/* Work for one slot: a share of the root's moves. */
typedef struct {
    RootJobId id;
    int depth; /* of the root, plies */
    int alpha; /* window, from the root's side to move */
    int beta;
    bool is_eldest; /* the first move is searched with the open window at once; others follow
                       only when it comes out inside the window */
    int move_count; /* at least 1 */
    Move moves[MOVES_MAX];
    uint8_t
        numbers[MOVES_MAX]; /* each move's place in the root's order, from 1: decides reductions */
} RootJob;

/* A finished job. */
typedef struct {
    RootJobId id;
    uint64_t nodes;      /* spent on the whole job, the sum of the costs and a little more */
    int score;           /* the best of its moves, fail soft */
    Line line;           /* of the best move if it beat the job's alpha, else length 0 */
    int selective_depth; /* the deepest ply reached */
    int cost_count;      /* moves searched to the end; fewer than the job's after a cutoff */
    MoveCost costs[MOVES_MAX];
} RootJobResult;

typedef enum { ROOT_MOVE_PENDING, ROOT_MOVE_OUT, ROOT_MOVE_DONE } RootMoveState;

typedef struct {
    Move move;
    RootMoveState state; /* in this iteration and line */
    RootJobId job;       /* the job it is out with, when OUT */
    uint64_t nodes;      /* of the last search of it: its expected cost */
    int kills;           /* workers that died with it since it was last searched to the end */
    Line line;           /* of this iteration; score SCORE_NONE if it has not beaten alpha */
    Line previous;       /* of the last iteration in which it was one of the lines */
} RootMove;

typedef enum { ROOT_ELDEST, ROOT_BROTHERS, ROOT_FINISHED } RootPhase;

typedef struct {
    RootLimits limits;         /* of this search */
    RootMove moves[MOVES_MAX]; /* the lines found in this iteration first, best first */
    int move_count;            /* of `moves` */
    int given_up_count;        /* moves that are no longer among them (root_job_killed) */
    RootPhase phase;           /* of the line under way, or FINISHED */
    int depth;                 /* of the iteration under way, from 1 */
    int line_index;            /* of the MultiPV line under way, from 0 */
    int alpha;                 /* window of the line under way, from the root's side to move */
    int beta;                  /* its upper end */
    int delta;                 /* half width of the next wider aspiration window, cp */
    RootJobId next_id;         /* of the next job */
    uint64_t nodes;            /* of all finished jobs */
    int depth_done;            /* the last complete iteration; 0 before the first */
    Move best_move;            /* of that iteration */
    int best_score;            /* of that iteration */
    int previous_best_score;   /* of the iteration before; the same score after the first */
    int stable_iterations;     /* complete iterations in a row before it with the same best move */
    uint64_t best_move_nodes;  /* nodes of its best move's last search */
    uint64_t iteration_nodes;  /* nodes of that whole iteration */
    uint64_t nodes_at_iteration_start; /* of the iteration under way */
} Root;

/*
 * Prepares a search of `position`. A position without legal moves gives a finished root with
 * move_count 0. Moves in limits.search_moves that are not legal are ignored; if none is left, all
 * are searched.
 */
void root_start(Root *root, const Position *position, const RootLimits *limits);

/*
 * The next piece of work for one of `slot_count` slots, or false when there is none now: others
 * must finish first, or the root is finished.
 */
bool root_next_job(Root *root, int slot_count, RootJob *job);

/*
 * A move of a running job raised alpha (score above the job's alpha): at once, before the job
 * ends. Returns whether the root's alpha rose or its window failed high, so that other jobs'
 * bounds must be refreshed (root_alpha) or, when root_job_is_out says so, cancelled.
 */
bool root_job_improved(Root *root, RootJobId id, const Line *line);

/* A job ended by itself. */
void root_job_done(Root *root, const RootJobResult *result);

/* A job will never end (its worker was lost): its moves are handed out again. */
void root_job_lost(Root *root, RootJobId id);

/*
 * A job will never end, because its worker died with it: perhaps of it. Its moves are handed out
 * again, each alone, and when no other is out if the next death would be the last; one that has
 * cost ROOT_KILLS_MAX workers in a row is left out from now on, which may end line and iteration.
 * Returns such a move, else MOVE_NONE.
 */
Move root_job_killed(Root *root, RootJobId id);

/* Whether the job's result is still wanted. */
bool root_job_is_out(const Root *root, RootJobId id);

/* Whether any job's result is still wanted. */
bool root_has_jobs_out(const Root *root);

/* The bound that running jobs of younger brothers should search against now. */
static inline int root_alpha(const Root *root)
{
    return root->alpha;
}

/* Ends the search now: no more jobs, the best line so far stands. */
void root_stop(Root *root);

static inline bool root_is_finished(const Root *root)
{
    return root->phase == ROOT_FINISHED;
}

/*
 * Goes on from the last complete iteration of `ahead`, a search of the same position for as many
 * lines, as if it had been this one's: all its lines, its order of the moves and their costs. What
 * of this root is out is void, as are lines that it has found of an iteration under way. To be
 * called when that iteration is not shallower than the one under way here, or ended that search.
 */
void root_adopt(Root *root, const Root *ahead);

/*
 * Whether the `number`th of the searches side by side leaves out the iteration of this depth: the
 * 0th none; of the others always one half, in runs of one, two, three, four, so that wherever the
 * searches are, different depths are searched. Source: the helpers' pattern of Lazy SMP,
 * chessprogramming.org/Lazy_SMP.
 */
bool root_skips(int number, int depth);

/*
 * On to the next iteration that the `number`th search does not leave out, or to the deepest there
 * may be; between iterations only, so that nothing happens between two lines of one. While none of
 * this one's jobs is out.
 */
void root_skip_ahead(Root *root, int number);

/*
 * The `index`th best line known (0 is the one to play), or NULL if there is no such line. Of the
 * iteration under way if it has a value already (exact, or a lower bound beyond the window that is
 * being looked into), else of the last complete one, which also stands against a mate that the
 * iteration's first moves alone run into; before any result, the first legal move with a score of
 * SCORE_NONE.
 */
const Line *root_line(const Root *root, int index);

#endif
