#include "uci_bridge/core/link.h"

void link_init(Link *link, const LinkConfig *config, Instant now)
{
    *link = (Link){.lease = config->lease, .retry_at = now};
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

static LinkAction on_tick(Link *link, Instant now)
{
    if (instant_is_before(now, link_next_tick(link))) {
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
    return link->is_connected ? instant_add(link->heard, link->lease) : link->retry_at;
}
