#include "worker/search/ordering.h"

#include <string.h>

#include "root/techniques.h"

void ordering_clear(Ordering *ordering)
{
    memset(ordering, 0, sizeof *ordering);
}

HistoryValue *ordering_quiet(Ordering *ordering, Color side, Bitboard attacked, Move move)
{
    const int from = bitboard_has(attacked, move_from(move));
    const int to = bitboard_has(attacked, move_to(move));
    return &ordering->quiet[side][USES_THREAT_HISTORY ? 2 * from + to : 0][move & 0xFFF];
}

HistoryValue *ordering_capture(Ordering *ordering, const Position *position, Move move)
{
    const PieceType victim =
        move_flag(move) == MOVE_EN_PASSANT ? PAWN : position_type_on(position, move_to(move));
    return &ordering->capture[ordering_move_index(position, move)][victim];
}
