/*
 * Link: the engine child's connection to a master, made anew whenever the master falls silent.
 *
 * Everything passes through in both directions; the session itself (OPEN, PING, what to do after a
 * RESET) is the parent's affair (engine_session.h). Events in, actions out.
 *
 *     CLOSED ---- pause over: CONNECT ----> CONNECTED
 *        ^                                      |
 *        '-- silent for a lease: DISCONNECT, ---'
 *            the parent is told RESET
 *
 * The silence does not count where this process itself stood still: it listens for another lease.
 *
 * Some refused connections die without a sign, so every return to CLOSED makes a new socket. The
 * parent's pings see to it that a living master is never silent.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_LINK_H
#define ROOKERY_UCI_BRIDGE_CORE_LINK_H

#include "base/backoff.h"
#include "messages/messages.h"

typedef struct {
    Duration lease;       /* a master silent for so long is given up */
    Duration retry_first; /* mean pauses between attempts */
    Duration retry_last;
    uint64_t seed; /* of the jitter */
} LinkConfig;

typedef struct {
    Duration lease;    /* as in LinkConfig */
    bool is_connected; /* a socket is open; whether a master is there shows in its messages */
    Backoff backoff;
    Instant retry_at; /* closed: when to connect again */
    Instant heard;    /* connected: last message of the master, or when the socket was made, or
                         when we stood still */
    Instant stepped;  /* the last event: shows how late this one is */
} Link;

typedef enum { LINK_FROM_PARENT, LINK_FROM_MASTER, LINK_TICK } LinkEventType;

typedef struct {
    LinkEventType type;
    Instant now;
    const Message *message; /* FROM_PARENT, FROM_MASTER; borrowed */
} LinkEvent;

/* What to do; PASS_ON hands the event's message to the other side. */
typedef enum {
    LINK_NOTHING,
    LINK_CONNECT,    /* make a socket */
    LINK_DISCONNECT, /* drop it and send RESET to the parent */
    LINK_PASS_ON,
} LinkAction;

/* A closed link that connects at the first TICK. */
void link_init(Link *link, const LinkConfig *config, Instant now);

/* Takes one event and says what is to be done. */
LinkAction link_step(Link *link, const LinkEvent *event);

/* When the next TICK is due. */
Instant link_next_tick(const Link *link);

#endif
