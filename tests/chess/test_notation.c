/*
 * Notation: fixed cases of UCI and SAN in both castling styles, and round trips of every legal
 * move over random boards and random games.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "tests/oracle/oracle_random.h"

enum { RANDOM_BOARDS = 4000, RANDOM_GAMES = 60, GAME_PLIES_MAX = 120, RANDOM_TEXTS = 100000 };

#define KNIGHTS "4k3/8/8/8/8/2N5/8/2N1K1N1 w - - 0 1"
#define QUEENS "7k/8/8/8/Q3Q3/8/8/4Q2K w - - 0 1"
#define CASTLING "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define CASTLING_960 "5k2/8/8/8/8/8/8/1R3KR1 w GB - 0 1"
#define EN_PASSANT "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
#define PROMOTION "3rk3/2P3P1/8/8/8/8/8/4K3 w - - 0 1"
#define PIN "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
#define BACK_RANK "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"

typedef struct {
    const char *fen;
    bool chess960;
    const char *uci; /* NULL: the text means no move */
    const char *text;
} Case;

static Position position_of(const char *fen, bool chess960)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), chess960, &position);
    if (!status_is_ok(&status)) {
        fail_msg("'%s' refused: %s", fen, status.message);
    }
    return position;
}

static Move parse_uci(const Position *position, const char *text)
{
    return notation_parse_uci(position, text, (int)strlen(text));
}

static Move parse_san(const Position *position, const char *text)
{
    return notation_parse_san(position, text, (int)strlen(text));
}

/* The move that a case's `uci` names, which must be written back as the same text. */
static Move case_move(const Case *item, const Position *position)
{
    char uci[UCI_MOVE_BYTES_MAX];
    if (item->uci == NULL) {
        return MOVE_NONE;
    }
    const Move move = parse_uci(position, item->uci);
    if (move == MOVE_NONE) {
        fail_msg("'%s': '%s' not understood", item->fen, item->uci);
    }
    notation_write_uci(position, move, uci);
    assert_string_equal(uci, item->uci);
    return move;
}

