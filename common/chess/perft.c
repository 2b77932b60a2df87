#include "chess/perft.h"

#include "chess/movegen.h"

uint64_t perft_count(const Position *position, int depth)
{
    if (depth <= 0) {
        return 1;
    }
    if (depth == 1) {
        return (uint64_t)movegen_count(position);
    }
    MoveList list;
    movegen_all(position, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        Position child;
        position_make(position, list.moves[i], &child);
        leaves += perft_count(&child, depth - 1);
    }
    return leaves;
}
