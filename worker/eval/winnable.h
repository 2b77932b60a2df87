/*
 * Winnable: how far an advantage in the endgame can be turned into a win, by what kind of position
 * it is, whoever is ahead.
 *
 * Source: chessprogramming.org/Initiative.
 */
#ifndef ROOKERY_WORKER_EVAL_WINNABLE_H
#define ROOKERY_WORKER_EVAL_WINNABLE_H

#include "worker/eval/evaluation.h"

/* The sum of the weights, for the side that is ahead; noted in the trace as White's. */
ALWAYS_INLINE int winnable_sum(const Evaluation *e, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const Bitboard pawns = position->by_type[PAWN];
    const Square white = e->king[WHITE];
    const Square black = e->king[BLACK];
    const int outflank = __builtin_abs(square_file(white) - square_file(black)) -
                         __builtin_abs(square_rank(white) - square_rank(black));
    const int both = (pawns & GEOMETRY_QUEEN_SIDE) != 0 && (pawns & GEOMETRY_KING_SIDE) != 0;
    const Bitboard officers =
        position_officers(position, WHITE) | position_officers(position, BLACK);
    return score_eg(trace_units(trace, WHITE, &w->winnable_pawn, bitboard_count(pawns)) +
                    trace_units(trace, WHITE, &w->winnable_flanks, both) +
                    trace_units(trace, WHITE, &w->winnable_outflank, outflank) +
                    trace_units(trace, WHITE, &w->winnable_pawn_ending, officers == 0) +
                    trace_units(trace, WHITE, &w->winnable_base, 1));
}

/*
 * What is added to `total`, all other terms, White minus Black. It takes all of the endgame score
 * or doubles it at most, so that small scores stay small and keep their sign.
 */
ALWAYS_INLINE Score winnable_weigh(const Evaluation *e, Score total, EvalTrace *trace)
{
    const int sum = winnable_sum(e, trace);
    const int eg = score_eg(total);
    const int ahead = eg < 0 ? -eg : eg;
    const int gain = geometry_clamp(sum, -ahead, ahead);
    const Score score = score_make(0, eg < 0 ? -gain : gain);
    trace_term(trace, WHITE, TERM_WINNABLE, score);
    return score;
}

#endif
