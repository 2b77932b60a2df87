/*
 * Fleet: the machines of a simulated cluster, and how the master reaches each of them.
 *
 * A machine may be down, or be another one than before. Each connection that it has had is a peer
 * of its own to the master, which learns that an old one is no more as soon as it sends something
 * there, but not if the machine has vanished without a sign.
 */
#ifndef ROOKERY_TOOLS_SIM_FLEET_H
#define ROOKERY_TOOLS_SIM_FLEET_H

#include "tools/sim/machine.h"
#include "tools/sim/network.h"

/* Parties of the network; the machines are numbered on from PARTY_MACHINES. */
enum { PARTY_MASTER, PARTY_BRIDGE, PARTY_MACHINES };

typedef struct {
    int machines;          /* how many */
    MachineConfig machine; /* of each, but for `number` and `begin_ns`; speed 1 */
    const double *speeds;  /* of each, borrowed; NULL: all 1 */
    Network *network;      /* borrowed */
} FleetConfig;

/* How the master reaches a machine. */
typedef struct {
    uint64_t connections; /* that it has had: the present one's peer is named by them */
    uint64_t vanished;    /* those that ended without a sign: a bit for each, of the last 64 */
    int64_t returns_ns;   /* when the machine is back; INT64_MAX: it is there */
} Link;

typedef struct {
    FleetConfig config;
    Machine **machines; /* NULL: down */
    Link *links;        /* of each machine */
    MachineCounts lost; /* of machines that are no more */
} Fleet;

/* What becomes of a message of the master. */
typedef enum {
    WAY_OPEN,    /* it goes out */
    WAY_REFUSED, /* that peer is known to be no more */
    WAY_LOST,    /* nobody hears it, and nobody knows that */
} Way;

/* All machines, switched on at 0. Errors: those of machine_new; it is to be freed even so. */
__attribute__((warn_unused_result)) Status fleet_init(Fleet *fleet, const FleetConfig *config);

/* Frees what it holds; one of zeros too. */
void fleet_free(Fleet *fleet);

/* The peer that a party is to the master now, and the party that a peer is or was. */
PeerId fleet_peer_of(const Fleet *fleet, int party);
int fleet_party_of(PeerId peer);

Way fleet_way_to(const Fleet *fleet, PeerId peer);

/* A machine that is down is switched on, with empty tables. Errors: those of machine_new. */
__attribute__((warn_unused_result)) Status fleet_open_machine(Fleet *fleet, int number,
                                                              int64_t begin_ns);

/* The machine is no more, if it was there. */
void fleet_end_machine(Fleet *fleet, int number);

/* ... and the master does not learn of it by itself. */
void fleet_lose_machine(Fleet *fleet, int number);

/* The machine has a new connection; what is under way on the old one is lost. */
void fleet_renew_link(Fleet *fleet, int number);

/* Of all machines that are or were. */
MachineCounts fleet_counts(const Fleet *fleet);

/* Is any lane searching? */
bool fleet_is_searching(const Fleet *fleet);

/* machine_describe for each. */
void fleet_describe(const Fleet *fleet);

#endif
