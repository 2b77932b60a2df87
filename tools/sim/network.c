#include "tools/sim/network.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/prng.h"

enum {
    FRAME_BYTES = 78, /* of Ethernet, IP, TCP and ZeroMQ around a short message */
};

/* For how much longer a party's messages are under way, and until when. */
typedef struct {
    int64_t more_ns;
    int64_t until_ns;
} Delay;

struct Network {
    NetworkConfig config;
    Prng prng;
    int parties;
    int64_t *free_ns;       /* when each party's line is free */
    Delay *delays;          /* of each party */
    int64_t *last_arrivals; /* by sender and receiver */
    NetworkTraffic traffic;
};

Network *network_new(const NetworkConfig *config, int parties)
{
    CHECK(config->jitter_ns >= 0 && config->jitter_ns <= config->latency_ns);
    Network *network = calloc(1, sizeof *network);
    if (network == NULL) {
        return NULL;
    }
    const size_t count = (size_t)parties;
    network->config = *config;
    network->parties = parties;
    prng_init(&network->prng, config->seed);
    network->free_ns = calloc(count, sizeof *network->free_ns);
    network->delays = calloc(count, sizeof *network->delays);
    network->last_arrivals = calloc(count * count, sizeof *network->last_arrivals);
    if (network->free_ns == NULL || network->delays == NULL || network->last_arrivals == NULL) {
        network_destroy(&network);
    }
    return network;
}

void network_destroy(Network **network)
{
    if (*network != NULL) {
        free((*network)->free_ns);
        free((*network)->delays);
        free((*network)->last_arrivals);
        free(*network);
        *network = NULL;
    }
}

static int64_t later(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

static int64_t time_on_line(const Network *network, size_t bytes)
{
    const int64_t bits = 8 * (int64_t)(bytes + FRAME_BYTES);
    return network->config.bits_per_second == 0
               ? 0
               : bits * 1000000000 / network->config.bits_per_second;
}

/* A time under way, drawn. */
static int64_t draw_latency(Network *network)
{
    const int64_t jitter_ns = network->config.jitter_ns;
    const int64_t drawn_ns = (int64_t)prng_below(&network->prng, (uint64_t)(2 * jitter_ns + 1));
    return network->config.latency_ns - jitter_ns + drawn_ns;
}

static int64_t delay_of(const Network *network, int party, int64_t at_ns)
{
    const Delay *delay = &network->delays[party];
    return at_ns < delay->until_ns ? delay->more_ns : 0;
}

int64_t network_send(Network *network, int from, int to, int64_t at_ns, size_t bytes)
{
    int64_t *free_ns = &network->free_ns[from];
    int64_t *last = &network->last_arrivals[from * network->parties + to];
    *free_ns = later(at_ns, *free_ns) + time_on_line(network, bytes);
    *last = later(*last, *free_ns + draw_latency(network) + delay_of(network, from, at_ns) +
                             delay_of(network, to, at_ns));
    network->traffic.messages++;
    network->traffic.bytes += bytes;
    return *last;
}

void network_delay(Network *network, int party, int64_t more_ns, int64_t until_ns)
{
    Delay *delay = &network->delays[party];
    *delay = (Delay){.more_ns = more_ns, .until_ns = later(delay->until_ns, until_ns)};
}

void network_reconnect(Network *network, int party)
{
    for (int i = 0; i < network->parties; i++) {
        network->last_arrivals[party * network->parties + i] = 0;
        network->last_arrivals[i * network->parties + party] = 0;
    }
}

int64_t network_latency_min_ns(const Network *network)
{
    return network->config.latency_ns - network->config.jitter_ns;
}

NetworkTraffic network_traffic(const Network *network)
{
    return network->traffic;
}
