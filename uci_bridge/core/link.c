#include "uci_bridge/core/link.h"

#include <string.h>

enum {
    PING_INTERVAL_MS = 500,
    OPEN_INTERVAL_MS = 200, /* an OPEN before the connection stands is lost */
};

/* Marks the link's own PINGs, whose PONGs are not for the parent. */
static const uint64_t own_ping = UINT64_C(1) << 63;

static LinkAction *add(LinkActions *actions, LinkActionType type)
{
    CHECK(actions->count < LINK_ACTIONS_MAX);
    LinkAction *action = &actions->list[actions->count++];
    action->type = type;
    return action;
}

static void send_open(Link *link, Instant now, LinkActions *actions)
{
    Message *message = &add(actions, LINK_TO_MASTER)->message;
    message->type = MESSAGE_OPEN;
    message->open.protocol_version = PROTOCOL_VERSION;
    memcpy(message->open.name, link->config.name, sizeof message->open.name);
    link->open_sent = now;
}

static void connect_master(Link *link, Instant now, LinkActions *actions)
{
    (void)add(actions, LINK_CONNECT);
    link->phase = LINK_OPENING;
    link->heard = now;
    send_open(link, now, actions);
}

static void give_up(Link *link, Instant now, LinkActions *actions)
{
    (void)add(actions, LINK_DISCONNECT);
    link->phase = LINK_CLOSED;
    link->retry_at = instant_add(now, backoff_next(&link->backoff));
}

static void pass_on(const Message *message, LinkActionType to, LinkActions *actions)
{
    add(actions, to)->message = *message;
}

static void on_master_message(Link *link, const LinkEvent *event, LinkActions *actions)
{
    const Message *message = event->message;
    if (link->phase == LINK_CLOSED) {
        return; /* read from a socket that is being given up */
    }
    link->heard = event->now;
    switch (message->type) {
    case MESSAGE_OPENED:
        link->phase = LINK_OPEN;
        backoff_reset(&link->backoff);
        pass_on(message, LINK_TO_PARENT, actions);
        break;
    case MESSAGE_RESET:
        link->phase = LINK_OPENING;
        send_open(link, event->now, actions);
        break;
    case MESSAGE_PONG:
        if ((message->ping.number & own_ping) == 0) {
            pass_on(message, LINK_TO_PARENT, actions);
        }
        break;
    case MESSAGE_ERROR:
        pass_on(message, LINK_TO_PARENT, actions);
        if (link->phase == LINK_OPENING) {
            give_up(link, event->now, actions); /* refused: ask again later, it may be mended */
        }
        break;
    default:
        pass_on(message, LINK_TO_PARENT, actions);
    }
}

static void on_tick(Link *link, Instant now, LinkActions *actions)
{
    if (link->phase == LINK_CLOSED) {
        if (!instant_is_before(now, link->retry_at)) {
            connect_master(link, now, actions);
        }
        return;
    }
    if (instant_since(now, link->heard).us >= link->config.lease.us) {
        give_up(link, now, actions);
        return;
    }
    if (link->phase == LINK_OPENING &&
        instant_since(now, link->open_sent).us >= duration_ms(OPEN_INTERVAL_MS).us) {
        send_open(link, now, actions);
    }
    if (link->phase == LINK_OPEN &&
        instant_since(now, link->ping_sent).us >= duration_ms(PING_INTERVAL_MS).us) {
        Message *message = &add(actions, LINK_TO_MASTER)->message;
        message->type = MESSAGE_PING;
        message->ping.number = own_ping;
        link->ping_sent = now;
    }
}

void link_init(Link *link, const LinkConfig *config, Instant now)
{
    *link = (Link){.config = *config, .phase = LINK_CLOSED, .retry_at = now, .ping_sent = now};
    backoff_init(&link->backoff, config->retry_first, config->retry_last, config->seed);
}

void link_step(Link *link, const LinkEvent *event, LinkActions *actions)
{
    actions->count = 0;
    switch (event->type) {
    case LINK_FROM_PARENT:
        if (link->phase == LINK_OPEN) {
            pass_on(event->message, LINK_TO_MASTER, actions);
        }
        break;
    case LINK_FROM_MASTER:
        on_master_message(link, event, actions);
        break;
    case LINK_TICK:
        on_tick(link, event->now, actions);
        break;
    }
}

Instant link_next_tick(const Link *link)
{
    if (link->phase == LINK_CLOSED) {
        return link->retry_at;
    }
    const Instant lease_end = instant_add(link->heard, link->config.lease);
    const Instant routine = link->phase == LINK_OPENING
                                ? instant_add(link->open_sent, duration_ms(OPEN_INTERVAL_MS))
                                : instant_add(link->ping_sent, duration_ms(PING_INTERVAL_MS));
    return instant_is_before(lease_end, routine) ? lease_end : routine;
}
