/*
 * Given: what tests of the search start from: positions by FEN, random positions, legal lines.
 */
#ifndef ROOKERY_TESTS_SUPPORT_GIVEN_H
#define ROOKERY_TESTS_SUPPORT_GIVEN_H

#include "base/prng.h"
#include "chess/history.h"
#include "chess/line.h"
#include "chess/movegen.h"

/* Builds all tables of chess and evaluation; the first line of every such test's main. */
void given_tables(void);

/* The position of a FEN, which must be good; castling as in standard chess. */
Position given_position(const char *fen);

/* The legal move that `uci` names; there must be one. */
Move given_move(const Position *position, const char *uci);

/* A position reached from the start by up to `plies_max` random moves, with a legal move left. */
Position given_random_position(Prng *prng, int plies_max);

/*
 * Plays the line's moves from `position`. False at the first that is illegal; else `end` (NULL is
 * allowed) holds the position after the last.
 */
bool given_line_is_legal(const Position *position, const Line *line, Position *end);

/* Whether the side to move is mated. */
bool given_is_mate(const Position *position);

#endif
