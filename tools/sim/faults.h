/*
 * Faults: what happens to the machines of a simulated cluster and to their lines, drawn from a
 * seed.
 *
 * CUT: the connection is lost, with all that is under way; the machine has a new one at once.
 *
 * DELAY: each message of the machine, both ways, takes a tenth of the duration longer.
 *
 * PAUSE: it stands still, as when it is stopped, swaps or sleeps.
 *
 * CRASH: its process dies, which the master finds with the next message to it. Later it is back
 * with an empty table.
 *
 * VANISH: the same, but nobody says so: messages to what it was are lost.
 *
 * LEAVE: it is asked to end, and says BYE. Later it is back as after a crash.
 *
 * Nothing happens to a machine that is down.
 */
#ifndef ROOKERY_TOOLS_SIM_FAULTS_H
#define ROOKERY_TOOLS_SIM_FAULTS_H

#include "base/prng.h"

typedef enum {
    FAULT_CUT,
    FAULT_DELAY,
    FAULT_PAUSE,
    FAULT_CRASH,
    FAULT_VANISH,
    FAULT_LEAVE,
    FAULT_KINDS
} FaultKind;

typedef struct {
    int64_t at_ns;       /* since the simulation began */
    FaultKind kind;      /* what happens */
    int machine;         /* to which one, from 0 */
    int64_t duration_ns; /* of all but CUT; if drawn, 1 ms to 2 s, each doubling as often */
} Fault;

typedef struct {
    Prng prng;       /* what is to come */
    int machines;    /* that may fail */
    int64_t mean_ns; /* between two faults */
    Fault next;      /* at INT64_MAX: none */
} Faults;

/* A fault of one of `machines` machines each `mean_ns` on average, from `from_ns` on; 0: none. */
void faults_init(Faults *faults, int64_t mean_ns, int machines, uint64_t seed, int64_t from_ns);

/* Only this one. */
void faults_init_single(Faults *faults, const Fault *fault);

/* The next fault, of which there must be one, after which another is next, if any. */
Fault faults_take(Faults *faults);

#endif
