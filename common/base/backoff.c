#include "base/backoff.h"

#include "base/check.h"

void backoff_init(Backoff *backoff, Duration first, Duration last, uint64_t seed)
{
    CHECK(first.us > 0 && last.us >= first.us);
    backoff->first = first;
    backoff->last = last;
    backoff->mean = first;
    prng_init(&backoff->prng, seed);
}

Duration backoff_next(Backoff *backoff)
{
    const int64_t mean = backoff->mean.us;
    const int64_t twice = mean * 2;
    backoff->mean.us = twice < backoff->last.us ? twice : backoff->last.us;
    return duration_us(mean / 2 + (int64_t)prng_below(&backoff->prng, (uint64_t)mean + 1));
}

void backoff_reset(Backoff *backoff)
{
    backoff->mean = backoff->first;
}
