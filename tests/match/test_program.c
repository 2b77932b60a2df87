/*
 * rookery-match, run as a person runs it, with a shell script in the place of a match runner: it
 * writes down the words it was given, one a line, and "plays" games that lie ready.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "support/program.h"

#define MATCH ROOKERY_BIN_DIR "/rookery-match "
/* The engines are never run, only looked for. */
#define ENGINES "--engine /bin/true --engine-name new --opponent /bin/false --opponent-name old "

static char folder[64];
static ProgramResult result;

static const char fake_runner[] = "#!/bin/sh\n"
                                  "printf '%s\\n' \"$@\" > words\n"
                                  "while [ $# -gt 0 ]; do\n"
                                  "    if [ \"$1\" = -pgnout ]; then pgn=${2#file=}; fi\n"
                                  "    shift\n"
                                  "done\n"
                                  "if [ -e games ]; then cat games >> \"$pgn\"; fi\n"
                                  "echo chatter of the runner\n"
                                  "if [ -e ends_badly ]; then exit 3; fi\n";

/* A pair that new wins by 2, one it draws by 1 each; a loss on time, an illegal move, a crash. */
static const char four_games[] =
    "[White \"new\"]\n[Black \"old\"]\n[Round \"1\"]\n[Termination \"time forfeit\"]\n\n1. e4 "
    "1-0\n\n"
    "[White \"old\"]\n[Black \"new\"]\n[Round \"1\"]\n[Termination \"abandoned\"]\n\n1. e4 0-1\n\n"
    "[White \"new\"]\n[Black \"old\"]\n[Round \"2\"]\n[Termination \"illegal move\"]\n\n1. d4 "
    "0-1\n\n"
    "[White \"old\"]\n[Black \"new\"]\n[Round \"2\"]\n\n1. d4 0-1\n\n";

static void write_file(const char *name, const char *text)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void expect_file(const char *name, const char *text)
{
    program_run(&result, "cat %s/%s", folder, name);
    assert_string_equal(result.output, text);
}

static void run_match(const char *words)
{
    program_run(&result, "cd %s && " MATCH "%s 2>&1", folder, words);
}

static void expect_refused(const char *words, const char *message)
{
    run_match(words);
    program_expect_output(&result, message);
    assert_int_equal(result.exit_code, 2);
}

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/rookery-match-test-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    write_file("fastchess", fake_runner);
    write_file("cutechess-cli", fake_runner);
    write_file("games", four_games);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    program_run(&result, "rm -r %s", folder);
    return result.exit_code;
}

static void test_fastchess_is_told_everything(void **state)
{
    (void)state;
    run_match("--runner ./fastchess " ENGINES
              "--tc 1+0.01 --engine-tc 2+0.02 --opponent-nodes 5000 --hash 32 --engine-threads 2 "
              "--engine-arg --version --engine-arg=-x --engine-option 'Move Overhead=5' "
              "--opponent-option UCI_LimitStrength=true --opponent-option UCI_Elo=2000 "
              "--games 4 --concurrency 2 --seed 7 --book b.epd --sprt -2.5 5 --pgn out.pgn");
    assert_int_equal(result.exit_code, 0);
    expect_file("words", "-engine\nname=new\ncmd=/bin/true\nproto=uci\nargs=--version -x\n"
                         "tc=2+0.02\noption.Hash=32\noption.Threads=2\noption.Move Overhead=5\n"
                         "-engine\nname=old\ncmd=/bin/false\nproto=uci\n"
                         "tc=1+0.01\nnodes=5000\noption.Hash=32\noption.Threads=1\n"
                         "option.UCI_LimitStrength=true\noption.UCI_Elo=2000\n"
                         "-rounds\n2\n-games\n2\n-repeat\n-recover\n-concurrency\n2\n-srand\n7\n"
                         "-variant\nstandard\n-openings\nfile=b.epd\nformat=epd\norder=random\n"
                         "-sprt\nelo0=-2.5\nelo1=5\nalpha=0.05\nbeta=0.05\nmodel=logistic\n"
                         "-pgnout\nfile=out.pgn\n-config\noutname=/dev/null\n");
    expect_file("out.pgn", four_games);
}

