#include "chess/see.h"

const int see_values[PIECE_TYPE_COUNT + 1] = {100, 320, 330, 500, 950, 0, 0};

/* The side's cheapest attacker among `attackers`, which must not be empty. */
static PieceType cheapest(const Position *position, Bitboard attackers)
{
    PieceType type = PAWN;
    while ((attackers & position->by_type[type]) == 0) {
        type++;
    }
    return type;
}

/*
 * Pieces of `side` that may not join the exchange on `to`: pinned ones whose pinner still stands
 * and whose pin does not run through `to`.
 */
static Bitboard held_back(const Position *position, Color side, Square to, Bitboard occupied)
{
    const Square king = position_king(position, side);
    const Bitboard *types = position->by_type;
    const Bitboard enemies = position->by_color[color_other(side)] & occupied;
    Bitboard held = 0;
    Bitboard snipers = ((attacks_bishop(king, enemies) & (types[BISHOP] | types[QUEEN])) |
                        (attacks_rook(king, enemies) & (types[ROOK] | types[QUEEN]))) &
                       enemies;
    while (snipers) {
        const Square sniper = bitboard_pop(&snipers);
        const Bitboard blockers = attacks_between(king, sniper) & occupied;
        if (blockers && !bitboard_has_several(blockers) &&
            !bitboard_has(attacks_line(king, sniper), to)) {
            held |= blockers;
        }
    }
    return held & position->by_color[side];
}

bool see_at_least(const Position *position, Move move, int threshold)
{
    const MoveFlag flag = move_flag(move);
    if (flag == MOVE_CASTLING) {
        return threshold <= 0;
    }
    const Square from = move_from(move);
    const Square to = move_to(move);
    PieceType on_target = position_type_on(position, from);
    int balance =
        flag == MOVE_EN_PASSANT ? see_values[PAWN] : see_values[position_type_on(position, to)];
    if (flag == MOVE_PROMOTION) {
        on_target = move_promotion(move);
        balance += see_values[on_target] - see_values[PAWN];
    }
    balance -= threshold;
    if (balance < 0) {
        return false; /* not even a free capture is enough */
    }
    balance -= see_values[on_target];
    if (balance >= 0) {
        return true; /* enough even if the piece is lost for nothing */
    }

    Bitboard occupied =
        (position_occupied(position) & ~bitboard_square(from)) | bitboard_square(to);
    if (flag == MOVE_EN_PASSANT) {
        occupied &= ~bitboard_square((Square)(to ^ 8));
    }
    const Bitboard diagonal = position->by_type[BISHOP] | position->by_type[QUEEN];
    const Bitboard straight = position->by_type[ROOK] | position->by_type[QUEEN];
    Bitboard attackers = position_attackers(position, to, occupied);
    Color side = color_other(position_side(position));

    /* `balance` is what the side that just captured has beyond the threshold if now retaken. */
    for (;;) {
        attackers &= occupied;
        Bitboard ours = attackers & position->by_color[side];
        if (ours) {
            ours &= ~held_back(position, side, to, occupied);
        }
        if (ours == 0) {
            break;
        }
        const PieceType type = cheapest(position, ours);
        if (type == KING && (attackers & position->by_color[color_other(side)])) {
            break; /* the king may not take a guarded piece */
        }
        occupied ^= bitboard_square(bitboard_first(ours & position->by_type[type]));
        if (type == PAWN || type == BISHOP || type == QUEEN) {
            attackers |= attacks_bishop(to, occupied) & diagonal;
        }
        if (type == ROOK || type == QUEEN) {
            attackers |= attacks_rook(to, occupied) & straight;
        }
        side = color_other(side);
        balance = -balance - 1 - see_values[type];
        if (balance >= 0) {
            break; /* the side to recapture now is behind even if it wins this piece for nothing */
        }
    }
    /* The side that could not go on has lost the exchange. */
    return side != position_side(position);
}
