/*
 * EvalTrace: where a score comes from, filled by the same code that computes it.
 *
 * With a NULL trace the recording functions compile to nothing. A trace holds each term's sum per
 * colour (for people) and how often each weight was counted per colour (for a tuner):
 *
 *     total = sum over linear weights w of (counts[w][WHITE] - counts[w][BLACK]) * w
 *             - danger(WHITE) + danger(BLACK) + mop-up, and then winnable of its eg
 *     score = (total.mg * phase + total.eg * (24 - phase)) / 24 * scale / 64, then damped
 */
#ifndef ROOKERY_WORKER_EVAL_TRACE_H
#define ROOKERY_WORKER_EVAL_TRACE_H

#include "worker/eval/weights.h"

typedef enum {
    TERM_MATERIAL,
    TERM_PIECE_SQUARE,
    TERM_PAWNS,
    TERM_PASSED,
    TERM_KNIGHTS,
    TERM_BISHOPS,
    TERM_ROOKS,
    TERM_MOBILITY,
    TERM_KING_SHELTER,
    TERM_KING_DANGER,
    TERM_THREATS,
    TERM_SPACE,
    TERM_TEMPO,
    TERM_MOP_UP,
    TERM_IMBALANCE,
    TERM_WINNABLE,
    TERM_COUNT,
} EvalTermId;

typedef struct {
    Score terms[TERM_COUNT][COLOR_COUNT];           /* each side's own view */
    int16_t counts[EVAL_WEIGHT_COUNT][COLOR_COUNT]; /* by weights_index */
    bool danger_counts[COLOR_COUNT];                /* whether that king's attack units apply */
    Score total;                                    /* White minus Black */
    int phase;                                      /* 24 with all pieces, 0 with none */
    int scale;                                      /* of 64: how winnable the ending is */
    int score;                                      /* the final centipawns, White's view */
} EvalTrace;

/* Notes a score that is no simple multiple of a weight. */
ALWAYS_INLINE void trace_term(EvalTrace *trace, Color color, EvalTermId term, Score score)
{
    if (trace) {
        trace->terms[term][color] += score;
    }
}

/* `count` times a weight, outside any term: attack units. */
ALWAYS_INLINE Score trace_units(EvalTrace *trace, Color color, const Weight *weight, int count)
{
    if (trace) {
        trace->counts[weights_index(weight)][color] += (int16_t)count;
    }
    return weights_score(weight) * count;
}

/* `count` times a weight for `color`: the one way by which weights enter a score. */
ALWAYS_INLINE Score trace_weigh(EvalTrace *trace, Color color, EvalTermId term,
                                const Weight *weight, int count)
{
    const Score score = trace_units(trace, color, weight, count);
    trace_term(trace, color, term, score);
    return score;
}

/* Material and place of one piece, looked up as one number. */
ALWAYS_INLINE Score trace_place(EvalTrace *trace, Color color, PieceType type, Square square)
{
    if (trace) {
        const unsigned diagram = weights_diagram_square(color, square);
        trace_weigh(trace, color, TERM_MATERIAL, &weights_packed.material[type], 1);
        trace_weigh(trace, color, TERM_PIECE_SQUARE, &weights_packed.piece_square[type][diagram],
                    1);
    }
    return weights_placement[piece_make(color, type)][square];
}

#endif
