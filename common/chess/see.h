/*
 * SEE: static exchange evaluation, the balance of captures on one square.
 *
 * The swap algorithm with x-rays and pins respected as long as the pinning piece stands.
 * Source: chessprogramming.org/SEE_-_The_Swap_Algorithm.
 */
#ifndef ROOKERY_CHESS_SEE_H
#define ROOKERY_CHESS_SEE_H

#include "chess/position.h"

/* Piece values of the exchange, centipawns, by PieceType; the king's is 0 (it is never taken). */
extern const int see_values[PIECE_TYPE_COUNT + 1];

/* Whether playing the legal `move` and the best exchanges after it gains at least `threshold` cp.
 */
bool see_at_least(const Position *position, Move move, int threshold);

#endif
