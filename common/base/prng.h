/*
 * Prng: xoshiro256** (Blackman and Vigna, 2018), seeded by SplitMix64.
 *
 * One seed gives one sequence on every machine. Not for secrets.
 */
#ifndef ROOKERY_BASE_PRNG_H
#define ROOKERY_BASE_PRNG_H

#include <stdint.h>

typedef struct {
    uint64_t state[4];
} Prng;

/* Any seed is good, 0 too. */
void prng_init(Prng *prng, uint64_t seed);

/* The next 64 uniformly distributed bits. */
uint64_t prng_next(Prng *prng);

/* A uniformly distributed number in [0, bound); bound must be positive. */
uint64_t prng_below(Prng *prng, uint64_t bound);

/* SplitMix64's finaliser: a good 64-bit hash of any value. */
uint64_t prng_mix(uint64_t value);

#endif
