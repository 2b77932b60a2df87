/*
 * Log: what a program tells the person who runs it, on standard error.
 *
 * One line a message, whatever is in it (control characters become '?'), at most
 * LOG_LINE_BYTES_MAX bytes with its newline, written by one write:
 *
 *     2026-01-31T12:00:00.123Z 5.042317 rookery-master warning: worker "lab-7" is lost
 *
 * The first time is the wall clock's, for people; the second is seconds since log_init on the
 * monotonic clock, for measuring. Never on standard output: that is for UCI.
 *
 * Logging never makes a program wait: a line that a pipe has no room for is dropped and counted,
 * and the next line that gets through says how many were.
 *
 * A Log may be used by several threads at once. A NULL Log writes nothing, for tests.
 */
#ifndef ROOKERY_OS_LOG_H
#define ROOKERY_OS_LOG_H

#include "base/duration.h"
#include "os/log_limit.h"

#include <pthread.h>
#include <stdint.h>

/* Not above PIPE_BUF, so that lines of several processes on one pipe do not mix. */
enum { LOG_LINE_BYTES_MAX = 1024 };

typedef enum {
    LOG_ERROR,   /* the program ends or cannot do what it is for */
    LOG_WARNING, /* it goes on, but a person should know */
    LOG_INFO,    /* the normal course of things: peers come and go */
    LOG_DEBUG,   /* for who works on the program */
} LogLevel;

typedef struct {
    pthread_mutex_t lock; /* guards `limit` and `dropped`, and keeps lines in order */
    LogLimit limit;       /* of log_write_limited */
    int64_t dropped;      /* lines that found no room since the last one that did */
    Instant start;        /* when the log was made */
    const char *program;  /* the name in each line; a string that lives for ever */
    LogLevel level;       /* less important lines are not written */
    int descriptor;       /* where lines go; not owned */
} Log;

/* `program` must outlive the log; `descriptor` is STDERR_FILENO but in tests. */
void log_init(Log *log, const char *program, LogLevel level, int descriptor);

/* The log must not be in use any more. The descriptor stays open. */
void log_destroy(Log *log);

/* Writes a line, formatted as by printf, without a newline. */
__attribute__((format(printf, 3, 4))) void log_write(Log *log, LogLevel level, const char *format,
                                                     ...);

/*
 * The same for what a peer can cause as often as it likes: at most LOG_LIMIT_LINES_MAX lines of a
 * key in LOG_LIMIT_WINDOW_MS. `key` names the place in the code and is a string literal.
 */
__attribute__((format(printf, 4, 5))) void
log_write_limited(Log *log, LogLevel level, const char *key, const char *format, ...);

#endif
