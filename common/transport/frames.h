/*
 * Frames: what Router and Dealer have in common. Only for files of this folder.
 */
#ifndef ROOKERY_TRANSPORT_FRAMES_H
#define ROOKERY_TRANSPORT_FRAMES_H

#include <czmq.h>

#include "transport/transport.h"

/*
 * A new socket of `type` (ZMQ_ROUTER, ZMQ_DEALER) for `address` with the limits that both kinds
 * need, or NULL when the system has no room for it (errno says why).
 */
zsock_t *frames_socket(int type, const char *address, int queue_max);

/*
 * May this address be used? inproc always, tcp by the rules of config_address_admit.
 * Errors: STATUS_INVALID.
 */
Status frames_check_address(const char *address, bool is_listener, bool insecure);

/* Receives one frame without waiting; false when none is there. `frame` must be initialised. */
bool frames_receive(void *socket, zmq_msg_t *frame);

/* Receives and drops the remaining frames of the message that `frame` belongs to; their number. */
int frames_drop_rest(void *socket, zmq_msg_t *frame);

/* Sends one frame without waiting; 0 or the errno. `more` announces another frame. */
int frames_send(void *socket, const void *bytes, int length, bool more);

#endif
