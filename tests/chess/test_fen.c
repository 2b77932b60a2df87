/*
 * FEN: what is read, repaired, refused and written; and that no text whatever does harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "tests/oracle/oracle_random.h"
#include "tests/support/data_file.h"

enum { ROW_BYTES_MAX = 4096, REFUSED = -1, RANDOM_BOARDS = 20000, MUTATIONS = 200000 };

typedef struct {
    const char *fen;
    bool chess960;
    const char *expected; /* the FEN written back, or a part of the refusal */
} Case;

static Status parse(const char *fen, bool chess960, Position *position)
{
    return fen_parse(fen, (int)strlen(fen), chess960, position);
}

/* Parses a FEN that must be good and says what is written back. */
static void expect_written(const char *fen, bool chess960, const char *expected)
{
    Position position;
    char written[FEN_BYTES_MAX];
    const Status status = parse(fen, chess960, &position);
    if (!status_is_ok(&status)) {
        fail_msg("'%s' refused: %s", fen, status.message);
    }
    assert_true(position_is_consistent(&position));
    fen_write(&position, written);
    assert_string_equal(written, expected);
}

static void expect_refused(const char *fen, bool chess960, const char *expected)
{
    Position position;
    memset(&position, 0xA5, sizeof position);
    const Position before = position;

    const Status status = parse(fen, chess960, &position);
    assert_int_equal(status.code, STATUS_INVALID);
    if (strstr(status.message, expected) == NULL) {
        fail_msg("'%s' refused with '%s', expected '%s'", fen, status.message, expected);
    }
    assert_memory_equal(&position, &before, sizeof position);
}

static void test_start_position(void **state)
{
    (void)state;
    const Position position = fen_start_position();
    char written[FEN_BYTES_MAX];
    fen_write(&position, written);
    assert_string_equal(written, FEN_START);
    assert_int_equal(movegen_count(&position), 20);
    assert_int_equal(position.castling, CASTLING_ALL);
}

static void test_good_fens_are_written_back(void **state)
{
    (void)state;
    static const Case cases[] = {
        {FEN_START, false, NULL},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false, NULL},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 99 65535", false, NULL},
        {"4k2r/8/8/8/8/8/8/R3K3 b Qk - 12 34", false, NULL},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", false, NULL},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2", false, NULL},
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true, NULL},
        {"1r2k1r1/8/8/8/8/8/8/1RR1K1R1 w GCgb - 0 1", true, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].fen);
    }
}

