/*
 * Eval: the classical evaluation of a position.
 *
 * Integers only, so that every machine gives the same score; symmetric, so that a position and its
 * mirror image with colours exchanged score alike. Scores depend on the position alone (its move
 * counter included), never on the caches.
 * Source: chessprogramming.org/Evaluation and the pages named in each part.
 */
#ifndef ROOKERY_WORKER_EVAL_EVAL_H
#define ROOKERY_WORKER_EVAL_EVAL_H

#include "chess/position.h"
#include "worker/eval/trace.h"

/* No score of eval_position is larger than this, in either direction; mate scores are. */
enum { EVAL_SCORE_MAX = 19000 };

/* Remembers pawn structures; each search thread has its own. */
typedef struct EvalCache EvalCache;

/* Builds the weights' tables. Call once, after attacks_init and before any other function here. */
void eval_init(void);

/* An empty cache (about 256 KiB) that the caller owns, or NULL without memory. */
EvalCache *eval_cache_new(void);

/* Frees the cache and nulls the caller's pointer; NULL inside is allowed. */
void eval_cache_destroy(EvalCache **cache);

/* Forgets everything. Scores do not change by it. */
void eval_cache_clear(EvalCache *cache);

/*
 * Centipawns from the view of the side to move, within EVAL_SCORE_MAX. `cache` may be NULL (slower)
 * and must not be used by two threads at once.
 */
int eval_position(const Position *position, EvalCache *cache);

/* One row of the table that explains a score. */
typedef struct {
    const char *name;    /* static text */
    int mg[COLOR_COUNT]; /* centipawns of the middlegame, each side's own view */
    int eg[COLOR_COUNT]; /* likewise of the endgame */
    int total;           /* what the row adds to the score, White's view */
} EvalTerm;

enum { EVAL_TERMS_MAX = TERM_COUNT + 1 };

/*
 * Writes the rows that make up the score of `position`, at most `capacity`, and returns their
 * number (EVAL_TERMS_MAX when they fit). The totals of all rows add up to eval_position seen from
 * White; the last row, which has no colours, is what scaling, damping and rounding take away.
 */
int eval_trace(const Position *position, EvalTerm *terms, int capacity);

/* The same in full detail, for a tuner. */
void eval_trace_fill(const Position *position, EvalTrace *trace);

/* A hash of all weights and of the code's version: equal evaluations have equal identities. */
uint64_t eval_identity(void);

#endif
