/*
 * Positions: what breaks an invariant is found out. What keeps them all is shown by test_oracle.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/given.h"

#define CASTLING "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"

/* Breaks one invariant of the position; position_refresh follows. */
typedef void (*Damage)(Position *position);

static void put(Position *position, Square square, Piece piece)
{
    const Piece old = position->board[square];
    if (old != NO_PIECE) {
        position->by_type[piece_type(old)] &= ~bitboard_square(square);
        position->by_color[piece_color(old)] &= ~bitboard_square(square);
    }
    position->board[square] = piece;
    if (piece != NO_PIECE) {
        position->by_type[piece_type(piece)] |= bitboard_square(square);
        position->by_color[piece_color(piece)] |= bitboard_square(square);
    }
}

static Square square_of(const char *name)
{
    return square_make(name[0] - 'a', name[1] - '1');
}

static void put_pawn_on_first_rank(Position *position)
{
    put(position, square_of("d1"), piece_make(WHITE, PAWN));
}

static void put_pawn_on_last_rank(Position *position)
{
    put(position, square_of("b8"), piece_make(WHITE, PAWN));
}

static void put_second_king(Position *position)
{
    put(position, square_of("c4"), piece_make(WHITE, KING));
}

static void take_black_king(Position *position)
{
    put(position, square_of("e8"), NO_PIECE);
}

static void put_too_many(Position *position)
{
    for (Square square = square_of("a3"); square <= square_of("h4"); square++) {
        put(position, square, piece_make(BLACK, KNIGHT));
    }
}

static void forget_on_board(Position *position)
{
    position->board[square_of("a2")] = NO_PIECE;
}

static void forget_color(Position *position)
{
    position->by_color[BLACK] &= ~bitboard_square(square_of("a7"));
}

static void check_who_has_moved(Position *position)
{
    put(position, square_of("e5"), piece_make(WHITE, ROOK));
}

static void take_castling_rook(Position *position)
{
    put(position, square_of("h1"), NO_PIECE);
}

static void color_castling_rook(Position *position)
{
    put(position, square_of("a8"), piece_make(WHITE, ROOK));
}

static void move_castling_king(Position *position)
{
    put(position, square_of("e1"), NO_PIECE);
    put(position, square_of("e2"), piece_make(WHITE, KING));
}

static void swap_castling_sides(Position *position)
{
    position->castling_rook[0] = square_of("a1");
    position->castling_rook[1] = square_of("h1");
}

/* Each damage by itself. */
static void expect_broken(const char *fen, const Damage damages[], size_t count)
{
    const Position good = given_position(fen);
    assert_true(position_is_consistent(&good));
    for (size_t i = 0; i < count; i++) {
        Position position = good;
        damages[i](&position);
        position_refresh(&position);
        assert_false(position_is_consistent(&position));
    }
}

static void test_broken_boards_are_told(void **state)
{
    (void)state;
    static const Damage damages[] = {
        put_pawn_on_first_rank, put_pawn_on_last_rank, put_second_king,    take_black_king,
        put_too_many,           forget_on_board,       forget_color,       check_who_has_moved,
        take_castling_rook,     color_castling_rook,   move_castling_king, swap_castling_sides,
    };
    expect_broken(CASTLING, damages, sizeof damages / sizeof damages[0]);
}

static void set_to_e3(Position *position)
{
    position->en_passant = square_of("e3");
}

static void take_passed_pawn(Position *position)
{
    put(position, square_of("d5"), NO_PIECE);
}

static void block_target(Position *position)
{
    put(position, square_of("d6"), piece_make(BLACK, KNIGHT));
}

static void take_captor(Position *position)
{
    put(position, square_of("e5"), NO_PIECE);
}

static void pin_captor(Position *position)
{
    put(position, square_of("e8"), piece_make(BLACK, ROOK));
    put(position, square_of("a8"), piece_make(BLACK, KING));
}

static void test_broken_en_passant_is_told(void **state)
{
    (void)state;
    static const Damage damages[] = {set_to_e3, take_passed_pawn, block_target, take_captor,
                                     pin_captor};
    expect_broken("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", damages, sizeof damages / sizeof damages[0]);
}

/* What position_refresh computes, each by itself. */
static void test_stale_fields_are_told(void **state)
{
    (void)state;
    const Position good = given_position(CASTLING);
    Position bad = good;
    bad.key ^= 1;
    assert_false(position_is_consistent(&bad));
    bad = good;
    bad.pawn_key ^= 1;
    assert_false(position_is_consistent(&bad));
    bad = good;
    bad.non_pawn_key[WHITE] ^= 1;
    assert_false(position_is_consistent(&bad));
    bad = good;
    bad.non_pawn_key[BLACK] ^= 1;
    assert_false(position_is_consistent(&bad));
    bad = good;
    bad.checkers = bitboard_square(square_of("a8"));
    assert_false(position_is_consistent(&bad));
    bad = good;
    bad.pinned = bitboard_square(square_of("a2"));
    assert_false(position_is_consistent(&bad));
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_boards_are_told),
        cmocka_unit_test(test_broken_en_passant_is_told),
        cmocka_unit_test(test_stale_fields_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
