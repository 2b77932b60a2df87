/*
 * Correction: how far static evaluations have been from what searches found, remembered by parts of
 * the position: the pawns, and each side's pieces.
 *
 * What an evaluation gets wrong about a pawn structure or a set of pieces it gets wrong again a few
 * moves later. Values drift like those of Ordering, and are shared as those are. Source:
 * chessprogramming.org/Static_Evaluation_Correction_History.
 */
#ifndef ROOKERY_SEARCH_CORRECTION_H
#define ROOKERY_SEARCH_CORRECTION_H

#include "worker/search/ordering.h"

enum { CORRECTION_ENTRIES = 16384 };

/* By the side to move, then by the key of the part; different parts may fall together. */
typedef struct {
    HistoryValue pawns[COLOR_COUNT][CORRECTION_ENTRIES];
    HistoryValue pieces[COLOR_COUNT][COLOR_COUNT][CORRECTION_ENTRIES];
} Correction;

/* Forgets everything. */
void correction_clear(Correction *correction);

/* What to add to the position's static evaluation, cp, from the side to move; 0 for a lone king. */
int correction_of(const Correction *correction, const Position *position);

/* A search of `depth` plies found the position's evaluation `difference` cp too low. */
void correction_learn(Correction *correction, const Position *position, int difference, int depth);

#endif
