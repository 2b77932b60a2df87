/*
 * Given cluster: what the simulated clusters of tests have in common.
 */
#ifndef ROOKERY_TESTS_SUPPORT_GIVEN_CLUSTER_H
#define ROOKERY_TESTS_SUPPORT_GIVEN_CLUSTER_H

#include "tools/sim/cluster.h"

/* One split search of the root for its best line, by slots of 1 M nodes/s with 4 MB a machine;
 * nothing is told. */
ClusterConfig given_cluster(int machines, int slots, uint64_t seed);

#endif
