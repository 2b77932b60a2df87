#include "tools/sim/bridge_host.h"

#include <stdio.h>

#include "base/clamp.h"
#include "chess/fen.h"

enum { PING_MS = 1000 };

/* What happens at the bridge; the subject is a Parcel or nothing. */
typedef enum {
    ENTRY_ARRIVAL, /* a message has come */
    ENTRY_PING,    /* it shows that it is there */
} EntryKind;

void bridge_host_init(BridgeHost *bridge, void *context,
                      void (*send)(void *context, const Message *message, int64_t at_ns))
{
    *bridge = (BridgeHost){.context = context, .send = send};
    agenda_init(&bridge->agenda);
}

void bridge_host_free(BridgeHost *bridge)
{
    agenda_free_with_subjects(&bridge->agenda);
}

static void send_at(BridgeHost *bridge, int64_t at_ns)
{
    bridge->send(bridge->context, &bridge->outgoing, at_ns);
}

static void plan_ping(BridgeHost *bridge, int64_t last_ns)
{
    agenda_add(&bridge->agenda, last_ns + PING_MS * INT64_C(1000000), ENTRY_PING, NULL);
}

void bridge_host_open(BridgeHost *bridge)
{
    bridge->outgoing = (Message){.type = MESSAGE_OPEN};
    MessageOpen *open = &bridge->outgoing.open;
    open->protocol_version = PROTOCOL_VERSION;
    (void)snprintf(open->name, sizeof open->name, "rookery-sim");
    send_at(bridge, 0);
    plan_ping(bridge, 0);
}

void bridge_host_search(BridgeHost *bridge, const Position *position, int depth, int multi_pv,
                        int64_t at_ns)
{
    bridge->outgoing = (Message){.type = MESSAGE_SEARCH};
    MessageSearch *search = &bridge->outgoing.search;
    search->search.value = 1;
    search->multi_pv = multi_pv;
    search->limits.depth = depth;
    search->position.chess960 = position->chess960;
    fen_write(position, search->position.fen);
    send_at(bridge, at_ns);
}

void bridge_host_deliver(BridgeHost *bridge, Parcel *parcel, int64_t at_ns)
{
    agenda_add(&bridge->agenda, at_ns, ENTRY_ARRIVAL, parcel);
}

int64_t bridge_host_next_ns(const BridgeHost *bridge)
{
    return agenda_next_ns(&bridge->agenda);
}

/* One of the lines, which are told from the best one down. */
static void take_line(BridgeHost *bridge, const MessageInfo *info)
{
    bridge->nodes = info->nodes;
    if (info->multi_pv_index == 0) {
        bridge->score = info->line.score;
        bridge->depth = info->line.depth;
    } else {
        bridge->depth = smaller(bridge->depth, info->line.depth);
    }
}

static void take_message(BridgeHost *bridge, const Message *message, int64_t at_ns)
{
    switch (message->type) {
    case MESSAGE_OPENED:
        bridge->is_open = true;
        break;
    case MESSAGE_STATUS:
        bridge->workers = message->status.worker_count;
        break;
    case MESSAGE_INFO:
        take_line(bridge, &message->info);
        break;
    case MESSAGE_BESTMOVE:
        bridge->has_best = true;
        bridge->best_ns = at_ns;
        bridge->best = message->bestmove.move;
        break;
    default:
        break;
    }
}

void bridge_host_act(BridgeHost *bridge)
{
    AgendaEntry entry;
    if (!agenda_take(&bridge->agenda, &entry)) {
        return;
    }
    if (entry.kind == ENTRY_PING) {
        bridge->outgoing.type = MESSAGE_PING;
        bridge->outgoing.ping.number = 1;
        send_at(bridge, entry.time_ns);
        plan_ping(bridge, entry.time_ns);
        return;
    }
    parcel_open(entry.subject, bridge->incoming);
    take_message(bridge, bridge->incoming, entry.time_ns);
}
