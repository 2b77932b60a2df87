/*
 * rookery-tuner, run as a person runs it: the same games whatever the threads and interruptions,
 * weights that fit them better, and what it refuses.
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

#include "chess/fen.h"
#include "os/files.h"
#include "support/program.h"
#include "tools/tuner/weights_file.h"

#define TUNER ROOKERY_BIN_DIR "/rookery-tuner"
#define WEIGHTS ROOKERY_SOURCE_DIR "/worker/eval/weights.c"

enum { FILE_BYTES_MAX = 1 << 20 };

static ProgramResult result;
static char folder[] = "/tmp/rookery-tuner-XXXXXX";

/* The text of a file in the folder, which the caller frees. */
static char *read_file(const char *path)
{
    char *text = NULL;
    int length = 0;
    const Status status = files_read(path, FILE_BYTES_MAX, &text, &length);
    assert_true(status_is_ok(&status));
    return text;
}

static void write_text(const char *name, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_positions(const char *out, const char *options)
{
    program_run(&result, TUNER " positions --openings %s/openings --out %s/%s --nodes 500 %s 2>&1",
                folder, folder, out, options);
    assert_int_equal(result.exit_code, 0);
}

static void expect_equal_files(const char *left, const char *right)
{
    program_run(&result, "cd %s && cmp %s %s", folder, left, right);
    assert_int_equal(result.exit_code, 0);
}

static void test_games_depend_on_the_seed_alone(void **state)
{
    (void)state;
    make_positions("one", "--games 3");
    make_positions("two", "--games 3 --threads 3");
    expect_equal_files("one", "two");
    make_positions("other", "--games 3 --seed 2");
    program_run(&result, "cd %s && tail -n +2 one > a && tail -n +2 other | cmp - a", folder);
    assert_int_not_equal(result.exit_code, 0);
    program_run(&result, "grep -c '^# game' %s/one", folder);
    assert_int_equal(atoi(result.output), 3);
    program_run(&result, "grep -Ec '^[^#;]+;(0|0.5|1);-?[0-9]+$' %s/one", folder);
    assert_true(atoi(result.output) > 20);
}

static void test_an_interrupted_run_goes_on(void **state)
{
    (void)state;
    make_positions("whole", "--games 3");
    make_positions("cut", "--games 2");
    program_run(&result, "cd %s && truncate -s -5 cut", folder);
    make_positions("cut", "--games 3");
    expect_equal_files("whole", "cut");
    program_run(&result,
                TUNER " positions --openings %s/openings --out %s/cut --nodes 501 --games 4 2>&1",
                folder, folder);
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "other settings");
    expect_equal_files("whole", "cut");
    /* Other openings behind the same path, or another engine, which has another number too. */
    program_run(&result,
                "cd %s && cp openings kept && sed -i 2d openings && " TUNER
                " positions --openings %s/openings --out %s/cut --nodes 500 --games 4 2>&1; "
                "status=$?; mv kept openings; exit $status",
                folder, folder, folder);
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "other settings");
    expect_equal_files("whole", "cut");
}

static void test_fitting_lowers_the_error(void **state)
{
    (void)state;
    double start = 0;
    double end = 0;
    make_positions("data", "--games 20");
    program_run(&result,
                TUNER " fit --data %s/data --weights " WEIGHTS
                      " --out %s/weights.c --epochs 5 --score-percent 50 2>&1",
                folder, folder);
    assert_int_equal(result.exit_code, 0);
    const char *first = strstr(result.output, "\n    0  ");
    const char *last = strstr(result.output, "\n    5  ");
    assert_true(first != NULL && last != NULL);
    start = strtod(first + strlen("\n    0  "), NULL);
    end = strtod(last + strlen("\n    5  "), NULL);
    assert_true(end < start);
}

