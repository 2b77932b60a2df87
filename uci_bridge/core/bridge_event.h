/*
 * BridgeEvent and BridgeActions: all that goes into the bridge's core and all that comes out.
 *
 * The runtime hands over one event at a time, carries out the actions in their order and comes
 * again. Pointers in an event are borrowed for the step; pointers in the actions are borrowed from
 * the Bridge and the BridgeActions, and good until the next step.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_BRIDGE_EVENT_H
#define ROOKERY_UCI_BRIDGE_CORE_BRIDGE_EVENT_H

#include "root/root.h"
#include "uci_bridge/core/uci_format.h"
#include "uci_bridge/core/uci_options.h"

typedef enum {
    BRIDGE_EVENT_LINE,            /* a line of input */
    BRIDGE_EVENT_END_OF_INPUT,    /* no line will come any more */
    BRIDGE_EVENT_CHILD_STARTED,   /* the child asked for runs and can be sent to */
    BRIDGE_EVENT_CHILD_MESSAGE,   /* from the child asked for last, never from an older one */
    BRIDGE_EVENT_CHILD_DIED,      /* that child ended, or could not be started */
    BRIDGE_EVENT_OWN_SEARCH_DONE, /* the answer to BRIDGE_ACTION_OWN_SEARCH */
    BRIDGE_EVENT_TICK,            /* the time that bridge_next_deadline named has come */
} BridgeEventType;

/* What the bridge's own search found. */
typedef struct {
    Line line;           /* the best line (root_line 0); length 0 if there is none */
    int depth_done;      /* the last complete iteration */
    uint64_t nodes;      /* spent on this search */
    bool is_interrupted; /* ended early because something else waited */
} BridgeOwnResult;

typedef struct {
    BridgeEventType type;
    Instant now; /* never before that of an earlier event */
    union {
        UciText line;               /* LINE: without its newline; any bytes, any length */
        const Message *message;     /* CHILD_MESSAGE */
        const BridgeOwnResult *own; /* OWN_SEARCH_DONE */
    };
} BridgeEvent;

typedef enum {
    BRIDGE_ACTION_PRINT,       /* write a line and a newline to the GUI, at once and whole */
    BRIDGE_ACTION_SEND,        /* send a message to the child; lost silently if it is dead */
    BRIDGE_ACTION_START_CHILD, /* end the child there is, start another; answer CHILD_STARTED or
                                  CHILD_DIED; the old one's end is not reported */
    BRIDGE_ACTION_OWN_SEARCH,  /* search here and now; answer OWN_SEARCH_DONE before all else */
    BRIDGE_ACTION_CLEAR_OWN,   /* forget what OWN_SEARCH has learned */
    BRIDGE_ACTION_PERFT,       /* count the leaves of `position` and print them */
    BRIDGE_ACTION_EVAL,        /* evaluate `position` and print it */
    BRIDGE_ACTION_BENCH,       /* run the bench and print it */
    BRIDGE_ACTION_HELP,        /* print what the prompt knows */
    BRIDGE_ACTION_EXIT,        /* end the child and the program; nothing follows */
} BridgeActionType;

enum { BRIDGE_BENCH_DEPTH = 13 }; /* of the bench for which nobody names a depth */

typedef struct {
    BridgeActionType type;
    int index; /* PRINT: where its text begins; SEND: which of `sends`; else 0 */
} BridgeAction;

/* START_CHILD */
typedef struct {
    int threads;
    int hash_mb;
    char cluster[UCI_OPTION_CLUSTER_BYTES_MAX]; /* the master to connect to; empty: embedded */
} BridgeChildStart;

/*
 * OWN_SEARCH. The table is kept from one search to the next, so that a search which is asked for
 * again soon stands where the last one stopped. The runtime looks at its input now and then and
 * ends the search within BRIDGE_OWN_SEARCH_PATIENCE_MS when a line or a message waits there.
 */
typedef struct {
    const Position *position;
    const History *history;
    RootLimits limits; /* with a node limit, always */
    Duration time_max; /* end it after this; 0 for no limit */
} BridgeOwnSearch;

enum {
    BRIDGE_OWN_SEARCH_PATIENCE_MS = 10,
    BRIDGE_SENDS_MAX = 8,
    BRIDGE_ACTIONS_MAX = 1024,
    BRIDGE_TEXT_BYTES_MAX = 256 * UCI_FORMAT_LINE_BYTES_MAX,
    BRIDGE_ACTIONS_KEPT = 32, /* for what must not be lost */
    BRIDGE_TEXT_BYTES_KEPT = 8 * UCI_FORMAT_LINE_BYTES_MAX,
};

/*
 * What one step asks for. Overflow: a line that would reach into the kept part is dropped and
 * counted; `bestmove`, the info line before it and everything but PRINT may use that part, and no
 * step makes more of them than it holds.
 */
typedef struct {
    BridgeAction items[BRIDGE_ACTIONS_MAX];
    int count;
    int dropped_lines; /* of this step */
    char text[BRIDGE_TEXT_BYTES_MAX];
    int text_length;
    Message sends[BRIDGE_SENDS_MAX];
    int send_count;
    BridgeChildStart child_start; /* of the one START_CHILD */
    BridgeOwnSearch own_search;   /* of the one OWN_SEARCH */
    const Position *position;     /* of PERFT and EVAL */
    int depth;                    /* of PERFT and BENCH */
} BridgeActions;

#endif
