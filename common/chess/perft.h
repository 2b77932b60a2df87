/*
 * Perft: the number of leaf nodes of the legal move tree, the proof of a move generator.
 * Source: chessprogramming.org/Perft.
 */
#ifndef ROOKERY_CHESS_PERFT_H
#define ROOKERY_CHESS_PERFT_H

#include "chess/position.h"

enum { PERFT_DEPTH_MAX = 32 };

/* Leaves at `depth` plies (0 to PERFT_DEPTH_MAX), bulk counted at the last ply; no hash table. */
uint64_t perft_count(const Position *position, int depth);

#endif
