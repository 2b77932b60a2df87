/*
 * The programs' errors, as people meet them: one line that says what is wrong, and an exit code.
 * And the bench through a master, which must count the very nodes of the bench without one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cluster.h"
#include "support/program.h"

#define BIN ROOKERY_BIN_DIR "/"

/* The command says one line, with `text` in it and its own name before, and exits so. */
static void expect_error(const char *command, int exit_code, const char *text)
{
    static ProgramResult result;
    program_run(&result, BIN "%s 2>&1 < /dev/null", command);
    const size_t name_length = strcspn(command, " ");
    if (result.exit_code != exit_code || strncmp(result.output, command, name_length) != 0 ||
        strncmp(result.output + name_length, ": ", 2) != 0 || strstr(result.output, text) == NULL ||
        strchr(result.output, '\n') != result.output + strlen(result.output) - 1) {
        fail_msg("'%s' exited with %d and said:\n%s", command, result.exit_code, result.output);
    }
}

/* Every program answers them, and says so when the answer is lost. */
static void test_help_and_version(void **state)
{
    (void)state;
    static const char *const programs[] = {"rookery",      "rookery-master", "rookery-worker",
                                           "rookery-sim",  "rookery-match",  "rookery-suite",
                                           "rookery-tuner"};
    static const char *const commands[] = {"rookery-tuner positions", "rookery-tuner fit",
                                           "rookery-sim speedup",     "rookery-sim solve",
                                           "rookery-match summary",   "rookery-match ratio"};
    static ProgramResult result;
    char expected[64];
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        program_run(&result, BIN "%s --version", programs[i]);
        (void)snprintf(expected, sizeof expected, "%s " ROOKERY_VERSION "\n", programs[i]);
        assert_string_equal(result.output, expected);
        program_run(&result, BIN "%s --help", programs[i]);
        program_expect_output(&result, "usage: ");
        assert_int_equal(result.exit_code, 0);
        program_run(&result, BIN "%s --help 2>&1 > /dev/full", programs[i]);
        program_expect_output(&result, "cannot write the output");
        assert_int_equal(result.exit_code, 1);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        program_run(&result, BIN "%s --help", commands[i]);
        program_expect_output(&result, "usage: ");
        assert_int_equal(result.exit_code, 0);
    }
}

static void test_port_in_use(void **state)
{
    Cluster *cluster = *state;
    char command[CLUSTER_TEXT_BYTES_MAX];
    cluster_start_master(cluster);
    (void)snprintf(command, sizeof command, "rookery-master --listen %s", cluster->address);
    expect_error(command, 1, cluster->address);
    expect_error(command, 1, "in use");
}

static void test_bad_addresses(void **state)
{
    (void)state;
    expect_error("rookery-master --listen nonsense", 2, "\"nonsense\"");
    expect_error("rookery-master --listen tcp://127.0.0.1:99999", 2, "port");
    expect_error("rookery-master --listen tcp://0.0.0.0:5570", 2, "insecure");
    expect_error("rookery-worker --master udp://127.0.0.1:5570", 2, "tcp://HOST:PORT");
    expect_error("rookery-worker --master tcp://lab:5570", 2, "insecure");
    expect_error("rookery --cluster 127.0.0.1:5570", 2, "tcp://HOST:PORT");
    expect_error("rookery analyse --cluster here --depth 1", 2, "\"here\"");
    expect_error("rookery analyse --cluster tcp://10.255.0.1:5570 --depth 1", 2, "insecure");
}

static void test_wrong_words(void **state)
{
    (void)state;
    expect_error("rookery-master extra", 2, "'extra'");
    expect_error("rookery-worker --slots 0", 2, "--slots");
    expect_error("rookery-worker --hash none", 2, "--hash");
    expect_error("rookery --config /no/such/file", 1, "/no/such/file");
    expect_error("rookery-master --config /no/such/file", 1, "/no/such/file");
    expect_error("rookery --engine-child", 2, "by hand");
}

static void test_unreachable_master(void **state)
{
    const Cluster *cluster = *state;
    char command[CLUSTER_TEXT_BYTES_MAX];
    (void)snprintf(command, sizeof command, "rookery analyse --cluster %s --depth 1",
                   cluster->address);
    expect_error(command, 1, cluster->address);
}

/* A mistyped name is told from a master that is not there, by all that look for one. */
static void test_unknown_host(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "rookery-worker --config $file --hash 1 --master",
        "rookery analyse --config $file --movetime 100 --cluster",
        "rookery --config $file --cluster",
    };
    static ProgramResult result;
    char label[65]; /* more letters than a name can have, so that no name server is asked */
    memset(label, 'a', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        program_run(&result,
                    "file=$(mktemp); printf '[network]\\ninsecure = true\\n' > $file; "
                    "(echo isready; sleep 2) | timeout 2 " BIN "%s tcp://%s:5570 2>&1; rm $file",
                    commands[i], label);
        program_expect_output(&result, "the host \"aaaa");
        program_expect_output(&result, "is not found");
    }
}

/* The main job: a table of what a cluster finds, as long as it was asked for. */
static void test_analysis_by_a_cluster(void **state)
{
    Cluster *cluster = *state;
    static ProgramResult result;
    cluster_start(cluster, 1);
    program_run(&result, BIN "rookery analyse --cluster %s --workers 1 --depth 6 2>&1",
                cluster->address);
    assert_int_equal(result.exit_code, 0);
    assert_non_null(strstr(result.output, "\n   6 "));
    const char *end = strstr(result.output, "\nbest move: ");
    assert_non_null(end);
    assert_true(strlen(end) <= strlen("\nbest move: e2e4\n"));
    program_run(&result, BIN "rookery analyse --cluster %s --workers 2 --depth 6 2>&1",
                cluster->address);
    assert_int_equal(result.exit_code, 1);
    assert_non_null(strstr(result.output, "1 of 2 workers"));
}

/* An address that the option Cluster does not take leaves the engine as it was, and is told why. */
static void test_bad_cluster_option(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 1);
    engine_clear(engine);
    engine_send(engine, "setoption name Cluster value tcp://nonsense");
    engine_send(engine, "setoption name Cluster value tcp://10.255.0.1:5570");
    engine_ready(engine);
    (void)engine_play(engine, "go depth 5");
    assert_true(engine_said(engine, "info string \"tcp://nonsense\""));
    assert_true(engine_said(engine, "insecure = true"));
    assert_int_equal(engine_count(engine, "info string "), 2);
    assert_true(engine_said(engine, "info depth 5 "));
    engine_quit(engine);
}

static unsigned long long bench_nodes(const char *words)
{
    static ProgramResult result;
    unsigned long long nodes = 0;
    program_run(&result, BIN "rookery bench %s 2> /dev/null", words);
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(sscanf(result.output, "Nodes searched  : %llu", &nodes), 1);
    return nodes;
}

static void test_bench_via_master(void **state)
{
    (void)state;
    const bool is_slow = process_slowdown() > 1;
    const unsigned long long nodes = bench_nodes(is_slow ? "4" : "8");
    assert_true(nodes > 0);
    assert_int_equal(bench_nodes(is_slow ? "--via-master 4" : "--via-master 8"), nodes);
}

#define ON(test) CLUSTER_TEST(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(test_help_and_version),   ON(test_port_in_use),        ON(test_bad_addresses),
        ON(test_wrong_words),        ON(test_unreachable_master), ON(test_analysis_by_a_cluster),
        ON(test_bad_cluster_option), ON(test_bench_via_master),   ON(test_unknown_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
