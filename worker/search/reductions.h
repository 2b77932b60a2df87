/*
 * Reductions: by how many plies a late move's search is cut short at first.
 *
 * Stored integers, no logarithm at run time: node counts must be equal on every machine.
 * Source: chessprogramming.org/Late_Move_Reductions.
 */
#ifndef ROOKERY_SEARCH_REDUCTIONS_H
#define ROOKERY_SEARCH_REDUCTIONS_H

#include <stdbool.h>

enum { REDUCTIONS_PLY = 1024 }; /* a ply in the parts that reductions are counted by */

/* In REDUCTIONS_PLYths, for the `number`th move (from 1) of a node with `depth` plies left. */
int reductions_fine(bool is_quiet, int depth, int number);

/* The same in whole plies. */
int reductions_plies(bool is_quiet, int depth, int number);

#endif
