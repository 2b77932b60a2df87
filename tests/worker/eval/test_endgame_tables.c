/*
 * What the evaluation says of endings, against exact tables (Syzygy, of up to four men): king and
 * pawn in every position, the rules of dead draws in samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <tbprobe.h>

#include "chess/fen.h"
#include "tests/support/data_file.h"
#include "tests/support/few_pieces.h"
#include "tests/support/given.h"
#include "worker/eval/endgame.h"
#include "worker/eval/eval.h"
#include "worker/eval/kpk.h"

enum { SAMPLE_COUNT = 100000, TABLES_MEN = 4 };

static char folder[DATA_FILE_PATH_MAX]; /* of the tables */

static void need_tables(void)
{
    if (TB_LARGEST < TABLES_MEN) {
        data_file_is_missing(folder);
        skip();
    }
}

/* TB_LOSS to TB_WIN, for the side to move. */
static unsigned result_of(const Position *p)
{
    const Bitboard *type = p->by_type;
    const unsigned result =
        tb_probe_wdl(p->by_color[WHITE], p->by_color[BLACK], type[KING], type[QUEEN], type[ROOK],
                     type[BISHOP], type[KNIGHT], type[PAWN], 0, 0, 0, position_side(p) == WHITE);
    assert_int_not_equal(result, TB_RESULT_FAILED);
    return result;
}

/* Whether White wins; with so few men no win is lost to the 50-move rule. */
static bool white_wins(const Position *position)
{
    return result_of(position) == (position_side(position) == WHITE ? TB_WIN : TB_LOSS);
}

static void fail_at(const Position *position, const char *what)
{
    char fen[FEN_BYTES_MAX];
    fen_write(position, fen);
    fail_msg("%s: %s", fen, what);
}

static void expect_pawn_known(const Position *position)
{
    const int score = eval_position(position, NULL);
    const int for_white = position_side(position) == WHITE ? score : -score;
    const bool wins = white_wins(position);
    if (kpk_is_win(position) != wins) {
        fail_at(position, wins ? "not known to be won" : "not known to be drawn");
    }
    if (wins ? for_white < 400 : for_white != 0) {
        fail_at(position, "scored wrongly");
    }
}

/* All legal positions; returns how many. */
static int visit_pawn_endings(void (*visit)(const Position *position))
{
    int count = 0;
    for (unsigned i = 0; i < 64U * 64 * 64 * 2; i++) {
        const Square squares[FEW_PIECES_MAX] = {i >> 1 & 63, i >> 7 & 63, i >> 13 & 63};
        Position position;
        if (few_pieces_place("KPvK", squares, (Color)(i & 1), &position)) {
            visit(&position);
            count++;
        }
    }
    return count;
}

static void king_and_pawn_is_known_exactly(void **state)
{
    (void)state;
    need_tables();
    assert_int_equal(visit_pawn_endings(expect_pawn_known), 331352);
}

/* No win is called a dead draw; and at least `percent_min` of the draws are. */
static void expect_no_win_lost(const char *ending, int percent_min)
{
    int draws = 0;
    int known = 0;
    Prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        const Position position = few_pieces_random(ending, &prng);
        const bool is_dead = endgame_scale(&position, WHITE, 0) == 0;
        MoveList captures = {.count = 0};
        movegen_captures(&position, &captures);
        if (captures.count == 0) {
            const bool wins = white_wins(&position);
            if (is_dead && wins) {
                fail_at(&position, "a win is called a dead draw");
            }
            draws += !wins;
            known += !wins && is_dead;
        }
    }
    print_message("%s: %d of %d draws known\n", ending, known, draws);
    assert_true(draws > 0 && known * 100 >= percent_min * draws);
}

static void dead_draws_are_not_won(void **state)
{
    (void)state;
    need_tables();
    expect_no_win_lost("KBPvK", 25);
    expect_no_win_lost("KPPvK", 5);
    expect_no_win_lost("KBBvK", 99);
    expect_no_win_lost("KBvKN", 99);
}

/* A lone rook pawn with the bishop of the wrong colour: every position in which it matters. */
static void wrong_rook_pawns_are_never_won(void **state)
{
    (void)state;
    need_tables();
    Prng prng;
    prng_init(&prng, 2);
    int dead = 0;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        Square squares[FEW_PIECES_MAX] = {0};
        for (int piece = 0; piece < TABLES_MEN; piece++) {
            squares[piece] = (Square)prng_below(&prng, SQUARE_COUNT);
        }
        squares[2] = square_make(prng_below(&prng, 2) != 0 ? 7 : 0, squares[2] / 8);
        Position position;
        const Color side = (Color)prng_below(&prng, COLOR_COUNT);
        if (few_pieces_place("KBPvK", squares, side, &position) &&
            endgame_scale(&position, WHITE, 0) == 0) {
            dead++;
            if (white_wins(&position)) {
                fail_at(&position, "a win is called a dead draw");
            }
        }
    }
    print_message("%d positions\n", dead);
    assert_true(dead > 1000);
}

static int set_up(void **state)
{
    (void)state;
    data_file_path(ROOKERY_TEST_DATA, "syzygy", folder);
    given_tables();
    return tb_init(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(king_and_pawn_is_known_exactly),
        cmocka_unit_test(dead_draws_are_not_won),
        cmocka_unit_test(wrong_rook_pawns_are_never_won),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
