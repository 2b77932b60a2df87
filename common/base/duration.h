/*
 * Instant and Duration: time as the pure layers know it.
 *
 * An Instant is a point on some monotonic clock, in microseconds since an origin that only its
 * owner knows (the operating system's clock in a program, the virtual clock in the simulator). A
 * Duration is the signed distance between two Instants. Nothing here reads a clock.
 */
#ifndef ROOKERY_BASE_DURATION_H
#define ROOKERY_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t us; /* microseconds, may be negative */
} Duration;

typedef struct {
    int64_t us; /* microseconds since the clock's origin */
} Instant;

static inline Duration duration_ms(int64_t milliseconds)
{
    return (Duration){.us = milliseconds * 1000};
}

static inline Duration duration_us(int64_t microseconds)
{
    return (Duration){.us = microseconds};
}

/* Whole milliseconds, rounded towards zero. */
static inline int64_t duration_to_ms(Duration duration)
{
    return duration.us / 1000;
}

static inline Instant instant_add(Instant instant, Duration duration)
{
    return (Instant){.us = instant.us + duration.us};
}

/* The time from `earlier` to `later`. */
static inline Duration instant_since(Instant later, Instant earlier)
{
    return (Duration){.us = later.us - earlier.us};
}

static inline bool instant_is_before(Instant left, Instant right)
{
    return left.us < right.us;
}

#endif
