/*
 * Attack tables against a walk over the board square by square: both slider methods, every
 * relevant occupancy and many full ones, leapers, lines, and attackers of a square.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/magics.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/oracle_random.h"

enum { RANDOM_OCCUPANCIES = 2000, RANDOM_BOARDS = 300 };

static const int rook_steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

static bool is_on_board(int file, int rank)
{
    return file >= 0 && file < FILE_COUNT && rank >= 0 && rank < RANK_COUNT;
}

/* Squares that a slider sees: up to and including the first occupied one in each direction. */
static Bitboard walk(Square square, const int steps[4][2], Bitboard occupied)
{
    Bitboard seen = 0;
    for (int i = 0; i < 4; i++) {
        int file = square_file(square) + steps[i][0];
        int rank = square_rank(square) + steps[i][1];
        while (is_on_board(file, rank)) {
            seen |= bitboard_square(square_make(file, rank));
            if (bitboard_has(occupied, square_make(file, rank))) {
                break;
            }
            file += steps[i][0];
            rank += steps[i][1];
        }
    }
    return seen;
}

static void require_sliders(Square square, Bitboard occupied)
{
    const Bitboard rook = walk(square, rook_steps, occupied);
    const Bitboard bishop = walk(square, bishop_steps, occupied);
    assert_true(attacks_rook(square, occupied) == rook);
    assert_true(attacks_bishop(square, occupied) == bishop);
    assert_true(attacks_queen(square, occupied) == (rook | bishop));
    assert_true(attacks_piece(ROOK, square, occupied) == rook);
    assert_true(attacks_piece(BISHOP, square, occupied) == bishop);
    assert_true(attacks_piece(QUEEN, square, occupied) == (rook | bishop));
}

/* All subsets of the squares that can matter: the rays of both kinds, one kind at a time. */
static void require_all_subsets(Square square, const int steps[4][2])
{
    const Bitboard rays = walk(square, steps, 0);
    Bitboard occupied = 0;
    do {
        require_sliders(square, occupied);
        occupied = (occupied - rays) & rays;
    } while (occupied != 0);
}

static void require_sliders_everywhere(void)
{
    Prng prng;
    prng_init(&prng, 1);
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        require_all_subsets(square, rook_steps);
        require_all_subsets(square, bishop_steps);
        for (int i = 0; i < RANDOM_OCCUPANCIES; i++) {
            const Bitboard dense = prng_next(&prng);
            const Bitboard sparse = dense & prng_next(&prng) & prng_next(&prng);
            require_sliders(square, i % 2 == 0 ? dense : sparse);
        }
    }
}

static void test_magic_sliders(void **state)
{
    (void)state;
    attacks_init(SLIDER_MAGIC);
    assert_false(attack_tables.use_pext);
    require_sliders_everywhere();
    attacks_init(SLIDER_AUTO);
}

static void test_pext_sliders(void **state)
{
    (void)state;
    attacks_init(SLIDER_PEXT);
    if (!attack_tables.use_pext) {
        print_message("this processor has no PEXT: skipped\n");
        attacks_init(SLIDER_AUTO);
        skip();
    }
    require_sliders_everywhere();
    attacks_init(SLIDER_AUTO);
}

static void test_magics_have_no_destructive_collision_when_found_anew(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    for (Square square = 0; square < SQUARE_COUNT; square += 9) {
        for (SliderKind kind = SLIDER_BISHOP; kind <= SLIDER_ROOK; kind++) {
            const uint64_t magic = magics_find(kind, square, &prng);
            const Bitboard mask = magics_mask(kind, square);
            const int shift = 64 - bitboard_count(mask);
            static Bitboard slots[1 << 12];
            memset(slots, 0, sizeof slots);
            Bitboard occupied = 0;
            do {
                const Bitboard attacks =
                    walk(square, kind == SLIDER_ROOK ? rook_steps : bishop_steps, occupied);
                Bitboard *const slot = &slots[(occupied * magic) >> shift];
                assert_true(*slot == 0 || *slot == attacks);
                *slot = attacks;
                occupied = (occupied - mask) & mask;
            } while (occupied != 0);
        }
    }
}

