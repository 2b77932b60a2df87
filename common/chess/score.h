/*
 * Scores: what a position is worth to the side to move.
 *
 * Centipawns in (-SCORE_WIN_MIN, SCORE_WIN_MIN); beyond that a forced mate: SCORE_MATE - n wins in
 * n plies, -(SCORE_MATE - n) is mated in n plies. All scores fit 16 bits.
 */
#ifndef ROOKERY_CHESS_SCORE_H
#define ROOKERY_CHESS_SCORE_H

#include <stdbool.h>

#include "chess/types.h"

enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INFINITE = 32001,               /* outside every score: an open window */
    SCORE_NONE = 32002,                   /* no score known */
    SCORE_WIN_MIN = SCORE_MATE - PLY_MAX, /* the smallest score that is a forced mate */
    SCORE_EVAL_MAX = 20000,               /* evaluations stay within +-this */
};

/* What a score says about the true value: UCI's lowerbound, upperbound and plain score. */
typedef enum { BOUND_NONE = 0, BOUND_UPPER = 1, BOUND_LOWER = 2, BOUND_EXACT = 3 } Bound;

static inline bool score_is_win(int score)
{
    return score >= SCORE_WIN_MIN;
}

static inline bool score_is_loss(int score)
{
    return score <= -SCORE_WIN_MIN;
}

static inline bool score_is_mate(int score)
{
    return score_is_win(score) || score_is_loss(score);
}

static inline int score_mate_in(int ply)
{
    return SCORE_MATE - ply;
}

static inline int score_mated_in(int ply)
{
    return ply - SCORE_MATE;
}

/*
 * A score without a mate as a person should see it: what a peer may send beyond all evaluations is
 * no number of pawns.
 */
static inline int score_shown(int score)
{
    return score > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
           : score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                     : score;
}

/* A mate score as UCI counts it: full moves, negative when the side to move is mated. */
static inline int score_mate_moves(int score)
{
    return score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score) / 2;
}

#endif
