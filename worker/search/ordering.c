#include "worker/search/ordering.h"

#include <string.h>

void ordering_clear(Ordering *ordering)
{
    memset(ordering, 0, sizeof *ordering);
}

HistoryValue *ordering_capture(Ordering *ordering, const Position *position, Move move)
{
    const PieceType victim =
        move_flag(move) == MOVE_EN_PASSANT ? PAWN : position_type_on(position, move_to(move));
    return &ordering->capture[ordering_move_index(position, move)][victim];
}
