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

#include "chess/fen.h"
#include "master/core/master.h"
#include "os/clock.h"
#include "support/program.h"
#include "tools/sim/trial.h"

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

/* Who was killed while it wrote left half a line: that trial is done again, and no other lost. */
static void test_a_torn_line_is_done_again(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder,
           "--workers 1,2 --json a.json && cp a.json b.json && truncate -s -20 a.json.cache");
    assert_int_equal(result.exit_code, 0);
    run_in(folder, "--workers 1,2 --json a.json && cmp a.json b.json");
    assert_int_equal(result.exit_code, 0);
    remove_folder(folder);
}

/* What is found by several processes is kept without a file where none is asked for. */
static void test_without_json_nothing_is_left_behind(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder, "--workers 1,2 --jobs 2 --each; find /tmp -maxdepth 1 -name "
                   "'rookery-sim-*' -not -name '*test*' -newer positions");
    program_expect_output(&result, "Spanish");
    assert_null(strstr(result.output, "/tmp"));
    program_run(
        &result,
        "cd %s; " ROOKERY_BIN_DIR
        "/rookery-sim speedup --positions positions --serial-nodes 200M 2> /dev/null & "
        "sleep 1; kill -KILL $!; find /tmp -maxdepth 1 -name 'rookery-sim-*' -not -name '*test*' "
        "-newer %s/positions",
        folder, folder);
    assert_null(strstr(result.output, "/tmp"));
    remove_folder(folder);
}

/* Children that go on alone would keep the cores, and the pipe, of whoever started it. */
static void test_children_end_with_their_parent(void **state)
{
    (void)state;
    enum { SECONDS_MAX = 20 }; /* the search would take a minute */
    char folder[64];
    make_folder(folder);
    const Instant start = clock_now();
    program_run(&result,
                "cd %s; echo '" FEN_START "' > positions; " ROOKERY_BIN_DIR
                "/rookery-sim speedup --positions positions --serial-nodes 200M 2> /dev/null & "
                "sleep 1; kill -KILL $!; wait",
                folder);
    assert_in_range(duration_to_ms(instant_since(clock_now(), start)), 0, 1000 * SECONDS_MAX);
    remove_folder(folder);
}

static void test_the_help_names_the_defaults(void **state)
{
    (void)state;
    char searches[64];
    (void)snprintf(searches, sizeof searches, "--searches %-12d", MASTER_SEARCHES_MAX);
    program_run(&result, ROOKERY_BIN_DIR "/rookery-sim --help");
    program_expect_output(&result, searches);
}

static void test_many_speeds_are_told_apart(void **state)
{
    (void)state;
    enum { COUNT = 210 };
    TrialSettings settings = {.slots = 1, .speed_count = COUNT};
    const TrialCase trial = {.workers = COUNT, .seed = 1};
    char one[TRIAL_TEXT_BYTES_MAX];
    char other[TRIAL_TEXT_BYTES_MAX];
    for (int i = 0; i < COUNT; i++) {
        settings.speeds[i] = 0.5;
    }
    trial_describe(&settings, &trial, one);
    trial_describe(&settings, &trial, other);
    assert_string_equal(one, other);
    settings.speeds[COUNT - 1] = 0.5000001;
    trial_describe(&settings, &trial, other);
    assert_string_not_equal(one, other);
}

static void test_two_seeds_are_two_experiments(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder, "--workers 1,2 --seed 3 --json a.json");
    assert_int_equal(result.exit_code, 0);
    run_in(folder, "--workers 1,2 --seeds 5 --json b.json");
    assert_int_equal(result.exit_code, 0);
    run_in(folder, "--workers 1,2 --seeds 3,5 --jobs 2 --json c.json --each");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "8/8 trials");
    program_expect_output(&result, "seeds 3,5, 2 positions");
    program_run(&result,
                "cd %s && trials() { grep -h '\"seed\":' $@ | tr -d ',]}' | sort; } && "
                "trials a.json b.json > one && trials c.json > both && cmp one both && "
                "wc -l < both && grep -qF '\"seeds\":[3,5]' c.json",
                folder);
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "8");
    remove_folder(folder);
}

