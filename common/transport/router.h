/*
 * Router: the master's socket, to which any number of dealers connect.
 *
 * Each connection gets a number, never 0, that no other connection of this router ever has. Peers
 * cannot choose it: messages of peers that bring a routing id of their own are dropped. A dealer
 * that connects again is a new peer, so who it is must be said in its messages. (Who speaks ZMTP
 * without libzmq can forge an id that looks like the router's own: docs/protocol.md, section 13.)
 */
#ifndef ROOKERY_TRANSPORT_ROUTER_H
#define ROOKERY_TRANSPORT_ROUTER_H

#include "messages/names.h"
#include "transport/transport.h"

typedef struct Router Router;

typedef struct {
    const char *address; /* tcp://HOST:PORT or inproc://NAME; copied */
    bool insecure;       /* addresses beyond loopback are allowed */
    int queue_max;       /* messages that may wait for one peer, and from one peer; at least 1 */
} RouterOptions;

/*
 * Binds a new router. On failure *router is NULL.
 * Errors: STATUS_INVALID (address), STATUS_UNAVAILABLE (the address is in use or not of this
 * machine), STATUS_IO (no room for another socket).
 */
__attribute__((warn_unused_result)) Status router_new(const RouterOptions *options,
                                                      Router **router);

/* Closes the router at once, unsent messages are lost, and nulls the pointer; NULL is allowed. */
void router_destroy(Router **router);

/* Takes the next message, if there is one. What is not a message of one frame is dropped. */
bool router_receive(Router *router, uint64_t *peer, TransportMessage *message);

/*
 * Sends a copy of 1 to TRANSPORT_MESSAGE_BYTES_MAX bytes. TRANSPORT_PEER_GONE: the connection has
 * ended, within about a millisecond of a process's death; TRANSPORT_PEER_FULL: it takes nothing.
 * A queue that was full when its connection ended may say FULL for ever, so a caller gives up a
 * peer for either.
 */
__attribute__((warn_unused_result)) TransportResult router_send(Router *router, uint64_t peer,
                                                                const void *bytes, int length);

/* Messages dropped since the start because they were not one frame of a proper peer. */
uint64_t router_dropped(const Router *router);

#endif