/* The weights just fitted are not the program's: they stay as they are when they are refused. */
static void test_a_refused_file_is_kept(void **state)
{
    (void)state;
    program_run(&result,
                "cd %s && sed 's/{[0-9]*, /{999, /' " WEIGHTS " > mine && cp mine kept && " TUNER
                " fit --data data --weights mine --out mine --epochs 1 2>&1",
                folder);
    assert_int_equal(result.exit_code, 2);
    expect_equal_files("mine", "kept");
}

static void test_weights_are_written_in_place(void **state)
{
    (void)state;
    char *text = read_file(WEIGHTS);
    char *written = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&written, &length);
    Status status = weights_file_rewrite(text, &eval_weights, file);
    assert_int_equal(fclose(file), 0);
    assert_true(status_is_ok(&status));
    assert_string_equal(written, text);
    free(written);

    EvalWeights changed = eval_weights;
    changed.danger_base.eg = -4321;
    file = open_memstream(&written, &length);
    status = weights_file_rewrite(text, &changed, file);
    assert_int_equal(fclose(file), 0);
    assert_true(status_is_ok(&status));
    assert_non_null(strstr(written, ", -4321},\n};\n"));
    file = fopen("/dev/null", "w");
    status = weights_file_rewrite(written, &eval_weights, file);
    assert_int_equal(status.code, STATUS_INVALID);
    status = weights_file_rewrite("eval_weights = {\n    {1, 2},\n};\n", &eval_weights, file);
    assert_int_equal(status.code, STATUS_INVALID);
    status = weights_file_rewrite("nothing", &eval_weights, file);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_int_equal(fclose(file), 0);
    free(written);
    free(text);
}

static void expect_refused(const char *arguments, int exit_code, const char *message)
{
    program_run(&result, "cd %s && " TUNER " %s 2>&1", folder, arguments);
    assert_int_equal(result.exit_code, exit_code);
    program_expect_output(&result, "rookery-tuner: ");
    program_expect_output(&result, message);
}

static void test_wrong_usage(void **state)
{
    (void)state;
    write_text("empty", "# nothing\n");
    write_text("bad", "# game 0\n" FEN_START ";1;0\nrubbish\n");
    write_text("few", FEN_START ";1;0\n# game 0\n");
    expect_refused("", 2, "a command");
    expect_refused("positions", 2, "needed");
    expect_refused("positions --openings none --out x", 1, "none");
    expect_refused("positions --openings empty --out x", 2, "no opening");
    expect_refused("positions --openings bad --out x", 2, "bad:");
    expect_refused("positions --openings openings --out /no/such/x", 1, "/no/such/x");
    expect_refused("fit --data few", 2, "needed");
    expect_refused("fit --data none --weights none --out x", 1, "none");
    /* What would be lost in the end is found out at the beginning. */
    expect_refused("fit --data none --weights few --out x", 2, "eval_weights");
    expect_refused("fit --data none --weights " WEIGHTS " --out /no/such/x", 1, "/no/such/x");
    expect_refused("fit --data few --weights " WEIGHTS " --out ./few", 2,
                   "--out ./few is the file");
    expect_refused("fit --data none --weights " WEIGHTS " --out x", 1, "none");
    expect_refused("fit --data bad --weights " WEIGHTS " --out x", 2, "bad:3: ");
    expect_refused("fit --data few --weights " WEIGHTS " --out x", 2, "fewer than 10 games");
    program_run(&result, TUNER " --help");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "usage: ");
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    write_text("openings", FEN_START "\n"
                                     "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq "
                                     "- 2 3\n"
                                     "4k3/8/8/8/8/8/4P3/4K3 w - - id \"EPD\";\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    program_run(&result, "rm -r %s", folder);
    return result.exit_code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_depend_on_the_seed_alone),
        cmocka_unit_test(test_an_interrupted_run_goes_on),
        cmocka_unit_test(test_fitting_lowers_the_error),
        cmocka_unit_test(test_a_refused_file_is_kept),
        cmocka_unit_test(test_weights_are_written_in_place),
        cmocka_unit_test(test_wrong_usage),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
