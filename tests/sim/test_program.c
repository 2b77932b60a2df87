/*
 * rookery-sim, run as a person runs it.
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

static ProgramResult result;

/* Runs the program on two positions in a folder of its own, with `more` behind it. */
static void run_in(const char *folder, const char *more)
{
    program_run(
        &result,
        "cd %s && printf '%%s\\n' "
        "'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - id \"Spanish\";' "
        "'8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - id \"rooks\";' > positions && " ROOKERY_BIN_DIR
        "/rookery-sim speedup --positions positions --serial-nodes 20k --hash-worker 1 "
        "%s 2>&1",
        folder, more);
}

static void make_folder(char folder[64])
{
    (void)snprintf(folder, 64, "/tmp/rookery-sim-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(const char *folder)
{
    program_run(&result, "rm -r %s", folder);
    assert_int_equal(result.exit_code, 0);
}

static void test_an_experiment_is_finished_once(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder, "--workers 1,2 --jobs 2 --json a.json --svg a.svg --each");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "4/4 trials");
    program_expect_output(&result, "Spanish");
    run_in(folder,
           "--workers 1,2 --json b.json && cmp a.json b.json && cp a.json.cache b.json.cache"
           " && grep -q '\"workers\":2,\"speedup\":' a.json && grep -q Rookery a.svg");
    assert_int_equal(result.exit_code, 0);
    run_in(folder, "--workers 1,2 --json b.json && cmp a.json b.json && cmp a.json.cache "
                   "b.json.cache");
    assert_int_equal(result.exit_code, 0);
    remove_folder(folder);
}

static void test_a_search_is_drawn(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder, "--workers 3 --timeline t.svg --index 2 && grep -q 'worker 2' t.svg");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "slots busy");
    remove_folder(folder);
}

static void test_wrong_options_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "--workers 0",
        "--workers 1,x",
        "--latency 5",
        "--jitter 1ms",
        "--bandwidth 1Mb",
        "--nps 10",
        "--worker-speeds -1",
        "--hash-worker 0",
        "--serial-nodes 2x",
        "--workers 1.5",
        "word",
        "--no-such-option",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char folder[64];
        make_folder(folder);
        run_in(folder, wrong[i]);
        assert_int_equal(result.exit_code, 2);
        program_expect_output(&result, "rookery-sim: ");
        remove_folder(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_experiment_is_finished_once),
        cmocka_unit_test(test_a_search_is_drawn),
        cmocka_unit_test(test_wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