static void test_san_is_written(void **state)
{
    (void)state;
    static const Case cases[] = {
        {FEN_START, false, "e2e4", "e4"},
        {FEN_START, false, "g1f3", "Nf3"},
        /* File first, then rank, then both; no more than needed. */
        {KNIGHTS, false, "g1e2", "Nge2"},
        {KNIGHTS, false, "c1e2", "Nc1e2"},
        {KNIGHTS, false, "c3e2", "N3e2"},
        {KNIGHTS, false, "c1b3", "Nb3"},
        {QUEENS, false, "e4b1", "Q4b1"},
        {QUEENS, false, "e1b1", "Q1b1"},
        {QUEENS, false, "a4b4", "Qab4"},
        {QUEENS, false, "e4b4", "Qe4b4"},
        {QUEENS, false, "e1b4", "Q1b4"},
        {"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", false, "h4e1", "Qh4e1"},
        /* A pinned knight is no rival. */
        {PIN, false, "g1e2", "Ne2"},
        {CASTLING, false, "e1g1", "O-O"},
        {CASTLING, false, "e1c1", "O-O-O"},
        {CASTLING, false, "a1a8", "Rxa8+"},
        {CASTLING_960, true, "f1g1", "O-O+"},
        {CASTLING_960, true, "f1b1", "O-O-O"},
        {EN_PASSANT, false, "e5d6", "exd6"},
        {EN_PASSANT, false, "e5e6", "e6"},
        {PROMOTION, false, "c7c8q", "c8=Q"},
        {PROMOTION, false, "c7d8n", "cxd8=N"},
        {PROMOTION, false, "g7g8r", "g8=R+"},
        {BACK_RANK, false, "a1a8", "Ra8#"},
        {"3k4/8/3K4/8/8/8/8/R7 w - - 0 1", false, "a1a8", "Ra8#"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", false, "d8h4", "Qh4#"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = position_of(cases[i].fen, cases[i].chess960);
        char san[SAN_MOVE_BYTES_MAX];
        notation_write_san(&position, case_move(&cases[i], &position), san);
        assert_string_equal(san, cases[i].text);
    }
}

static void test_san_is_read_leniently(void **state)
{
    (void)state;
    static const Case cases[] = {
        {FEN_START, false, "e2e4", "e4!?"},
        {FEN_START, false, "e2e4", "Pe4"},
        {FEN_START, false, "e2e4", "e2-e4"},
        {FEN_START, false, "e2e4", "e2e4"},
        {FEN_START, false, "g1f3", "Ng1-f3"},
        {FEN_START, false, "g1f3", "Ngf3"},
        {FEN_START, false, "g1f3", "g1f3"},
        {FEN_START, false, "g1f3", "Nxf3+"},
        {FEN_START, false, "g1f3", "Nf3+-"},
        {FEN_START, false, "g1f3", "Nf3-/+"},
        {FEN_START, false, "e2e4", "e4="},
        {PROMOTION, false, "c7c8q", "c8=Q+/="},
        {CASTLING, false, "a1a8", "Ra8"},
        {CASTLING, false, "a1a8", "Ra1xa8#??"},
        {CASTLING, false, "a1a8", "R:a8"},
        {CASTLING, false, "e1g1", "0-0"},
        {CASTLING, false, "e1c1", "o-o-o!"},
        {CASTLING, false, "e1c1", "0-0-0+"},
        {CASTLING, false, "e1g1", "e1g1"},
        {EN_PASSANT, false, "e5d6", "ed6"},
        {EN_PASSANT, false, "e5d6", "e5d6"},
        {EN_PASSANT, false, "e5d6", "exd6e.p."},
        {EN_PASSANT, false, "e5d6", "exd6e.p.+!"},
        {EN_PASSANT, false, "e5d6", "exd6+e.p."},
        {PROMOTION, false, "c7c8q", "c8Q"},
        {PROMOTION, false, "c7c8q", "c8(Q)"},
        {PROMOTION, false, "c7c8b", "c8/B"},
        {PROMOTION, false, "c7c8b", "c7c8b"},
        {PROMOTION, false, "c7d8q", "cxd8=Q+"},
        /* Several, none, or no move at all. */
        {KNIGHTS, false, NULL, "Ne2"},
        {KNIGHTS, false, NULL, "Nce2"},
        {PIN, false, NULL, "Nd5"},
        {PROMOTION, false, NULL, "c8"},
        {PROMOTION, false, NULL, "c8=K"},
        {PROMOTION, false, NULL, "Kd2=Q"},
        {FEN_START, false, NULL, "O-O"},
        {FEN_START, false, NULL, "e5"},
        {FEN_START, false, NULL, "e4x"},
        {FEN_START, false, NULL, "e2e4xx"},
        /* A square behind the h-file would be one of the a-file. */
        {"4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", false, NULL, "Ni3"},
        {"4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", false, NULL, "c3i3"},
        {"4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", false, NULL, "Nb9"},
        {FEN_START, false, NULL, "xxe4"},
        {FEN_START, false, NULL, "e4 "},
        {FEN_START, false, NULL, "N"},
        {FEN_START, false, NULL, "!!"},
        {FEN_START, false, NULL, "--"},
        {FEN_START, false, NULL, "e.p."},
        {FEN_START, false, NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = position_of(cases[i].fen, cases[i].chess960);
        const Move move = case_move(&cases[i], &position);
        if (parse_san(&position, cases[i].text) != move) {
            fail_msg("'%s': '%s' misread", cases[i].fen, cases[i].text);
        }
    }
}

static void test_uci_castling_is_read_in_both_styles(void **state)
{
    (void)state;
    static const Case cases[] = {
        {CASTLING, false, "e1g1", "e1h1"},
        {CASTLING, false, "e1c1", "e1a1"},
        {CASTLING, true, "e1h1", "e1g1"},
        {CASTLING, true, "e1a1", "e1c1"},
        {CASTLING_960, true, "f1b1", "f1c1"},
        /* The king's own step to g1 wins over castling to g1. */
        {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1g1", "f1g1"},
        {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1h1", "f1h1"},
        /* The rook on c1 wins over the king's way to c1 on the other side. */
        {"4k3/8/8/8/8/8/8/RKR5 w CA - 0 1", true, "b1c1", "b1c1"},
        {"4k3/8/8/8/8/8/8/RKR5 w CA - 0 1", true, "b1c1", "b1g1"},
        /* The king castles without moving: never from == to. */
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", true, "g1h1", "g1h1"},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", true, NULL, "g1g1"},
        {CASTLING, false, NULL, "e1g1q"},
        {CASTLING, false, NULL, "e1b1"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false, NULL, "e1g1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = position_of(cases[i].fen, cases[i].chess960);
        const Move move = case_move(&cases[i], &position);
        if (parse_uci(&position, cases[i].text) != move) {
            fail_msg("'%s': '%s' misread", cases[i].fen, cases[i].text);
        }
    }
}

static void test_uci_refuses_what_is_no_legal_move(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "0000", "(none)", "e2", "e2e", "e2e5", "e2e4q", "e7e5", "e4e5", "i2i4", "e2e9", "E2E4",
    };
    const Position start = fen_start_position();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(parse_uci(&start, texts[i]), MOVE_NONE);
    }
    const Position promotion = position_of(PROMOTION, false);
    assert_int_equal(parse_uci(&promotion, "c7c8"), MOVE_NONE);
    assert_int_equal(parse_uci(&promotion, "c7c8k"), MOVE_NONE);
    assert_int_equal(parse_uci(&promotion, "c7c8p"), MOVE_NONE);
    assert_int_not_equal(parse_uci(&promotion, "c7c8Q"), MOVE_NONE);

    char uci[UCI_MOVE_BYTES_MAX];
    notation_write_uci(&start, MOVE_NONE, uci);
    assert_string_equal(uci, "0000");
}

/* Every legal move, written and read again in both notations; no two moves share a text. */
static void check_round_trips(const Position *position)
{
    MoveList list;
    char san[MOVES_MAX][SAN_MOVE_BYTES_MAX];
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        char uci[UCI_MOVE_BYTES_MAX];
        char fen[FEN_BYTES_MAX];
        fen_write(position, fen);

        notation_write_uci(position, move, uci);
        notation_write_san(position, move, san[i]);
        if (parse_uci(position, uci) != move || parse_san(position, san[i]) != move ||
            memcmp(uci, uci + 2, 2) == 0) {
            fail_msg("'%s': %s %s does not come back", fen, uci, san[i]);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(san[i], san[j]) == 0) {
                fail_msg("'%s': two moves are %s", fen, san[i]);
            }
        }
    }
}