static void test_missing_fields_get_defaults(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"4k3/8/8/8/8/8/8/4K2R", false, "4k3/8/8/8/8/8/8/4K2R w - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R b", false, "4k3/8/8/8/8/8/8/4K2R b - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w K", false, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w K -", false, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 7", false, "4k3/8/8/8/8/8/8/4K2R w K - 7 1"},
        {"4k3/8/8/8/8/8/8/4K2R w K - - -", false, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        {" \t4k3/8/8/8/8/8/8/4K2R   w\tK  -  7 8 \r\n", false, "4k3/8/8/8/8/8/8/4K2R w K - 7 8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_castling_rights(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* No rook, an enemy rook, king off its square: dropped. */
        {"4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", false, "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"},
        {"r3k2r/8/8/8/8/8/8/r3K2R w KQkq - 0 1", false, "r3k2r/8/8/8/8/8/8/r3K2R w Kkq - 0 1"},
        {"4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", false, "4k3/8/8/8/8/8/8/R2K3R w - - 0 1"},
        {"4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", true, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"},
        {"4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", false, "4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1"},
        /* Shredder letters in standard chess; squares that it castles from only. */
        {"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"r3k1r1/8/8/8/8/8/8/1R2K2R w HBga - 0 1", false, "r3k1r1/8/8/8/8/8/8/1R2K2R w Kq - 0 1"},
        /* X-FEN: K and Q mean the outermost rook, letters any rook. */
        {"4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", true, "4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1"},
        {"4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", true, "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1"},
        {"4k3/8/8/8/8/8/8/RR2K1RR w GKB - 0 1", true, "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1"},
        {"1r1k2r1/8/8/8/8/8/8/4K3 b KQkq - 0 1", true, "1r1k2r1/8/8/8/8/8/8/4K3 b gb - 0 1"},
        {"4k3/8/8/8/8/8/8/KR6 w KQ - 0 1", true, "4k3/8/8/8/8/8/8/KR6 w B - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_en_passant(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* Nobody there to capture, wrong rank, wrong side, no pawn that stepped, squares occupied.
         */
        {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", false, "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", false, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d4 0 1", false, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", false, "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1"},
        {"4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", false, "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", false, "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1"},
        {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", false, "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1"},
        /* The captor pinned on the file, both pawns leaving the king's rank; the other way free. */
        {"4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false, "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1"},
        {"6k1/8/8/K2pP2r/8/8/8/8 w - d6 0 1", false, "6k1/8/8/K2pP2r/8/8/8/8 w - - 0 1"},
        {"4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", false, "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"},
        /* The stepped pawn checks and may be taken; an edge file does not wrap around. */
        {"8/8/8/8/R2pP3/2k5/8/4K3 b - e3 0 1", false, "8/8/8/8/R2pP3/2k5/8/4K3 b - e3 0 1"},
        {"4k3/8/8/p6P/7P/8/8/4K3 w - a6 0 1", false, "4k3/8/8/p6P/7P/8/8/4K3 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_counters_are_clamped(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - -5 0", false, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 100 -3", false, "4k3/8/8/8/8/8/8/4K3 w - - 100 1"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 151 65536", false, "4k3/8/8/8/8/8/8/4K3 w - - 150 65535"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 4294967297", false,
         "4k3/8/8/8/8/8/8/4K3 w - - 150 65535"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 007 +9", false, "4k3/8/8/8/8/8/8/4K3 w - - 7 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_refusals_name_field_and_character(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"", false, "FEN board ends too early at character 1"},
        {"   \n", false, "FEN board ends too early"},
        {"startpos", false, "FEN board, character 1: 's'"},
        {"4k3/8/8/8/8/8/8/4K2X w - - 0 1", false, "FEN board, character 20: 'X'"},
        {"4k3/8/8/8/8/8/8/4K2\x80 w - - 0 1", false, "byte 0x80"},
        {"4k3/9/8/8/8/8/8/4K3 w - - 0 1", false, "FEN board, character 5: '9'"},
        {"4k3/0/8/8/8/8/8/4K3 w - - 0 1", false, "FEN board, character 5: '0'"},
        {"4k3/7/8/8/8/8/8/4K3 w - - 0 1", false, "FEN board, character 6: '/'"},
        {"4k3/8p/8/8/8/8/8/4K3 w - - 0 1", false, "FEN board, character 6: 'p'"},
        {"4k3/8/8/8/8/8/4K3 w - - 0 1", false, "FEN board ends too early at character 18"},
        {"4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", false, "FEN board, character 20: '/'"},
        {"4k3/8/8/8/8/8/8/4K3 W - - 0 1", false, "FEN side, character 21: 'W'"},
        {"4k3/8/8/8/8/8/8/4K3 wb - - 0 1", false, "FEN side, character 22: 'b'"},
        {"4k3/8/8/8/8/8/8/4K3 w KX - 0 1", false, "FEN castling, character 24: 'X'"},
        {"4k3/8/8/8/8/8/8/4K3 w - e9 0 1", false, "FEN en passant, character 26: '9'"},
        {"4k3/8/8/8/8/8/8/4K3 w - e", false, "FEN en passant ends too early at character 26"},
        {"4k3/8/8/8/8/8/8/4K3 w - x6 0 1", false, "FEN en passant, character 25: 'x'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - x 1", false, "FEN half move counter, character 27: 'x'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1.", false, "FEN full move counter, character 30: '.'"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", false, "character 31: text after the sixth field"},
        {"8/8/8/8/8/8/8/4K3 w - - 0 1", false, "Black has 0 kings"},
        {"4k3/8/8/8/8/8/8/8 w - - 0 1", false, "White has 0 kings"},
        {"4k3/8/8/8/8/8/8/4KK2 w - - 0 1", false, "White has 2 kings"},
        {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", false, "pawn 'P' on h8"},
        {"4k3/8/8/8/8/8/8/4K1p1 w - - 0 1", false, "pawn 'p' on g1"},
        {"4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1", false, "White has 9 pawns"},
        {"nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 w - - 0 1", false, "Black has 17 pieces"},
        {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", false, "Black is in check but White is to move"},
        {"8/8/8/8/8/8/4k3/4K3 b - - 0 1", false, "White is in check but Black is to move"},
        {"4r1k1/8/8/8/1b6/8/2n5/4K3 w - - 0 1", false, "in check from 3 pieces"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refused(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_set_ups_may_have_any_officers(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1", false,
         "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNR w Kkq - 0 1", false,
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNR w Kkq - 0 1"},
        {"1Q4QK/4Q3/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/np2Q3/kbQ4Q w - - 0 1", false,
         "1Q4QK/4Q3/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/np2Q3/kbQ4Q w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_written(cases[i].fen, cases[i].chess960, cases[i].expected);
    }
}

static void test_length_bounds_the_text(void **state)
{
    (void)state;
    Position position;
    const char text[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /* An exact copy on the heap, so that a sanitizer sees a read past the end. */
    for (int length = 0; length < (int)sizeof text; length++) {
        char *const exact = malloc(length > 0 ? (size_t)length : 1);
        assert_non_null(exact);
        memcpy(exact, text, (size_t)length);
        const Status status = fen_parse(exact, length, false, &position);
        assert_int_equal(status_is_ok(&status), length >= 20);
        free(exact);
    }
}

/* The `n`th FEN of a row's input column; false if there are fewer. */
static bool row_fen(const char *row, int n, char fen[ROW_BYTES_MAX])
{
    static const char command[] = "position fen ";
    for (const char *at = strstr(row, command); at != NULL; at = strstr(at, command)) {
        at += strlen(command);
        if (n-- > 0) {
            continue;
        }
        const char *const moves = strstr(at, " moves ");
        size_t length = strcspn(at, "\\;\t\n");
        if (moves != NULL && (size_t)(moves - at) < length) {
            length = (size_t)(moves - at);
        }
        memcpy(fen, at, length);
        fen[length] = '\0';
        return true;
    }
    return false;
}

/* Finds the row of the rules cases that starts with this identifier; false if there is none. */
static bool find_row(const char *id, char row[ROW_BYTES_MAX])
{
    FILE *const file = data_file_open(ROOKERY_TEST_DATA, "cases/uci-cases.tsv");
    bool is_found = false;
    if (file == NULL) {
        return false;
    }
    while (!is_found && fgets(row, ROW_BYTES_MAX, file) != NULL) {
        is_found = strncmp(row, id, strlen(id)) == 0 && row[strlen(id)] == '\t';
    }
    (void)fclose(file);
    return is_found;
}

static void test_positions_that_broke_engines(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        bool chess960;
        int moves; /* legal ones, or REFUSED */
    } rows[] = {
        {"U001", false, REFUSED}, {"U002", false, REFUSED}, {"U004", false, REFUSED},
        {"U005", false, REFUSED}, {"U007", false, REFUSED}, {"U008", false, REFUSED},
        {"U010", false, 2},       {"U011", false, 2},       {"U013", false, 42},
        {"U014", false, 38},      {"U016", false, 33},      {"U017", false, REFUSED},
        {"U019", false, REFUSED}, {"U020", false, 218},     {"U022", false, 7},
        {"U112", true, 31},       {"U113", false, 28},      {"U113", true, 28},
        {"U118", false, 35},      {"U118", true, 35},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char row[ROW_BYTES_MAX];
        char fen[ROW_BYTES_MAX];
        Position position;
        if (!find_row(rows[i].id, row)) {
            skip();
        }
        assert_true(row_fen(row, 0, fen));
        const Status status = parse(fen, rows[i].chess960, &position);
        const int moves = status_is_ok(&status) ? movegen_count(&position) : REFUSED;
        if (moves != rows[i].moves) {
            fail_msg("%s '%s': %d moves, expected %d", rows[i].id, fen, moves, rows[i].moves);
        }
    }
}

/* Row U023 holds pairs "position fen FEN ; expected square". */
static void test_en_passant_table(void **state)
{
    (void)state;
    char row[ROW_BYTES_MAX];
    char fen[ROW_BYTES_MAX];
    if (!find_row("U023", row)) {
        skip();
    }
    int count = 0;
    const char *at = strstr(row, "position fen ");
    for (; row_fen(row, count, fen); count++) {
        Position position;
        char expected[3] = "";
        at = strstr(at, " ; ");
        assert_non_null(at);
        at += 3;
        memcpy(expected, at, *at == '-' ? 1 : 2);

        const Status status = parse(fen, false, &position);
        assert_true(status_is_ok(&status));
        char square[3] = "-";
        if (position.en_passant != SQUARE_NONE) {
            square[0] = (char)('a' + square_file(position.en_passant));
            square[1] = (char)('1' + square_rank(position.en_passant));
        }
        assert_string_equal(square, expected);
    }
    assert_int_equal(count, 11);
}

static void test_random_boards_come_back(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < RANDOM_BOARDS; i++) {
        OracleBoard board;
        char fen[ORACLE_FEN_BYTES_MAX];
        char written[FEN_BYTES_MAX];
        Position position;
        Position again;
        oracle_random_board(&prng, i % 2 == 0 ? ORACLE_SPARSE : ORACLE_DENSE, &board);
        oracle_write(&board, fen);

        Status status = parse(fen, true, &position);
        if (!status_is_ok(&status)) {
            fail_msg("'%s' refused: %s", fen, status.message);
        }
        assert_true(position_is_consistent(&position));
        assert_int_equal(position.en_passant != SQUARE_NONE, oracle_can_take_en_passant(&board));
        fen_write(&position, written);
        status = parse(written, true, &again);
        assert_true(status_is_ok(&status));
        assert_memory_equal(&again, &position, sizeof position);
    }
}

/* Good FENs with a few bytes changed: read or refused, but what is read is consistent. */
static void test_mutated_text_does_no_harm(void **state)
{
    (void)state;
    static const char bytes[] = "pnbrqkPNBRQK12345678/ wb-KQkqHAha36e\t\n\x80?";
    static const char *const seeds[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/5p2/3pP3/8/8/PPPP1PPP/RNBQKBNR w HAkq d6 0 3",
        "1r2k1r1/8/8/8/6pP/8/8/1RR1K1R1 b GCgb h3 0 1",
    };
    Prng prng;
    int accepted = 0;
    prng_init(&prng, 2);
    for (int i = 0; i < MUTATIONS; i++) {
        char text[128];
        Position position;
        const int length = snprintf(text, sizeof text, "%s", seeds[i % 3]);
        for (uint64_t n = prng_below(&prng, 4); n > 0; n--) {
            text[prng_below(&prng, (uint64_t)length)] = bytes[prng_below(&prng, sizeof bytes)];
        }
        const Status status = fen_parse(text, length, i % 2 == 0, &position);
        if (!status_is_ok(&status)) {
            assert_true(strlen(status.message) > 0);
            continue;
        }
        accepted++;
        assert_true(position_is_consistent(&position));
        assert_true(movegen_count(&position) < MOVES_MAX);
    }
    assert_true(accepted > MUTATIONS / 10 && accepted < MUTATIONS);
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
        cmocka_unit_test(test_start_position),
        cmocka_unit_test(test_good_fens_are_written_back),
        cmocka_unit_test(test_missing_fields_get_defaults),
        cmocka_unit_test(test_castling_rights),
        cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_counters_are_clamped),
        cmocka_unit_test(test_refusals_name_field_and_character),
        cmocka_unit_test(test_set_ups_may_have_any_officers),
        cmocka_unit_test(test_length_bounds_the_text),
        cmocka_unit_test(test_positions_that_broke_engines),
        cmocka_unit_test(test_en_passant_table),
        cmocka_unit_test(test_random_boards_come_back),
        cmocka_unit_test(test_mutated_text_does_no_harm),
    };
    return cmocka_run_group_tests_name("chess/fen", tests, set_up, NULL);
}
