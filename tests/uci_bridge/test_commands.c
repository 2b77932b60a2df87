/*
 * The commands of the program `rookery`, run as a person runs them: output and exit codes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/program.h"

#define ROOKERY ROOKERY_BIN_DIR "/rookery "

/* Runs `rookery words` and compares the exit code and a part of all output. */
static void expect(const char *words, int exit_code, const char *output)
{
    static ProgramResult result;
    program_run(&result, ROOKERY "%s 2>&1", words);
    program_expect_output(&result, output);
    if (result.exit_code != exit_code) {
        fail_msg("'%s' exited with %d, expected %d", words, result.exit_code, exit_code);
    }
}

static void test_help_and_version(void **state)
{
    (void)state;
    expect("--version", 0, "rookery " ROOKERY_VERSION);
    expect("--cluster tcp://127.0.0.1:5570 --version", 0, "rookery " ROOKERY_VERSION);
    expect("--help", 0, "usage: rookery");
    static const char *const words[] = {
        "rookery analyse", "rookery perft", "  d ",         "  eval ",
        "  cluster ",      "  bench ",      "  go perft N", "--version",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        expect("--help", 0, words[i]);
        expect("--config no-such-file --help", 0, words[i]);
    }
    expect("bench --help", 0, "usage: rookery bench");
    expect("perft --help", 0, "usage: rookery perft");
    expect("analyse --help", 0, "usage: rookery analyse");
}

/* A script's quit, or its end, waits for the count. */
static void test_a_script_gets_its_count(void **state)
{
    (void)state;
    static const char *const ends[] = {"\\nquit\\n", "\\n"};
    for (int i = 0; i < 2; i++) {
        static ProgramResult result;
        program_run(&result, "printf 'go perft 5%s' | " ROOKERY, ends[i]);
        program_expect_output(&result, "Nodes searched: 4865609\n");
        assert_int_equal(result.exit_code, 0);
    }
}

static void test_lines_that_are_too_long_are_told(void **state)
{
    (void)state;
    static ProgramResult result;
    program_run(&result,
                "(printf 'position startpos moves '; head -c 1100000 /dev/zero | tr '\\0' ' ';"
                " echo; echo d; echo quit) | " ROOKERY);
    program_expect_output(&result, "info string a line of more than 1 MiB is ignored\n");
    program_expect_output(&result, "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    assert_int_equal(result.exit_code, 0);
}

/* On a full disk no command succeeds. */
static void test_lost_output_is_a_failure(void **state)
{
    (void)state;
    static const char *const commands[] = {"bench 1", "perft 2", "analyse --depth 3", "--help"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        static ProgramResult result;
        program_run(&result, ROOKERY "%s 2>&1 >/dev/full", commands[i]);
        program_expect_output(&result, "cannot write the output: No space left on device\n");
        assert_int_equal(result.exit_code, 1);
    }
    static ProgramResult result;
    program_run(&result, "echo uci | " ROOKERY "2>&1 >/dev/full");
    program_expect_output(&result, "cannot write the output: No space left on device\n");
    assert_int_equal(result.exit_code, 1);
}

static void test_wrong_usage_is_one_line(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "nonsense",
        "bench 0",
        "bench twelve",
        "bench --depth 3",
        "perft",
        "perft 0",
        "perft 3x",
        "perft 3 not a position",
        "perft --suite file",
        "analyse --depth 0",
        "analyse --depth 1e3",
        "analyse --movetime",
        "analyse --hash 0",
        "analyse 8/8/8/8/8/8/8/8 w - - 0 1",
    };
    static ProgramResult result;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_run(&result, ROOKERY "%s 2>&1", wrong[i]);
        if (result.exit_code != 2 || strncmp(result.output, "rookery: ", 9) != 0 ||
            strchr(result.output, '\n') != result.output + strlen(result.output) - 1) {
            fail_msg("'%s' exited with %d and said:\n%s", wrong[i], result.exit_code,
                     result.output);
        }
    }
}

static void test_missing_file(void **state)
{
    (void)state;
    expect("perft --suite /no/such/file --depth 2", 1, "rookery: /no/such/file");
    expect("perft --suite /dev/null --depth 2", 2, "/dev/null holds no count of this depth");
}

