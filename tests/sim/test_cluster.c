/*
 * Simulated clusters: one worker is the serial search, and a seed has one outcome.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/given.h"
#include "support/given_cluster.h"
#include "tools/sim/baseline.h"
#include "tools/sim/cluster.h"
#include "tools/sim/lazy.h"

enum { WORK = 60000, HASH_MB = 4, MS = 1000000 };

static const char *const fens[] = {
    "r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
};

static int measure_lines(const Position *position, int lines, Baseline *baseline)
{
    const Status status = baseline_measure(position, lines, HASH_MB, WORK, baseline);
    assert_true(status_is_ok(&status));
    const int depth = baseline_depth_beyond(baseline, WORK);
    assert_true(depth > 0);
    return depth;
}

static int measure(const Position *position, Baseline *baseline)
{
    return measure_lines(position, 1, baseline);
}

static ClusterOutcome search(const ClusterConfig *config, const Position *position, int depth)
{
    Cluster *cluster = NULL;
    ClusterOutcome outcome;
    Status status = cluster_new(config, &cluster);
    assert_true(status_is_ok(&status));
    status = cluster_search(cluster, position, depth, NULL, &outcome);
    assert_true(status_is_ok(&status));
    cluster_destroy(&cluster);
    return outcome;
}

static void assert_serial(int lines)
{
    ClusterConfig config = given_cluster(1, 1, 1);
    config.worker_message_ns = 0; /* nothing is taken off the slot's time */
    config.multi_pv = lines;
    for (int i = 0; i < 3; i++) {
        Baseline baseline;
        const Position position = given_position(fens[i]);
        const int depth = measure_lines(&position, lines, &baseline);
        const ClusterOutcome outcome = search(&config, &position, depth);
        assert_int_equal(outcome.nodes, baseline.depths[depth].nodes);
        assert_int_equal(outcome.reported_nodes, outcome.nodes);
        assert_int_equal(outcome.depth, depth);
        assert_int_equal(outcome.move, baseline.depths[depth].move);
        assert_int_equal(outcome.score, baseline.depths[depth].score);
        assert_int_equal(outcome.busy_ns / 1000, outcome.nodes);
        assert_true(outcome.end_ns - outcome.begin_ns > outcome.busy_ns);
    }
}

static void test_one_slot_is_the_serial_search(void **state)
{
    (void)state;
    assert_serial(1);
    assert_serial(3);
}

static void assert_deterministic(int machines, int slots, int searches)
{
    Baseline baseline;
    const Position position = given_position(fens[0]);
    const int depth = measure(&position, &baseline);
    ClusterConfig config = given_cluster(machines, slots, 1);
    config.searches = searches;
    const ClusterOutcome first = search(&config, &position, depth);
    const ClusterOutcome second = search(&config, &position, depth);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.jobs > 0);
    config.network.seed = 2;
    assert_int_not_equal(first.end_ns, search(&config, &position, depth).end_ns);
}

static void test_a_seed_has_one_outcome(void **state)
{
    (void)state;
    assert_deterministic(3, 1, 1);
    assert_deterministic(3, 1, 16);
    assert_deterministic(2, 2, 1);
    assert_deterministic(2, 2, 16);
}

static void test_without_splits_nothing_is_offered(void **state)
{
    (void)state;
    Baseline baseline;
    const Position position = given_position(fens[0]);
    const int depth = measure(&position, &baseline);
    ClusterConfig config = given_cluster(3, 1, 1);
    config.splits = false;
    const ClusterOutcome outcome = search(&config, &position, depth);
    assert_int_equal(outcome.offers, 0);
    assert_int_equal(outcome.waits, 0);
}

static void test_nobody_searches_more_than_there_is_time_for(void **state)
{
    (void)state;
    Baseline baseline;
    const Position position = given_position(fens[0]);
    const int depth = measure(&position, &baseline);
    const ClusterConfig config = given_cluster(2, 2, 3);
    const ClusterOutcome outcome = search(&config, &position, depth);
    assert_true(outcome.busy_ns <= 4 * (outcome.end_ns - outcome.begin_ns));
    assert_true(outcome.nodes <= (uint64_t)outcome.busy_ns / 1000 + 4);
}

static void test_lazy_searches_leave_out_depths_by_groups(void **state)
{
    (void)state;
    Baseline baseline;
    const Position position = given_position(fens[2]);
    const int depth = measure(&position, &baseline);
    const ClusterConfig alone = given_cluster(1, 1, 1);
    ClusterOutcome outcome;
    Status status = lazy_search(&alone, &position, depth, NULL, &outcome);
    assert_true(status_is_ok(&status));
    assert_int_equal(outcome.nodes, baseline.depths[depth].nodes);
    const ClusterConfig four = given_cluster(1, 4, 1);
    ClusterOutcome again;
    status = lazy_search(&four, &position, depth, NULL, &outcome);
    assert_true(status_is_ok(&status));
    status = lazy_search(&four, &position, depth, NULL, &again);
    assert_true(status_is_ok(&status));
    assert_memory_equal(&outcome, &again, sizeof again);
    assert_true(outcome.busy_ns > 3 * (outcome.end_ns - outcome.begin_ns)); /* all four work */
    assert_true(outcome.nodes > baseline.depths[depth].nodes);
}

static void test_both_kinds_of_cluster_end_with_the_solution(void **state)
{
    (void)state;
    Epd epd;
    ClusterOutcome outcome;
    Baseline baseline;
    Status status = epd_parse("6k1/pp3ppp/8/8/8/8/PP3PPP/3R2K1 w - - bm Rd8;", "f", 1, false, &epd);
    assert_true(status_is_ok(&status));
    status = baseline_solve(&epd, HASH_MB, WORK, &baseline);
    assert_true(status_is_ok(&status));
    const Solution serial = baseline_solution(&baseline, &epd, WORK);
    assert_true(solution_is_found(&serial));
    assert_int_equal(baseline.depth, serial.depth);
    assert_int_equal(serial.depth, serial.found_depth + 2);
    for (int lazy = 0; lazy < 2; lazy++) {
        const ClusterConfig config = given_cluster(2, 1, 1);
        Cluster *cluster = NULL;
        Solution solution;
        solution_init(&solution, &epd, INT64_C(1000) * MS);
        status = cluster_new(&config, &cluster);
        assert_true(status_is_ok(&status));
        status = lazy ? lazy_search(&config, &epd.position, ROOT_DEPTH_MAX, &solution, &outcome)
                      : cluster_search(cluster, &epd.position, ROOT_DEPTH_MAX, &solution, &outcome);
        assert_true(status_is_ok(&status));
        assert_true(solution_is_found(&solution));
        assert_true(solution.found > 0);
        assert_true(solution.found < outcome.end_ns - outcome.begin_ns);
        cluster_destroy(&cluster);
    }
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_slot_is_the_serial_search),
        cmocka_unit_test(test_a_seed_has_one_outcome),
        cmocka_unit_test(test_without_splits_nothing_is_offered),
        cmocka_unit_test(test_nobody_searches_more_than_there_is_time_for),
        cmocka_unit_test(test_lazy_searches_leave_out_depths_by_groups),
        cmocka_unit_test(test_both_kinds_of_cluster_end_with_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
