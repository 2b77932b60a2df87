/*
 * Reductions: by how many plies a late move's search is cut short at first.
 *
 * Stored integers, no logarithm at run time: node counts must be equal on every machine.
 * Source: chessprogramming.org/Late_Move_Reductions.
 */
#ifndef ROOKERY_SEARCH_REDUCTIONS_H
#define ROOKERY_SEARCH_REDUCTIONS_H

#include <stdbool.h>

/* Plies for the `number`th move (from 1) of a node with `depth` plies left; at least 0. */
int reductions_plies(bool is_quiet, int depth, int number);

#endif
