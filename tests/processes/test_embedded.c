/*
 * The engine that needs no cluster, as a GUI meets it: `rookery` on a pipe, with the whole system
 * below it. What the engine says is judged line by line (support/engine.h).
 */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/child.h"
#include "os/clock.h"
#include "support/cluster.h"

enum { TRIES = 5, STOP_MS_MAX = 50, LATE_MS_MAX = 2000 };

static void test_uci(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    engine_send(engine, "uci");
    (void)engine_await(engine, "id name Rookery ");
    (void)engine_await(engine, "option name Threads type spin ");
    (void)engine_await(engine, "uciok");
    engine_send(engine, "ucinewgame");
    engine_ready(engine);
    engine_quit(engine);
}

/* After readyok the first go is searched by the cluster, not by the bridge alone. */
static void test_ready_means_ready(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    engine_clear(engine);
    (void)engine_play(engine, "go depth 9");
    assert_false(engine_said(engine, "searching alone"));
    assert_true(engine_said(engine, "info depth 9 "));
    engine_send(engine, "setoption name Threads value 1\nucinewgame");
    engine_ready(engine);
    (void)engine_play(engine, "go depth 9");
    assert_false(engine_said(engine, "searching alone"));
    engine_quit(engine);
}

static void test_limits(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    (void)engine_play(engine, "position startpos moves e2e4 c7c5\ngo depth 6");
    (void)engine_play(engine, "go nodes 20000");
    engine_clear(engine);
    (void)engine_play(engine, "go nodes 1");
    assert_true(engine_said(engine, " score cp ")); /* a move that was looked at */
    (void)engine_play(engine, "go searchmoves a2a3 depth 4");
    assert_string_equal(engine->best_move, "a2a3");
    (void)engine_play(engine, "go wtime 2000 btime 2000 winc 10 binc 10");
    engine_clear(engine);
    (void)engine_play(engine, "setoption name MultiPV value 3\ngo depth 5");
    assert_true(engine_said(engine, "info depth 5 seldepth "));
    assert_true(engine_said(engine, " multipv 3 "));
    (void)engine_play(engine, "position fen k7/8/1K6/8/8/8/8/7R w - - 0 1\ngo mate 1");
    assert_string_equal(engine->best_move, "h1h8");
    engine_quit(engine);
}

/* A weak player answers like a strong one, with few nodes, and analyses with as many as ever. */
static void test_limited_strength(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    engine_send(engine, "setoption name UCI_LimitStrength value true\n"
                        "setoption name UCI_Elo value 1000\nposition startpos moves e2e4");
    for (int i = 0; i < 5; i++) {
        engine_clear(engine);
        (void)engine_play(engine, "go wtime 60000 btime 60000 winc 100 binc 100");
        assert_in_range(engine_last_number(engine, "nodes"), 1, 1000);
    }
    (void)engine_play(engine, "setoption name UCI_Elo value 3000\ngo wtime 9000 btime 9000");
    engine_clear(engine);
    (void)engine_play(engine, "go nodes 20000");
    assert_in_range(engine_last_number(engine, "nodes"), 10000, 30000);
    engine_quit(engine);
}

/* U133, with less memory: the order of the two does not matter, a large table is no wait. */
static void test_hash_before_threads(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 1);
    engine_send(engine, "setoption name Hash value 256\nsetoption name Threads value 2\n"
                        "ucinewgame");
    engine_ready(engine);
    engine_clear(engine);
    (void)engine_play(engine, "go depth 8");
    assert_false(engine_said(engine, "searching alone"));
    engine_quit(engine);
}

/* A table beyond the limit on memory becomes a smaller one, which is said; the cluster plays. */
static void test_hash_beyond_memory(void **state)
{
    char path[CLUSTER_TEXT_BYTES_MAX];
    char command[2 * CLUSTER_TEXT_BYTES_MAX];
    Cluster *cluster = *state;
    Engine *engine = &cluster->engines[0];
    if (process_slowdown() > 1) {
        print_message("skipped: sanitizers take more address space than any limit\n");
        skip();
    }
    cluster_program(cluster, "rookery", path);
    (void)snprintf(command, sizeof command, "ulimit -v 1000000; exec %s", path);
    const char *const words[] = {"-c", command, NULL};
    engine_start(engine, "/bin/sh", words);
    engine_send(engine, "setoption name Threads value 1\nsetoption name Hash value 16384");
    engine_ready(engine);
    assert_true(
        engine_said(engine, "info string no memory for a Hash of 16384 MiB: it is 512 MiB"));
    engine_clear(engine);
    (void)engine_play(engine, "go depth 8");
    assert_false(engine_said(engine, "searching alone"));
    engine_quit(engine);
}

