/*
 * Line: a principal variation with its value; what searches report and programs exchange.
 */
#ifndef ROOKERY_CHESS_LINE_H
#define ROOKERY_CHESS_LINE_H

#include "chess/score.h"

typedef struct {
    int score;           /* from the side to move where the line starts */
    Bound bound;         /* what the score says about the true value */
    int depth;           /* nominal depth in plies */
    int selective_depth; /* the deepest ply reached */
    int length;          /* moves in `moves`; 0 for no line */
    Move moves[PLY_MAX];
} Line;

/* What was spent on one move: its expected cost in the next iteration. */
typedef struct {
    Move move;
    uint64_t nodes;
} MoveCost;

#endif
