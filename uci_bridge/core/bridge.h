/*
 * Bridge: the state machine of the UCI process, the part of `rookery` that must not fail.
 *
 * Events in, actions out, time inside the event (bridge_event.h): no socket, clock, thread, memory
 * or output of its own. It parses the GUI's lines, keeps the game and the options, has one
 * search at a time (thinking.h) and one child process to do it (engine_session.h), and answers for
 * it when the child cannot.
 *
 *     line        -> bridge.c: one function a command
 *       isready      answered at once in a search; else once the cluster can search. What does not
 *                    come within BRIDGE_READY_PATIENCE_MS, or BRIDGE_BUSY_PATIENCE_MS where tables
 *                    are known to be made or cleared, is not waited for a second time, unless
 *                    ucinewgame, setoption or a cluster that came after all give new hope
 *       position     changes the game alone; a running search keeps its own
 *       setoption    stored at once; a search keeps those it began with. The child is replaced,
 *                    where it must be, at the next isready, ucinewgame or go outside of a search
 *       ucinewgame, Clear Hash   in a search: done after its bestmove
 *       go           in a search: that one is answered first, with what it knows
 *       quit, end of input       likewise, then EXIT
 *     the child's messages and end   -> engine_session.c, thinking.c
 *     own search done                -> thinking.c
 *     tick                           -> both; bridge_next_deadline says when
 *
 * Every step ends with a look at the clock, so that no deadline depends on a tick in time.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_BRIDGE_H
#define ROOKERY_UCI_BRIDGE_CORE_BRIDGE_H

#include "uci_bridge/core/thinking.h"

/*
 * May a master at this address be used? STATUS_INVALID if not; the message tells the user what to
 * do. A pure function of its arguments.
 */
typedef Status (*BridgeAdmit)(const char *address, const void *context);

typedef struct {
    const char *version; /* for `id name`: "0.1.0"; borrowed for the life of the Bridge */
    const char *name;    /* of this bridge, for the master's log; likewise */
    UciOptions options;  /* the defaults, from the machine, the configuration, the command line */
    Duration lease;      /* the child takes a master for lost when it has been silent for so long */
    Duration retry_last; /* it pauses so long at most, on average, before it tries one again */
    BridgeAdmit admit;   /* asked for each new value of the option Cluster; NULL: all are good */
    const void *admit_context; /* for it; borrowed likewise */
} BridgeConfig;

/* About half a megabyte; the fields are for the core's own files and its tests. */
typedef struct {
    BridgeConfig config;
    UciOptions options; /* as they are now */
    UciGame game;       /* as the last `position` left it */
    EngineSession engine;
    Thinking thinking;
    bool owes_new_game;   /* ucinewgame or Clear Hash came during a search */
    bool is_leaving;      /* EXIT has been asked for: nothing happens any more */
    bool has_status;      /* of the session that is open or was last */
    MessageStatus status; /* the last one of it */
    int owed_ready;       /* `readyok`s that wait for the cluster ... */
    Instant ready_asked;  /* the first of them; the patience with the cluster begins here */
    bool has_given_up;    /* one of them waited in vain: the next is answered at once */
} Bridge;

enum {
    /* How long `isready` waits for a cluster of which nothing is known. */
    BRIDGE_READY_PATIENCE_MS = 1500,
    /* ... for one that is busy with large tables; GUIs give up on an engine after ten seconds. */
    BRIDGE_BUSY_PATIENCE_MS = 8000,
    /* So many wait at a time; one more has all of them answered. */
    BRIDGE_READY_OWED_MAX = 8,
};

/* The defaults for a machine of so many processors, of which the option may take fewer. */
UciOptions bridge_default_options(int threads);

/* Prepares a bridge at the start position; nothing is started before an event asks for it. */
void bridge_init(Bridge *bridge, const BridgeConfig *config);

/* Takes one event. `actions` is emptied first. */
void bridge_step(Bridge *bridge, const BridgeEvent *event, BridgeActions *actions);

/*
 * When a TICK is due; false when only an event from outside can change anything. A time that has
 * passed means at once, after what waits at the input.
 */
bool bridge_next_deadline(const Bridge *bridge, Instant *deadline);

#endif
