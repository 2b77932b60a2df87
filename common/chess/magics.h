/*
 * Magics: multipliers that map each occupancy of a slider's mask to a table slot of its own.
 *
 * magics.c holds one number a square; they were found by magics_find, which this file offers so
 * that the table can be made again and is checked by a test.
 * Source: chessprogramming.org/Looking_for_Magics.
 */
#ifndef ROOKERY_CHESS_MAGICS_H
#define ROOKERY_CHESS_MAGICS_H

#include "base/prng.h"
#include "chess/types.h"

extern const uint64_t magics_bishop[SQUARE_COUNT];
extern const uint64_t magics_rook[SQUARE_COUNT];

typedef enum { SLIDER_BISHOP, SLIDER_ROOK } SliderKind;

/* The squares whose occupancy decides the slider's attacks: its rays without the board's edge. */
Bitboard magics_mask(SliderKind kind, Square square);

/* Attacks found by walking the rays: slow, for building tables and for tests. */
Bitboard magics_walk(SliderKind kind, Square square, Bitboard occupied);

/* Searches for a multiplier without destructive collision for this square. Always succeeds. */
uint64_t magics_find(SliderKind kind, Square square, Prng *prng);

#endif