static void test_cutechess_is_told_everything(void **state)
{
    (void)state;
    run_match("--runner ./cutechess-cli " ENGINES
              "--depth 8 --opponent-arg 'two words' --opponent-arg second --games 4 "
              "--book b.pgn --variant fischerandom --sprt 0 5");
    assert_int_equal(result.exit_code, 0);
    program_run(&result, "sed -i '/^.tmp.rookery-match-/d' %s/words", folder);
    expect_file("words", "-engine\nname=new\ncmd=/bin/true\nproto=uci\n"
                         "tc=inf\ndepth=8\noption.Hash=16\noption.Threads=1\n"
                         "-engine\nname=old\ncmd=/bin/false\nproto=uci\n"
                         "arg=two words\narg=second\n"
                         "tc=inf\ndepth=8\noption.Hash=16\noption.Threads=1\n"
                         "-rounds\n2\n-games\n2\n-repeat\n-recover\n-concurrency\n1\n-srand\n1\n"
                         "-variant\nfischerandom\n-openings\nfile=b.pgn\nformat=pgn\norder=random\n"
                         "-sprt\nelo0=0\nelo1=5\nalpha=0.05\nbeta=0.05\n-pgnout\n");
}

static void test_summary_of_a_match(void **state)
{
    (void)state;
    program_run(&result, "cd %s && PATH=$PWD:$PATH " MATCH ENGINES "--nodes 10 --games 4 2> noise",
                folder);
    assert_int_equal(result.exit_code, 0);
    assert_string_equal(
        result.output, "new against old\n"
                       "games             4: 3 won, 1 lost, 0 drawn\n"
                       "score             75.00%\n"
                       "pairs             2: 0 0 1 0 1 with 0, 1/2, 1, 3/2, 2 points\n"
                       "Elo difference    +190.8, error unknown: too few games, or too much alike\n"
                       "normalized Elo    +245.7 +- 340.5\n"
                       "superiority       92.14% likely\n"
                       "losses on time    0 by new, 1 by old\n"
                       "illegal moves     1 by new, 0 by old\n"
                       "disconnects       0 by new, 1 by old\n");
    expect_file("noise", "chatter of the runner\n");
}

static void test_names_of_the_programs(void **state)
{
    (void)state;
    run_match("--runner ./fastchess --engine true --opponent /bin/true --depth 1 --games 4");
    program_expect_output(&result, "no game of true");
    assert_int_equal(result.exit_code, 1);
    program_run(&result, "grep ^name= %s/words", folder);
    assert_string_equal(result.output, "name=true\nname=true-opponent\n");
}

static void test_summary_of_a_file(void **state)
{
    (void)state;
    run_match("summary games --engine old --sprt 0 5");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "old against new\n");
    program_expect_output(&result, "games             4: 1 won, 3 lost, 0 drawn\n");
    program_expect_output(&result, "LLR               -");
    program_expect_output(&result, "undecided\n");
    run_match("summary games");
    program_expect_output(&result, "new against old\n");
    run_match("summary games --engine nobody");
    program_expect_output(&result, "rookery-match: games: no game of nobody\n");
    assert_int_equal(result.exit_code, 1);
    run_match("summary missing");
    assert_int_equal(result.exit_code, 1);

    write_file("broken", "[White \"new\"]\n[Black \"old\"]\n\n1. e5 1-0\n\n"
                         "[White \"new\"]\n[Black \"old\"]\n\n1. e4 1-0\n\n");
    run_match("summary broken --engine new");
    program_expect_output(&result, "unreadable        1 games, left out\n");
    assert_int_equal(result.exit_code, 1);
}

static void test_ratio_of_two_files(void **state)
{
    (void)state;
    program_run(&result,
                "cd %s && sed 's/Round \"/&x/' games > more && cat games >> more && "
                "sed 's/0-1$/1-0/' games >> more && cat games games more > all",
                folder);
    run_match("ratio more all --engine new");
    assert_int_equal(result.exit_code, 0);
    program_expect_output(&result, "new against old, 12 games: Elo difference    ");
    program_expect_output(&result, "new against old, 20 games: Elo difference    ");
    program_expect_output(&result, "\nratio             0.");
    run_match("ratio games more --engine new");
    program_expect_output(&result, "cannot be divided");
    assert_int_equal(result.exit_code, 1);
}

