/*
 * Strength: what a player of a given Elo may look at, for `UCI_LimitStrength`.
 *
 * Two things make a search weaker, both of them limits that any `go` may have: few nodes, and moves
 * at the root that are overlooked, each with the same probability. Neither depends on how many
 * machines there are or how fast they are, and what is played is always legal. Chance takes part
 * in both, so that no game repeats another; one seed gives one choice.
 *
 * Integers alone, so that every architecture decides alike.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_STRENGTH_H
#define ROOKERY_UCI_BRIDGE_CORE_STRENGTH_H

#include "messages/messages.h"

enum {
    STRENGTH_ELO_MIN = 1000,
    STRENGTH_ELO_MAX = 3000,
};

typedef struct {
    uint64_t nodes;        /* a move, of all workers together; at least 1 */
    int overlook_permille; /* how often each move is not looked at, below 1000 */
} Strength;

/*
 * The strength of that Elo, which is taken to the nearest of STRENGTH_ELO_MIN to STRENGTH_ELO_MAX.
 * Higher Elo never has fewer nodes or overlooks more.
 */
Strength strength_of(int elo);

/*
 * Narrows `limits`, whose search moves must be legal in `position`: to a node limit within a
 * quarter of the strength's, or the one there is if that is lower, and to the moves that are not
 * overlooked. At least one move stays, if there is any.
 */
void strength_limit(const Strength *strength, uint64_t seed, const Position *position,
                    GoLimits *limits);

#endif
