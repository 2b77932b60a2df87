/*
 * Machine: one worker of a simulated cluster: the real worker core, its lanes as fibres with real
 * searches on one table, and a messages' thread.
 *
 * It does for the core exactly what worker/worker.c and worker/pool.c do, on virtual time. A lane's
 * clock advances by what it has searched: at each poll the fibre goes on at once while nothing of
 * this machine is due before its clock and nothing of another can be (the horizon), else it
 * yields. So fibres and events of one machine take place in strict order of time, and machines run
 * apart only as far as no message can bridge.
 *
 * Lanes that search at once are dealt out by worker/cores.h. The messages' thread is a server of
 * its own: it takes so long for each message received and sent. While as many lanes search as there
 * are slots, that time is taken off one of them.
 *
 * A machine may come at any time, be paused and be asked to end; one that is destroyed in the midst
 * of its work is one that has crashed.
 *
 * What is not exact: a search that begins to wait or reports a better line does so at the time of
 * its last poll, up to SEARCH_POLL_NODES early, and makes up for it at the next.
 */
#ifndef ROOKERY_TOOLS_SIM_MACHINE_H
#define ROOKERY_TOOLS_SIM_MACHINE_H

#include "messages/messages.h"
#include "tools/sim/parcel.h"
#include "tools/sim/timeline.h"
#include "worker/core/worker.h"

/* What all machines of a cluster use; only one of them at a time. */
typedef struct {
    WorkerActions actions; /* of the step being taken */
    Message incoming;      /* the message being taken */
} MachineScratch;

typedef struct {
    int number;       /* from 0 */
    int64_t begin_ns; /* when it is switched on */
    int slots;
    int hash_mb;
    int64_t nodes_per_second; /* of one slot */
    int64_t message_ns;       /* processor time for a message received, and for one sent */
    int64_t wake_ns;          /* from a change to the thread that waits for it */
    bool splits;              /* false: HUNGRY is not heard */
    bool pushes;              /* false: TABLE is not heard, so that nothing is told either */
    int64_t push_interval_ns; /* between two looks at what the table has noted */
    MachineScratch *scratch;  /* borrowed */
    Timeline *timeline;       /* borrowed, NULL for none */
    void *context;            /* of the two below */
    void (*send)(void *context, int machine, const Message *message, int64_t at_ns);
    void (*connect)(void *context, int machine); /* anew; machine_hear follows. NULL: never mind */
    int64_t *horizon_ns; /* up to here no other party can interfere; may go down meanwhile */
} MachineConfig;

/* Counts since the beginning. */
typedef struct {
    uint64_t nodes;           /* searched */
    int64_t busy_ns;          /* time that lanes searched, all together */
    int64_t message_ns;       /* time of the messages' thread */
    uint64_t jobs;            /* ended */
    uint64_t cancelled_jobs;  /* of them */
    uint64_t cancelled_nodes; /* searched by those */
    uint64_t shares;          /* jobs that were shares of inner nodes and ended by themselves */
    uint64_t share_nodes;     /* searched by those */
    uint64_t offers;          /* shares given away */
    uint64_t withdrawn;       /* of them, wanted no longer */
    uint64_t waits;           /* of searches for their shares */
    int64_t waited_ns;        /* all together */
} MachineCounts;

typedef struct Machine Machine;

/* A machine that connects when it is switched on. Errors: STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status machine_new(const MachineConfig *config,
                                                       Machine **machine);

/* Frees it and nulls the pointer; NULL is allowed. */
void machine_destroy(Machine **machine);

/* A message of the master arrives; the parcel is the machine's from now on. */
void machine_deliver(Machine *machine, Parcel *parcel, int64_t at_ns);

/* From now on it hears what comes by this connection, at first that of peer 0, and nothing else. */
void machine_hear(Machine *machine, PeerId peer);

/* It stands still until then; messages wait for it. */
void machine_pause(Machine *machine, int64_t until_ns);

/* It is asked to end at `at_ns`: it gives its jobs back, says BYE and ends a little later. */
void machine_terminate(Machine *machine, int64_t at_ns);

/* Whether it has, or has given up to do so in an orderly way. */
bool machine_has_ended(const Machine *machine);

/* When something is next to happen here; INT64_MAX when it has ended. */
int64_t machine_next_ns(const Machine *machine);

/* Lets it happen. */
void machine_act(Machine *machine);

const MachineCounts *machine_counts(const Machine *machine);

/* Is any lane searching? */
bool machine_is_searching(const Machine *machine);

/* One line a lane on what it is doing, on stderr: for a cluster that hangs. */
void machine_describe(const Machine *machine);

#endif
