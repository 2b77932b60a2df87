/*
 * SEE against well-known exchanges, and against a slow exchange that makes every move.
 *
 * Both take with the cheapest piece that may (which is not always best: it can open a line for
 * the opponent) and stop when that is better. The slow one asks the oracle what is legal, so it
 * also sees what an exchange on one square cannot: a king attacked from elsewhere, a recapture
 * that promotes. Exchanges where that comes up are left out of the comparison.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/see.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/oracle_random.h"

enum { P = 100, N = 320, B = 330, R = 500, Q = 950 };

enum { GAIN_MAX = 4000, RANDOM_BOARDS = 6000 };

typedef struct {
    const char *fen;
    const char *move; /* UCI */
    int gain;         /* centipawns for the side that moves */
} SeeCase;

static const SeeCase cases[] = {
    /* Taking an undefended pawn; a knight for a pawn, behind which both sides have x-rays. */
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", P},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", P - N},
    {"1k1r4/1ppn3p/p4b2/4n3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", N - R + B},
    {"4R3/2r3p1/5bk1/1p1r3p/p2PR1P1/P1BK1P2/1P6/8 b - - 0 1", "h5g4", 0},
    {"4R3/2r3p1/5bk1/1p1r1p1p/p2PR1P1/P1BK1P2/1P6/8 b - - 0 1", "h5g4", 0},
    {"4r1k1/5pp1/nbp4p/1p2p2q/1P2P1b1/1BP2N1P/1B2QPPK/3R4 b - - 0 1", "g4f3", N - B},
    {"2r1r1k1/pp1bppbp/3p1np1/q3P3/2P2P2/1P2B3/P1N1B1PP/2RQ1RK1 b - - 0 1", "d6e5", P},
    {"r2qk1nr/pp2ppbp/2b3p1/2p1p3/8/2N2N2/PPPP1PPP/R1BQR1K1 w kq - 0 1", "f3e5", P},
    {"2r4k/2r4p/p7/2b2p1b/4pP2/1BR5/P1R3PP/2Q4K w - - 0 1", "c3c5", B},
    {"8/pp6/2pkp3/4bp2/2R3b1/2P5/PP4B1/1K6 w - - 0 1", "g2c6", P - B},
    {"4q3/1p1pr1k1/1B2rp2/6p1/p3PP2/P3R1P1/1P2R1K1/4Q3 b - - 0 1", "e6e4", P - R},
    {"4q3/1p1pr1kb/1B2rp2/6p1/p3PP2/P3R1P1/1P2R1K1/4Q3 b - - 0 1", "h7e4", P},
    {"3r3k/3r4/2n1n3/8/3p4/2PR4/1B1Q4/3R3K w - - 0 1", "d3d4", 2 * N - B + R - Q},
    {"2r2r1k/6bp/p7/2q2p1Q/3PpP2/1B6/P5PP/2RR3K b - - 0 1", "c5c1", 2 * R - Q},
    {"8/4kp2/2npp3/1Nn5/1p2PQP1/7q/1PP1B3/4KR1r b - - 0 1", "h1f1", 0},
    {"8/4kp2/2npp3/1Nn5/1p2P1P1/7q/1PP1B3/4KR1r b - - 0 1", "h1f1", 0},

    /* Quiet moves to guarded and unguarded squares. */
    {"7r/5qpk/p1Qp1b1p/3r3n/BB3p2/5p2/P1P2P2/4RK1R w - - 0 1", "e1e8", 0},
    {"6rr/6pk/p1Qp1b1p/2n5/1B3p2/5p2/P1P2P2/4RK1R w - - 0 1", "e1e8", -R},
    {"7r/5qpk/2Qp1b1p/1N1r3n/BB3p2/5p2/P1P2P2/4RK1R w - - 0 1", "e1e8", -R},

    /* Promotions and en passant. */
    {"6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - - 0 1", "f7f8q", B - P},
    {"6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - - 0 1", "f7f8n", N - P},
    {"7R/5P2/8/8/6r1/3K4/5p2/4k3 w - - 0 1", "f7f8q", Q - P},
    {"7R/5P2/8/8/6r1/3K4/5p2/4k3 w - - 0 1", "f7f8b", B - P},
    {"7R/4bP2/8/8/1q6/3K4/5p2/4k3 w - - 0 1", "f7f8r", -P},
    {"2r4r/1P4pk/p2p1b1p/7n/BB3p2/2R2p2/P1P2P2/4RK2 w - - 0 1", "c3c8", R},
    {"3q2nk/pb1r1p2/np6/3P2Pp/2p1P3/2R4B/PQ3P1P/3R2K1 w - h6 0 1", "g5h6", 0},
    {"3q2nk/pb1r1p2/np6/3P2Pp/2p1P3/2R1B2B/PQ3P1P/3R2K1 w - h6 0 1", "g5h6", P},

    /* The king takes what is unguarded only; a pinned piece guards nothing but kings' squares. */
    {"8/8/3k4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", P - R},
    {"8/8/3k4/4p3/8/8/7B/K3R3 w - - 0 1", "e1e5", P},
    {"3r3k/8/8/4p3/8/3N4/8/3K4 w - - 0 1", "d1e2", 0},
    {"7k/8/3n4/5p2/8/8/8/K4R2 w - - 0 1", "f1f5", P - R},
    {"3k4/8/3n4/5p2/8/8/8/K2R1R2 w - - 0 1", "f1f5", P},
    {"6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - - 0 1", "f4e5", P},

    /* Castling exchanges nothing. */
    {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0},
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

