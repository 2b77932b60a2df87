/*
 * Clock: the one place that reads time for the programs.
 *
 * Every Instant of a program comes from CLOCK_MONOTONIC, so a step of the wall clock changes
 * nothing. All functions may be called by any thread and cannot fail.
 */
#ifndef ROOKERY_OS_CLOCK_H
#define ROOKERY_OS_CLOCK_H

#include <pthread.h>

#include "base/duration.h"

/* The time now, in microseconds since an origin that all processes of this machine share. */
Instant clock_now(void);

/* The processor time that the calling thread has used: unlike clock_now not slowed by others. */
Duration clock_thread_time(void);

/* The same of another thread, which has not been joined. */
Duration clock_time_of_thread(pthread_t thread);

/* Sleeps at least `duration`, through signals too; zero or less returns at once. */
void clock_sleep(Duration duration);

/*
 * The timeout for poll() that ends at `deadline`, in ms from 0 to INT_MAX. It is rounded up, so
 * that a loop woken by it finds the deadline passed and does not spin through the last
 * millisecond.
 */
int clock_poll_timeout_ms(Instant now, Instant deadline);

#endif
