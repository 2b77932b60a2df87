/*
 * Faults: what happens to the machines of a simulated cluster and to their lines, drawn from a
 * seed.
 *
 *     CUT     the connection is lost, with all that is under way; the machine has a new one at once
 *     DELAY   messages of the machine, both ways, take longer for a while
 *     PAUSE   it stands still for a while, as when it is stopped, swaps or sleeps
 *     CRASH   its process dies, which the master finds with the next message to it; later it is
 * back with an empty table VANISH  the same, but nobody says so: messages to what it was are lost
 * LEAVE   it is asked to end, and says BYE; later it is back as after a crash
 *
 * Faults come at any time, of one machine while another or the same is still down.
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
    int64_t at_ns;
    FaultKind kind;
    int machine;
    int64_t duration_ns; /* of all but CUT: 1 ms to 2 s, as often below 45 ms as above */
} Fault;

typedef struct {
    Prng prng;
    int machines;
    int64_t mean_ns; /* between two faults */
    Fault next;      /* at INT64_MAX: none */
} Faults;

/* A fault of one of `machines` machines each `mean_ns` on average, from `from_ns` on; 0: none. */
void faults_init(Faults *faults, int64_t mean_ns, int machines, uint64_t seed, int64_t from_ns);

/* The next fault, after which another one is next. */
Fault faults_take(Faults *faults);

#endif
