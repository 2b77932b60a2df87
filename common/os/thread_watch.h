/*
 * ThreadWatch: how long another thread of this process could have gone on.
 *
 * A thread that does not get on may hang, or be kept waiting: beside other programs it may stand in
 * line for a processor for seconds. So its own time is counted, which is the clock's without what
 * it waited for the machine. By that time a thread that loops, or waits for another thread, goes
 * on, and one that gets no processor, or whose memory is being read in, does not.
 */
#ifndef ROOKERY_OS_THREAD_WATCH_H
#define ROOKERY_OS_THREAD_WATCH_H

#include <pthread.h>

#include "base/duration.h"

typedef struct {
    Duration own;  /* its time up to the last look */
    Instant seen;  /* the last look */
    Duration used; /* processor time up to then */
} ThreadWatch;

/* The number of the calling thread, for thread_watch_look. */
int thread_watch_number(void);

/* Begins with a time of 0. The thread must not have been joined. Any thread. */
ThreadWatch thread_watch_begin(pthread_t thread, Instant now);

/*
 * Looks at the thread anew, whose number is `number`, or 0 if it has not run yet. What it did
 * between two looks is not known: if it waits for the machine now, all that it did not use of the
 * time since the last look counts as waiting. Where the system does not say what it does (no
 * /proc), it counts as not waiting. Any thread, but one at a time; a few microseconds.
 */
void thread_watch_look(ThreadWatch *watch, pthread_t thread, int number, Instant now);

/* The same for one that has been seen to go on: it may have waited, which nobody asks. */
void thread_watch_pass(ThreadWatch *watch, pthread_t thread, Instant now);

#endif
