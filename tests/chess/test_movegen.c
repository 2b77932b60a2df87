/*
 * Move generation, case by case: what each rule allows and forbids, the contract of the staged
 * functions, and the legality of all 65536 sixteen-bit numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

static Position parse(const char *fen, bool chess960)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), chess960, &position);
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", fen, status.message);
    }
    return position;
}

static bool has_move(const MoveList *list, Move move)
{
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i] == move) {
            return true;
        }
    }
    return false;
}

/* Requires exactly these moves: UCI, separated by single spaces, in any order. */
static void require_moves(const char *fen, const char *expected)
{
    const Position position = parse(fen, false);
    MoveList list;
    movegen_all(&position, &list);
    int words = 0;
    for (const char *word = expected; *word != '\0'; words++) {
        const int length = (int)strcspn(word, " ");
        const Move move = notation_parse_uci(&position, word, length);
        if (move == MOVE_NONE || !has_move(&list, move)) {
            fail_msg("%s: %.*s is missing", fen, length, word);
        }
        word += length + (word[length] == ' ' ? 1 : 0);
    }
    if (words != list.count) {
        fail_msg("%s: %d moves, expected %d", fen, list.count, words);
    }
}

static void require_count(const char *fen, int expected)
{
    const Position position = parse(fen, false);
    MoveList list;
    movegen_all(&position, &list);
    assert_int_equal(list.count, expected);
    assert_int_equal(movegen_count(&position), expected);
    assert_int_equal(movegen_any(&position), expected > 0);
}