/* Other programs may take the processor for a while, so the fastest of a few counts. */
static void test_move_time_is_kept(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    int64_t fastest = INT64_MAX;
    for (int i = 0; i < TRIES && fastest > 200; i++) {
        const int64_t ms = engine_play(engine, "go movetime 200");
        assert_in_range(ms, 100, process_patience_ms(LATE_MS_MAX));
        fastest = ms < fastest ? ms : fastest;
    }
    assert_in_range(fastest, 100, process_patience_ms(200));
    engine_quit(engine);
}

static void test_stop_is_answered_soon(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    int64_t fastest = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        engine_send(engine, "go infinite");
        engine_listen(engine, 100);
        assert_int_equal(engine->search_count, 1);
        const int64_t ms = engine_play(engine, "stop");
        assert_in_range(ms, 0, process_patience_ms(LATE_MS_MAX));
        fastest = ms < fastest ? ms : fastest;
    }
    assert_in_range(fastest, 0, process_patience_ms(STOP_MS_MAX));
    engine_quit(engine);
}

/* No answer while it ponders; then what the clock allows, or at once. */
static void test_pondering(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    engine_send(engine, "position startpos moves e2e4 e7e5 g1f3");
    for (int i = 0; i < 2; i++) {
        engine_send(engine, "go ponder wtime 4000 btime 4000");
        engine_listen(engine, 600); /* longer than a move's share */
        assert_int_equal(engine->search_count, 1);
        const int64_t ms = engine_play(engine, i == 0 ? "ponderhit" : "stop");
        assert_in_range(ms, 0, process_patience_ms(LATE_MS_MAX));
        assert_string_not_equal(engine->best_move, "");
    }
    engine_quit(engine);
}

/* One bestmove each, in order, whatever comes between; no line for a search that was answered. */
static void test_bursts(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    for (int i = 0; i < TRIES; i++) {
        engine_send(engine, "position startpos\ngo infinite\nstop\n"
                            "position startpos moves e2e4\ngo infinite\nisready\nstop\nstop\n"
                            "position startpos moves e2e4 c7c5\ngo depth 12\n"
                            "ucinewgame\nposition startpos moves d2d4\ngo movetime 20");
        (void)engine_best_move(engine);
    }
    engine_ready(engine);
    engine_listen(engine, 100);
    engine_quit(engine);
}

static void test_mate_and_stalemate(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    (void)engine_play(engine, "position startpos moves f2f3 e7e5 g2g4 d8h4\ngo movetime 1000");
    assert_string_equal(engine->best_move, "(none)");
    engine_send(engine, "position fen k7/8/1Q6/8/8/8/8/7K b - - 0 1\ngo infinite");
    engine_listen(engine, 100);
    assert_int_equal(engine->search_count, 1);
    (void)engine_play(engine, "stop");
    assert_string_equal(engine->best_move, "(none)");
    engine_quit(engine);
}

static void test_chess960(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    (void)engine_play(engine, "setoption name UCI_Chess960 value true\n"
                              "position fen nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - "
                              "0 1 moves g2g3 g7g6 f1g2 f8g7\ngo depth 8 searchmoves g1h1");
    assert_string_equal(engine->best_move, "g1h1");
    engine_quit(engine);
}

/* ---- the process that searches fails ---- */

static void test_child_aborts_in_a_search(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    const pid_t child = process_wait_for_child(&engine->process);
    engine_send(engine, "go movetime 1000");
    engine_listen(engine, 200);
    assert_int_equal(kill(child, SIGABRT), 0);
    assert_in_range(engine_best_move(engine), 500, process_patience_ms(LATE_MS_MAX));
    assert_true(engine_said(engine, "info string the search process has ended"));
    assert_int_not_equal(process_wait_for_child(&engine->process), child);
    engine_ready(engine);
    engine_clear(engine);
    (void)engine_play(engine, "go depth 8");
    assert_false(engine_said(engine, "searching alone"));
    engine_quit(engine);
}

