#include "transport/router.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "config/config_address.h"
#include "os/clock.h"
#include "transport/frames.h"
#include "transport/sockets.h"

/*
 * The routing id that ROUTER gives a connection: a zero byte and a number that counts up. The
 * peer is that number with a bit above it, so no table is needed to go from one to the other.
 */
enum { ROUTING_ID_BYTES = 5 };
static const uint64_t peer_mark = UINT64_C(1) << 32;

/* Junk from peers must not keep us from the others: at most so many messages are dropped at once.
 */
enum { DROPS_AT_ONCE_MAX = 64 };

enum { BIND_MS_MAX = 200 };

struct Router {
    char address[CONFIG_ADDRESS_BYTES_MAX]; /* as it was bound */
    zsock_t *socket;
    void *handle;     /* the same socket for libzmq */
    zmq_msg_t frame;  /* the message handed out last */
    uint64_t dropped; /* messages */
};

/* ZeroMQ binds to addresses of interfaces only; this one name is what people write. */
static void resolve_localhost(const char *address, char resolved[CONFIG_ADDRESS_BYTES_MAX])
{
    static const char name[] = "tcp://localhost:";
    if (strncmp(address, name, sizeof name - 1) == 0) {
        (void)snprintf(resolved, CONFIG_ADDRESS_BYTES_MAX, "tcp://127.0.0.1:%s",
                       address + sizeof name - 1);
    } else {
        (void)snprintf(resolved, CONFIG_ADDRESS_BYTES_MAX, "%s", address);
    }
}

/*
 * Binds; returns 0 or the errno. A socket that was destroyed a moment ago, of this process or one
 * that has just ended, may still hold the address.
 */
static int bind_patiently(void *handle, const char *address)
{
    const Instant deadline = instant_add(clock_now(), duration_ms(BIND_MS_MAX));
    while (zmq_bind(handle, address) != 0) {
        const int error = zmq_errno();
        if (error != EADDRINUSE || !instant_is_before(clock_now(), deadline)) {
            return error;
        }
        clock_sleep(duration_ms(1));
    }
    return 0;
}

static Status bind_failed(const char *address, int error)
{
    switch (error) {
    case EADDRINUSE:
        return status_error(STATUS_UNAVAILABLE,
                            "cannot listen at \"%s\": the address is in use; is another master "
                            "running there?",
                            address);
    case EADDRNOTAVAIL:
    case ENODEV:
        return status_error(STATUS_UNAVAILABLE,
                            "cannot listen at \"%s\": this machine has no such address", address);
    default:
        return status_error(STATUS_UNAVAILABLE, "cannot listen at \"%s\": %s", address,
                            zmq_strerror(error));
    }
}

Status router_new(const RouterOptions *options, Router **router)
{
    CHECK(options->queue_max > 0);
    *router = NULL;
    Status status = frames_check_address(options->address, true, options->insecure);
    if (!status_is_ok(&status)) {
        return status;
    }
    Router *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return status_error(STATUS_NO_MEMORY, "no memory for a socket");
    }
    made->socket = frames_socket(ZMQ_ROUTER, options->address, options->queue_max);
    if (made->socket == NULL) {
        free(made);
        return status_error(STATUS_IO, "cannot make a socket: %s", zmq_strerror(errno));
    }
    made->handle = zsock_resolve(made->socket);
    zmq_msg_init(&made->frame);
    zsock_set_router_mandatory(made->socket, 1);

    resolve_localhost(options->address, made->address);
    const int error = bind_patiently(made->handle, made->address);
    if (error != 0) {
        status = bind_failed(options->address, error);
        router_destroy(&made);
        return status;
    }
    *router = made;
    return status;
}

void router_destroy(Router **router)
{
    if (*router != NULL) {
        zmq_msg_close(&(*router)->frame);
        /* Closing ends later, on another thread, and a connection made until then within the
         * process would be taken and lost. */
        (void)zmq_unbind((*router)->handle, (*router)->address);
        zsock_destroy(&(*router)->socket);
        free(*router);
        *router = NULL;
    }
}

void *sockets_of_router(const Router *router)
{
    return router->handle;
}

/* Reads the routing id; false when the peer has brought its own. */
static bool read_routing_id(zmq_msg_t *frame, uint64_t *peer)
{
    const uint8_t *id = zmq_msg_data(frame);
    if (zmq_msg_size(frame) != ROUTING_ID_BYTES || id[0] != 0) {
        return false;
    }
    *peer = peer_mark | (uint64_t)id[1] << 24 | (uint64_t)id[2] << 16 | (uint64_t)id[3] << 8 |
            (uint64_t)id[4];
    return true;
}

static void write_routing_id(uint64_t peer, uint8_t id[ROUTING_ID_BYTES])
{
    id[0] = 0;
    id[1] = (uint8_t)(peer >> 24);
    id[2] = (uint8_t)(peer >> 16);
    id[3] = (uint8_t)(peer >> 8);
    id[4] = (uint8_t)peer;
}

bool router_receive(Router *router, uint64_t *peer, TransportMessage *message)
{
    zmq_msg_t *frame = &router->frame;
    for (int i = 0; i < DROPS_AT_ONCE_MAX && frames_receive(router->handle, frame); i++) {
        const bool is_proper = read_routing_id(frame, peer);
        if (is_proper && zmq_msg_more(frame) && frames_receive(router->handle, frame) &&
            !zmq_msg_more(frame) && zmq_msg_size(frame) > 0) {
            *message = (TransportMessage){
                .bytes = zmq_msg_data(frame),
                .length = (int)zmq_msg_size(frame),
            };
            return true;
        }
        (void)frames_drop_rest(router->handle, frame);
        router->dropped++;
    }
    return false;
}

TransportResult router_send(Router *router, uint64_t peer, const void *bytes, int length)
{
    CHECK(length > 0 && length <= TRANSPORT_MESSAGE_BYTES_MAX);
    uint8_t id[ROUTING_ID_BYTES];
    write_routing_id(peer, id);
    /* The first frame finds the peer; once it has been taken, the second one cannot be refused. */
    int error = frames_send(router->handle, id, sizeof id, true);
    if (error == 0) {
        error = frames_send(router->handle, bytes, length, false);
    }
    return error == 0 ? TRANSPORT_OK : error == EAGAIN ? TRANSPORT_PEER_FULL : TRANSPORT_PEER_GONE;
}

uint64_t router_dropped(const Router *router)
{
    return router->dropped;
}
