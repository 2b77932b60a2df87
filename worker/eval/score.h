/*
 * Score: a middlegame and an endgame value in one 32-bit integer.
 *
 * The middlegame value lives in the low 16 bits, the endgame value in the high 16 bits; a negative
 * middlegame value borrows one from the endgame half, which score_eg gives back. So one addition,
 * subtraction or multiplication by a small integer works on both halves at once, as long as each
 * half stays within 16 bits (our sums stay below 25000).
 * Source: chessprogramming.org/Tapered_Eval.
 */
#ifndef ROOKERY_WORKER_EVAL_SCORE_H
#define ROOKERY_WORKER_EVAL_SCORE_H

#include <stdint.h>

/*
 * The terms of the evaluation are written once and compiled twice, with and without a trace;
 * inlining lets the trace and the colour be constants.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef int32_t Score; /* centipawns, both halves */

ALWAYS_INLINE Score score_make(int mg, int eg)
{
    return (Score)((uint32_t)eg << 16) + mg;
}

ALWAYS_INLINE int score_mg(Score score)
{
    return (int16_t)(uint16_t)(uint32_t)score;
}

ALWAYS_INLINE int score_eg(Score score)
{
    return (int16_t)(uint16_t)(((uint32_t)score + 0x8000U) >> 16);
}

#endif
