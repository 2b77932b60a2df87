/*
 * BridgeTrace: the bridge's core played as a script of events, its actions as readable text.
 *
 *     trace_line(trace, "go depth 3");
 *     trace_expect(trace, "-> SEARCH 1 depth 3\n"
 *                         "own search 500 nodes\n");
 *
 * Printed lines stand as they are, messages to the child behind "->". PINGs and the own search are
 * answered by the trace itself: the first by no answer, the second by `own`.
 */
#ifndef ROOKERY_TESTS_BRIDGE_TRACE_H
#define ROOKERY_TESTS_BRIDGE_TRACE_H

#include "uci_bridge/core/bridge.h"

enum { TRACE_BYTES_MAX = 1 << 20, TRACE_LEASE_MS = 1500, TRACE_RETRY_LAST_MS = 800 };

typedef struct {
    Bridge bridge;
    BridgeActions actions;
    Instant now;
    Message message;            /* the one being handed over */
    Epoch epoch;                /* of the next trace_opened */
    const char *own_moves;      /* what the own search finds: UCI moves, or NULL for nothing */
    int own_depth;              /* its depth */
    uint64_t own_nodes;         /* its nodes; 0: all that it may */
    bool own_takes_time;        /* a microsecond a node, as far as it may */
    bool show_pings;            /* PINGs stand in the text */
    int best_moves;             /* printed so far */
    int owed_ready;             /* isready so far, less readyok; never below 0 */
    int dropped_lines;          /* so far */
    int own_clears;             /* times that the own search was to forget */
    char text[TRACE_BYTES_MAX]; /* since the last trace_expect or trace_clear */
    int length;
} BridgeTrace;

/* A bridge with 2 threads before its first event, at 10 s. Freed by trace_destroy. */
BridgeTrace *trace_new(void);
void trace_destroy(BridgeTrace *trace);

/* The same after isready, with a child whose cluster has a worker; the text is empty. */
BridgeTrace *trace_new_ready(void);

/* Time passes; no event. */
void trace_wait(BridgeTrace *trace, int64_t ms);

/* Time passes with a TICK at every deadline on the way, at most a thousand of them. */
void trace_run(BridgeTrace *trace, int64_t ms);

/* Events. trace_line takes any number of lines, parted by newlines. */
void trace_line(BridgeTrace *trace, const char *lines);
void trace_end_of_input(BridgeTrace *trace);
void trace_started(BridgeTrace *trace);
void trace_died(BridgeTrace *trace);
void trace_opened(BridgeTrace *trace);                    /* a new session */
void trace_status(BridgeTrace *trace, int workers);       /* STATUS of the newest session */
void trace_cleared(BridgeTrace *trace, uint32_t session); /* CLEARED; sessions are called 7 */
void trace_reset(BridgeTrace *trace);
void trace_tick(BridgeTrace *trace);
void trace_message(BridgeTrace *trace, const Message *message);

/* An exact INFO of rank 0 with a thousand nodes; the moves are UCI, from the search's position. */
void trace_info(BridgeTrace *trace, uint32_t search, int depth, int score, const char *moves);

/* The same with all its parts. */
void trace_info_full(BridgeTrace *trace, uint32_t search, int rank, int depth, int score,
                     Bound bound, uint64_t nodes, const char *moves);

/* A BESTMOVE; `ponder` may be NULL, `move` too for none. */
void trace_best_move(BridgeTrace *trace, uint32_t search, const char *move, const char *ponder);

/* Fails unless the text is exactly `expected`, and empties it. */
void trace_expect(BridgeTrace *trace, const char *expected);

/* Fails unless `part` stands (or does not stand) in the text, which stays. */
void trace_expect_part(const BridgeTrace *trace, const char *part);
void trace_expect_no_part(const BridgeTrace *trace, const char *part);

void trace_clear(BridgeTrace *trace);

/* How often `part` stands in the text. */
int trace_count(const BridgeTrace *trace, const char *part);

#endif
