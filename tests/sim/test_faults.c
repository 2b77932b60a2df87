/*
 * Faults: one seed is one story, and whatever befalls the workers, a search comes to its end: the
 * depth that was asked for and a legal move.
 */
#include "tools/sim/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/movegen.h"
#include "support/given.h"
#include "tools/sim/cluster.h"

enum { MS = 1000000, DEPTH = 11, STORIES = 12 };

static const char fen[] = "r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 1";

/* ---- what is drawn ---- */

static void test_there_are_all_kinds_for_all_machines(void **state)
{
    (void)state;
    enum { FAULTS = 3000, MACHINES = 5 };
    Faults faults;
    int of_kind[FAULT_KINDS] = {0};
    int of_machine[MACHINES] = {0};
    int64_t at_ns = 77 * MS;
    faults_init(&faults, 10 * MS, MACHINES, 3, at_ns);
    for (int i = 0; i < FAULTS; i++) {
        assert_true(faults.next.at_ns > at_ns);
        const Fault fault = faults_take(&faults);
        at_ns = fault.at_ns;
        of_kind[fault.kind]++;
        of_machine[fault.machine]++;
        assert_in_range(fault.duration_ns, MS, 2048 * (int64_t)MS);
    }
    for (int i = 0; i < FAULT_KINDS; i++) {
        assert_in_range(of_kind[i], FAULTS / FAULT_KINDS / 2, FAULTS / FAULT_KINDS * 2);
    }
    for (int i = 0; i < MACHINES; i++) {
        assert_in_range(of_machine[i], FAULTS / MACHINES / 2, FAULTS / MACHINES * 2);
    }
    assert_in_range(at_ns / FAULTS, 8 * MS, 12 * MS);
}

static void test_without_faults_there_is_none(void **state)
{
    (void)state;
    Faults faults;
    faults_init(&faults, 0, 5, 3, 77);
    assert_true(faults.next.at_ns == INT64_MAX);
}

/* ---- what a cluster makes of it ---- */

/* Searches slow enough for a search to last a second or two. */
static ClusterOutcome search(int machines, int slots, int searches, int64_t every_ns, uint64_t seed)
{
    const ClusterConfig config = {
        .machines = machines,
        .slots = slots,
        .hash_mb = 4,
        .nodes_per_second = 50000,
        .network = {.latency_ns = 200000,
                    .jitter_ns = 50000,
                    .bits_per_second = 1000000000,
                    .seed = seed},
        .master_receive_ns = 4000,
        .master_send_ns = 2000,
        .worker_message_ns = 3000,
        .wake_ns = 5000,
        .splits = true,
        .affinity = true,
        .searches = searches,
        .pushes = true,
        .push_interval_ns = 3 * MS,
        .fault_every_ns = every_ns,
        .fault_seed = seed,
    };
    const Position position = given_position(fen);
    Cluster *cluster = NULL;
    ClusterOutcome outcome;
    memset(&outcome, 0, sizeof outcome);
    Status status = cluster_new(&config, &cluster);
    assert_true(status_is_ok(&status));
    status = cluster_search(cluster, &position, DEPTH, NULL, &outcome);
    cluster_destroy(&cluster);
    if (!status_is_ok(&status)) {
        fail_msg("seed %d: %s", (int)seed, status.message);
    }
    assert_true(movegen_is_legal(&position, outcome.move));
    return outcome;
}

static void test_a_search_survives_whatever_happens(void **state)
{
    (void)state;
    uint64_t faults = 0;
    for (uint64_t seed = 1; seed <= STORIES; seed++) {
        faults += search(4, 1, 64, 100 * MS, seed).faults; /* searches side by side */
        faults += search(3, 2, 1, 100 * MS, seed).faults;  /* one, split */
    }
    assert_true(faults > 10 * STORIES);
}

static void test_a_lone_worker_may_fail_too(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= STORIES; seed++) {
        assert_true(search(1, 1, 64, 300 * MS, seed).faults > 0);
    }
}

static void test_a_story_is_told_twice(void **state)
{
    (void)state;
    const ClusterOutcome first = search(4, 2, 2, 50 * MS, 9);
    const ClusterOutcome second = search(4, 2, 2, 50 * MS, 9);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.faults > 0);
    assert_int_not_equal(first.end_ns, search(4, 2, 2, 50 * MS, 10).end_ns);
}

/* Who loses a worker loses its work, and little else. */
static void test_faults_cost_time_and_not_more(void **state)
{
    (void)state;
    int64_t calm_ns = 0;
    int64_t stormy_ns = 0;
    for (uint64_t seed = 1; seed <= STORIES; seed++) {
        const ClusterOutcome calm = search(4, 1, 64, 0, seed);
        const ClusterOutcome stormy = search(4, 1, 64, 500 * MS, seed);
        assert_int_equal(calm.faults, 0);
        calm_ns += calm.end_ns - calm.begin_ns;
        stormy_ns += stormy.end_ns - stormy.begin_ns;
    }
    assert_true(stormy_ns < 2 * calm_ns);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_all_kinds_for_all_machines),
        cmocka_unit_test(test_without_faults_there_is_none),
        cmocka_unit_test(test_a_search_survives_whatever_happens),
        cmocka_unit_test(test_a_lone_worker_may_fail_too),
        cmocka_unit_test(test_a_story_is_told_twice),
        cmocka_unit_test(test_faults_cost_time_and_not_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
