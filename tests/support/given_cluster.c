#include "support/given_cluster.h"

ClusterConfig given_cluster(int machines, int slots, uint64_t seed)
{
    return (ClusterConfig){
        .machines = machines,
        .slots = slots,
        .hash_mb = 4,
        .nodes_per_second = 1000000,
        .network = {.latency_ns = 200000,
                    .jitter_ns = 50000,
                    .bits_per_second = 1000000000,
                    .seed = seed},
        .master_receive_ns = 4000,
        .master_send_ns = 2000,
        .worker_message_ns = 3000,
        .wake_ns = 5000,
        .splits = true,
        .searches = 1,
        .multi_pv = 1,
    };
}
