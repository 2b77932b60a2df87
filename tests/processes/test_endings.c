/*
 * However a program is ended, it ends in good time, says what it owes and leaves no process behind.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "os/clock.h"
#include "support/cluster.h"

typedef enum { BY_QUIT, BY_END_OF_INPUT, BY_HANGUP, BY_TERMINATE, BY_INTERRUPT, WAYS } Way;

static void end_engine(Engine *engine, Way way)
{
    switch (way) {
    case BY_QUIT:
        engine_send(engine, "quit");
        break;
    case BY_END_OF_INPUT:
        process_close_input(&engine->process);
        break;
    case BY_HANGUP:
        process_signal(&engine->process, SIGHUP);
        break;
    case BY_TERMINATE:
        process_signal(&engine->process, SIGTERM);
        break;
    default: /* as a terminal does */
        process_signal_group(&engine->process, SIGINT);
        break;
    }
}

/* Exit code 0, every search answered, nobody left. */
static void expect_end(Engine *engine)
{
    while (engine_read(engine, process_patience_ms(PROCESS_PATIENCE_MS)) != NULL) {
    }
    assert_int_equal(process_wait(&engine->process), 0);
    process_expect_group_gone(&engine->process);
    assert_int_equal(engine->search_count, 0);
    assert_int_equal(engine->owed_ready, 0);
}

static void test_idle(void **state)
{
    Cluster *cluster = *state;
    for (Way way = BY_QUIT; way < WAYS; way++) {
        Engine *engine = cluster_start_embedded(cluster, 0, 2);
        (void)engine_play(engine, "go depth 4");
        end_engine(engine, way);
        expect_end(engine);
        process_destroy(&engine->process);
    }
}

static void test_in_a_search(void **state)
{
    Cluster *cluster = *state;
    for (Way way = BY_QUIT; way < WAYS; way++) {
        Engine *engine = cluster_start_embedded(cluster, 0, 2);
        engine_send(engine, "go infinite");
        engine_ready(engine); /* the search has begun */
        end_engine(engine, way);
        expect_end(engine);
        process_destroy(&engine->process);
    }
}

/* What blocks the prompt for hours ends by signals; a line behind it is for later. */
static void test_in_a_long_count(void **state)
{
    static const char *const counts[] = {"go perft 11", "bench 40"};
    Cluster *cluster = *state;
    for (Way way = BY_HANGUP; way < WAYS; way++) {
        for (int i = 0; i < 2; i++) {
            Engine *engine = cluster_start_embedded(cluster, 0, 2);
            engine->has_other_output = true;
            engine_send(engine, "%s", counts[i]);
            clock_sleep(duration_ms(200)); /* it has begun */
            end_engine(engine, way);
            expect_end(engine);
            process_destroy(&engine->process);
        }
    }
}

/* Kiwipete, of which even the leaves below one move take long. */
#define MANY_MOVES "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

/* What comes a while after the command is meant for it. */
static void test_a_long_count_is_stopped(void **state)
{
    static const char *const counts[] = {"go perft 7", "bench 40"};
    Cluster *cluster = *state;
    for (int i = 0; i < 2; i++) {
        Engine *engine = cluster_start_embedded(cluster, 0, 1);
        engine->has_other_output = true;
        engine_send(engine, "position fen " MANY_MOVES "\n%s", counts[i]);
        clock_sleep(duration_ms(200)); /* it has begun */
        engine_send(engine, "stop");
        engine_ready(engine);
        engine_send(engine, "%s", counts[i]);
        clock_sleep(duration_ms(process_patience_ms(1500)));
        end_engine(engine, i == 0 ? BY_QUIT : BY_END_OF_INPUT);
        expect_end(engine);
        process_destroy(&engine->process);
    }
}

/* A GUI that is killed closes both ends, and says nothing. */
static void test_a_long_count_that_nobody_waits_for(void **state)
{
    Cluster *cluster = *state;
    Engine *engine = cluster_start_embedded(cluster, 0, 1);
    engine->has_other_output = true;
    engine_send(engine, "bench 40"); /* which prints nothing for long */
    process_close_input(&engine->process);
    process_close_output(&engine->process);
    assert_int_equal(process_wait(&engine->process), 0);
    process_expect_group_gone(&engine->process);
}

