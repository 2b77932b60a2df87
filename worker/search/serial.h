/*
 * Serial search: the root's state machine and one search thread, with nothing between them.
 *
 * The baseline of every speed-up, and what `bench`, `analyse` and the bridge's emergency search
 * run.
 */
#ifndef ROOKERY_SEARCH_SERIAL_H
#define ROOKERY_SEARCH_SERIAL_H

#include "worker/search/search.h"

typedef struct {
    void *context;
    /* As SearchHost.poll, with the nodes of the whole search so far. NULL is allowed. */
    void (*poll)(void *context, uint64_t nodes);
    /* A line became exact, failed high or an iteration ended; asks whether to go on. NULL: always.
     */
    bool (*progress)(void *context, const Root *root, bool iteration_is_complete, uint64_t nodes);
} SerialHost;

/*
 * Searches `position` until a limit is reached, the control says stop or the host says no.
 * `root` holds the outcome (root_line). The caller ages the table (tt_age) between searches.
 */
void serial_search(Search *search, const Position *position, const History *game,
                   const RootLimits *limits, SearchControl *control, const SerialHost *host,
                   Root *root);

/* Makes of a job of the root the same job for a search thread. */
SearchJob serial_job(const Position *position, const History *game, const RootJob *job,
                     uint64_t node_budget);

/* Writes what that search found into the result of the root's job with that name. */
void serial_job_result(const SearchResult *result, RootJobId id, RootJobResult *root_result);

#endif
