/*
 * Ordering: what a search thread has learned about which moves cut off.
 *
 * All tables hold numbers in [-ORDERING_MAX, ORDERING_MAX] that drift towards recent experience
 * ("gravity": chessprogramming.org/History_Heuristic). They belong to one thread and are never
 * shared, so that a fixed node budget gives the same search every time.
 */
#ifndef ROOKERY_SEARCH_ORDERING_H
#define ROOKERY_SEARCH_ORDERING_H

#include "chess/position.h"

enum { ORDERING_MAX = 16384, PIECE_SQUARE_COUNT = PIECE_COUNT * SQUARE_COUNT };

/* One table a (piece, square): what followed well on that move. */
typedef int16_t Continuation[PIECE_SQUARE_COUNT];

typedef struct {
    int16_t quiet[COLOR_COUNT][SQUARE_COUNT * SQUARE_COUNT];   /* by from and to */
    int16_t capture[PIECE_SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* by mover, to, victim */
    Move counter[PIECE_SQUARE_COUNT];                          /* the last refutation of a move */
    Continuation continuation[PIECE_SQUARE_COUNT];             /* by an earlier move, then move */
} Ordering;

/* Forgets everything. */
void ordering_clear(Ordering *ordering);

/* A piece on a square as a table index. */
static inline int ordering_index(Piece piece, Square square)
{
    return piece * SQUARE_COUNT + square;
}

/* The index of a move: its piece and where it goes (a castling king: its rook's square). */
static inline int ordering_move_index(const Position *position, Move move)
{
    return ordering_index(position->board[move_from(move)], move_to(move));
}

static inline int ordering_from_to(Move move)
{
    return move & 0xFFF;
}

/* Moves `*value` towards the sign of `bonus` (|bonus| <= ORDERING_MAX), never past the limits. */
static inline void ordering_update(int16_t *value, int bonus)
{
    const int magnitude = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * magnitude / ORDERING_MAX);
}

/* The capture table's entry for a tactical move (a promotion without capture counts as taking
 * nothing). */
int16_t *ordering_capture(Ordering *ordering, const Position *position, Move move);

#endif
