/*
 * Cluster: real processes over loopback for one test: a master, workers, engines.
 *
 * The port is free when the cluster is made, below 32768 and chosen by the process id, so that
 * tests that run at once do not meet. cluster_destroy kills whatever is left.
 */
#ifndef ROOKERY_TESTS_CLUSTER_H
#define ROOKERY_TESTS_CLUSTER_H

#include "support/engine.h"

enum { CLUSTER_WORKERS_MAX = 3, CLUSTER_ENGINES_MAX = 2, CLUSTER_TEXT_BYTES_MAX = 512 };

typedef struct {
    const char *folder; /* of the programs; borrowed */
    int port;           /* of the master */
    char address[64];   /* of the master */
    Process master;
    Process workers[CLUSTER_WORKERS_MAX]; /* named w0, w1, ... */
    Engine engines[CLUSTER_ENGINES_MAX];
} Cluster;

/* Nothing is started. */
Cluster *cluster_new(const char *folder);
void cluster_destroy(Cluster *cluster);

/* For cmocka: the state is the programs' folder before, and a Cluster of them during the test. */
int cluster_set_up(void **state);
int cluster_tear_down(void **state);

/* A test of a list whose state is a Cluster of the programs that were built with it. */
#define CLUSTER_TEST(test)                                                                         \
    cmocka_unit_test_prestate_setup_teardown(test, cluster_set_up, cluster_tear_down,              \
                                             ROOKERY_BIN_DIR)

/* Starts the master and waits until it listens. */
void cluster_start_master(Cluster *cluster);

/* Starts a worker; does not wait. */
void cluster_start_worker(Cluster *cluster, int index, int slots);

/* Master and `workers` workers of one slot each, which have joined. */
void cluster_start(Cluster *cluster, int workers);

/* Waits until so many workers have joined this master, the lost ones counted too. */
void cluster_await_joined(const Cluster *cluster, int count);

/* An engine of its own cluster with so many threads, or of this cluster's master; it is ready. */
Engine *cluster_start_embedded(Cluster *cluster, int index, int threads);
Engine *cluster_start_remote(Cluster *cluster, int index);

/* Asks an engine again and again for its table until `worker`'s row shows more than `jobs` jobs. */
void cluster_await_jobs(Engine *engine, const char *worker, uint64_t jobs);

/* A program's path. */
void cluster_program(const Cluster *cluster, const char *name, char path[CLUSTER_TEXT_BYTES_MAX]);

#endif
