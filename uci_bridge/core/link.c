#include "uci_bridge/core/link.h"

enum {
    LOOKS_A_LEASE = 4, /* at the clock while connected, so that lateness shows */
    LATE_LOOKS = 2,    /* missed: it was us who stood still */
};

void link_init(Link *link, const LinkConfig *config, Instant now)
{
    *link = (Link){.lease = config->lease, .retry_at = now, .stepped = now};
    backoff_init(&link->backoff, config->retry_first, config->retry_last, config->seed);
}

static LinkAction on_master_message(Link *link, const LinkEvent *event)
{
    if (!link->is_connected) {
        return LINK_NOTHING; /* left over in a socket that was given up */
    }
    link->heard = event->now;
    if (event->message->type == MESSAGE_OPENED) {
        backoff_reset(&link->backoff);
    }
    return LINK_PASS_ON;
}

/* When something is to be done if nothing comes. */
static Instant due(const Link *link)
{
    return link->is_connected ? instant_add(link->heard, link->lease) : link->retry_at;
}

/* After a late step of our own the master cannot be blamed: what it said may wait unread. */
static void grant_grace(Link *link, Instant now)
{
    if (instant_since(now, link->stepped).us >= link->lease.us * LATE_LOOKS / LOOKS_A_LEASE) {
        link->heard = now;
    }
    link->stepped = now;
}

static LinkAction on_tick(Link *link, Instant now)
{
    if (instant_is_before(now, due(link))) {
        return LINK_NOTHING;
    }
    link->is_connected = !link->is_connected;
    if (link->is_connected) {
        link->heard = now;
        return LINK_CONNECT;
    }
    link->retry_at = instant_add(now, backoff_next(&link->backoff));
    return LINK_DISCONNECT;
}

LinkAction link_step(Link *link, const LinkEvent *event)
{
    grant_grace(link, event->now);
    switch (event->type) {
    case LINK_FROM_PARENT:
        return link->is_connected ? LINK_PASS_ON : LINK_NOTHING;
    case LINK_FROM_MASTER:
        return on_master_message(link, event);
    default:
        return on_tick(link, event->now);
    }
}

Instant link_next_tick(const Link *link)
{
    const Instant look = instant_add(link->stepped, duration_us(link->lease.us / LOOKS_A_LEASE));
    return link->is_connected && instant_is_before(look, due(link)) ? look : due(link);
}
