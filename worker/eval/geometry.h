/*
 * Geometry: sets of squares and distances that the terms of the evaluation share.
 */
#ifndef ROOKERY_WORKER_EVAL_GEOMETRY_H
#define ROOKERY_WORKER_EVAL_GEOMETRY_H

#include "chess/position.h"
#include "worker/eval/score.h"

#define GEOMETRY_QUEEN_SIDE UINT64_C(0x0F0F0F0F0F0F0F0F)   /* a to d */
#define GEOMETRY_KING_SIDE UINT64_C(0xF0F0F0F0F0F0F0F0)    /* e to h */
#define GEOMETRY_CENTRE_FILES UINT64_C(0x3C3C3C3C3C3C3C3C) /* c to f */
#define GEOMETRY_CENTRE UINT64_C(0x0000001818000000)       /* d4 e4 d5 e5 */

static inline int geometry_clamp(int value, int low, int high)
{
    const int raised = value < low ? low : value;
    return raised > high ? high : raised;
}

/* The squares on the ranks in front of `rank`, as `color` sees it. */
ALWAYS_INLINE Bitboard geometry_ranks_ahead(Color color, int rank)
{
    const Bitboard from_rank_up = ~UINT64_C(0) << (8 * rank);
    return color == WHITE ? from_rank_up << 8 : ~from_rank_up;
}

/* The ranks `from` to `to`, both included, counted from the side of `color`. */
ALWAYS_INLINE Bitboard geometry_relative_ranks(Color color, int from, int to)
{
    const int low = color == WHITE ? from : 7 - to;
    return (~UINT64_C(0) >> (8 * (7 - (to - from)))) << (8 * low);
}

static inline Bitboard geometry_neighbour_files(int file)
{
    const Bitboard own = bitboard_file(file);
    return bitboard_shift_east(own) | bitboard_shift_west(own);
}

/* One step back, as `color` sees it. */
ALWAYS_INLINE Bitboard geometry_shift_back(Color color, Bitboard board)
{
    return bitboard_shift_forward(color_other(color), board);
}

/* All squares in front of the set, itself included. */
ALWAYS_INLINE Bitboard geometry_fill_forward(Color color, Bitboard board)
{
    if (color == WHITE) {
        board |= board << 8;
        board |= board << 16;
        return board | board << 32;
    }
    board |= board >> 8;
    board |= board >> 16;
    return board | board >> 32;
}

/* Steps of a file, or a rank, from the nearer edge: 0 for a and h, 3 for d and e. */
ALWAYS_INLINE int geometry_steps_from_edge(int file)
{
    return file < FILE_COUNT / 2 ? file : FILE_COUNT - 1 - file;
}

/* The square in front of `square`, which must not be on the last rank. */
ALWAYS_INLINE Square geometry_stop_square(Color color, Square square)
{
    return (Square)(color == WHITE ? square + 8 : square - 8);
}

/* King steps between two squares, by geometry_init; a row, one king's, is one cache line. */
extern uint8_t geometry_distances[SQUARE_COUNT][SQUARE_COUNT];

static inline int geometry_distance(Square left, Square right)
{
    return geometry_distances[left][right];
}

/* Builds the table above. Call once, before any evaluation. */
void geometry_init(void);

#endif
