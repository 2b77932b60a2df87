/*
 * Passed pawns: what a pawn that no pawn can stop is worth, by how far it can go.
 *
 * Source: chessprogramming.org/Passed_Pawn, /Rule_of_the_Square (king distances stand in for it).
 */
#ifndef ROOKERY_WORKER_EVAL_PASSED_H
#define ROOKERY_WORKER_EVAL_PASSED_H

#include "worker/eval/evaluation.h"

/* King steps from `color`'s king to `square`, as far as they matter. */
ALWAYS_INLINE int passed_king_steps(const Evaluation *e, Color color, Square square)
{
    const int steps = geometry_distance(e->king[color], square);
    return steps < PASSED_KING_DISTANCE_MAX ? steps : PASSED_KING_DISTANCE_MAX;
}

/* An own rook or queen on the file behind the pawn pushes it forward. */
ALWAYS_INLINE bool passed_is_pushed(const Evaluation *e, Color us, Square square)
{
    const Position *position = e->position;
    const Bitboard behind = bitboard_file(square_file(square)) &
                            geometry_ranks_ahead(color_other(us), square_rank(square));
    const Bitboard heavy =
        (position->by_type[ROOK] | position->by_type[QUEEN]) & behind & position->by_color[us];
    return heavy != 0 && (attacks_rook(square, e->occupied) & heavy) != 0;
}

/* The way ahead: blocked, safe for a step, safe all along, and whether it is protected. */
ALWAYS_INLINE Score passed_path(const Evaluation *e, Color us, Square square, int rank,
                                EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const Bitboard stop = bitboard_shift_forward(us, bitboard_square(square));
    const Bitboard path = geometry_fill_forward(us, stop);
    Score score = 0;
    if (stop & e->position->by_color[them]) {
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_blocked[rank], 1);
    }
    if ((path & (e->attacked[them] | e->occupied)) == 0) {
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_free_path[rank], 1);
    }
    if ((stop & (e->attacked[them] | e->occupied)) == 0) {
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_safe_stop[rank], 1);
    }
    if ((stop & e->attacked[us]) != 0 || passed_is_pushed(e, us, square)) {
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_defended[rank], 1);
    }
    return score;
}

ALWAYS_INLINE Score passed_weigh(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    Score score = 0;
    for (Bitboard rest = e->pawns->passed & e->position->by_color[us]; rest;) {
        const Square square = bitboard_pop(&rest);
        const Square stop = geometry_stop_square(us, square);
        const int rank = square_relative_rank(us, square);
        const int edge = geometry_steps_from_edge(square_file(square));
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_rank[rank], 1) +
                 trace_weigh(trace, us, TERM_PASSED, &w->passed_edge[edge], 1);
        if (rank < 2) {
            continue;
        }
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_own_king[rank],
                             passed_king_steps(e, us, stop));
        score += trace_weigh(trace, us, TERM_PASSED, &w->passed_enemy_king[rank],
                             passed_king_steps(e, color_other(us), stop));
        score += passed_path(e, us, square, rank, trace);
    }
    return score;
}

#endif