static void test_child_hangs_in_a_search(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    const pid_t child = process_wait_for_child(&engine->process);
    engine_send(engine, "go movetime 500");
    engine_listen(engine, 100);
    assert_int_equal(kill(child, SIGSTOP), 0);
    assert_in_range(engine_best_move(engine), 300, process_patience_ms(LATE_MS_MAX));
    (void)engine_await(engine, "info string the search process hangs");
    engine_ready(engine);
    engine_clear(engine);
    (void)engine_play(engine, "go depth 8");
    assert_false(engine_said(engine, "searching alone"));
    engine_quit(engine);
}

/* The other process's descriptor as one of this process; -1 if that is not allowed here. */
static int take_descriptor(pid_t process, int descriptor)
{
    const int handle = pidfd_open(process, 0);
    const int taken = handle >= 0 ? pidfd_getfd(handle, descriptor, 0) : -1;
    (void)close(handle);
    return taken;
}

/* A stream with a length that cannot be is broken for good: the child is replaced at once. */
static void test_child_breaks_its_stream(void **state)
{
    static const char *const lengths[] = {"\0\0\0\0", "\xff\xff\xff\xff"};
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    for (int i = 0; i < 2; i++) {
        const pid_t child = process_wait_for_child(&engine->process);
        const int socket = take_descriptor(child, CHILD_SOCKET);
        if (socket < 0) {
            print_message("skipped: descriptors of other processes are out of reach\n");
            skip();
        }
        engine_clear(engine);
        assert_int_equal(write(socket, lengths[i], 4), 4);
        assert_int_equal(close(socket), 0);
        (void)engine_await(engine, "info string the search process ");
        assert_true(engine_said(engine, "info string the search process has ended"));
        engine_ready(engine);
        assert_int_not_equal(process_wait_for_child(&engine->process), child);
    }
    (void)engine_play(engine, "go depth 8");
    engine_quit(engine);
}

/*
 * A hung child whose end takes long, here because the test traces it, is replaced without waiting:
 * the go in which that happens is answered in time.
 */
static void test_child_ends_slowly(void **state)
{
    enum { SLOWEST_MS_MAX = 800 };
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    const pid_t child = process_wait_for_child(&engine->process);
    if (ptrace(PTRACE_SEIZE, child, NULL, NULL) != 0) {
        print_message("skipped: other processes may not be traced\n");
        skip();
    }
    int64_t last = 0;
    assert_int_equal(kill(child, SIGSTOP), 0);
    for (int i = 0; i < 100 && !engine_said(engine, "info string the search process hangs"); i++) {
        last = engine_play(engine, "go movetime 100");
    }
    assert_true(engine_said(engine, "info string the search process hangs"));
    assert_in_range(last, 0, process_patience_ms(SLOWEST_MS_MAX));
    assert_int_equal(waitpid(child, NULL, __WALL), child);
    engine_ready(engine);
    engine_quit(engine);
}

static void test_child_dies_between_moves(void **state)
{
    Engine *engine = cluster_start_embedded(*state, 0, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kill(process_wait_for_child(&engine->process), SIGKILL), 0);
        assert_in_range(engine_play(engine, "go movetime 300"), 0,
                        process_patience_ms(LATE_MS_MAX));
        engine_ready(engine);
    }
    engine_quit(engine);
}

#define ON(test) CLUSTER_TEST(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(test_uci),
        ON(test_ready_means_ready),
        ON(test_limits),
        ON(test_limited_strength),
        ON(test_hash_before_threads),
        ON(test_hash_beyond_memory),
        ON(test_move_time_is_kept),
        ON(test_stop_is_answered_soon),
        ON(test_pondering),
        ON(test_bursts),
        ON(test_mate_and_stalemate),
        ON(test_chess960),
        ON(test_child_aborts_in_a_search),
        ON(test_child_hangs_in_a_search),
        ON(test_child_breaks_its_stream),
        ON(test_child_ends_slowly),
        ON(test_child_dies_between_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
