/*
 * Bitboard: sets of squares and the small operations on them.
 */
#ifndef ROOKERY_CHESS_BITBOARD_H
#define ROOKERY_CHESS_BITBOARD_H

#include "base/check.h"
#include "chess/types.h"

#define BITBOARD_FILE_A UINT64_C(0x0101010101010101)
#define BITBOARD_FILE_H UINT64_C(0x8080808080808080)
#define BITBOARD_RANK_1 UINT64_C(0x00000000000000FF)
#define BITBOARD_RANK_8 UINT64_C(0xFF00000000000000)
#define BITBOARD_DARK UINT64_C(0xAA55AA55AA55AA55)
#define BITBOARD_LIGHT UINT64_C(0x55AA55AA55AA55AA)

static inline Bitboard bitboard_square(Square square)
{
    return UINT64_C(1) << square;
}

static inline Bitboard bitboard_file(int file)
{
    return BITBOARD_FILE_A << file;
}

static inline Bitboard bitboard_rank(int rank)
{
    return BITBOARD_RANK_1 << (8 * rank);
}

static inline bool bitboard_has(Bitboard board, Square square)
{
    return (board >> square) & 1;
}

static inline int bitboard_count(Bitboard board)
{
    return __builtin_popcountll(board);
}

static inline bool bitboard_has_several(Bitboard board)
{
    return (board & (board - 1)) != 0;
}

/* The lowest square; the board must not be empty. */
static inline Square bitboard_first(Bitboard board)
{
    CHECK_HOT(board != 0);
    return (Square)__builtin_ctzll(board);
}

/* The highest square; the board must not be empty. */
static inline Square bitboard_last(Bitboard board)
{
    CHECK_HOT(board != 0);
    return (Square)(63 ^ __builtin_clzll(board));
}

/* Takes the lowest square out of the board and returns it; the board must not be empty. */
static inline Square bitboard_pop(Bitboard *board)
{
    const Square square = bitboard_first(*board);
    *board &= *board - 1;
    return square;
}

static inline Bitboard bitboard_shift_east(Bitboard board)
{
    return (board & ~BITBOARD_FILE_H) << 1;
}

static inline Bitboard bitboard_shift_west(Bitboard board)
{
    return (board & ~BITBOARD_FILE_A) >> 1;
}

/* One step towards the far side of the board as `color` sees it. */
static inline Bitboard bitboard_shift_forward(Color color, Bitboard board)
{
    return color == WHITE ? board << 8 : board >> 8;
}

/* The squares that pawns of `color` standing on `pawns` attack. */
static inline Bitboard bitboard_pawn_attacks(Color color, Bitboard pawns)
{
    const Bitboard ahead = bitboard_shift_forward(color, pawns);
    return bitboard_shift_east(ahead) | bitboard_shift_west(ahead);
}

#endif
