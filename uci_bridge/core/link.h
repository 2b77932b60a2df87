/*
 * Link: the engine child's session with a master, kept alive through everything.
 *
 * Events in, actions out. The parent's messages pass through to the master while the session is
 * open and are dropped otherwise: OPENED tells the parent each time that a session begins, and the
 * parent then asks again for what it still wants.
 *
 *     CLOSED -- pause over: CONNECT, OPEN --> OPENING -- OPENED --> OPEN
 *        ^                                       |                    |
 *        '------ silent for a lease, ERROR ------'--------------------'   (RESET: OPEN is sent
 * anew)
 *
 * Some refused connections die without a sign, so every return to CLOSED makes a new socket.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_LINK_H
#define ROOKERY_UCI_BRIDGE_CORE_LINK_H

#include "base/backoff.h"
#include "messages/messages.h"

typedef enum { LINK_CLOSED, LINK_OPENING, LINK_OPEN } LinkPhase;

typedef struct {
    char name[MESSAGE_NAME_BYTES_MAX]; /* of this bridge, shown in the master's log */
    Duration lease;                    /* a master silent for so long is given up */
    Duration retry_first;              /* mean pauses between attempts */
    Duration retry_last;
    uint64_t seed; /* of the jitter */
} LinkConfig;

typedef struct {
    LinkConfig config;
    LinkPhase phase;
    Backoff backoff;
    Instant retry_at;  /* in CLOSED: when to connect again */
    Instant heard;     /* last message of the master, or when OPENING began */
    Instant open_sent; /* when OPEN was last sent */
    Instant ping_sent; /* when the last PING of our own went out */
} Link;

typedef enum { LINK_FROM_PARENT, LINK_FROM_MASTER, LINK_TICK } LinkEventType;

typedef struct {
    LinkEventType type;
    Instant now;
    const Message *message; /* FROM_PARENT, FROM_MASTER; borrowed */
} LinkEvent;

enum { LINK_ACTIONS_MAX = 4 };

typedef enum { LINK_CONNECT, LINK_DISCONNECT, LINK_TO_MASTER, LINK_TO_PARENT } LinkActionType;

typedef struct {
    LinkActionType type;
    Message message; /* TO_MASTER, TO_PARENT */
} LinkAction;

/* No event asks for more than LINK_ACTIONS_MAX actions. */
typedef struct {
    int count;
    LinkAction list[LINK_ACTIONS_MAX];
} LinkActions;

/* A closed link that connects at the first TICK. */
void link_init(Link *link, const LinkConfig *config, Instant now);

/* Takes one event; `actions` is emptied first. */
void link_step(Link *link, const LinkEvent *event, LinkActions *actions);

/* When the next TICK is due at the latest. */
Instant link_next_tick(const Link *link);

#endif
