/*
 * Few pieces: positions of an ending, piece by piece, for tests that go through all of them or
 * through many at random.
 */
#ifndef ROOKERY_TESTS_SUPPORT_FEW_PIECES_H
#define ROOKERY_TESTS_SUPPORT_FEW_PIECES_H

#include "base/prng.h"
#include "chess/position.h"

enum { FEW_PIECES_MAX = 6 };

/*
 * Sets up the pieces that `ending` names as "KBNvK" does (White's first, at most FEW_PIECES_MAX) on
 * the squares in the same order, with `side` to move. False, with `position` undefined, if two of
 * them share a square or no game could lead there (a pawn on the last rank, a king to be taken).
 */
bool few_pieces_place(const char *ending, const Square squares[FEW_PIECES_MAX], Color side,
                      Position *position);

/* A random position of the ending that can be. */
Position few_pieces_random(const char *ending, Prng *prng);

#endif
