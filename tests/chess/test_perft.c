/*
 * Perft against counts that everybody publishes, against the oracle's own perft, and against the
 * data files of standard and Chess960 positions.
 * Sources: chessprogramming.org/Perft_Results; the talkchess collection of special-move positions.
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
#include "chess/perft.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/oracle_random.h"
#include "tests/support/data_file.h"

enum { LINE_BYTES_MAX = 256, DATA_DEPTH = 3 };

typedef struct {
    const char *fen;
    int depth;
    uint64_t leaves;
} PerftCase;

static const PerftCase cases[] = {
    /* The start and five middlegames full of special moves. */
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3605103},

    /* En passant: pinned along the rank, the file, the diagonal; giving and answering check. */
    {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},
    {"8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", 6, 1134888},
    {"8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1015133},
    {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467},
    {"8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", 6, 1440467},
    {"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", 1, 8},

    /* Castling: giving check, losing rights, prevented by attacks. */
    {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072},
    {"4k2r/8/8/8/8/8/8/5K2 b k - 0 1", 6, 661072},
    {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
    {"r3k3/8/8/8/8/8/8/3K4 b q - 0 1", 6, 803711},
    {"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206},
    {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},
    {"r6r/1b2k1bq/8/8/7B/8/8/R3K2R b KQ - 3 2", 1, 8},
    {"r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2", 1, 5},
    {"2kr3r/p1ppqpb1/bn2Qnp1/3PN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQ - 3 2", 1, 44},
    {"rnb2k1r/pp1Pbppp/2p5/q7/2B5/8/PPPQNnPP/RNB1K2R w KQ - 3 9", 1, 39},
    {"r1bqkbnr/pppppppp/n7/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 2 2", 1, 19},
    {"2r5/3pk3/8/2P5/8/2K5/8/8 w - - 5 4", 1, 9},

    /* Promotion, out of check and giving it; stalemate and checkmate. */
    {"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},
    {"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658},
    {"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},
    {"8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},
    {"K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},
    {"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},
    {"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},

    /* The most moves a position reachable in a game has. */
    {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1, 218},
    {"3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 1, 218},
};

static Position parse(const char *fen, bool chess960)
{
    Position position;
    const Status status = fen_parse(fen, (int)strlen(fen), chess960, &position);
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", fen, status.message);
    }
    return position;
}

static void require_perft(const char *fen, bool chess960, int depth, uint64_t expected)
{
    const Position position = parse(fen, chess960);
    const uint64_t leaves = perft_count(&position, depth);
    if (leaves != expected) {
        fail_msg("perft %d of %s is %llu, expected %llu", depth, fen, (unsigned long long)leaves,
                 (unsigned long long)expected);
    }
}

static void test_published_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        require_perft(cases[i].fen, false, cases[i].depth, cases[i].leaves);
    }
}

/* Chess960 rules give a standard position the same moves. */
static void test_published_counts_as_chess960(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        require_perft(cases[i].fen, true, cases[i].depth, cases[i].leaves);
    }
}

static void test_depth_zero_is_one_leaf(void **state)
{
    (void)state;
    require_perft(FEN_START, false, 0, 1);
}

static void require_equals_oracle(const OracleBoard *board, int depth)
{
    char fen[ORACLE_FEN_BYTES_MAX];
    oracle_write(board, fen);
    require_perft(fen, true, depth, oracle_perft(board, depth));
}

static void test_960_starts_equal_the_oracle(void **state)
{
    (void)state;
    for (int number = 0; number < ORACLE_STARTS_960; number++) {
        OracleBoard board;
        oracle_start_960(number, &board);
        require_equals_oracle(&board, 2);
    }
}

static void test_random_boards_equal_the_oracle(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    for (int i = 0; i < 400; i++) {
        OracleBoard board;
        oracle_random_board(&prng, i % 4 == 0 ? ORACLE_DENSE : ORACLE_SPARSE, &board);
        require_equals_oracle(&board, 2);
    }
}

/* The oracle itself, on counts that it did not make. */
static void test_oracle_knows_published_counts(void **state)
{
    (void)state;
    OracleBoard board;
    assert_true(oracle_parse(FEN_START, &board));
    assert_int_equal(oracle_perft(&board, 3), 8902);
    oracle_start_960(ORACLE_STANDARD_START, &board);
    assert_int_equal(oracle_perft(&board, 3), 8902);
    assert_true(oracle_parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                             &board));
    assert_int_equal(oracle_perft(&board, 3), 97862);
    assert_true(oracle_parse("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &board));
    assert_int_equal(oracle_perft(&board, 3), 9483);
    assert_true(oracle_parse("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &board));
    assert_int_equal(oracle_perft(&board, 4), 43238);
}

/* One line of a suite, "FEN ;D1 20 ;D2 400 ...": the first depth of at least DATA_DEPTH. */
static void require_suite_line(char *line, bool chess960)
{
    char *count = strchr(line, ';');
    assert_non_null(count);
    *count++ = '\0';
    int depth = 0;
    unsigned long long expected = 0;
    while (depth < DATA_DEPTH && count != NULL) {
        assert_int_equal(sscanf(count, "D%d %llu", &depth, &expected), 2);
        count = strchr(count, ';');
        count = count != NULL ? count + 1 : NULL;
    }
    require_perft(line, chess960, depth, expected);
}

static void require_suite(const char *name, bool chess960)
{
    FILE *const file = data_file_open(ROOKERY_TEST_DATA, name);
    if (file == NULL) {
        skip();
    }
    char line[LINE_BYTES_MAX];
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        require_suite_line(line, chess960);
        count++;
    }
    (void)fclose(file);
    assert_true(count > 0);
}

static void test_standard_suite(void **state)
{
    (void)state;
    require_suite("perft/standard.epd", false);
}

static void test_chess960_suite(void **state)
{
    (void)state;
    require_suite("perft/fischer.epd", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_counts),
        cmocka_unit_test(test_published_counts_as_chess960),
        cmocka_unit_test(test_depth_zero_is_one_leaf),
        cmocka_unit_test(test_960_starts_equal_the_oracle),
        cmocka_unit_test(test_random_boards_equal_the_oracle),
        cmocka_unit_test(test_oracle_knows_published_counts),
        cmocka_unit_test(test_standard_suite),
        cmocka_unit_test(test_chess960_suite),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
