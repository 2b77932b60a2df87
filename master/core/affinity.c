#include "master/core/affinity.h"

#include <string.h>

#include "base/prng.h"

void affinity_init(Affinity *affinity)
{
    memset(affinity, 0, sizeof *affinity);
}

uint64_t affinity_key(SessionId session, const Move *path, int length, Move move)
{
    uint64_t key = prng_mix(session.value);
    for (int i = 0; i < length; i++) {
        key = prng_mix(key ^ path[i]);
    }
    key = prng_mix(key ^ move);
    return key == 0 ? 1 : key;
}

void affinity_note(Affinity *affinity, uint64_t key, WorkerId worker)
{
    affinity->places[key % AFFINITY_PLACES] = (AffinityPlace){.key = key, .worker = worker};
}

WorkerId affinity_worker(const Affinity *affinity, uint64_t key)
{
    const AffinityPlace *place = &affinity->places[key % AFFINITY_PLACES];
    return place->key == key ? place->worker : (WorkerId){.value = 0};
}
