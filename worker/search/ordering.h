/*
 * Ordering: what searches have learned about which moves cut off.
 *
 * All tables hold numbers in [-ORDERING_MAX, ORDERING_MAX] that drift towards recent experience
 * ("gravity": chessprogramming.org/History_Heuristic). Searches that work on one tree from several
 * threads share them, for each alone would learn too little (docs/scaling-log.md). Values are
 * relaxed atomics: of two updates at once one may be lost, which does no harm. A search with tables
 * of its own is the same every time.
 */
#ifndef ROOKERY_SEARCH_ORDERING_H
#define ROOKERY_SEARCH_ORDERING_H

#include <stdatomic.h>

#include "chess/position.h"

enum {
    ORDERING_MAX = 16384,
    PIECE_SQUARE_COUNT = PIECE_COUNT * SQUARE_COUNT,
    ATTACKED_COUNT = 4, /* neither square, to, from, both */
};

typedef _Atomic int16_t HistoryValue;

/* One table a (piece, square): what followed well on that move. */
typedef HistoryValue Continuation[PIECE_SQUARE_COUNT];

typedef struct {
    /* By the side to move, by attacks on from and to, by from and to. */
    HistoryValue quiet[COLOR_COUNT][ATTACKED_COUNT][SQUARE_COUNT * SQUARE_COUNT];
    HistoryValue capture[PIECE_SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* by mover, to, victim */
    _Atomic Move counter[PIECE_SQUARE_COUNT];      /* the last refutation of a move */
    Continuation continuation[PIECE_SQUARE_COUNT]; /* by an earlier move, then move */
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

static inline int ordering_value(const HistoryValue *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

/* Moves `*value` towards the sign of `bonus` (|bonus| <= ORDERING_MAX), never past the limits. */
static inline void ordering_update(HistoryValue *value, int bonus)
{
    const int magnitude = bonus < 0 ? -bonus : bonus;
    const int before = ordering_value(value);
    atomic_store_explicit(value, (int16_t)(before + bonus - before * magnitude / ORDERING_MAX),
                          memory_order_relaxed);
}

/* The last refutation of the move with this index, or MOVE_NONE. */
static inline Move ordering_counter(const Ordering *ordering, int move_index)
{
    return atomic_load_explicit(&ordering->counter[move_index], memory_order_relaxed);
}

static inline void ordering_set_counter(Ordering *ordering, int move_index, Move refutation)
{
    atomic_store_explicit(&ordering->counter[move_index], refutation, memory_order_relaxed);
}

/* The entry of a quiet move of `side`, whose opponent attacks the squares `attacked`. */
HistoryValue *ordering_quiet(Ordering *ordering, Color side, Bitboard attacked, Move move);

/* The capture table's entry for a tactical move (a promotion without capture counts as taking
 * nothing). */
HistoryValue *ordering_capture(Ordering *ordering, const Position *position, Move move);

#endif
