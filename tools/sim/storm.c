#include "tools/sim/storm.h"

void storm_init(Storm *storm, Fleet *fleet)
{
    *storm = (Storm){.fleet = fleet, .failure = status_ok()};
    storm->faults.next.at_ns = INT64_MAX;
}

/* The machine is back, and its tables are empty; not before it has left. */
static void return_machine(Storm *storm, int number, int64_t at_ns)
{
    enum { LOOK_AGAIN_NS = 10000000 };
    Fleet *fleet = storm->fleet;
    const Machine *left = fleet->machines[number];
    if (left != NULL && !machine_has_ended(left)) {
        fleet->links[number].returns_ns += LOOK_AGAIN_NS;
        return;
    }
    fleet_end_machine(fleet, number);
    storm->failure = fleet_open_machine(fleet, number, at_ns);
}

static void strike(Storm *storm, const Fault *fault)
{
    Fleet *fleet = storm->fleet;
    const int number = fault->machine;
    Link *link = &fleet->links[number];
    const int64_t until_ns = fault->at_ns + fault->duration_ns;
    if (link->returns_ns != INT64_MAX) {
        return; /* it is down, or about to be */
    }
    storm->fault_count++;
    switch (fault->kind) {
    case FAULT_CUT:
        fleet_renew_link(fleet, number);
        break;
    case FAULT_DELAY:
        network_delay(fleet->config.network, PARTY_MACHINES + number, fault->duration_ns / 10,
                      until_ns);
        break;
    case FAULT_PAUSE:
        machine_pause(fleet->machines[number], until_ns);
        break;
    case FAULT_CRASH:
        fleet_end_machine(fleet, number);
        link->returns_ns = until_ns;
        break;
    case FAULT_VANISH:
        fleet_lose_machine(fleet, number);
        link->returns_ns = until_ns;
        break;
    case FAULT_LEAVE:
        machine_terminate(fleet->machines[number], fault->at_ns);
        link->returns_ns = until_ns;
        break;
    case FAULT_KINDS:
        break;
    }
}

/* The machine that is back first, or -1. */
static int first_to_return(const Fleet *fleet)
{
    int first = -1;
    int64_t first_ns = INT64_MAX;
    for (int i = 0; i < fleet->config.machines; i++) {
        if (fleet->links[i].returns_ns < first_ns) {
            first = i;
            first_ns = fleet->links[i].returns_ns;
        }
    }
    return first;
}

int64_t storm_next_ns(const Storm *storm)
{
    const int first = first_to_return(storm->fleet);
    const int64_t fault_ns = storm->faults.next.at_ns;
    return first >= 0 && storm->fleet->links[first].returns_ns < fault_ns
               ? storm->fleet->links[first].returns_ns
               : fault_ns;
}

void storm_act(Storm *storm)
{
    const int first = first_to_return(storm->fleet);
    const int64_t at_ns = storm_next_ns(storm);
    if (first >= 0 && storm->fleet->links[first].returns_ns == at_ns) {
        return_machine(storm, first, at_ns);
    } else {
        const Fault fault = faults_take(&storm->faults);
        strike(storm, &fault);
    }
}
