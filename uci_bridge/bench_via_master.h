/*
 * The bench through a cluster: one master and one worker with one slot, embedded in this process.
 *
 * Everything is as in a real cluster but the wire: sessions, jobs, codec and sockets. It must visit
 * exactly the nodes of the serial bench, for with one slot the two are the same search; what it
 * takes longer is the price of the machinery.
 */
#ifndef ROOKERY_UCI_BRIDGE_BENCH_VIA_MASTER_H
#define ROOKERY_UCI_BRIDGE_BENCH_VIA_MASTER_H

#include "base/status.h"

/* Runs that bench and prints its result. Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_UNAVAILABLE.
 */
__attribute__((warn_unused_result)) Status bench_via_master(int depth);

#endif
