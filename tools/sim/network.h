/*
 * Network: when a message that is sent arrives.
 *
 * Parties are numbered from 0. A message leaves through its sender's one outgoing line, behind what
 * was sent before it, at the bandwidth; then it is under way for the latency plus or minus a random
 * part of the jitter. Between two parties nothing overtakes.
 */
#ifndef ROOKERY_TOOLS_SIM_NETWORK_H
#define ROOKERY_TOOLS_SIM_NETWORK_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t latency_ns;      /* one way, of a hop */
    int64_t jitter_ns;       /* at most the latency */
    int64_t bits_per_second; /* of each party's line; 0: no limit */
    uint64_t seed;           /* of the jitter */
} NetworkConfig;

typedef struct {
    uint64_t messages; /* sent, all parties together */
    uint64_t bytes;    /* likewise */
} NetworkTraffic;

typedef struct Network Network;

/* A network of `parties`, or NULL when memory is short. */
Network *network_new(const NetworkConfig *config, int parties);

/* Frees it and nulls the pointer; NULL is allowed. */
void network_destroy(Network **network);

/* Sends a message at `at_ns`, which for one sender never goes back; returns when it arrives. */
int64_t network_send(Network *network, int from, int to, int64_t at_ns, size_t bytes);

/* Until then, and as long as by an earlier call, a party's messages, both ways, take longer. */
void network_delay(Network *network, int party, int64_t more_ns, int64_t until_ns);

/* The party's messages wait no longer for those of earlier connections, which are lost. */
void network_reconnect(Network *network, int party);

/* No message arrives sooner than so long after it is sent. */
int64_t network_latency_min_ns(const Network *network);

/* Since the beginning. */
NetworkTraffic network_traffic(const Network *network);

#endif
