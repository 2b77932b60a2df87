#include "worker/search/correction.h"

#include <string.h>

#include "base/clamp.h"
#include "root/techniques.h"

enum {
    PAWN_WEIGHT = 2,  /* of the pawns' value, beside 1 of each side's pieces */
    SCALE = 512,      /* of the weighted sum, to cp: no more than 128 in all */
    LEARN_WEIGHT = 4, /* of a difference of 1 cp, a ply */
    LEARN_MAX = ORDERING_MAX / 4,
};

void correction_clear(Correction *correction)
{
    memset(correction, 0, sizeof *correction);
}

static size_t place(uint64_t key)
{
    return key % CORRECTION_ENTRIES;
}

/* A lone king is driven to its mate by small steps of the evaluation, which must not be blurred. */
static bool has_lone_king(const Position *position)
{
    return !bitboard_has_several(position->by_color[WHITE]) ||
           !bitboard_has_several(position->by_color[BLACK]);
}

int correction_of(const Correction *correction, const Position *position)
{
    if (!USES_CORRECTION || has_lone_king(position)) {
        return 0;
    }
    const Color side = position_side(position);
    int sum = PAWN_WEIGHT * ordering_value(&correction->pawns[side][place(position->pawn_key)]);
    for (int color = 0; color < COLOR_COUNT; color++) {
        sum +=
            ordering_value(&correction->pieces[side][color][place(position->non_pawn_key[color])]);
    }
    return sum / SCALE;
}

void correction_learn(Correction *correction, const Position *position, int difference, int depth)
{
    const Color side = position_side(position);
    const int bonus = clamp(LEARN_WEIGHT * difference * depth, -LEARN_MAX, LEARN_MAX);
    ordering_update(&correction->pawns[side][place(position->pawn_key)], bonus);
    for (int color = 0; color < COLOR_COUNT; color++) {
        ordering_update(&correction->pieces[side][color][place(position->non_pawn_key[color])],
                        bonus);
    }
}
