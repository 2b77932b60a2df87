#include "transport/poller.h"

#include <errno.h>
#include <poll.h>
#include <zmq.h>

#include "base/check.h"
#include "os/clock.h"
#include "transport/sockets.h"

static void *socket_of(const PollerItem *item)
{
    return item->router != NULL   ? sockets_of_router(item->router)
           : item->dealer != NULL ? sockets_of_dealer(item->dealer)
                                  : NULL;
}

static bool is_socket(const PollerItem *item)
{
    return item->router != NULL || item->dealer != NULL;
}

/* Whether a message waits. Any other call on a socket may have taken its signal, so only this says.
 */
static bool socket_is_readable(void *socket)
{
    int events = 0;
    size_t size = sizeof events;
    CHECK(zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) == 0 || zmq_errno() == EINTR);
    return (events & ZMQ_POLLIN) != 0;
}

/* The descriptor that becomes readable when it is time to ask socket_is_readable again. */
static int signal_of_socket(void *socket)
{
    int descriptor = -1;
    size_t size = sizeof descriptor;
    CHECK(zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size) == 0);
    return descriptor;
}

/* Looks at one socket, which poll() cannot do; true when it is readable. */
static bool look_at_socket(PollerItem *item)
{
    void *socket = socket_of(item);
    item->is_readable = socket != NULL && socket_is_readable(socket);
    return item->is_readable;
}

static bool look_at_sockets(PollerItem *items, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= is_socket(&items[i]) && look_at_socket(&items[i]);
    }
    return any;
}

/* What poll() shall wait for; a negative descriptor is passed over by it. */
static struct pollfd describe(const PollerItem *item)
{
    if (is_socket(item)) {
        void *socket = socket_of(item);
        return (struct pollfd){.fd = socket != NULL ? signal_of_socket(socket) : -1,
                               .events = POLLIN};
    }
    return (struct pollfd){.fd = item->descriptor,
                           .events = (short)(POLLIN | (item->wants_write ? POLLOUT : 0))};
}

static bool take_descriptor(PollerItem *item, short events)
{
    const short broken = POLLERR | POLLHUP | POLLNVAL;
    item->is_readable = (events & (POLLIN | broken)) != 0;
    item->is_writable = item->wants_write && (events & (POLLOUT | broken)) != 0;
    return item->is_readable || item->is_writable;
}

/*
 * Takes in what poll() found; true when anything is ready. A socket that gave no signal since the
 * last look is as it was.
 */
static bool take_events(PollerItem *items, const struct pollfd *polls, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (!is_socket(&items[i])) {
            any |= take_descriptor(&items[i], polls[i].revents);
        } else if (polls[i].revents != 0) {
            any |= look_at_socket(&items[i]);
        }
    }
    return any;
}

void poller_wait(PollerItem *items, int count, Instant deadline)
{
    CHECK(count >= 0 && count <= POLLER_ITEMS_MAX);
    struct pollfd polls[POLLER_ITEMS_MAX];
    for (int i = 0; i < count; i++) {
        items[i].is_readable = false;
        items[i].is_writable = false;
        polls[i] = describe(&items[i]);
    }
    bool is_ready = look_at_sockets(items, count);
    bool is_late = false;
    do {
        const int timeout_ms = is_ready ? 0 : clock_poll_timeout_ms(clock_now(), deadline);
        is_late = timeout_ms == 0;
        const int polled = poll(polls, (nfds_t)count, timeout_ms);
        CHECK(polled >= 0 || errno == EINTR);
        if (polled > 0) {
            is_ready |= take_events(items, polls, count);
        }
    } while (!is_ready && !is_late);
}
