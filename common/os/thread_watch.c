#define _GNU_SOURCE 1

#include "os/thread_watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/clock.h"

/*
 * Whether the thread would go on if the machine let it: it has a processor or stands in line for
 * one (R), or waits for the disk, which in a search is memory that is being read in (D). proc(5).
 * A thread without a number has not had a processor yet.
 */
static bool would_go_on(int number)
{
    char path[64];
    char text[256];
    if (number == 0) {
        return true;
    }
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const ssize_t length = read(descriptor, text, sizeof text - 1);
    (void)close(descriptor);
    text[length > 0 ? length : 0] = '\0';
    /* "NUMBER (NAME) STATE ...", and a name may hold brackets. */
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' && (name_end[2] == 'R' || name_end[2] == 'D');
}

int thread_watch_number(void)
{
    return gettid();
}

ThreadWatch thread_watch_begin(pthread_t thread, Instant now)
{
    return (ThreadWatch){.seen = now, .used = clock_time_of_thread(thread)};
}

void thread_watch_look(ThreadWatch *watch, pthread_t thread, int number, Instant now)
{
    const Duration used = clock_time_of_thread(thread);
    const int64_t passed_us = instant_since(now, watch->seen).us;
    const int64_t used_us = used.us - watch->used.us;
    watch->own.us += used_us < passed_us && would_go_on(number) ? used_us : passed_us;
    watch->seen = now;
    watch->used = used;
}

void thread_watch_pass(ThreadWatch *watch, pthread_t thread, Instant now)
{
    watch->own.us += instant_since(now, watch->seen).us;
    watch->seen = now;
    watch->used = clock_time_of_thread(thread);
}
