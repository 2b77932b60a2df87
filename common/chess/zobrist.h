/*
 * Zobrist: the random numbers whose XOR is a position's key.
 *
 * The seed is fixed: keys are equal on every machine, which the cluster's shared tables rely on.
 * Source: chessprogramming.org/Zobrist_Hashing.
 */
#ifndef ROOKERY_CHESS_ZOBRIST_H
#define ROOKERY_CHESS_ZOBRIST_H

#include "chess/types.h"

/* Built once by zobrist_init and constant from then on. */
typedef struct {
    uint64_t piece[PIECE_COUNT][SQUARE_COUNT]; /* a piece on a square */
    uint64_t castling[CASTLING_ALL + 1];       /* a set of castling rights; 0 for none */
    uint64_t en_passant[FILE_COUNT];           /* the file of a legal en passant capture */
    uint64_t side;                             /* Black to move */
} ZobristTables;

extern ZobristTables zobrist_tables;

/* Called by attacks_init; nobody else needs to. */
void zobrist_init(void);

#endif
