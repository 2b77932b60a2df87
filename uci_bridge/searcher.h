/*
 * Searcher: a serial search with a table of its own and a clock beside it.
 *
 * What `bench`, `analyse`, rookery-suite and the bridge's own search (uci_program.c) share. The
 * search reads no clock; the host here does, at each poll, and sets the stop flag when the time is
 * over.
 */
#ifndef ROOKERY_UCI_BRIDGE_SEARCHER_H
#define ROOKERY_UCI_BRIDGE_SEARCHER_H

#include "base/duration.h"
#include "base/status.h"
#include "worker/search/serial.h"

typedef struct Searcher Searcher;

/* How a search stands; borrowed for the call. */
typedef struct {
    const Root *root;           /* the lines found so far (root_line) */
    bool iteration_is_complete; /* root->depth_done has just grown */
    uint64_t nodes;             /* of the whole search */
    Duration elapsed;           /* since the search began */
} SearcherReport;

/* Told of each new line and each complete iteration; false ends the search. */
typedef bool SearcherProgress(void *context, const SearcherReport *report);

/* Makes a searcher with a table of `hash_mb` MiB. Errors: STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status searcher_new(int hash_mb, Searcher **searcher);

/* Frees the searcher and nulls the pointer; NULL is allowed. */
void searcher_destroy(Searcher **searcher);

/* Forgets all that earlier searches learned, the table too. */
void searcher_clear(Searcher *searcher);

/* Asked a few thousand times a second while a search runs; true ends it. */
typedef bool SearcherInterrupt(void *context);

/* The positions before those that are searched from now on; copied. A new searcher knows none. */
void searcher_set_game(Searcher *searcher, const History *game);

/* Who may end the searches from now on; NULL: nobody. */
void searcher_set_interrupt(Searcher *searcher, SearcherInterrupt *interrupt, void *context);

/*
 * Searches `position` until a limit is reached, `time` is over (zero: no
 * limit) or `progress` says no (NULL: never). Runs on the calling thread and returns the final
 * state, which is borrowed until the next call. One thread at a time.
 */
SearcherReport searcher_run(Searcher *searcher, const Position *position, const RootLimits *limits,
                            Duration time, SearcherProgress *progress, void *context);

#endif