/* A table's size is nothing to wait for, at the start and at the end. */
static void test_a_worker_with_a_large_table(void **state)
{
    enum { AWAKE_MS_MAX = 4000 };
    Cluster *cluster = *state;
    Process *worker = &cluster->workers[0];
    char path[CLUSTER_TEXT_BYTES_MAX];
    cluster_program(cluster, "rookery-worker", path);
    const char *const words[] = {"--master", cluster->address, "--slots", "1",
                                 "--hash",   "2048",           NULL};
    const Instant start = clock_now();
    process_start(worker, path, words);
    process_await_errors(worker, "1 slot, ", 1);
    process_signal(worker, SIGTERM);
    assert_int_equal(process_wait(worker), 0);
    /* Where there is less memory it waits for some to come free. */
    if (strstr(process_errors(worker), "no memory for a table") == NULL) {
        assert_in_range(duration_to_ms(instant_since(clock_now(), start)), 0,
                        process_patience_ms(AWAKE_MS_MAX));
    }
}

static void test_with_a_remote_cluster(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    for (Way way = BY_QUIT; way < WAYS; way++) {
        Engine *engine = cluster_start_remote(cluster, 0);
        engine_send(engine, "go infinite");
        engine_ready(engine); /* the search has begun */
        end_engine(engine, way);
        expect_end(engine);
        process_destroy(&engine->process);
    }
    /* A busy machine may lose one CLOSE; then the master finds out by itself. */
    process_await_errors(&cluster->master, "(rookery) closed", 1);
}

/* Before the child has come to life, or its master has answered. */
static void test_at_once(void **state)
{
    Cluster *cluster = *state;
    char path[CLUSTER_TEXT_BYTES_MAX];
    cluster_program(cluster, "rookery", path);
    const char *const embedded[] = {NULL};
    const char *const unreachable[] = {"--cluster", cluster->address, NULL};
    for (Way way = BY_QUIT; way < WAYS; way++) {
        Engine *engine = &cluster->engines[0];
        engine_start(engine, path, way % 2 == 0 ? embedded : unreachable);
        engine_send(engine, "uci\nisready\nposition startpos moves e2e4\ngo infinite");
        (void)engine_await(engine, "uciok");
        end_engine(engine, way);
        expect_end(engine);
        process_destroy(&engine->process);
    }
}

/* An engine whose master is nowhere, which has yet to be asked for anything. */
static Engine *start_alone(Cluster *cluster)
{
    Engine *engine = &cluster->engines[0];
    char path[CLUSTER_TEXT_BYTES_MAX];
    cluster_program(cluster, "rookery", path);
    const char *const words[] = {"--cluster", cluster->address, NULL};
    engine_start(engine, path, words);
    engine_send(engine, "uci");
    (void)engine_await(engine, "uciok");
    return engine;
}

/* Its own search ends for a signal, however long its slices are by now. */
static void test_a_search_alone_ends_at_once(void **state)
{
    enum { TIMES = 3, AT_ONCE_MS = 250 };
    Cluster *cluster = *state;
    for (int i = 0; i < TIMES; i++) {
        Engine *engine = start_alone(cluster);
        engine_send(engine, "position startpos\ngo infinite");
        (void)engine_await(engine, "info depth 10 ");
        clock_sleep(duration_ms(700));
        const Instant asked = clock_now();
        end_engine(engine, BY_TERMINATE);
        expect_end(engine);
        assert_in_range(duration_to_ms(instant_since(clock_now(), asked)), 0,
                        process_patience_ms(AT_ONCE_MS));
        process_destroy(&engine->process);
    }
}

/* What is owed is said before, not after. */
static void test_ready_is_said_before_a_bench(void **state)
{
    Engine *engine = start_alone(*state);
    engine_send(engine, "isready\nbench 40");
    (void)engine_await(engine, "readyok");
    end_engine(engine, BY_TERMINATE);
    expect_end(engine);
}

/* A batch of commands, and an input that ends with its last line unfinished. */
static void test_batch_input(void **state)
{
    Cluster *cluster = *state;
    char path[CLUSTER_TEXT_BYTES_MAX];
    const char *const words[] = {NULL};
    Engine *engine = &cluster->engines[0];
    cluster_program(cluster, "rookery", path);
    engine_start(engine, path, words);
    engine_send(engine, "uci\nucinewgame\nisready\nposition startpos\ngo infinite\nisready");
    process_write(&engine->process, "stop");
    process_close_input(&engine->process);
    expect_end(engine);
    assert_true(engine_said(engine, "uciok\n"));
    assert_int_equal(engine_count(engine, "readyok\n"), 2);
}

