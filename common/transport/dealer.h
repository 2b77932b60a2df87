/*
 * Dealer: a worker's or a bridge's socket, connected to one router.
 *
 *     dealer_new -> closed -> (dealer_open) -> connecting <-> connected
 *                     ^------- (dealer_close) ----'---------------'
 *
 * While it is open it connects by itself, as often as it takes, with a pause that grows and is
 * spread at random. Messages are taken only while there is a connection: nothing is kept for a
 * router that is not there. Some failures (a refused handshake, junk from the other side) end a
 * socket for good without a sign, and only its owner sees that no answer comes: it must then close
 * the dealer and open it again.
 */
#ifndef ROOKERY_TRANSPORT_DEALER_H
#define ROOKERY_TRANSPORT_DEALER_H

#include "transport/transport.h"

typedef struct Dealer Dealer;

typedef struct {
    const char *address; /* tcp://HOST:PORT or inproc://NAME; copied */
    bool insecure;       /* addresses beyond loopback are allowed */
    int queue_max;       /* messages that may wait in each direction; at least 1 */
    int retry_first_ms;  /* pause before the first attempt to connect again; at least 1 */
    int retry_last_ms;   /* the pause doubles up to this */
} DealerOptions;

/*
 * Makes a closed dealer. On failure *dealer is NULL. Errors: STATUS_INVALID (address),
 * STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status dealer_new(const DealerOptions *options,
                                                      Dealer **dealer);

/* Closes the dealer and nulls the pointer; NULL is allowed. */
void dealer_destroy(Dealer **dealer);

/*
 * Makes a new socket and begins to connect; one that was open is closed. Whether a router is there
 * shows only in its answers. Errors: STATUS_IO (no room for another socket), STATUS_INVALID (an
 * address that the library does not take); the dealer is then closed.
 */
__attribute__((warn_unused_result)) Status dealer_open(Dealer *dealer);

/* Ends the connection at once; unsent and unread messages are lost. Closed ones stay closed. */
void dealer_close(Dealer *dealer);

/* Takes the next message, if there is one. What is not a message of one frame is dropped. */
bool dealer_receive(Dealer *dealer, TransportMessage *message);

/*
 * Sends a copy of 1 to TRANSPORT_MESSAGE_BYTES_MAX bytes. TRANSPORT_PEER_GONE: the dealer is
 * closed; TRANSPORT_PEER_FULL: it has no connection yet, or the other side takes nothing.
 */
__attribute__((warn_unused_result)) TransportResult dealer_send(Dealer *dealer, const void *bytes,
                                                                int length);

#endif
