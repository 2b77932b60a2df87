/*
 * News: which table entries have just been passed on, to all workers whose link kept pace.
 *
 * The more workers there are, the more often one tells what another told a moment ago: of 64 nearly
 * every second entry. Such entries would fill the master's line, and whoever got them would drop
 * them. Only the last moment counts: later a worker may have lost what it heard, and hears of the
 * position again.
 */
#ifndef ROOKERY_MASTER_CORE_NEWS_H
#define ROOKERY_MASTER_CORE_NEWS_H

#include "base/duration.h"
#include "messages/messages.h"

enum {
    NEWS_PLACES = 1 << 16, /* more than all tell in a moment; a power of two */
    NEWS_MOMENT_MS = 30,
};

typedef struct {
    TableEntry entry; /* none at first: of key 0, and told at the clock's origin */
    Instant told;     /* when it was passed on last */
} NewsPlace;

/* All zeros: nothing has been told yet. Large, so that nobody should write it without need. */
typedef struct {
    NewsPlace places[NEWS_PLACES]; /* by key, modulo their number */
} News;

/*
 * Leaves the entries of `table` that are news, in their order, and counts them as told now. What is
 * no entry is left out, lest it hide one.
 */
void news_sift(News *news, MessageTable *table, Instant now);

#endif