static void test_runners_that_fail(void **state)
{
    (void)state;
    run_match("--runner ./none " ENGINES "--tc 1+0 --games 4");
    program_expect_output(&result, "./none is no program: build fastchess or cutechess-cli");
    assert_int_equal(result.exit_code, 1);
    program_run(&result, "cd %s && PATH=/nowhere " MATCH ENGINES "--tc 1+0 --games 4 2>&1", folder);
    program_expect_output(&result, "no match runner on PATH: build fastchess or cutechess-cli");
    assert_int_equal(result.exit_code, 1);

    run_match("--runner ./fastchess " ENGINES "--tc 1+0 --games 6");
    program_expect_output(&result, "games             4: ");
    program_expect_output(&result, "rookery-match: the runner ended after 4 of 6 games\n");
    assert_int_equal(result.exit_code, 1);

    write_file("ends_badly", "");
    run_match("--runner ./fastchess " ENGINES "--tc 1+0 --games 4");
    program_expect_output(&result, "games             4: ");
    program_expect_output(&result, "rookery-match: the runner failed with exit code 3\n");
    assert_int_equal(result.exit_code, 1);
}

/* The runner is asked to end in order, and what it has played counts. */
static void test_a_match_ended_early(void **state)
{
    (void)state;
    write_file("slow-fastchess", "#!/bin/sh\n"
                                 "trap 'cat games > out.pgn; exit 0' INT\n"
                                 "kill -TERM $PPID\n"
                                 "while :; do sleep 0.05; done\n");
    run_match("--runner ./slow-fastchess " ENGINES "--tc 1+0 --games 400 --pgn out.pgn");
    program_expect_output(&result, "games             4: 3 won");
    program_expect_output(&result, "rookery-match: the match was ended early by a signal\n");
    assert_int_equal(result.exit_code, 1);
}

static void test_wrong_usage(void **state)
{
    (void)state;
#define RIGHT "--runner ./fastchess " ENGINES "--tc 1+0 --games 4 "
    expect_refused("", "--engine and --opponent are needed");
    expect_refused("--engine /bin/true --games 4 --tc 1+0", "--engine and --opponent are needed");
    expect_refused(ENGINES "--games 4", "--engine has no --tc, --nodes or --depth");
    expect_refused(ENGINES "--games 4 --engine-tc 1+0", "--opponent has no --tc");
    expect_refused(ENGINES "--tc 1+0", "--games must be even");
    expect_refused(RIGHT "--games 5", "--games must be even");
    expect_refused(RIGHT "--opponent-name new", "both engines have the name new");
    expect_refused(RIGHT "--engine-option Hash", "--engine-option must be NAME=VALUE, not 'Hash'");
    expect_refused(RIGHT "--engine-option", "option --engine-option needs 1 value");
    expect_refused(RIGHT "--sprt 5", "option --sprt needs 2 values");
    expect_refused(RIGHT "--sprt 5 0", "the first Elo must be the lower one");
    expect_refused(RIGHT "--sprt 0 5x", "'5x' is no Elo difference");
    expect_refused(RIGHT "--sprt 0 nan", "'nan' is no Elo difference");
    expect_refused(RIGHT "--book openings", "--book must be a file .epd or .pgn");
    expect_refused(RIGHT "--variant atomic", "--variant must be");
    expect_refused(RIGHT "--variant fischerandom", "needs a --book");
    expect_refused(RIGHT "--pgn games", "--pgn: games exists already");
    expect_refused(RIGHT "--runner /bin/true", "the name must hold fastchess or cutechess");
    expect_refused(RIGHT "--engine-arg 'two words'", "cannot give an engine the argument");
    expect_refused(RIGHT "stray", "'stray' is not understood");
    expect_refused("summary", "1 PGN file is needed");
    expect_refused("summary games games", "1 PGN file is needed");
    expect_refused("ratio games --engine new", "2 PGN files are needed");
    expect_refused("ratio games games", "ratio takes --engine NAME");
    run_match(RIGHT "--opponent /no/such/engine");
    program_expect_output(&result, "/no/such/engine is no program");
    assert_int_equal(result.exit_code, 1);
    run_match("--help");
    program_expect_output(&result, "usage: rookery-match");
    assert_int_equal(result.exit_code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fastchess_is_told_everything, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_cutechess_is_told_everything, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_summary_of_a_match, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_names_of_the_programs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_summary_of_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_ratio_of_two_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_runners_that_fail, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_match_ended_early, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_wrong_usage, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
