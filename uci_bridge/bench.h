/*
 * The command `rookery bench`: fixed positions to a fixed depth, everything forgotten before each.
 *
 * The node count is the fingerprint of search and evaluation: the same on every machine, changed by
 * every change of what they do. The runner takes the search as a function, so that a search
 * through the master can be held against the serial one.
 */
#ifndef ROOKERY_UCI_BRIDGE_BENCH_H
#define ROOKERY_UCI_BRIDGE_BENCH_H

#include "base/duration.h"
#include "base/status.h"
#include "chess/position.h"
#include "uci_bridge/searcher.h"

enum { BENCH_HASH_MB = 16 };

/* Searches one position of the bench, as the first of a new game, and tells the nodes it took. */
typedef Status BenchSearch(void *context, const Position *position, int depth, uint64_t *nodes);

typedef struct {
    int positions;  /* searched */
    uint64_t nodes; /* of all */
    Duration time;  /* of all */
} BenchResult;

/* How many positions the bench has. */
int bench_position_count(void);

/*
 * Runs the whole bench through `search`, with progress on stderr. Errors: those of `search`, at
 * once.
 */
__attribute__((warn_unused_result)) Status bench_run(BenchSearch *search, void *context, int depth,
                                                     BenchResult *result);

/* Prints the result as the two lines that tools read. */
void bench_print(const BenchResult *result);

/* Runs the command with the `count` words behind "bench". Errors: STATUS_INVALID for the words. */
__attribute__((warn_unused_result)) Status bench_command_run(char *const *words, int count);

/*
 * Runs the serial bench and prints its result, unless `interrupt` (NULL: nobody) ends it. Errors:
 * STATUS_NO_MEMORY, STATUS_UNAVAILABLE (interrupted).
 */
__attribute__((warn_unused_result)) Status
bench_command_serial(int depth, SearcherInterrupt *interrupt, void *context);

#endif
