/*
 * EngineSession: what the bridge knows of its child and of the session that the child holds with a
 * master, its own or a remote one.
 *
 *             require                started              OPENED
 *     ABSENT ---------> STARTING -----------> OPENING ------------> OPEN
 *       ^  ^  backoff over  |                  |   ^                  |
 *       |  '----------------'                  |   '------ RESET -----|
 *       '------------------- died, or given up as hung ---------------'
 *
 *     ABSENT    engine_session_require starts it; engine_session_tick once a backoff is over
 *     STARTING  engine_session_on_started sends OPEN
 *     OPENING   OPEN is repeated until OPENED comes (engine_session_tick); either may be
 *               doubled or lost
 *     OPEN      searches may be sent; the round trip is measured by PING
 *
 * A child that owes an answer (engine_session_suspect), or answers no PING, or says nothing at all
 * after its start, is replaced. Repeated deaths are answered with growing pauses; a search that it
 * finished makes them short again.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_ENGINE_SESSION_H
#define ROOKERY_UCI_BRIDGE_CORE_ENGINE_SESSION_H

#include "uci_bridge/core/bridge_actions.h"

typedef enum { ENGINE_ABSENT, ENGINE_STARTING, ENGINE_OPENING, ENGINE_OPEN } EngineState;

typedef struct {
    EngineState state;
    Duration lease;      /* the child reports a master that is silent for so long */
    Duration retry_last; /* ... and pauses so long at most, on average, before it tries one again */
    bool is_wanted;      /* required at least once */
    BridgeChildStart start; /* what the child was started with; meaningful when wanted */
    int deaths;             /* in a row */
    Instant restart_at;     /* ABSENT and wanted: end of the backoff */
    Instant open_at;        /* OPENING: when OPEN is sent again */
    Epoch epoch;            /* OPEN: the master's */
    SessionId session;      /* OPEN: ours with it */
    bool is_clearing;       /* NEW_GAME is wanted, and CLEARED has not come */
    bool makes_tables;      /* the child's own worker may not be there yet for that alone */
    bool is_suspect;        /* owes an answer; replaced at suspect_until */
    Instant suspect_until;  /* any message before clears it */
    Instant heard_at;       /* OPENING, OPEN: the start, or the last message of any kind */
    Instant ticked_at;      /* the last look at the clock: shows how late this one is */
    Instant ping_at;        /* OPEN: when the next PING is due */
    uint64_t ping_number;   /* of the newest PING; the only one whose PONG counts */
    Instant ping_sent_at;
    Duration sample;     /* the newest round trip; 0 before */
    Duration round_trip; /* to the master and back, smoothed; rises as far as two samples agree */
} EngineSession;

/*
 * Of a child that takes a master for lost when it has been silent for `lease`, and then tries again
 * after pauses of `retry_last` at most, on average.
 */
void engine_session_init(EngineSession *session, Duration lease, Duration retry_last);

/* Whether the child that there is, or is on its way, is one with these options. */
bool engine_session_suits(const EngineSession *session, const UciOptions *options);

/*
 * Makes sure that a child with these options is there or on its way: starts one when there has been
 * none, and another when threads, hash or cluster have changed.
 */
void engine_session_require(EngineSession *session, const UciOptions *options, Instant now,
                            BridgeActions *actions);

/* The child runs: says OPEN, under this name. Ignored when no child was asked for. */
void engine_session_on_started(EngineSession *session, const char *name, Instant now,
                               BridgeActions *actions);

/* The child ended; nothing that it was asked for will come. */
void engine_session_on_died(EngineSession *session, Instant now);

/*
 * OPENED, RESET, CLEARED, PONG and ERROR change the session; every message shows that somebody
 * lives. Returns whether a session has begun, of which the master knows nothing but its name.
 */
bool engine_session_on_message(EngineSession *session, const Message *message, Instant now,
                               BridgeActions *actions);

/* A search was answered by the child: the next death is the first again. */
void engine_session_on_answer(EngineSession *session);

/* An answer is overdue: if nothing at all comes soon, the child is replaced. */
void engine_session_suspect(EngineSession *session, Instant now);

/*
 * Whether the cluster, which answers, is known to be at work on its tables, which takes as long as
 * they are large: they are being cleared, or the child makes its own and has not failed to.
 */
bool engine_session_is_busy(const EngineSession *session);

/* It was waited for in vain: tables cannot take so long, so there is another reason. */
void engine_session_tire(EngineSession *session);

/* The learned tables are void: NEW_GAME as soon as the session is open. */
void engine_session_new_game(EngineSession *session, BridgeActions *actions);

/*
 * Does what is due. Returns whether the child was given up as hung, which is a death like others.
 */
bool engine_session_tick(EngineSession *session, const char *name, Instant now,
                         BridgeActions *actions);

/* When engine_session_tick has something to do next; false if never. */
bool engine_session_deadline(const EngineSession *session, Instant *deadline);

#endif
