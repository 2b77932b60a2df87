/*
 * Polyglot: the position key of opening books. Source: see polyglot.h.
 *
 * The format hashes the en passant file when a pawn of the side to move stands beside the pawn that
 * has just advanced, even if pins forbid the capture. A Position keeps the square only when the
 * capture is legal (position.h, invariant 4), so in that rare case the key differs from the
 * format's and the book has no move for the position: harmless, and better than a second notion of
 * en passant.
 */
#include "chess/polyglot.h"

#include "chess/polyglot_random.h"

/* The format's number of a piece: black pawn 0, white pawn 1, black knight 2, ... white king 11. */
static unsigned piece_kind(Piece piece)
{
    return 2 * (unsigned)piece_type(piece) + (piece_color(piece) == WHITE ? 1 : 0);
}

uint64_t polyglot_key(const Position *position)
{
    uint64_t key = 0;
    Bitboard occupied = position_occupied(position);

    while (occupied != 0) {
        const Square square = bitboard_pop(&occupied);
        key ^= polyglot_random[SQUARE_COUNT * piece_kind(position->board[square]) + square];
    }
    for (int right = 0; right < CASTLING_COUNT; right++) {
        if ((position->castling & (1U << right)) != 0) {
            key ^= polyglot_random[POLYGLOT_RANDOM_CASTLING + right];
        }
    }
    if (position->en_passant != SQUARE_NONE) {
        key ^= polyglot_random[POLYGLOT_RANDOM_EN_PASSANT + square_file(position->en_passant)];
    }
    if (position_side(position) == WHITE) {
        key ^= polyglot_random[POLYGLOT_RANDOM_WHITE];
    }
    return key;
}
