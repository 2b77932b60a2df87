#include "uci_bridge/core/strength.h"

#include "base/prng.h"

enum {
    PERMILLE = 1000,
    STEP_ELO = 200,
    STEP_COUNT = (STRENGTH_ELO_MAX - STRENGTH_ELO_MIN) / STEP_ELO + 1,
    NODES_PERMILLE_MIN = 750, /* the least and the most part of the nodes that a move gets */
    NODES_PERMILLE_MAX = 1250,
};

/*
 * Every STEP_ELO from STRENGTH_ELO_MIN on. Fixed by matches (docs/strength.md): the node limits by
 * two opponents of known rating, the overlooked moves by matches among ourselves.
 */
static const Strength steps[STEP_COUNT] = {
    {100, 815}, {100, 737}, {100, 600}, {100, 432}, {110, 190}, {170, 88},
    {290, 22},  {1600, 3},  {4000, 0},  {16000, 0}, {64000, 0},
};

static int64_t between(int64_t from, int64_t to, int part)
{
    return from + (to - from) * part / STEP_ELO;
}

Strength strength_of(int elo)
{
    if (elo <= STRENGTH_ELO_MIN) {
        return steps[0];
    }
    if (elo >= STRENGTH_ELO_MAX) {
        return steps[STEP_COUNT - 1];
    }
    const Strength *below = &steps[(elo - STRENGTH_ELO_MIN) / STEP_ELO];
    const Strength *above = below + 1;
    const int part = (elo - STRENGTH_ELO_MIN) % STEP_ELO;
    return (Strength){
        .nodes = (uint64_t)between((int64_t)below->nodes, (int64_t)above->nodes, part),
        .overlook_permille = (int)between(below->overlook_permille, above->overlook_permille, part),
    };
}

static void limit_nodes(uint64_t nodes, Prng *prng, GoLimits *limits)
{
    const uint64_t spread = NODES_PERMILLE_MAX - NODES_PERMILLE_MIN + 1;
    const uint64_t permille = NODES_PERMILLE_MIN + prng_below(prng, spread);
    const uint64_t some = nodes * permille / PERMILLE;
    const uint64_t wanted = some > 0 ? some : 1;
    if (limits->nodes == 0 || limits->nodes > wanted) {
        limits->nodes = wanted;
    }
}

/* The moves that may be chosen from. */
static void list_candidates(const Position *position, const GoLimits *limits, MoveList *list)
{
    if (limits->search_move_count == 0) {
        movegen_all(position, list);
        return;
    }
    list->count = limits->search_move_count;
    for (int i = 0; i < list->count; i++) {
        list->moves[i] = limits->search_moves[i];
    }
}

static void overlook_moves(int permille, Prng *prng, const Position *position, GoLimits *limits)
{
    MoveList candidates;
    list_candidates(position, limits, &candidates);
    if (candidates.count == 0) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < candidates.count; i++) {
        if (prng_below(prng, PERMILLE) >= (uint64_t)permille) {
            limits->search_moves[kept++] = candidates.moves[i];
        }
    }
    if (kept == 0) {
        const uint64_t any = prng_below(prng, (uint64_t)candidates.count);
        limits->search_moves[kept++] = candidates.moves[any];
    }
    limits->search_move_count = kept;
}

void strength_limit(const Strength *strength, uint64_t seed, const Position *position,
                    GoLimits *limits)
{
    Prng prng;
    prng_init(&prng, seed);
    limit_nodes(strength->nodes, &prng, limits);
    if (strength->overlook_permille > 0) {
        overlook_moves(strength->overlook_permille, &prng, position, limits);
    }
}
