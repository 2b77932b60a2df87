/*
 * LogLimit: how often a place in the code may log.
 *
 * A place is named by a key. In each window of LOG_LIMIT_WINDOW_MS, which begins with the first
 * line, LOG_LIMIT_LINES_MAX lines of a key pass and the rest are counted; the first line of a
 * later window brings the count along. Keys beyond LOG_LIMIT_KEYS_MAX share one place, so memory
 * is bounded and a flood stays one. Pure: time comes in. Not locked: log.h does that.
 */
#ifndef ROOKERY_OS_LOG_LIMIT_H
#define ROOKERY_OS_LOG_LIMIT_H

#include "base/duration.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LOG_LIMIT_KEYS_MAX = 64,
    LOG_LIMIT_LINES_MAX = 5,
    LOG_LIMIT_WINDOW_MS = 10000,
};

/* One place that logs. */
typedef struct {
    const char *key;      /* a string that lives for ever; NULL: shared by keys without a place */
    Instant window_start; /* when its first line passed */
    int lines;            /* that have passed in this window */
    int64_t left_out;     /* not passed since the last one that did */
} LogLimitPlace;

typedef struct {
    LogLimitPlace places[LOG_LIMIT_KEYS_MAX]; /* the last one is shared */
    int count;                                /* places in use, the shared one apart */
} LogLimit;

/* No key has logged yet. */
void log_limit_init(LogLimit *limit);

/*
 * May a line of `key` pass now? If so, *left_out is how many did not since the last one that did.
 * The key must live as long as the LogLimit: a string literal.
 */
bool log_limit_admit(LogLimit *limit, const char *key, Instant now, int64_t *left_out);

#endif