/* Even kill -9 leaves nobody: the child's socket ends. */
static void test_engine_is_killed(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    engine_send(engine, "go infinite");
    engine_listen(engine, 100);
    process_signal(&engine->process, SIGKILL);
    assert_int_equal(process_wait(&engine->process), -SIGKILL);
    process_expect_group_gone(&engine->process);
}

/* A child that cannot end by itself is killed. */
static void test_child_hangs(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    assert_int_equal(kill(process_wait_for_child(&engine->process), SIGSTOP), 0);
    engine_send(engine, "go infinite");
    engine_quit(engine);
}

static void test_master_and_worker(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    Cluster *cluster = *state;
    for (int i = 0; i < 3; i++) {
        cluster_start(cluster, 1);
        process_signal(&cluster->workers[0], signals[i]);
        assert_int_equal(process_wait(&cluster->workers[0]), 0);
        process_signal(&cluster->master, signals[i]);
        assert_int_equal(process_wait(&cluster->master), 0);
        process_destroy(&cluster->workers[0]);
        process_destroy(&cluster->master);
    }
}

/* Starts a program, with the cluster's address behind its words, that may ignore a terminal. */
static void start_immune(Process *process, const Cluster *cluster, const char *program)
{
    char command[3 * CLUSTER_TEXT_BYTES_MAX];
    const char *const words[] = {"-c", command, NULL};
    (void)snprintf(command, sizeof command, "trap '' HUP INT; exec %s/%s %s", cluster->folder,
                   program, cluster->address);
    process_start(process, "/bin/sh", words);
}

static void send_from_terminal(const Process *process)
{
    process_signal_group(process, SIGHUP);
    process_signal_group(process, SIGINT);
}

/* Under nohup, and in the background of a script, what a terminal sends ends nobody. */
static void test_ignored_signals(void **state)
{
    Cluster *cluster = *state;
    Engine *engine = &cluster->engines[0];
    const char *const words[] = {"-c", "trap '' HUP INT; exec " ROOKERY_BIN_DIR "/rookery", NULL};
    engine_start(engine, "/bin/sh", words);
    engine_ready(engine);
    const pid_t child = process_wait_for_child(&engine->process);
    send_from_terminal(&engine->process);
    (void)engine_play(engine, "go movetime 200");
    assert_false(engine_said(engine, "the search process has ended"));
    assert_int_equal(process_wait_for_child(&engine->process), child);
    engine_quit(engine);
    start_immune(&cluster->workers[0], cluster, "rookery-worker --slots 1 --hash 16 --master");
    process_await_errors(&cluster->workers[0], "connecting to", 1);
    send_from_terminal(&cluster->workers[0]);
    start_immune(&cluster->master, cluster, "rookery-master --listen");
    cluster_await_joined(cluster, 1); /* the worker was there all the time */
    send_from_terminal(&cluster->master);
    cluster_start_worker(cluster, 1, 1);
    cluster_await_joined(cluster, 2);
    process_signal(&cluster->master, SIGTERM);
    assert_int_equal(process_wait(&cluster->master), 0);
}

static void test_worker_without_a_master(void **state)
{
    Cluster *cluster = *state;
    cluster_start_worker(cluster, 0, 2);
    process_await_errors(&cluster->workers[0], "connecting to", 1);
    process_signal(&cluster->workers[0], SIGTERM);
    assert_int_equal(process_wait(&cluster->workers[0]), 0);
}

#define ON(test) CLUSTER_TEST(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(test_idle),
        ON(test_in_a_search),
        ON(test_a_worker_with_a_large_table),
        ON(test_with_a_remote_cluster),
        ON(test_in_a_long_count),
        ON(test_a_long_count_is_stopped),
        ON(test_a_long_count_that_nobody_waits_for),
        ON(test_at_once),
        ON(test_a_search_alone_ends_at_once),
        ON(test_ready_is_said_before_a_bench),
        ON(test_batch_input),
        ON(test_engine_is_killed),
        ON(test_child_hangs),
        ON(test_master_and_worker),
        ON(test_ignored_signals),
        ON(test_worker_without_a_master),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
