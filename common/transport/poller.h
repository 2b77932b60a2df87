/*
 * Poller: waits for sockets of ZeroMQ and plain file descriptors at once.
 */
#ifndef ROOKERY_TRANSPORT_POLLER_H
#define ROOKERY_TRANSPORT_POLLER_H

#include "transport/dealer.h"
#include "transport/router.h"

enum { POLLER_ITEMS_MAX = 16 };

/* One thing to wait for: a router, else a dealer, else a descriptor. */
typedef struct {
    const Router *router; /* or NULL */
    const Dealer *dealer; /* or NULL; a closed one is never ready */
    int descriptor;       /* counts if both are NULL; a negative one is never ready */
    bool wants_write;     /* wait for room to write too; descriptors only */
    bool is_readable;     /* out: something can be read, or the other end is gone */
    bool is_writable;     /* out: there is room, or the other end is gone; if wanted */
} PollerItem;

/*
 * Waits until one of `count` (0 to POLLER_ITEMS_MAX) items is ready or `deadline` (of clock_now)
 * has come, and fills in what is ready. Signals do not end the wait. A deadline in the past only
 * looks. The sockets' own thread.
 */
void poller_wait(PollerItem *items, int count, Instant deadline);

#endif
