#include "transport/frames.h"

#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "config/config_address.h"

enum {
    BACKLOG = 512,         /* connections that wait to be accepted: a whole cluster at once */
    HANDSHAKE_MS = 2000,   /* a stranger who connects and says nothing is dropped after this */
    KEEPALIVE_IDLE_S = 10, /* half-open connections end by the kernel's own probes: it answers */
    KEEPALIVE_PAUSE_S = 5, /*     them for a stopped process too, so nobody is lost by mistake */
    KEEPALIVE_PROBES = 3,
    UNACKNOWLEDGED_MS = 15000, /* the same for a connection on which data is under way */
};

zsock_t *frames_socket(int type, const char *address, int queue_max)
{
    zsock_t *socket = zsock_new(type);
    if (socket == NULL) {
        return NULL;
    }
    zsock_set_linger(socket, 0);
    zsock_set_sndhwm(socket, queue_max);
    zsock_set_rcvhwm(socket, queue_max);
    zsock_set_maxmsgsize(socket, TRANSPORT_MESSAGE_BYTES_MAX);
    zsock_set_handshake_ivl(socket, HANDSHAKE_MS);
    zsock_set_backlog(socket, BACKLOG);
    zsock_set_tcp_keepalive(socket, 1);
    zsock_set_tcp_keepalive_idle(socket, KEEPALIVE_IDLE_S);
    zsock_set_tcp_keepalive_intvl(socket, KEEPALIVE_PAUSE_S);
    zsock_set_tcp_keepalive_cnt(socket, KEEPALIVE_PROBES);
    zsock_set_tcp_maxrt(socket, UNACKNOWLEDGED_MS);
    /* With IPv6 on, "localhost" may mean ::1 to one side and 127.0.0.1 to the other. */
    zsock_set_ipv6(socket, strchr(address, '[') != NULL);
    return socket;
}

Status frames_check_address(const char *address, bool is_listener, bool insecure)
{
    static const char inproc[] = "inproc://";
    if (strncmp(address, inproc, sizeof inproc - 1) == 0 && address[sizeof inproc - 1] != '\0' &&
        strlen(address) < CONFIG_ADDRESS_BYTES_MAX) {
        return status_ok();
    }
    return config_address_admit(
        address, is_listener ? CONFIG_ADDRESS_LISTEN : CONFIG_ADDRESS_CONNECT, insecure);
}

bool frames_receive(void *socket, zmq_msg_t *frame)
{
    int received;
    do {
        received = zmq_msg_recv(frame, socket, ZMQ_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    return received >= 0;
}

int frames_drop_rest(void *socket, zmq_msg_t *frame)
{
    int dropped = 0;
    while (zmq_msg_more(frame) && frames_receive(socket, frame)) {
        dropped++;
    }
    return dropped;
}

int frames_send(void *socket, const void *bytes, int length, bool more)
{
    int sent;
    do {
        sent = zmq_send(socket, bytes, (size_t)length, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0));
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}
