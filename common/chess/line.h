/*
 * Line: a principal variation with its value; what searches report and programs exchange.
 */
#ifndef ROOKERY_CHESS_LINE_H
#define ROOKERY_CHESS_LINE_H

#include <string.h>

#include "chess/score.h"

typedef struct {
    int score;           /* from the side to move where the line starts */
    Bound bound;         /* what the score says about the true value */
    int depth;           /* nominal depth in plies */
    int selective_depth; /* the deepest ply reached */
    int length;          /* moves in `moves`; 0 for no line */
    Move moves[PLY_MAX];
} Line;

/* Whether both are of one depth, value and bound, and the same moves. */
static inline bool line_says_the_same(const Line *left, const Line *right)
{
    return left->depth == right->depth && left->score == right->score &&
           left->bound == right->bound && left->length == right->length &&
           memcmp(left->moves, right->moves, (size_t)left->length * sizeof(Move)) == 0;
}

/* What was spent on one move: its expected cost in the next iteration. */
typedef struct {
    Move move;
    uint64_t nodes;
} MoveCost;

/* Whether there is one of `move` among the `count` costs. */
static inline bool move_cost_is_among(Move move, const MoveCost *costs, int count)
{
    for (int i = 0; i < count; i++) {
        if (costs[i].move == move) {
            return true;
        }
    }
    return false;
}

#endif
