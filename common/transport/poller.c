#include "transport/poller.h"

#include <errno.h>
#include <zmq.h>

#include "base/check.h"
#include "os/clock.h"
#include "transport/sockets.h"

/* Fills in what libzmq shall wait for; false when the item cannot become ready. */
static bool describe(const PollerItem *item, zmq_pollitem_t *poll)
{
    *poll = (zmq_pollitem_t){.fd = -1, .events = ZMQ_POLLIN};
    if (item->router != NULL) {
        poll->socket = sockets_of_router(item->router);
    } else if (item->dealer != NULL) {
        poll->socket = sockets_of_dealer(item->dealer);
    } else {
        poll->fd = item->descriptor;
        poll->events = (short)(ZMQ_POLLIN | (item->wants_write ? ZMQ_POLLOUT : 0));
    }
    return poll->socket != NULL || poll->fd >= 0;
}

void poller_wait(PollerItem *items, int count, Instant deadline)
{
    CHECK(count >= 0 && count <= POLLER_ITEMS_MAX);
    zmq_pollitem_t polls[POLLER_ITEMS_MAX];
    int poll_of_item[POLLER_ITEMS_MAX];
    int poll_count = 0;
    for (int i = 0; i < count; i++) {
        const bool can_be_ready = describe(&items[i], &polls[poll_count]);
        poll_of_item[i] = can_be_ready ? poll_count++ : -1;
    }

    int ready;
    do {
        ready = zmq_poll(polls, poll_count, clock_poll_timeout_ms(clock_now(), deadline));
    } while (ready < 0 && errno == EINTR);

    for (int i = 0; i < count; i++) {
        const short events =
            ready > 0 && poll_of_item[i] >= 0 ? polls[poll_of_item[i]].revents : (short)0;
        items[i].is_readable = (events & (ZMQ_POLLIN | ZMQ_POLLERR)) != 0;
        items[i].is_writable = items[i].wants_write && (events & (ZMQ_POLLOUT | ZMQ_POLLERR)) != 0;
    }
}
