#include "transport/dealer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "config/config_address.h"
#include "transport/frames.h"
#include "transport/sockets.h"

enum {
    CONNECT_MS_MAX = 500, /* an attempt without an answer (a cut cable) is begun anew after this */
    DROPS_AT_ONCE_MAX = 64,
};

struct Dealer {
    char address[CONFIG_ADDRESS_BYTES_MAX];
    int queue_max;
    int retry_first_ms;
    int retry_last_ms;
    zsock_t *socket; /* NULL while closed */
    void *handle;    /* the same socket for libzmq */
    zmq_msg_t frame; /* the message handed out last */
};

Status dealer_new(const DealerOptions *options, Dealer **dealer)
{
    CHECK(options->queue_max > 0 && options->retry_first_ms > 0);
    *dealer = NULL;
    Status status = frames_check_address(options->address, false, options->insecure);
    if (!status_is_ok(&status)) {
        return status;
    }
    Dealer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a socket");
    }
    (void)snprintf(made->address, sizeof made->address, "%s", options->address);
    made->queue_max = options->queue_max;
    made->retry_first_ms = options->retry_first_ms;
    made->retry_last_ms = options->retry_last_ms;
    zmq_msg_init(&made->frame);
    *dealer = made;
    return status;
}

void dealer_destroy(Dealer **dealer)
{
    if (*dealer != NULL) {
        dealer_close(*dealer);
        zmq_msg_close(&(*dealer)->frame);
        free(*dealer);
        *dealer = NULL;
    }
}

Status dealer_open(Dealer *dealer)
{
    dealer_close(dealer);
    dealer->socket = frames_socket(ZMQ_DEALER, dealer->address, dealer->queue_max);
    if (dealer->socket == NULL) {
        return status_error(STATUS_IO, "cannot make a socket: %s", zmq_strerror(errno));
    }
    dealer->handle = zsock_resolve(dealer->socket);
    zsock_set_immediate(dealer->socket, 1);
    zsock_set_reconnect_ivl(dealer->socket, dealer->retry_first_ms);
    zsock_set_reconnect_ivl_max(dealer->socket, dealer->retry_last_ms);
    zsock_set_connect_timeout(dealer->socket, CONNECT_MS_MAX);
    if (zmq_connect(dealer->handle, dealer->address) != 0) {
        const int error = zmq_errno();
        dealer_close(dealer);
        return status_error(STATUS_INVALID, "cannot connect to \"%s\": %s", dealer->address,
                            zmq_strerror(error));
    }
    return status_ok();
}

void dealer_close(Dealer *dealer)
{
    zsock_destroy(&dealer->socket);
    dealer->handle = NULL;
}

void *sockets_of_dealer(const Dealer *dealer)
{
    return dealer->handle;
}

bool dealer_receive(Dealer *dealer, TransportMessage *message)
{
    zmq_msg_t *frame = &dealer->frame;
    if (dealer->handle == NULL) {
        return false;
    }
    for (int i = 0; i < DROPS_AT_ONCE_MAX && frames_receive(dealer->handle, frame); i++) {
        if (!zmq_msg_more(frame) && zmq_msg_size(frame) > 0) {
            *message = (TransportMessage){
                .bytes = zmq_msg_data(frame),
                .length = (int)zmq_msg_size(frame),
            };
            return true;
        }
        (void)frames_drop_rest(dealer->handle, frame);
    }
    return false;
}

TransportResult dealer_send(Dealer *dealer, const void *bytes, int length)
{
    CHECK(length > 0 && length <= TRANSPORT_MESSAGE_BYTES_MAX);
    if (dealer->handle == NULL) {
        return TRANSPORT_PEER_GONE;
    }
    return frames_send(dealer->handle, bytes, length, false) == 0 ? TRANSPORT_OK
                                                                  : TRANSPORT_PEER_FULL;
}