static void test_perft_of_one_position(void **state)
{
    (void)state;
    expect("perft 4", 0, "\n\nNodes searched: 197281\n");
    expect("perft 4", 0, "e2e4: 13160\n");
    expect("perft 3 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'", 0,
           "\n\nNodes searched: 97862\n");
    expect("perft 2 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 0,
           "e1g1: 43\n");
    expect("perft 1 --chess960 r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0, "e1h1: 1\n");
    expect("perft 1 7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 0, "\nNodes searched: 0\n");
}

/* Writes a suite to a file of its own and runs it. */
static void expect_suite(const char *text, int depth, int exit_code, const char *output)
{
    char path[] = "/tmp/rookery-suite-XXXXXX";
    char words[100];
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    snprintf(words, sizeof words, "perft --suite %s --depth %d", path, depth);
    expect(words, exit_code, output);
    unlink(path);
}

static void test_perft_suite(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ";
    static const char shredder[] =
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 ;D1 21 ;D2 528\n";
    char text[400];

    snprintf(text, sizeof text, "# a comment\n\n%s;D1 20 ;D2 400 ;D3 8902\n%s", start, shredder);
    expect_suite(text, 2, 0, "2 positions, 4 counts, 0 mismatches\n");
    expect_suite(text, 3, 0, "2 positions, 5 counts, 0 mismatches\n");

    snprintf(text, sizeof text, "%s;D1 20 ;D2 401", start);
    expect_suite(text, 1, 0, "0 mismatches");
    expect_suite(text, 2, 1, "w KQkq - 0 1 depth 2 expected 401 got 400\n");

    snprintf(text, sizeof text, "%s;D1 20\n%s;D1 -20\n", start, start);
    expect_suite(text, 2, 2, ":2: expected ';D1 20', not ';D1 -20'");
    expect_suite("8/8 w - - 0 1 ;D1 20\n", 2, 2, ":1: FEN");
    expect_suite("a line without counts\n", 2, 2, ":1: no ';D1 20'");
}

static void test_bench(void **state)
{
    (void)state;
    static ProgramResult result;
    unsigned long long nodes = 0;
    unsigned long long speed = 0;
    program_run(&result, ROOKERY "bench 3 2>/dev/null");
    assert_int_equal(result.exit_code, 0);
    const int read =
        sscanf(result.output, "Nodes searched  : %llu\nNodes/second    : %llu\n", &nodes, &speed);
    assert_int_equal(read, 2);
    assert_true(nodes > 0 && speed > 0);
}

/* The last line of the output, without its newline. */
static const char *last_line(char *output)
{
    const size_t length = strlen(output);
    assert_true(length > 0 && output[length - 1] == '\n');
    output[length - 1] = '\0';
    const char *newline = strrchr(output, '\n');
    return newline != NULL ? newline + 1 : output;
}

static void expect_best_move(const char *words, const char *expected)
{
    static ProgramResult result;
    program_run(&result, ROOKERY "analyse %s", words);
    assert_int_equal(result.exit_code, 0);
    assert_string_equal(last_line(result.output), expected);
}

static void test_analyse(void **state)
{
    (void)state;
    expect_best_move("--depth 3 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "best move: d1d8");
    expect_best_move("--movetime 20 7k/8/8/8/8/8/r7/1r4K1 w - - 0 1", "best move: (none)");
    expect_best_move("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "best move: (none)");
    expect("analyse --depth 3 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 0, "#1");
    expect("analyse --depth 2 --multipv 3", 0, "\n   2 ");
}

static void test_analyse_rows_fit_the_width(void **state)
{
    (void)state;
    enum { WIDTH = 100 };
    static ProgramResult result;
    program_run(&result, ROOKERY "analyse --nodes 30000");
    int rows = 0;
    for (char *line = strtok(result.output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        assert_true(strlen(line) <= WIDTH);
        rows++;
    }
    assert_true(rows >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_and_version),
        cmocka_unit_test(test_lost_output_is_a_failure),
        cmocka_unit_test(test_a_script_gets_its_count),
        cmocka_unit_test(test_lines_that_are_too_long_are_told),
        cmocka_unit_test(test_wrong_usage_is_one_line),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_perft_of_one_position),
        cmocka_unit_test(test_perft_suite),
        cmocka_unit_test(test_bench),
        cmocka_unit_test(test_analyse),
        cmocka_unit_test(test_analyse_rows_fit_the_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
