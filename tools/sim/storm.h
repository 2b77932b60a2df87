/*
 * Storm: the faults (faults.h) as they befall the machines of a fleet and their lines, and the
 * machines' return.
 */
#ifndef ROOKERY_TOOLS_SIM_STORM_H
#define ROOKERY_TOOLS_SIM_STORM_H

#include "tools/sim/faults.h"
#include "tools/sim/fleet.h"

typedef struct {
    Fleet *fleet;         /* borrowed */
    Faults faults;        /* to come */
    uint64_t fault_count; /* of those that befell machines */
    Status failure;       /* of a machine that could not come back */
} Storm;

/* Nothing befalls the fleet until its `faults` are set. */
void storm_init(Storm *storm, Fleet *fleet);

/* When something befalls a machine next, or it is back. */
int64_t storm_next_ns(const Storm *storm);

/* Lets it happen. */
void storm_act(Storm *storm);

#endif
