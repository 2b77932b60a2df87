/*
 * King and pawn against king: known positions, and every answer agrees with those of the positions
 * that the rules' own moves lead to.
 */
#include "worker/eval/kpk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "worker/eval/eval.h"

static Position parse(const char *fen)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), false, &position);
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", fen, status.message);
    }
    return position;
}

static void known_positions_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool is_win;
    } cases[] = {
        {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true},  /* king on the sixth in front */
        {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true},  /* whoever moves */
        {"4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", true},  /* must give way */
        {"4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false}, /* stalemate */
        {"8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false}, /* opposition lost */
        {"8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", true},  /* opposition won */
        {"k7/8/1K6/P7/8/8/8/8 w - - 0 1", false},   /* rook pawn, king in the corner */
        {"8/8/8/P6k/8/8/8/6K1 w - - 0 1", true},    /* outside the square */
        {"8/8/8/P3k3/8/8/8/6K1 b - - 0 1", false},  /* inside the square */
        {"8/8/8/8/7p/8/8/K5k1 b - - 0 1", true},    /* Black's pawn */
        {"6k1/8/8/p3K3/8/8/8/8 w - - 0 1", false},  /* caught */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = parse(cases[i].fen);
        assert_true(kpk_applies(&position));
        if (kpk_is_win(&position) != cases[i].is_win) {
            fail_msg("%s", cases[i].fen);
        }
    }
}

/* Whether a position after a move of this ending is won for White, whose pawn it was. */
static bool leads_to_win(const Position *next)
{
    if (kpk_applies(next)) {
        return kpk_is_win(next);
    }
    if (next->by_type[QUEEN] == 0 && next->by_type[ROOK] == 0) {
        return false;
    }
    MoveList replies;
    movegen_all(next, &replies);
    for (int i = 0; i < replies.count; i++) {
        if (move_is_capture(next, replies.moves[i])) {
            return false;
        }
    }
    return replies.count > 0 || position_in_check(next);
}

static bool is_won_by_moves(const Position *position)
{
    MoveList list;
    movegen_all(position, &list);
    int wins = 0;
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make(position, list.moves[i], &next);
        wins += leads_to_win(&next);
    }
    return position_side(position) == WHITE ? wins > 0 : wins == list.count && wins > 0;
}

static Position random_position(Prng *prng)
{
    for (;;) {
        const Square white = (Square)prng_below(prng, 64);
        const Square black = (Square)prng_below(prng, 64);
        const Square pawn = (Square)(8 + prng_below(prng, 48));
        if (white == black || white == pawn || black == pawn) {
            continue;
        }
        Position position;
        memset(&position, 0, sizeof position);
        memset(position.board, NO_PIECE, sizeof position.board);
        position.board[white] = piece_make(WHITE, KING);
        position.board[black] = piece_make(BLACK, KING);
        position.board[pawn] = piece_make(WHITE, PAWN);
        position.by_type[KING] = bitboard_square(white) | bitboard_square(black);
        position.by_type[PAWN] = bitboard_square(pawn);
        position.by_color[WHITE] = bitboard_square(white) | bitboard_square(pawn);
        position.by_color[BLACK] = bitboard_square(black);
        position.side = (uint8_t)prng_below(prng, 2);
        position.full_move = 1;
        position.en_passant = SQUARE_NONE;
        memset(position.castling_rook, SQUARE_NONE, sizeof position.castling_rook);
        position_refresh(&position);
        if (position_is_consistent(&position)) {
            return position;
        }
    }
}

static void answers_agree_with_the_moves(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 7);
    int wins = 0;
    for (int i = 0; i < 40000; i++) {
        const Position position = random_position(&prng);
        const bool is_win = kpk_is_win(&position);
        wins += is_win;
        if (is_win != is_won_by_moves(&position)) {
            char fen[FEN_BYTES_MAX];
            fen_write(&position, fen);
            fail_msg("%s", fen);
        }
    }
    assert_in_range(wins, 20000, 38000);
}

static void the_evaluation_knows_the_result(void **state)
{
    (void)state;
    const Position draw = parse("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1");
    const Position win = parse("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1");
    assert_int_equal(eval_position(&draw, NULL), 0);
    assert_true(eval_position(&win, NULL) < -300);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    eval_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_positions_are_right),
        cmocka_unit_test(answers_agree_with_the_moves),
        cmocka_unit_test(the_evaluation_knows_the_result),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
