#include "tests/support/few_pieces.h"

#include <string.h>

#include "base/check.h"

static PieceType type_of(char letter)
{
    static const char letters[] = "PNBRQK";
    const char *found = strchr(letters, letter);
    CHECK(found != NULL);
    return (PieceType)(PAWN + (found - letters));
}

static void clear(Position *position, Color side)
{
    memset(position, 0, sizeof *position);
    memset(position->board, NO_PIECE, sizeof position->board);
    memset(position->castling_rook, SQUARE_NONE, sizeof position->castling_rook);
    position->side = (uint8_t)side;
    position->full_move = 1;
    position->en_passant = SQUARE_NONE;
}

bool few_pieces_place(const char *ending, const Square squares[FEW_PIECES_MAX], Color side,
                      Position *position)
{
    clear(position, side);
    Color color = WHITE;
    for (int count = 0; *ending != '\0'; ending++) {
        if (*ending == 'v') {
            color = BLACK;
            continue;
        }
        CHECK(count < FEW_PIECES_MAX);
        const Square square = squares[count++];
        const PieceType type = type_of(*ending);
        const bool is_end = square_rank(square) == 0 || square_rank(square) == 7;
        if (position->board[square] != NO_PIECE || (type == PAWN && is_end)) {
            return false;
        }
        position->board[square] = piece_make(color, type);
        position->by_type[type] |= bitboard_square(square);
        position->by_color[color] |= bitboard_square(square);
    }
    position_refresh(position);
    return position_is_consistent(position);
}

Position few_pieces_random(const char *ending, Prng *prng)
{
    Position position;
    Square squares[FEW_PIECES_MAX];
    Color side;
    do {
        for (int i = 0; i < FEW_PIECES_MAX; i++) {
            squares[i] = (Square)prng_below(prng, SQUARE_COUNT);
        }
        side = (Color)prng_below(prng, COLOR_COUNT);
    } while (!few_pieces_place(ending, squares, side, &position));
    return position;
}
