/*
 * The engine in front of a real master and real workers over loopback, and what it does when any of
 * them dies, hangs, comes late or comes back: a legal bestmove, in time, always. U139 and U140 are
 * ids of collected cases (support/uci_case.h).
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "os/clock.h"
#include "support/cluster.h"

enum { TRIES = 5, STOP_MS_MAX = 50, LATE_MS_MAX = 2000 };

/* A search of a second, with `fault` in the middle of it. */
static void play_through(Engine *engine, const Process *victim, int fault)
{
    engine_send(engine, "position startpos moves e2e4 e7e5\ngo movetime 1000");
    engine_listen(engine, 300);
    assert_int_equal(engine->search_count, 1);
    process_signal(victim, fault);
    assert_in_range(engine_best_move(engine), 0, process_patience_ms(LATE_MS_MAX));
}

/* The cluster, not the bridge, answers this one. */
static void play_by_the_cluster(Engine *engine)
{
    engine_ready(engine);
    engine_clear(engine);
    (void)engine_play(engine, "position startpos\ngo depth 9");
    assert_false(engine_said(engine, "searching alone"));
    assert_true(engine_said(engine, "info depth 9 "));
}

static void kill_and_reap(Process *process)
{
    process_signal(process, SIGKILL);
    assert_int_equal(process_wait(process), -SIGKILL);
}

/* ---- nothing fails ---- */

static void test_searches(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    int64_t fastest_move = INT64_MAX;
    int64_t fastest_stop = INT64_MAX;
    play_by_the_cluster(engine);
    (void)engine_play(engine, "ucinewgame\nposition startpos moves d2d4\ngo nodes 20000");
    (void)engine_play(engine, "position startpos moves f2f3 e7e5 g2g4 d8h4\ngo depth 5");
    assert_string_equal(engine->best_move, "(none)");
    engine_send(engine, "position startpos");
    for (int i = 0; i < TRIES; i++) {
        const int64_t move_ms = engine_play(engine, "go movetime 150");
        engine_send(engine, "go infinite");
        engine_listen(engine, 100);
        assert_int_equal(engine->search_count, 1);
        const int64_t stop_ms = engine_play(engine, "stop");
        assert_in_range(move_ms, 50, process_patience_ms(LATE_MS_MAX));
        assert_in_range(stop_ms, 0, process_patience_ms(LATE_MS_MAX));
        fastest_move = move_ms < fastest_move ? move_ms : fastest_move;
        fastest_stop = stop_ms < fastest_stop ? stop_ms : fastest_stop;
    }
    assert_in_range(fastest_move, 50, process_patience_ms(150));
    assert_in_range(fastest_stop, 0, process_patience_ms(STOP_MS_MAX));
    engine_quit(engine);
}

static void test_two_bridges(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *first = cluster_start_remote(cluster, 0);
    Engine *second = cluster_start_remote(cluster, 1);
    for (int i = 0; i < 2; i++) {
        engine_send(first, "position startpos moves e2e4\ngo movetime 400");
        engine_send(second, "position startpos moves d2d4\ngo movetime 400");
        assert_in_range(engine_best_move(first), 0, process_patience_ms(LATE_MS_MAX));
        assert_in_range(engine_best_move(second), 0, process_patience_ms(LATE_MS_MAX));
    }
    assert_false(engine_said(first, "searching alone"));
    assert_false(engine_said(second, "searching alone"));
    engine_send(first, "go infinite");
    play_by_the_cluster(second);
    (void)engine_play(first, "stop");
    engine_quit(first);
    engine_quit(second);
}

/* ---- workers ---- */

static void test_worker_is_killed(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    play_through(engine, &cluster->workers[1], SIGKILL);
    assert_int_equal(process_wait(&cluster->workers[1]), -SIGKILL);
    process_await_errors(&cluster->master, "(w1) is gone", 1);
    play_by_the_cluster(engine);
    engine_quit(engine);
}

