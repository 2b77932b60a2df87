#include "worker/eval/kpk.h"

#include "worker/eval/geometry.h"

/* The pawn is White's and stands on files a to d, ranks 2 to 7. */
enum { PAWN_SQUARES = 24 };

/*
 * For each square of the pawn and of the white king: the squares of the black king where White
 * wins. So one operation treats up to 64 positions.
 */
typedef struct {
    Bitboard to_move[PAWN_SQUARES][SQUARE_COUNT]; /* with White to move */
    Bitboard waiting[PAWN_SQUARES][SQUARE_COUNT]; /* with Black to move */
} KpkWins;

static KpkWins kpk_wins;

static unsigned pawn_index(Square pawn)
{
    return (unsigned)(square_rank(pawn) - 1) * 4 + (unsigned)square_file(pawn);
}

/* All squares one king step away from a set. */
static Bitboard king_steps(Bitboard board)
{
    const Bitboard row = board | bitboard_shift_east(board) | bitboard_shift_west(board);
    return bitboard_shift_east(board) | bitboard_shift_west(board) | row << 8 | row >> 8;
}

/* Where the black king cannot stand, whoever moves. */
static Bitboard forbidden(Square pawn, Square king)
{
    return attacks_king(king) | bitboard_square(king) | bitboard_square(pawn);
}

/* Promoting at once wins unless Black takes the new queen. */
static Bitboard wins_by_promotion(Square stop, Square king)
{
    const Bitboard takers = bitboard_has(attacks_king(king), stop) ? 0 : attacks_king(stop);
    return ~(takers | bitboard_square(stop));
}

/* One step, or two from the second rank, with nothing in the way. */
static Bitboard wins_by_push(Square pawn, Square king)
{
    const Square stop = (Square)(pawn + 8);
    if (stop == king) {
        return 0;
    }
    if (square_rank(stop) == 7) {
        return wins_by_promotion(stop, king);
    }
    Bitboard wins = kpk_wins.waiting[pawn_index(stop)][king];
    const Square next = (Square)(stop + 8);
    if (square_rank(pawn) == 1 && next != king) {
        wins |= kpk_wins.waiting[pawn_index(next)][king] & ~bitboard_square(stop);
    }
    return wins;
}

static Bitboard wins_of_white(Square pawn, Square king)
{
    Bitboard wins = wins_by_push(pawn, king);
    for (Bitboard to = attacks_king(king); to;) {
        wins |= kpk_wins.waiting[pawn_index(pawn)][bitboard_pop(&to)];
    }
    return wins & ~(forbidden(pawn, king) | attacks_pawn(WHITE, pawn));
}

/* Black to move loses where he has a move (stalemate saves him) but none to a safe square. */
static Bitboard losses_of_black(Square pawn, Square king)
{
    const Bitboard guarded = attacks_king(king) | attacks_pawn(WHITE, pawn);
    const Bitboard safe = ~(guarded | kpk_wins.to_move[pawn_index(pawn)][king]);
    return king_steps(~guarded) & ~king_steps(safe) & ~forbidden(pawn, king);
}

/* One pass over all white king squares for a pawn; whether it found new wins. */
static bool refine(Square pawn)
{
    bool found = false;
    for (Square king = 0; king < SQUARE_COUNT; king++) {
        if (king != pawn) {
            Bitboard *to_move = &kpk_wins.to_move[pawn_index(pawn)][king];
            Bitboard *waiting = &kpk_wins.waiting[pawn_index(pawn)][king];
            const Bitboard before = *waiting;
            *to_move = wins_of_white(pawn, king);
            *waiting = losses_of_black(pawn, king);
            found |= *waiting != before;
        }
    }
    return found;
}

/* From the seventh rank down, because a pawn's wins build on those of the squares ahead. */
void kpk_init(void)
{
    for (int rank = 6; rank >= 1; rank--) {
        for (int file = 0; file < 4; file++) {
            while (refine(square_make(file, rank))) {
            }
        }
    }
}

bool kpk_is_win(const Position *position)
{
    const Square pawn = bitboard_first(position->by_type[PAWN]);
    const Color strong = piece_color(position->board[pawn]);
    const unsigned flip = (strong == WHITE ? 0U : 56U) ^ (square_file(pawn) < 4 ? 0U : 7U);
    const unsigned white = position_king(position, strong) ^ flip;
    const Square black = (Square)(position_king(position, color_other(strong)) ^ flip);
    const unsigned index = pawn_index((Square)(pawn ^ flip));
    return bitboard_has(position_side(position) == strong ? kpk_wins.to_move[index][white]
                                                          : kpk_wins.waiting[index][white],
                        black);
}
