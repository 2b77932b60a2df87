#include "tools/sim/master_host.h"

#include <stdlib.h>

#include "base/check.h"

enum {
    EPOCH = 1,
    HEARTBEAT_MS = 100,
    LEASE_MS = 1500,
};

/* What happens at the master; the subject is a Parcel. */
typedef enum {
    ENTRY_ARRIVAL, /* a message has come */
    ENTRY_MESSAGE, /* ... and its turn too */
    ENTRY_GONE,    /* a message could not be sent: the peer of this parcel is no more */
} EntryKind;

/* ---- making and ending ---- */

Status master_host_init(MasterHost *master, const MasterHostConfig *config)
{
    const MasterConfig core = {
        .epoch = {EPOCH},
        .heartbeat = duration_ms(HEARTBEAT_MS),
        .lease = duration_ms(LEASE_MS),
        .surplus_permille = MASTER_SURPLUS_PERMILLE,
        .searches_max = config->searches,
        .ignores_affinity = !config->affinity,
    };
    *master = (MasterHost){.config = *config};
    agenda_init(&master->agenda);
    master->core = master_new(&core, (Instant){.us = 0});
    master->actions = malloc(sizeof *master->actions);
    return master->core == NULL || master->actions == NULL
               ? status_error(STATUS_NO_MEMORY, "not enough memory for a master")
               : status_ok();
}

void master_host_free(MasterHost *master)
{
    agenda_free_with_subjects(&master->agenda);
    master_destroy(&master->core);
    free(master->actions);
    master->actions = NULL;
}

/* ---- what happens ---- */

static int64_t later(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

/* The thread works so long, as soon as it can; returns when it is done. */
static int64_t occupy(MasterHost *master, int64_t at_ns, int64_t cost_ns)
{
    master->free_ns = later(at_ns, master->free_ns) + cost_ns;
    master->busy_ns += cost_ns;
    return master->free_ns;
}

static void take_action(MasterHost *master, const MasterAction *action, bool of_result)
{
    const MasterHostConfig *config = &master->config;
    if (action->type != MASTER_ACTION_SEND) {
        return;
    }
    const int64_t at_ns = occupy(master, master->now_ns, config->send_ns);
    if (!config->send(config->context, action->peer, &action->message, of_result, at_ns)) {
        Parcel *parcel = calloc(1, sizeof *parcel);
        CHECK(parcel != NULL);
        parcel->peer = action->peer;
        agenda_add(&master->agenda, at_ns, ENTRY_GONE, parcel);
    }
}

static void step(MasterHost *master, MasterEvent event)
{
    const bool of_result =
        event.type == MASTER_EVENT_MESSAGE && event.message->type == MESSAGE_RESULT;
    do {
        event.now = (Instant){.us = master->now_ns / 1000};
        master_step(master->core, &event, master->actions);
        for (int i = 0; i < master->actions->count; i++) {
            take_action(master, &master->actions->list[i], of_result);
        }
        event = (MasterEvent){.type = MASTER_EVENT_TICK};
    } while (master->actions->more);
    master->tick_ns = master_next_tick(master->core).us * 1000;
}

static void act_on(MasterHost *master, const AgendaEntry *entry)
{
    const MasterHostConfig *config = &master->config;
    const PeerId from = ((Parcel *)entry->subject)->peer;
    switch ((EntryKind)entry->kind) {
    case ENTRY_ARRIVAL:
        if (!config->is_connected(config->context, from)) {
            free(entry->subject); /* it was under way when the connection was lost */
            break;
        }
        agenda_add(&master->agenda, occupy(master, entry->time_ns, config->receive_ns),
                   ENTRY_MESSAGE, entry->subject);
        break;
    case ENTRY_MESSAGE:
        parcel_open(entry->subject, config->incoming);
        step(master, (MasterEvent){
                         .type = MASTER_EVENT_MESSAGE, .peer = from, .message = config->incoming});
        break;
    case ENTRY_GONE:
        free(entry->subject);
        step(master, (MasterEvent){.type = MASTER_EVENT_PEER_GONE, .peer = from});
        break;
    }
}

void master_host_deliver(MasterHost *master, Parcel *parcel, int64_t at_ns)
{
    agenda_add(&master->agenda, at_ns, ENTRY_ARRIVAL, parcel);
}

int64_t master_host_next_ns(const MasterHost *master)
{
    const int64_t next_ns = agenda_next_ns(&master->agenda);
    return later(next_ns < master->tick_ns ? next_ns : master->tick_ns, master->now_ns);
}

void master_host_act(MasterHost *master)
{
    AgendaEntry entry;
    master->now_ns = master_host_next_ns(master);
    if (agenda_next_ns(&master->agenda) > master->tick_ns) {
        step(master, (MasterEvent){.type = MASTER_EVENT_TICK});
    } else if (agenda_take(&master->agenda, &entry)) {
        act_on(master, &entry);
    }
}
