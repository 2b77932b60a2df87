#include "base/prng.h"

#include "base/check.h"

uint64_t prng_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

void prng_init(Prng *prng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9E3779B97F4A7C15ULL;
        prng->state[i] = prng_mix(seed);
    }
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

uint64_t prng_next(Prng *prng)
{
    uint64_t *s = prng->state;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t prng_below(Prng *prng, uint64_t bound)
{
    CHECK(bound > 0);
    /* Reject the tail that would make small results likelier (Lemire 2019, section 4). */
    const uint64_t reject_below = -bound % bound;
    for (;;) {
        const uint64_t value = prng_next(prng);
        if (value >= reject_below) {
            return value % bound;
        }
    }
}
