/*
 * KPK: king and pawn against king, every position known exactly.
 *
 * One bit for each position with the pawn on files a to d (the others are mirrored), 111282 wins of
 * 196608, worked out at start in a fraction of a millisecond.
 * Source: chessprogramming.org/KPK.
 */
#ifndef ROOKERY_WORKER_EVAL_KPK_H
#define ROOKERY_WORKER_EVAL_KPK_H

#include "chess/position.h"

/* Works out all positions. Call once, after attacks_init. */
void kpk_init(void);

/* Whether the board holds just the two kings and one pawn. */
static inline bool kpk_applies(const Position *position)
{
    return bitboard_count(position_occupied(position)) == 3 && position->by_type[PAWN] != 0;
}

/* Whether the side with the pawn wins; only where kpk_applies. Thread: any. */
bool kpk_is_win(const Position *position);

#endif