static void test_leapers(void **state)
{
    (void)state;
    for (Square from = 0; from < SQUARE_COUNT; from++) {
        for (Square to = 0; to < SQUARE_COUNT; to++) {
            const int files = abs(square_file(to) - square_file(from));
            const int ranks = abs(square_rank(to) - square_rank(from));
            const int up = square_rank(to) - square_rank(from);
            assert_int_equal(bitboard_has(attacks_knight(from), to), files * ranks == 2);
            assert_int_equal(bitboard_has(attacks_king(from), to),
                             files <= 1 && ranks <= 1 && from != to);
            assert_int_equal(bitboard_has(attacks_pawn(WHITE, from), to), files == 1 && up == 1);
            assert_int_equal(bitboard_has(attacks_pawn(BLACK, from), to), files == 1 && up == -1);
        }
    }
}

/* The step of one square from `from` towards `to`, or false when they are not in line. */
static bool direction(Square from, Square to, int *file_step, int *rank_step)
{
    const int files = square_file(to) - square_file(from);
    const int ranks = square_rank(to) - square_rank(from);
    *file_step = (files > 0) - (files < 0);
    *rank_step = (ranks > 0) - (ranks < 0);
    return from != to && (files == 0 || ranks == 0 || abs(files) == abs(ranks));
}

/* Squares from `square` by steps, itself not counted, until `stop` or the edge. */
static Bitboard ray(Square square, int file_step, int rank_step, Square stop)
{
    Bitboard squares = 0;
    int file = square_file(square) + file_step;
    int rank = square_rank(square) + rank_step;
    while (is_on_board(file, rank) && square_make(file, rank) != stop) {
        squares |= bitboard_square(square_make(file, rank));
        file += file_step;
        rank += rank_step;
    }
    return squares;
}

static void test_between_and_line(void **state)
{
    (void)state;
    for (Square from = 0; from < SQUARE_COUNT; from++) {
        for (Square to = 0; to < SQUARE_COUNT; to++) {
            int file_step;
            int rank_step;
            Bitboard between = 0;
            Bitboard line = 0;
            if (direction(from, to, &file_step, &rank_step)) {
                between = ray(from, file_step, rank_step, to);
                line = ray(from, file_step, rank_step, SQUARE_NONE) |
                       ray(from, -file_step, -rank_step, SQUARE_NONE) | bitboard_square(from);
            }
            assert_true(attacks_between(from, to) == between);
            assert_true(attacks_line(from, to) == line);
        }
    }
}

/* Attackers of every square of random boards, counted by the oracle. */
static void test_attackers_of_a_square(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 2);
    for (int i = 0; i < RANDOM_BOARDS; i++) {
        OracleBoard board;
        oracle_random_board(&prng, i % 2 == 0 ? ORACLE_DENSE : ORACLE_SPARSE, &board);
        char fen[ORACLE_FEN_BYTES_MAX];
        oracle_write(&board, fen);
        Position position;
        const Status status = fen_parse(fen, (int)strlen(fen), true, &position);
        assert_true(status_is_ok(&status));
        const Bitboard occupied = position_occupied(&position);
        for (Square square = 0; square < SQUARE_COUNT; square++) {
            const Bitboard attackers = position_attackers(&position, square, occupied);
            for (Color by = WHITE; by <= BLACK; by++) {
                const int expected =
                    oracle_attacker_count(&board, square_file(square), square_rank(square), by);
                assert_int_equal(bitboard_count(attackers & position.by_color[by]), expected);
                assert_int_equal(position_is_attacked(&position, square, by, occupied),
                                 expected > 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_magic_sliders),
        cmocka_unit_test(test_pext_sliders),
        cmocka_unit_test(test_magics_have_no_destructive_collision_when_found_anew),
        cmocka_unit_test(test_leapers),
        cmocka_unit_test(test_between_and_line),
        cmocka_unit_test(test_attackers_of_a_square),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
