/*
 * Selectivity: which nodes and moves are searched less deep than asked for, or more, or not at all.
 *
 * Each technique can be left out when the project is built (common/root/techniques.h). Local and
 * remote brothers are judged alike: a share keeps the numbers that its moves had in their node.
 * Source: chessprogramming.org/Selectivity and the pages named like the techniques.
 */
#ifndef ROOKERY_SEARCH_SELECTIVITY_H
#define ROOKERY_SEARCH_SELECTIVITY_H

#include "worker/search/node.h"

/*
 * Plies to put on or take off a node to which a reduced move has led: the evaluation here tells
 * whether that move was better or worse than its reduction said.
 */
int selectivity_hindsight(Search *search, const Node *node);

/*
 * Whether the node can be given up, or cut, without trying a move; then *score is its score. True,
 * too, when the search has been stopped: then that means nothing.
 */
bool selectivity_prunes_node(Search *search, const Node *node, int *score);

/* Whether a late move is left out; may also end the node's quiets. */
bool selectivity_prunes_move(Search *search, Node *node, const Candidate *candidate);

/*
 * How many plies deeper the move is searched, -2 to 2. The table's move is singular when all others
 * fail well below its score; *cut is set, with the score, when they do not and a second move passes
 * beta too.
 */
int selectivity_extension(Search *search, Node *node, const Candidate *candidate, bool *cut,
                          int *cut_score);

/* Plies to take off a late move's first search; negative: to put on. */
int selectivity_reduction(const Search *search, const Node *node, const Candidate *candidate);

/*
 * Plies to put on or take off the unreduced search of a move whose search `plies_reduced` less deep
 * brought `score`, above alpha: one more if that is much better than the node's best so far, one
 * less if it is hardly better.
 */
int selectivity_adjustment(const Node *node, int score, int plies_reduced);

#endif