/* After SIGCONT it is one of them again, and gets work. */
static void test_worker_is_stopped_and_continued(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    play_through(engine, &cluster->workers[1], SIGSTOP);
    process_await_errors(&cluster->master, "(w1) has been silent too long", 1);
    play_by_the_cluster(engine);
    process_signal(&cluster->workers[1], SIGCONT);
    cluster_await_joined(cluster, 3);
    engine_send(engine, "go infinite");
    cluster_await_jobs(engine, "w1", 0);
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

/* Its first job is done within a second, and the table that says so comes each second. */
static void test_worker_joins_in_a_search(void **state)
{
    enum { FIRST_JOB_MS_MAX = 1000, TABLE_MS_MAX = 1000 };
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    Engine *engine = cluster_start_remote(cluster, 0);
    engine_send(engine, "go infinite");
    engine_listen(engine, 100);
    cluster_start_worker(cluster, 1, 1);
    cluster_await_joined(cluster, 2);
    const Instant joined = clock_now();
    cluster_await_jobs(engine, "w1", 0);
    assert_in_range(instant_since(clock_now(), joined).us / 1000, 0,
                    process_patience_ms(FIRST_JOB_MS_MAX + TABLE_MS_MAX));
    cluster_await_jobs(engine, "w0", 0);
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

static void test_worker_waits_for_its_master(void **state)
{
    Cluster *cluster = *state;
    cluster_start_worker(cluster, 0, 1);
    process_await_errors(&cluster->workers[0], "connecting to", 1);
    clock_sleep(duration_ms(500));
    cluster_start_master(cluster);
    cluster_await_joined(cluster, 1);
    play_by_the_cluster(cluster_start_remote(cluster, 0));
    engine_quit(&cluster->engines[0]);
}

/* SIGTERM: the worker says BYE, so that the master need not find out. */
static void test_worker_leaves(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    play_through(engine, &cluster->workers[1], SIGTERM);
    assert_int_equal(process_wait(&cluster->workers[1]), 0);
    process_await_errors(&cluster->master, "(w1) left", 1);
    process_signal(&cluster->workers[0], SIGTERM);
    assert_int_equal(process_wait(&cluster->workers[0]), 0);
    process_await_errors(&cluster->master, "(w0) left", 1);
    engine_quit(engine);
}

static void test_all_workers_are_gone(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    kill_and_reap(&cluster->workers[1]);
    play_through(engine, &cluster->workers[0], SIGKILL);
    assert_int_equal(process_wait(&cluster->workers[0]), -SIGKILL);
    engine_clear(engine);
    assert_in_range(engine_play(engine, "go movetime 500"), 0, process_patience_ms(LATE_MS_MAX));
    (void)engine_play(engine, "go depth 5");
    assert_true(engine_said(engine, "searching alone"));
    cluster_start_worker(cluster, 2, 1);
    cluster_await_joined(cluster, 3);
    play_by_the_cluster(engine);
    engine_quit(engine);
}

/* The bridge goes on alone, and gives the stop its answer. */
static void test_workers_die_in_a_search_without_a_clock(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    engine_send(engine, "go depth 60");
    (void)engine_await(engine, "info depth 4 ");
    kill_and_reap(&cluster->workers[0]);
    kill_and_reap(&cluster->workers[1]);
    (void)engine_await(engine, "info string no workers are left, searching alone");
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

/* U140: answered in time, though nobody searches; and by the worker again once it goes on. */
static void test_all_workers_are_stopped(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    Engine *engine = cluster_start_remote(cluster, 0);
    process_signal(&cluster->workers[0], SIGSTOP);
    for (int i = 0; i < 3; i++) {
        assert_in_range(engine_play(engine, "go movetime 500"), 0,
                        process_patience_ms(LATE_MS_MAX));
    }
    process_signal(&cluster->workers[0], SIGCONT);
    engine_send(engine, "go infinite");
    cluster_await_jobs(engine, "w0", 0);
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

/* ---- master and engine child ---- */

static void test_master_is_restarted_between_moves(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 2);
    Engine *engine = cluster_start_remote(cluster, 0);
    play_by_the_cluster(engine);
    kill_and_reap(&cluster->master);
    assert_in_range(engine_play(engine, "go movetime 300"), 0, process_patience_ms(LATE_MS_MAX));
    process_destroy(&cluster->master);
    cluster_start_master(cluster);
    cluster_await_joined(cluster, 2);
    process_await_errors(&cluster->master, "(rookery) opened", 1);
    play_by_the_cluster(engine);
    engine_quit(engine);
}

static void test_master_dies_in_a_search(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    Engine *engine = cluster_start_remote(cluster, 0);
    play_through(engine, &cluster->master, SIGKILL);
    assert_int_equal(process_wait(&cluster->master), -SIGKILL);
    engine_send(engine, "go infinite");
    engine_listen(engine, 300);
    (void)engine_play(engine, "stop");
    engine_quit(engine);
}

/* Nobody is given up because the master itself has slept. */
static void test_master_is_stopped_and_continued(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    Engine *engine = cluster_start_remote(cluster, 0);
    const Instant continued = instant_add(clock_now(), duration_ms(3300));
    play_through(engine, &cluster->master, SIGSTOP); /* after 0.3 s */
    clock_sleep(instant_since(continued, clock_now()));
    process_signal(&cluster->master, SIGCONT);
    engine_send(engine, "position startpos\ngo infinite");
    cluster_await_jobs(engine, "w0", 0);
    engine_listen(engine, 1600); /* longer than the master's lease */
    (void)engine_play(engine, "stop");
    assert_null(strstr(process_errors(&cluster->master), "silent too long"));
    assert_null(strstr(process_errors(&cluster->workers[0]), "connecting again"));
    engine_quit(engine);
}

static void test_child_aborts_in_a_search(void **state)
{
    Cluster *cluster = *state;
    cluster_start(cluster, 1);
    Engine *engine = cluster_start_remote(cluster, 0);
    const Process child = {.id = process_wait_for_child(&engine->process)};
    play_through(engine, &child, SIGABRT);
    assert_true(engine_said(engine, "info string the search process has ended"));
    play_by_the_cluster(engine);
    engine_quit(engine);
}

/* U139: ready in good time, and a move by the bridge alone. */
static void test_master_is_never_there(void **state)
{
    Engine *engine = cluster_start_remote(*state, 0);
    engine_clear(engine);
    assert_in_range(engine_play(engine, "go movetime 500"), 0, process_patience_ms(LATE_MS_MAX));
    assert_true(engine_said(engine, "info string nothing heard from the search yet"));
    assert_true(engine_said(engine, " pv "));
    engine_quit(engine);
}

#define ON(test) CLUSTER_TEST(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(test_searches),
        ON(test_two_bridges),
        ON(test_worker_is_killed),
        ON(test_worker_is_stopped_and_continued),
        ON(test_worker_joins_in_a_search),
        ON(test_worker_waits_for_its_master),
        ON(test_worker_leaves),
        ON(test_all_workers_are_gone),
        ON(test_workers_die_in_a_search_without_a_clock),
        ON(test_all_workers_are_stopped),
        ON(test_master_is_restarted_between_moves),
        ON(test_master_dies_in_a_search),
        ON(test_master_is_stopped_and_continued),
        ON(test_child_aborts_in_a_search),
        ON(test_master_is_never_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
