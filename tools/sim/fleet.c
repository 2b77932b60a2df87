#include "tools/sim/fleet.h"

#include <stdlib.h>

enum { PEER_STEP = 1024 }; /* between the peers of one party, more than there are parties */

/* ---- how the master reaches them ---- */

PeerId fleet_peer_of(const Fleet *fleet, int party)
{
    const uint64_t connections =
        party < PARTY_MACHINES ? 0 : fleet->links[party - PARTY_MACHINES].connections;
    return (PeerId){.value = (uint64_t)party + PEER_STEP * connections};
}

int fleet_party_of(PeerId peer)
{
    return (int)(peer.value % PEER_STEP);
}

static uint64_t bit_of(uint64_t connection)
{
    return UINT64_C(1) << connection % 64;
}

Way fleet_way_to(const Fleet *fleet, PeerId peer)
{
    const int party = fleet_party_of(peer);
    if (party < PARTY_MACHINES) {
        return WAY_OPEN;
    }
    const Link *link = &fleet->links[party - PARTY_MACHINES];
    const uint64_t connection = peer.value / PEER_STEP;
    if ((link->vanished & bit_of(connection)) != 0) {
        return WAY_LOST;
    }
    const Machine *machine = fleet->machines[party - PARTY_MACHINES];
    const bool is_there = machine != NULL && !machine_has_ended(machine);
    return connection == link->connections && is_there ? WAY_OPEN : WAY_REFUSED;
}

void fleet_renew_link(Fleet *fleet, int number)
{
    Link *link = &fleet->links[number];
    link->connections++;
    link->vanished &= ~bit_of(link->connections);
    network_reconnect(fleet->config.network, PARTY_MACHINES + number);
    machine_hear(fleet->machines[number], fleet_peer_of(fleet, PARTY_MACHINES + number));
}

/* ---- machines come and go ---- */

Status fleet_open_machine(Fleet *fleet, int number, int64_t begin_ns)
{
    const double speed = fleet->config.speeds == NULL ? 1 : fleet->config.speeds[number];
    MachineConfig config = fleet->config.machine;
    config.number = number;
    config.begin_ns = begin_ns;
    config.nodes_per_second = (int64_t)((double)config.nodes_per_second * speed);
    fleet->links[number].returns_ns = INT64_MAX;
    return machine_new(&config, &fleet->machines[number]);
}

static void add_counts(MachineCounts *sum, const MachineCounts *counts)
{
    sum->nodes += counts->nodes;
    sum->busy_ns += counts->busy_ns;
    sum->message_ns += counts->message_ns;
    sum->jobs += counts->jobs;
    sum->cancelled_jobs += counts->cancelled_jobs;
    sum->cancelled_nodes += counts->cancelled_nodes;
    sum->shares += counts->shares;
    sum->share_nodes += counts->share_nodes;
    sum->offers += counts->offers;
    sum->withdrawn += counts->withdrawn;
    sum->waits += counts->waits;
    sum->waited_ns += counts->waited_ns;
}

void fleet_end_machine(Fleet *fleet, int number)
{
    if (fleet->machines[number] != NULL) {
        add_counts(&fleet->lost, machine_counts(fleet->machines[number]));
        machine_destroy(&fleet->machines[number]);
    }
}

void fleet_lose_machine(Fleet *fleet, int number)
{
    Link *link = &fleet->links[number];
    fleet_end_machine(fleet, number);
    link->vanished |= bit_of(link->connections);
}

/* ---- all of them ---- */

Status fleet_init(Fleet *fleet, const FleetConfig *config)
{
    const size_t count = (size_t)config->machines;
    *fleet = (Fleet){.config = *config};
    fleet->machines = calloc(count, sizeof(Machine *));
    fleet->links = calloc(count, sizeof *fleet->links);
    if (fleet->machines == NULL || fleet->links == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for machines");
    }
    Status status = status_ok();
    for (int i = 0; i < config->machines && status_is_ok(&status); i++) {
        status = fleet_open_machine(fleet, i, 0);
    }
    return status;
}

void fleet_free(Fleet *fleet)
{
    for (int i = 0; fleet->machines != NULL && i < fleet->config.machines; i++) {
        machine_destroy(&fleet->machines[i]);
    }
    free(fleet->machines);
    free(fleet->links);
    fleet->machines = NULL;
    fleet->links = NULL;
}

MachineCounts fleet_counts(const Fleet *fleet)
{
    MachineCounts counts = fleet->lost;
    for (int i = 0; i < fleet->config.machines; i++) {
        if (fleet->machines[i] != NULL) {
            add_counts(&counts, machine_counts(fleet->machines[i]));
        }
    }
    return counts;
}

bool fleet_is_searching(const Fleet *fleet)
{
    for (int i = 0; i < fleet->config.machines; i++) {
        if (fleet->machines[i] != NULL && machine_is_searching(fleet->machines[i])) {
            return true;
        }
    }
    return false;
}

void fleet_describe(const Fleet *fleet)
{
    for (int i = 0; i < fleet->config.machines; i++) {
        if (fleet->machines[i] != NULL) {
            machine_describe(fleet->machines[i]);
        }
    }
}