/* The largest threshold that the move reaches. */
static int gain_of(const Position *position, Move move)
{
    int reached = -GAIN_MAX;
    int missed = GAIN_MAX;
    assert_true(see_at_least(position, move, reached));
    assert_false(see_at_least(position, move, missed));
    while (missed - reached > 1) {
        const int middle = (reached + missed) / 2;
        if (see_at_least(position, move, middle)) {
            reached = middle;
        } else {
            missed = middle;
        }
    }
    return reached;
}

static void test_values_are_those_of_the_cases(void **state)
{
    (void)state;
    assert_int_equal(see_values[PAWN], P);
    assert_int_equal(see_values[KNIGHT], N);
    assert_int_equal(see_values[BISHOP], B);
    assert_int_equal(see_values[ROOK], R);
    assert_int_equal(see_values[QUEEN], Q);
    assert_int_equal(see_values[KING], 0);
    assert_int_equal(see_values[NO_PIECE_TYPE], 0);
}

static void test_known_exchanges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Position position = parse(cases[i].fen, false);
        const Move move = notation_parse_uci(&position, cases[i].move, (int)strlen(cases[i].move));
        assert_int_not_equal(move, MOVE_NONE);
        const int gain = gain_of(&position, move);
        if (gain != cases[i].gain) {
            fail_msg("%s %s: %d, expected %d", cases[i].fen, cases[i].move, gain, cases[i].gain);
        }
    }
}

/* The kind of piece on a square: PAWN to KING, or NO_PIECE_TYPE. */
static PieceType type_on(const OracleBoard *board, Square square)
{
    static const char letters[] = "PNBRQKpnbrqk";
    const char letter = board->letter[square_rank(square)][square_file(square)];
    const char *const found = strchr(letters, letter);
    return found != NULL ? (PieceType)((found - letters) % PIECE_TYPE_COUNT) : NO_PIECE_TYPE;
}

static int value_on(const OracleBoard *board, Square square)
{
    return see_values[type_on(board, square)];
}

/* Whether the king is attacked by something else than the piece on the exchange's square. */
static bool is_checked_from_elsewhere(const OracleBoard *board, Square square)
{
    OracleBoard without = *board;
    const int checkers = oracle_checker_count(board, board->side);
    /* A pawn of the own side in its place gives no check and still stands in the way. */
    without.letter[square_rank(square)][square_file(square)] = board->side == WHITE ? 'P' : 'p';
    return checkers > 0 && oracle_checker_count(&without, board->side) > 0;
}

/* The legal capture on the square by the cheapest piece, on the lowest square of those. */
static Move cheapest_capture(const OracleBoard *board, Square square)
{
    OracleMoves list;
    oracle_legal_moves(board, &list);
    Move cheapest = MOVE_NONE;
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        if (move_to(move) != square || move_flag(move) == MOVE_CASTLING) {
            continue;
        }
        if (cheapest == MOVE_NONE ||
            type_on(board, move_from(move)) < type_on(board, move_from(cheapest))) {
            cheapest = move;
        }
    }
    return cheapest;
}

/* What the side to move gains by captures on the square; it need not take. */
static int exchange_gain(const OracleBoard *board, Square square, bool *is_outside)
{
    const Move move = cheapest_capture(board, square);
    if (is_checked_from_elsewhere(board, square) || move_flag(move) == MOVE_PROMOTION) {
        *is_outside = true;
        return 0;
    }
    if (move == MOVE_NONE) {
        return 0;
    }
    OracleBoard after;
    oracle_make(board, move, &after);
    const int gain = value_on(board, square) - exchange_gain(&after, square, is_outside);
    return gain > 0 ? gain : 0;
}

/* What the move gains at once, before the opponent answers. */
static int first_gain(const OracleBoard *board, Move move)
{
    if (move_flag(move) == MOVE_EN_PASSANT) {
        return P;
    }
    const int promotion =
        move_flag(move) == MOVE_PROMOTION ? see_values[move_promotion(move)] - P : 0;
    return value_on(board, move_to(move)) + promotion;
}

/* Compares every move of one board; adds to the numbers of moves compared and left out. */
static void compare_board(const OracleBoard *board, int *compared, int *left_out)
{
    char fen[ORACLE_FEN_BYTES_MAX];
    oracle_write(board, fen);
    const Position position = parse(fen, true);
    OracleMoves list;
    oracle_legal_moves(board, &list);
    for (int i = 0; i < list.count; i++) {
        const Move move = list.moves[i];
        if (move_flag(move) == MOVE_CASTLING) {
            continue;
        }
        bool is_outside = false;
        OracleBoard after;
        oracle_make(board, move, &after);
        const int expected =
            first_gain(board, move) - exchange_gain(&after, move_to(move), &is_outside);
        if (is_outside) {
            (*left_out)++;
            continue;
        }
        (*compared)++;
        if (gain_of(&position, move) != expected) {
            fail_msg("%s, from %d to %d flag %d: %d, expected %d", fen, move_from(move),
                     move_to(move), (int)move_flag(move), gain_of(&position, move), expected);
        }
    }
}

static void test_random_boards_equal_the_slow_search(void **state)
{
    (void)state;
    Prng prng;
    prng_init(&prng, 1);
    int compared = 0;
    int left_out = 0;
    for (int i = 0; i < RANDOM_BOARDS; i++) {
        OracleBoard board;
        oracle_random_board(&prng, i % 4 == 0 ? ORACLE_DENSE : ORACLE_SPARSE, &board);
        compare_board(&board, &compared, &left_out);
    }
    print_message("%d moves compared, %d left out\n", compared, left_out);
    assert_true(left_out < compared / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_the_cases),
        cmocka_unit_test(test_known_exchanges),
        cmocka_unit_test(test_random_boards_equal_the_slow_search),
    };
    attacks_init(SLIDER_AUTO);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
