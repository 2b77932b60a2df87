#include "os/clock.h"

#include "base/check.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

enum { US_PER_SECOND = 1000000, NS_PER_US = 1000, US_PER_MS = 1000 };

static int64_t read_us(clockid_t clock)
{
    struct timespec time;
    CHECK(clock_gettime(clock, &time) == 0);
    return (int64_t)time.tv_sec * US_PER_SECOND + time.tv_nsec / NS_PER_US;
}

Instant clock_now(void)
{
    return (Instant){.us = read_us(CLOCK_MONOTONIC)};
}

Duration clock_thread_time(void)
{
    return duration_us(read_us(CLOCK_THREAD_CPUTIME_ID));
}

Duration clock_time_of_thread(pthread_t thread)
{
    clockid_t clock;
    CHECK(pthread_getcpuclockid(thread, &clock) == 0);
    return duration_us(read_us(clock));
}

void clock_sleep(Duration duration)
{
    if (duration.us <= 0) {
        return;
    }
    const Instant end = instant_add(clock_now(), duration);
    const struct timespec time = {
        .tv_sec = (time_t)(end.us / US_PER_SECOND),
        .tv_nsec = (long)(end.us % US_PER_SECOND) * NS_PER_US,
    };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
        /* The end is absolute, so the sleep just goes on. */
    }
}

int clock_poll_timeout_ms(Instant now, Instant deadline)
{
    const int64_t left_us = instant_since(deadline, now).us;
    if (left_us <= 0) {
        return 0;
    }
    const int64_t left_ms = left_us / US_PER_MS + (left_us % US_PER_MS != 0);
    return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}
