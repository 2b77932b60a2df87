/*
 * Transport: the only code that knows ZeroMQ. Two sockets, Router (router.h) and Dealer (dealer.h),
 * and one way to wait for them (poller.h).
 *
 * What the layers above may rely on:
 *  1. A message is one frame of 1 to TRANSPORT_MESSAGE_BYTES_MAX bytes. Whatever else arrives is
 *     dropped; a router counts it.
 *  2. Nothing blocks but poller_wait, and router_new while its address is still in use.
 *  3. Delivery is at most once and may be late: after an interruption an old answer can come behind
 *     a new question, so everything said carries its name (messages/names.h).
 *  4. Messages between one router and one connection of a dealer keep their order.
 *  5. A socket belongs to the thread that made it. There is no ZeroMQ after a fork.
 *
 * Addresses are tcp://HOST:PORT as in config/config_address.h, whose rule for networks without keys
 * is enforced here, or inproc://NAME between threads of one process.
 *
 * Known weaknesses, until there are keys: who can connect can open connections up to the limit of
 * descriptors, and can make the receiver hold the frames of one endless message.
 *
 * Sources: ZeroMQ RFC 23 (ZMTP 3.0), RFC 28 (ROUTER and DEALER), zmq_setsockopt(3).
 */
#ifndef ROOKERY_TRANSPORT_TRANSPORT_H
#define ROOKERY_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/duration.h"
#include "base/status.h"

enum {
    TRANSPORT_MESSAGE_BYTES_MAX = 65536,

    /* Messages waiting for one peer before its sends fail: 16 for each slot of a large worker. */
    TRANSPORT_QUEUE_DEFAULT = 4096,
};

typedef enum {
    TRANSPORT_OK,        /* handed to the system; no promise that it arrives */
    TRANSPORT_PEER_GONE, /* there is no such connection any more */
    TRANSPORT_PEER_FULL, /* the queue is full, or a dealer has no connection yet */
} TransportResult;

/* A message that has arrived; the bytes are the socket's and good until its next receive. */
typedef struct {
    const uint8_t *bytes; /* not NUL-terminated */
    int length;           /* 1 to TRANSPORT_MESSAGE_BYTES_MAX */
} TransportMessage;

/*
 * Makes the context that all sockets of the process share (inproc needs one) and takes signals out
 * of the library's hands. Call once in main, before other threads exist and before any socket.
 */
void transport_init(void);

/*
 * Ends the context; all sockets must have been destroyed. For tests: a program closes its sockets
 * and then leaves by _exit, because the library's teardown can crash (libzmq issue 4806).
 */
void transport_shutdown(void);

#endif