static void test_pinned_pieces_stay_on_their_line(void **state)
{
    (void)state;
    require_moves("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e1d1 e1f1 e1d2 e1f2");
    require_moves("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "e1d1 e1f1 e1d2 e1f2");
    require_moves("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1",
                  "e2e3 e2e4 e2e5 e2e6 e2e7 e2e8 e1d1 e1f1 e1d2 e1f2");
    require_moves("4r2k/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3 e2e4 e1d1 e1f1 e1d2 e1f2");
    require_moves("7k/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2g3 e1d1 e1f1 e1d2 e1e2");
}

static void test_check_is_answered(void **state)
{
    (void)state;
    /* Taking the checker, blocking, stepping aside; never back along the ray. */
    require_moves("4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", "a4e8 e1d1 e1f1 e1d2 e1f2");
    require_moves("4r2k/8/8/8/8/1R6/8/4K3 w - - 0 1", "b3e3 e1d1 e1f1 e1d2 e1f2");
    require_moves("4r2k/8/8/8/8/4K3/8/8 w - - 0 1", "e3d2 e3d3 e3d4 e3f2 e3f3 e3f4");
    /* Two checkers leave the king alone; castling is no way out. */
    require_moves("4r1k1/8/8/8/8/5n2/8/R3K2R w KQ - 0 1", "e1d1 e1f1 e1f2");
}

static void test_mate_and_stalemate_have_no_moves(void **state)
{
    (void)state;
    require_count("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", 0);
    require_count("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0);
    require_count("k7/P7/K7/8/8/8/8/8 b - - 0 1", 0);
}

static void test_promotions_come_in_four(void **state)
{
    (void)state;
    require_moves("3n1n2/4P3/8/8/8/8/8/K6k w - - 0 1",
                  "e7e8q e7e8r e7e8b e7e8n e7d8q e7d8r e7d8b e7d8n e7f8q e7f8r e7f8b e7f8n "
                  "a1a2 a1b1 a1b2");
    require_moves("4n3/4P3/8/8/8/8/8/K6k w - - 0 1", "a1a2 a1b1 a1b2");
}

static void test_most_moves(void **state)
{
    (void)state;
    require_count("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218);
    /* More queens than there are pawns to make them of. */
    require_count("1Q4QK/4Q3/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/np2Q3/kbQ4Q w - - 0 1", 241);
}

/* None that fen.h accepts is known to have as many: here 26 queens stand around the board. */
static void test_more_moves_than_a_list_holds(void **state)
{
    (void)state;
    Position position = {.side = WHITE, .full_move = 1, .en_passant = SQUARE_NONE};
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const int file = square_file((Square)square);
        const int rank = square_rank((Square)square);
        const bool is_queen = file == 0 || file == 7 || rank == 0 || rank == 7;
        position.board[square] = is_queen ? piece_make(WHITE, QUEEN) : NO_PIECE;
    }
    position.board[SQUARE_A1] = piece_make(WHITE, KING);
    position.board[SQUARE_H8] = piece_make(BLACK, KING);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (position.board[square] != NO_PIECE) {
            const Bitboard bit = bitboard_square((Square)square);
            position.by_type[piece_type(position.board[square])] |= bit;
            position.by_color[piece_color(position.board[square])] |= bit;
        }
    }
    position_refresh(&position);
    assert_true(movegen_count(&position) > MOVES_MAX);
    MoveList list;
    movegen_all(&position, &list);
    assert_int_equal(list.count, MOVES_MAX - 1);
    for (int i = 0; i < list.count; i++) {
        assert_true(movegen_is_legal(&position, list.moves[i]));
    }
    list.count = 0;
    movegen_captures(&position, &list);
    movegen_quiets(&position, &list);
    assert_int_equal(list.count, MOVES_MAX - 1);
}

typedef struct {
    const char *fen;
    bool chess960;
    Square king;
    Square rook;
    bool is_legal;
} CastlingCase;

enum { B1 = 1, B8 = 57 };

static const CastlingCase castling_cases[] = {
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, SQUARE_E1, SQUARE_H1, true},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, SQUARE_E1, SQUARE_A1, true},
    {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false, SQUARE_E8, SQUARE_H8, true},
    {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false, SQUARE_E8, SQUARE_A8, true},
    {"r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", false, SQUARE_E1, SQUARE_H1, false},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, SQUARE_E8, SQUARE_H8, false},
    /* In check, through check, into check. */
    {"4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_H1, false},
    {"4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, false},
    {"4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_H1, false},
    {"4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, true},
    {"4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_H1, false},
    {"r3k2r/6P1/8/8/8/8/8/4K3 b kq - 0 1", false, SQUARE_E8, SQUARE_H8, false},
    {"r3k2r/7P/8/8/8/8/8/4K3 b kq - 0 1", false, SQUARE_E8, SQUARE_H8, false},
    {"r3k2r/7P/8/8/8/8/8/4K3 b kq - 0 1", false, SQUARE_E8, SQUARE_A8, true},
    /* The rook may be attacked, and may cross an attacked square. */
    {"4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, true},
    {"4k3/8/8/8/r7/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, true},
    {"4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_H1, true},
    /* Pieces between, of either side, where only the rook passes too. */
    {"4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, false},
    {"4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1", false, SQUARE_E1, SQUARE_A1, false},
    {"4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", false, SQUARE_E1, SQUARE_H1, false},
    /* Chess960: king and rook side by side, swapping, the king standing still. */
    {"4k3/8/8/8/8/8/8/RK6 w A - 0 1", true, B1, SQUARE_A1, true},
    {"4k3/8/8/8/8/8/8/RK1Q4 w A - 0 1", true, B1, SQUARE_A1, false},
    {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", true, SQUARE_F1, SQUARE_G1, true},
    {"4k3/8/8/8/8/8/8/6KR w H - 0 1", true, SQUARE_G1, SQUARE_H1, true},
    {"4k3/8/8/8/8/8/8/5NKR w H - 0 1", true, SQUARE_G1, SQUARE_H1, false},
    {"1k5r/8/8/8/8/8/8/4K3 b h - 0 1", true, B8, SQUARE_H8, true},
    /* Chess960: a long way, one square of it attacked; the rook was the king's shield. */
    {"r3k3/8/8/8/8/8/8/1K5R w H - 0 1", true, B1, SQUARE_H1, true},
    {"3rk3/8/8/8/8/8/8/1K5R w H - 0 1", true, B1, SQUARE_H1, false},
    {"4k3/8/8/8/8/8/8/rRK5 w B - 0 1", true, SQUARE_C1, B1, false},
    {"4k3/8/8/8/8/8/8/nRK5 w B - 0 1", true, SQUARE_C1, B1, true},
};

static void test_castling(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof castling_cases / sizeof castling_cases[0]; i++) {
        const CastlingCase *const each = &castling_cases[i];
        const Position position = parse(each->fen, each->chess960);
        const Move move = move_make_flag(each->king, each->rook, MOVE_CASTLING);
        MoveList list;
        movegen_all(&position, &list);
        if (has_move(&list, move) != each->is_legal ||
            movegen_is_legal(&position, move) != each->is_legal) {
            fail_msg("%s: castling with the rook on %d", each->fen, each->rook);
        }
    }
}

static void test_castling_moves_king_and_rook(void **state)
{
    (void)state;
    const Position swapping = parse("4k3/8/8/8/8/8/8/5KR1 w G - 7 9", true);
    Position after;
    position_make(&swapping, move_make_flag(SQUARE_F1, SQUARE_G1, MOVE_CASTLING), &after);
    assert_int_equal(after.board[SQUARE_G1], piece_make(WHITE, KING));
    assert_int_equal(after.board[SQUARE_F1], piece_make(WHITE, ROOK));
    assert_int_equal(after.castling, 0);
    assert_int_equal(after.rule50, 8);
    assert_true(position_is_consistent(&after));
}

static void test_en_passant(void **state)
{
    (void)state;
    /* From both sides, in answer to a check by the pawn itself. */
    require_moves("7k/8/8/3PpP2/8/8/8/K7 w - e6 0 2", "d5e6 f5e6 d5d6 f5f6 a1a2 a1b1 a1b2");
    require_moves("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
                  "e4d3 c5b4 c5b5 c5b6 c5c4 c5c6 c5d4 c5d5 c5d6");
    /* Of two pawns that could, one is pinned. */
    require_moves("b6k/8/8/3PpP2/8/5K2/8/8 w - e6 0 2",
                  "f5e6 f5f6 f3e2 f3e3 f3e4 f3f2 f3g2 f3g3 f3g4");
    /* Never when two pawns leaving a rank, or one leaving a diagonal, lay the king bare. */
    require_moves("8/8/8/8/k2Pp2R/8/8/K7 b - d3 0 1", "e4e3 a4a3 a4b3 a4b4 a4b5 a4a5");
    require_moves("6bk/8/8/3Pp3/8/1K6/8/8 w - e6 0 1",
                  "d5e6 b3a2 b3a3 b3a4 b3b2 b3b4 b3c2 b3c3 b3c4");
    require_moves("6bk/8/8/2pP4/8/1K6/8/8 w - c6 0 1", "b3a2 b3a3 b3a4 b3b2 b3c2 b3c3 b3c4");
}

static void test_en_passant_is_gone_after_one_move(void **state)
{
    (void)state;
    const Position position = parse("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", false);
    Position later;
    Position after;
    position_make(&position, move_make(SQUARE_E1, SQUARE_D1), &later);
    position_make(&later, move_make(SQUARE_E8, SQUARE_E8 - 1), &after);
    assert_int_equal(position.en_passant, square_make(4, 5));
    assert_int_equal(later.en_passant, SQUARE_NONE);
    assert_false(movegen_is_legal(
        &after, move_make_flag(square_make(3, 4), square_make(4, 5), MOVE_EN_PASSANT)));
}

static const char *const samples[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "7k/8/8/3PpP2/8/8/8/K7 w - e6 0 2",
    "4r1k1/8/8/8/8/5n2/8/R3K2R w KQ - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
};

static void test_every_number_is_judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const Position position = parse(samples[i], i % 2 == 0);
        MoveList list;
        movegen_all(&position, &list);
        for (unsigned number = 0; number <= UINT16_MAX; number++) {
            const Move move = (Move)number;
            if (movegen_is_legal(&position, move) != has_move(&list, move)) {
                fail_msg("%s: move %u", samples[i], number);
            }
        }
    }
}

static void test_stages_append_and_divide(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const Position position = parse(samples[i], false);
        MoveList all;
        movegen_all(&position, &all);
        MoveList list = {.moves = {MOVE_NONE}, .count = 1};
        movegen_captures(&position, &list);
        const int captures = list.count - 1;
        movegen_quiets(&position, &list);
        assert_int_equal(list.moves[0], MOVE_NONE);
        assert_int_equal(list.count - 1, all.count);
        for (int at = 0; at < all.count; at++) {
            assert_true(has_move(&list, all.moves[at]));
            assert_int_equal(move_is_tactical(&position, list.moves[at + 1]), at < captures);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pinned_pieces_stay_on_their_line),
        cmocka_unit_test(test_check_is_answered),
        cmocka_unit_test(test_mate_and_stalemate_have_no_moves),
        cmocka_unit_test(test_promotions_come_in_four),
        cmocka_unit_test(test_most_moves),
        cmocka_unit_test(test_more_moves_than_a_list_holds),
        cmocka_unit_test(test_castling),
        cmocka_unit_test(test_castling_moves_king_and_rook),
        cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_en_passant_is_gone_after_one_move),
        cmocka_unit_test(test_every_number_is_judged),
        cmocka_unit_test(test_stages_append_and_divide),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
