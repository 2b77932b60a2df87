/*
 * Learning: what a node that is done teaches the histories, killers and corrections.
 */
#ifndef ROOKERY_SEARCH_LEARNING_H
#define ROOKERY_SEARCH_LEARNING_H

#include "worker/search/node.h"

/* What a cutoff at this depth is worth to the histories. */
int learning_bonus(int depth);

/*
 * The move of `ply` with this index (ordering_move_index) follows well on the moves before it, or
 * does not: `bonus` is positive, or negative.
 */
void learning_continuations(Search *search, int ply, int index, int bonus);

/* The node's best move has cut it off; the others that were tried have not. */
void learning_from_cutoff(Search *search, const Node *node);

/* A quiet node's score says how far its evaluation was off, unless it bounds the other side. */
void learning_from_score(Search *search, const Node *node, int old_alpha);

/* Remembers a move that was searched and did not cut. */
void learning_note_tried(Node *node, Move move, bool is_quiet);

#endif
