/*
 * rookery-suite, run as a person runs it: opcodes, verdicts, output and exit codes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/program.h"

#define MATE_IN_1 "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - "
#define MATED_IN_1 "7k/R7/8/8/8/8/8/1R4K1 b - - "
#define MATE_IN_2 "7k/8/8/8/8/8/R7/1R4K1 w - - "

static ProgramResult result;

/* Runs the program on a file that holds `text`. */
static void run_suite(const char *text, const char *options)
{
    char path[] = "/tmp/rookery-suite-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    program_run(&result, ROOKERY_BIN_DIR "/rookery-suite %s --movetime 200 --hash 1 %s 2>&1", path,
                options);
    unlink(path);
}

static void expect(const char *text, const char *options, const char *output)
{
    run_suite(text, options);
    program_expect_output(&result, output);
    assert_int_equal(result.exit_code, 0);
}

static void expect_refused(const char *text, const char *message)
{
    run_suite(text, "");
    program_expect_output(&result, "rookery-suite: ");
    program_expect_output(&result, message);
    assert_int_equal(result.exit_code, 2);
}

static void test_best_and_avoided_moves(void **state)
{
    (void)state;
    expect(MATE_IN_1 "bm Rd8#; id \"back rank\";\n", "", "yes back rank ");
    expect(MATE_IN_1 "bm Kf1 Rd8+;\n", "", "solved 1 of 1");
    expect(MATE_IN_1 "bm Kf1, h3;\n", "", "solved 0 of 1");
    expect(MATE_IN_1 "am Kf1;\n", "", "solved 1 of 1");
    expect(MATE_IN_1 "am Rd8;\n", "", "solved 0 of 1");
    expect("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 17 bm Rd8;\n", "", "solved 1 of 1");
    expect("# nothing\n\n" MATE_IN_1 "bm Rd8; ce 30000; c1 \"a; b\";", "", "solved 1 of 1");
}

static void test_mates(void **state)
{
    (void)state;
    expect(MATE_IN_1 "bm #1;\n", "", "1 of 1 found, 0 false, 0 with a short line");
    expect(MATE_IN_2 "bm #2;\n" MATED_IN_1 "bm #-1;\n", "",
           "2 of 2 found, 0 false, 0 with a short line");
    /* A claim that beats the suite's shortest mate, or is of the other side, is false. */
    expect(MATE_IN_1 "bm #2;\n", "", "0 of 1 found, 1 false");
    expect(MATE_IN_1 "bm #-4;\n", "", "0 of 1 found, 1 false");
    expect("4k3/8/8/8/8/8/8/4K1N1 w - - bm #1;\n", "", "0 of 1 found, 0 false");
}

static void test_points(void **state)
{
    (void)state;
    expect(MATE_IN_1 "bm Rd8; c8 \"100 30\"; c9 \"d1d8 g1f1\";\n", "", "100 of 100 points");
    expect(MATE_IN_1 "c7 \"Kf1 Rd8\"; c8 \"100 30\";\n", "", "solved 0 of 1, 30 of 100 points");
    expect(MATE_IN_1 "c0 \"Rd8=10, Kf1=3\";\n", "", "solved 1 of 1, 10 of 10 points");
    expect(MATE_IN_1 "bm Rd8; c0 \"a remark\";\n", "", "solved 1 of 1;");
    expect(MATE_IN_1 "bm Rd8; c0 \"Rd8=mate wins, x=1\";\n", "", "solved 1 of 1;");
    expect(MATE_IN_1 "bm Kf1 Rd8\r\n", "", "solved 1 of 1;");
}

static void test_json(void **state)
{
    (void)state;
    run_suite(MATE_IN_1 "bm Rd8; id \"a \\ b\";\n" MATE_IN_1 "bm h3;\n", "--json --slots 2");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "{\"solved\": 1, \"total\": 2, \"points\": 0,");
    program_expect_output(&result, "{\"id\": \"a \\\\ b\", \"fen\": \"" MATE_IN_1 "0 1\", "
                                   "\"solved\": true, \"move\": \"Rd8#\", \"score\": \"#1\", ");
    program_expect_output(&result, "{\"id\": \"line 2\"");
    program_expect_output(&result, "\"solved\": false");
}

/* What is UTF-8 stays so; what is not, as in old files, is Latin-1. */
static void test_names_in_json_are_utf_8(void **state)
{
    (void)state;
    run_suite(MATE_IN_1 "bm Rd8; id \"K\xC3\xB6nig \xE4\xE2\x82\xAC \xC0\xAF \xED\xA0\x80\";\n",
              "--json");
    program_expect_output(&result, "\"K\xC3\xB6nig \\u00e4\xE2\x82\xAC \\u00c0\\u00af "
                                   "\\u00ed\\u00a0\\u0080\"");
}

static void test_early_end(void **state)
{
    (void)state;
    run_suite(MATE_IN_2 "bm #2;\n", "--movetime 600000 --early");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "solved 1 of 1");
}

static void test_bad_lines_are_refused(void **state)
{
    (void)state;
    expect_refused(MATE_IN_1 "bm Rd8;\n" MATE_IN_1 "bm Re8;\n", ":2: 'Re8' is no legal move");
    expect_refused(MATE_IN_1 "id \"nothing\";\n", ":1: no bm, am or points");
    expect_refused("not a position\n", ":1: FEN");
    expect_refused("# nothing\n", "holds no position");
    expect_refused(MATE_IN_1 "bm #x;\n", ":1: mate must be a number");
    expect_refused(MATE_IN_1 "c8 \"10 20\"; c9 \"d1d8\";\n", "do not pair up");
    expect_refused("7k/5KQ1/8/8/8/8/8/8 b - - am Kh7;\n", ":1: ");
}

static void test_wrong_usage(void **state)
{
    (void)state;
    program_run(&result, ROOKERY_BIN_DIR "/rookery-suite 2>&1");
    assert_int_equal(result.exit_code, 2);
    program_run(&result, ROOKERY_BIN_DIR "/rookery-suite /no/such/file --movetime 10 2>&1");
    assert_int_equal(result.exit_code, 1);
    program_expect_output(&result, "rookery-suite: /no/such/file");
    program_run(&result, ROOKERY_BIN_DIR "/rookery-suite --help");
    assert_int_equal(result.exit_code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_and_avoided_moves),
        cmocka_unit_test(test_mates),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_names_in_json_are_utf_8),
        cmocka_unit_test(test_early_end),
        cmocka_unit_test(test_bad_lines_are_refused),
        cmocka_unit_test(test_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