static void test_round_trips_on_random_boards(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 3);
    for (int i = 0; i < RANDOM_BOARDS; i++) {
        OracleBoard board;
        char fen[ORACLE_FEN_BYTES_MAX];
        oracle_random_board(&prng, i % 2 == 0 ? ORACLE_SPARSE : ORACLE_DENSE, &board);
        oracle_write(&board, fen);
        const Position position = position_of(fen, i % 3 != 0);
        check_round_trips(&position);
    }
}

static void test_round_trips_in_random_games(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 4);
    for (int game = 0; game < RANDOM_GAMES; game++) {
        OracleBoard board;
        char fen[ORACLE_FEN_BYTES_MAX];
        const bool chess960 = game % 2 == 0;
        oracle_start_960(chess960 ? (int)prng_below(&prng, 960) : ORACLE_STANDARD_START, &board);
        oracle_write(&board, fen);
        Position position = position_of(fen, chess960);
        for (int ply = 0; ply < GAME_PLIES_MAX && movegen_any(&position); ply++) {
            MoveList list;
            check_round_trips(&position);
            movegen_all(&position, &list);
            const Position before = position;
            const Move move = list.moves[prng_below(&prng, (uint64_t)list.count)];
            position_make(&before, move, &position);
        }
    }
}

static void test_random_text_does_no_harm(void **state)
{
    (void)state;
    static const char bytes[] = "abcdefgh12345678NBRQKPOo0x-=+#!?(:)\x80 ";
    const Position position = position_of(CASTLING, false);
    Prng prng;
    int understood = 0;
    prng_init(&prng, 5);
    for (int i = 0; i < RANDOM_TEXTS; i++) {
        char text[8];
        const int length = (int)prng_below(&prng, sizeof text);
        for (int at = 0; at < length; at++) {
            text[at] = bytes[prng_below(&prng, sizeof bytes)];
        }
        const Move san = notation_parse_san(&position, text, length);
        const Move uci = notation_parse_uci(&position, text, length);
        assert_true(san == MOVE_NONE || movegen_is_legal(&position, san));
        assert_true(uci == MOVE_NONE || movegen_is_legal(&position, uci));
        understood += san != MOVE_NONE;
    }
    assert_true(understood > 0);
}

static int set_up(void **state)
{
    (void)state;
    attacks_init(SLIDER_AUTO);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_san_is_written),
        cmocka_unit_test(test_san_is_read_leniently),
        cmocka_unit_test(test_uci_castling_is_read_in_both_styles),
        cmocka_unit_test(test_uci_refuses_what_is_no_legal_move),
        cmocka_unit_test(test_round_trips_on_random_boards),
        cmocka_unit_test(test_round_trips_in_random_games),
        cmocka_unit_test(test_random_text_does_no_harm),
    };
    return cmocka_run_group_tests_name("chess/notation", tests, set_up, NULL);
}
