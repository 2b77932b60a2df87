/*
 * The 781 published random numbers of which Polyglot keys are made.
 *
 * Numbers 0 to 767 are of a piece on a square (64 * kind + square, a1 = 0), 768 to 771 of the
 * castling rights KQkq, 772 to 779 of the en passant file, 780 of White being to move.
 * Source: "Polyglot book format", hgm.nubati.net/book_format.html.
 */
#ifndef ROOKERY_CHESS_POLYGLOT_RANDOM_H
#define ROOKERY_CHESS_POLYGLOT_RANDOM_H

#include <stdint.h>

enum {
    POLYGLOT_RANDOM_CASTLING = 768,
    POLYGLOT_RANDOM_EN_PASSANT = 772,
    POLYGLOT_RANDOM_WHITE = 780,
    POLYGLOT_RANDOM_COUNT = 781,
};

extern const uint64_t polyglot_random[POLYGLOT_RANDOM_COUNT];

#endif