static void test_several_lines_are_another_experiment(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_in(folder, "--workers 1 --json a.json && cp a.json.cache one");
    assert_int_equal(result.exit_code, 0);
    run_in(folder,
           "--workers 1 --json a.json --multi-pv 2 && grep -q '\"multi_pv\":2' a.json && "
           "[ $(wc -l < a.json.cache) = $((2 * $(wc -l < one))) ]"); /* nothing was known of it */
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "2 lines each");
    remove_folder(folder);
}

/* Solves two positions, of which the first is too easy, at a speed at which a hop is nothing. */
static void run_solve(const char *folder, const char *more)
{
    program_run(
        &result,
        "cd %s && printf '%%s\\n' '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"easy\";' "
        "'8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - bm Kb1; id \"Lasker\";' > tests && " ROOKERY_BIN_DIR
        "/rookery-sim solve --positions tests --min-serial-nodes 1k "
        "--max-serial-nodes 1M --nps 10k --hash-worker 1 %s 2>&1",
        folder, more);
}

static void test_the_time_to_the_right_move_is_compared(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_solve(folder, "--workers 1,2 --json a.json --each");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "4/4 trials");
    program_expect_output(&result, "1 positions solved");
    program_expect_output(&result, "left out: 1 sooner, 0 not");
    program_expect_output(&result, "Lasker");
    run_solve(folder, "--workers 1,2 --json b.json --jobs 2 && cmp a.json b.json && "
                      "grep -qE '\"workers\":1,\"speedup\":(0\\.9|1\\.0).*\"solved\":1,' a.json");
    assert_int_equal(result.exit_code, 0);
    run_solve(folder, "--workers 1,2 --json a.json && cmp a.json b.json");
    assert_int_equal(result.exit_code, 0);
    run_solve(folder, "--workers 1 --lazy");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "1.00        unknown");
    run_solve(folder, "--min-serial-nodes 900k");
    assert_int_equal(result.exit_code, 1);
    program_expect_output(&result, "no position left");
    remove_folder(folder);
}

static void test_what_solve_cannot_do_is_refused(void **state)
{
    (void)state;
    char folder[64];
    make_folder(folder);
    run_solve(folder, "--min-serial-nodes 2M");
    assert_int_equal(result.exit_code, 2);
    run_solve(folder, "--serial-nodes 2M");
    assert_int_equal(result.exit_code, 2);
    run_solve(folder, "--multi-pv 2");
    assert_int_equal(result.exit_code, 2);
    run_in(folder, "--max-serial-nodes 2M");
    assert_int_equal(result.exit_code, 2);
    run_solve(folder, "--positions positions");
    assert_int_equal(result.exit_code, 2);
    program_expect_output(&result, "nothing to solve");
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
        "--workers 0",         "--workers 1,x",
        "--latency 5",         "--jitter 1ms",
        "--bandwidth 1Mb",     "--nps 10",
        "--worker-speeds -1",  "--hash-worker 0",
        "--serial-nodes 2x",   "--workers 1.5",
        "--seeds 1,1.5",       "--seeds 1,,2",
        "--lazy --seeds 1,2",  "word",
        "--no-such-option",    "--fault-every 2",
        "--fault-every 999us", "--lazy --fault-every 1s",
        "--multi-pv 0",        "--multi-pv 257",
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
        cmocka_unit_test(test_a_torn_line_is_done_again),
        cmocka_unit_test(test_without_json_nothing_is_left_behind),
        cmocka_unit_test(test_children_end_with_their_parent),
        cmocka_unit_test(test_the_help_names_the_defaults),
        cmocka_unit_test(test_many_speeds_are_told_apart),
        cmocka_unit_test(test_two_seeds_are_two_experiments),
        cmocka_unit_test(test_several_lines_are_another_experiment),
        cmocka_unit_test(test_the_time_to_the_right_move_is_compared),
        cmocka_unit_test(test_what_solve_cannot_do_is_refused),
        cmocka_unit_test(test_a_search_is_drawn),
        cmocka_unit_test(test_wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
