/*
 * Faults: one seed is one story, each kind costs what it must and not more, and whatever befalls
 * the workers, a search comes to its end.
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
#include "support/given_cluster.h"

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

static void test_a_single_one_is_the_only_one(void **state)
{
    (void)state;
    const Fault fault = {.at_ns = 5, .kind = FAULT_PAUSE, .machine = 2, .duration_ns = 7};
    Faults faults;
    faults_init_single(&faults, &fault);
    assert_true(faults.next.at_ns == 5);
    const Fault taken = faults_take(&faults);
    assert_memory_equal(&taken, &fault, sizeof fault);
    assert_true(faults.next.at_ns == INT64_MAX);
}

/* ---- what a cluster makes of it ---- */

/* Searches slow enough for a search to last a second or two. */
static ClusterConfig config_of(int machines, int slots, int searches, uint64_t seed)
{
    ClusterConfig config = given_cluster(machines, slots, seed);
    config.nodes_per_second = 50000;
    config.affinity = true;
    config.searches = searches;
    config.pushes = true;
    config.push_interval_ns = 3 * MS;
    config.fault_seed = seed + 1000;
    return config;
}

static ClusterOutcome search(const ClusterConfig *config)
{
    const Position position = given_position(fen);
    Cluster *cluster = NULL;
    ClusterOutcome outcome;
    memset(&outcome, 0, sizeof outcome);
    Status status = cluster_new(config, &cluster);
    assert_true(status_is_ok(&status));
    status = cluster_search(cluster, &position, DEPTH, NULL, &outcome);
    cluster_destroy(&cluster);
    if (!status_is_ok(&status)) {
        fail_msg("seed %d: %s", (int)config->network.seed, status.message);
    }
    assert_true(movegen_is_legal(&position, outcome.move));
    return outcome;
}

static ClusterOutcome search_in_storm(int machines, int slots, int searches, int64_t every_ns,
                                      uint64_t seed)
{
    ClusterConfig config = config_of(machines, slots, searches, seed);
    config.fault_every_ns = every_ns;
    return search(&config);
}

static int64_t duration_of(const ClusterOutcome *outcome)
{
    return outcome->end_ns - outcome->begin_ns;
}

/* For how long a lone worker does not search, in ms, when this befalls it after 100 ms. */
static int64_t ms_idle_by(FaultKind kind, int duration_ms)
{
    const Fault fault = {
        .at_ns = 100 * (int64_t)MS, .kind = kind, .duration_ns = duration_ms * (int64_t)MS};
    ClusterConfig config = config_of(1, 1, 1, 1);
    config.fault = &fault;
    const ClusterOutcome outcome = search(&config);
    assert_int_equal(outcome.faults, 1);
    assert_int_equal(outcome.depth, DEPTH);
    return (duration_of(&outcome) - outcome.busy_ns) / MS;
}

static void test_each_fault_costs_what_it_must(void **state)
{
    (void)state;
    const ClusterConfig calm = config_of(1, 1, 1, 1);
    const ClusterOutcome outcome = search(&calm);
    const int64_t idle_ms = (duration_of(&outcome) - outcome.busy_ns) / MS;
    assert_int_equal(outcome.faults, 0);
    assert_in_range(idle_ms, 0, 15); /* from one job to the next */
    assert_in_range(ms_idle_by(FAULT_PAUSE, 400), 400, 400 + 30);
    /* Two ways at least between two jobs. */
    assert_in_range(ms_idle_by(FAULT_DELAY, 400), 2 * 40, 400 + 2 * 40);
    /* It is back at once; the master knows with its next PING. */
    assert_in_range(ms_idle_by(FAULT_CUT, 0), 1, 100 + 30);
    assert_in_range(ms_idle_by(FAULT_CRASH, 400), 400, 400 + 30);
    /* Nobody says that its job is lost: that takes the lease, from the last word of it. */
    assert_in_range(ms_idle_by(FAULT_VANISH, 400), 1400, 1600 + 30);
    assert_in_range(ms_idle_by(FAULT_LEAVE, 400), 400, 400 + 30);
    assert_in_range(ms_idle_by(FAULT_LEAVE, 1), 50, 80); /* it takes its leave first */
}

/* With another worker nobody need wait for it to be back. */
static void test_others_go_on_at_once(void **state)
{
    (void)state;
    for (FaultKind kind = FAULT_CUT; kind < FAULT_KINDS; kind++) {
        const Fault fault = {.at_ns = 100 * (int64_t)MS,
                             .kind = kind,
                             .machine = 1,
                             .duration_ns = 60000 * (int64_t)MS};
        ClusterConfig config = config_of(3, 1, 64, 1);
        const ClusterOutcome calm = search(&config);
        config.fault = &fault;
        const ClusterOutcome outcome = search(&config);
        assert_int_equal(outcome.faults, 1);
        assert_int_equal(outcome.depth, DEPTH);
        assert_true(duration_of(&outcome) < 4 * duration_of(&calm));
    }
}

static void test_a_search_survives_whatever_happens(void **state)
{
    (void)state;
    int to_the_end = 0;
    uint64_t faults = 0;
    for (uint64_t seed = 1; seed <= STORIES; seed++) {
        const ClusterOutcome beside = search_in_storm(4, 1, 64, 100 * MS, seed);
        const ClusterOutcome split = search_in_storm(3, 2, 1, 100 * MS, seed);
        const ClusterOutcome lone = search_in_storm(1, 1, 64, 300 * MS, seed);
        to_the_end += (beside.depth == DEPTH) + (split.depth == DEPTH) + (lone.depth == DEPTH);
        faults += beside.faults + split.faults + lone.faults;
    }
    assert_true(faults > 10 * STORIES);
    /* A move that has cost three workers in a row is given up, by chance too. */
    assert_in_range(to_the_end, 3 * STORIES - STORIES / 4, 3 * STORIES);
}

static void test_a_story_is_told_twice(void **state)
{
    (void)state;
    const ClusterOutcome first = search_in_storm(4, 2, 2, 50 * MS, 9);
    const ClusterOutcome second = search_in_storm(4, 2, 2, 50 * MS, 9);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.faults > 0);
    const ClusterOutcome other = search_in_storm(4, 2, 2, 50 * MS, 10);
    assert_int_not_equal(first.end_ns, other.end_ns);
}

int main(void)
{
    given_tables();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_all_kinds_for_all_machines),
        cmocka_unit_test(test_without_faults_there_is_none),
        cmocka_unit_test(test_a_single_one_is_the_only_one),
        cmocka_unit_test(test_each_fault_costs_what_it_must),
        cmocka_unit_test(test_others_go_on_at_once),
        cmocka_unit_test(test_a_search_survives_whatever_happens),
        cmocka_unit_test(test_a_story_is_told_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
