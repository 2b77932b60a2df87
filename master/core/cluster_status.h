/*
 * ClusterStatus: what bridges are told of the workers: when one has joined, when the last one is
 * gone, and each second.
 */
#ifndef ROOKERY_MASTER_CORE_CLUSTER_STATUS_H
#define ROOKERY_MASTER_CORE_CLUSTER_STATUS_H

#include "master/core/state.h"

/* Tells one bridge which workers are there now. */
void cluster_status_send(const Master *master, PeerId peer, MasterActions *actions);

/* Tells every bridge. */
void cluster_status_send_to_all(const Master *master, MasterActions *actions);

/*
 * Tells every bridge if a second has passed since this did so last, and of its own search how many
 * nodes it has by now.
 */
void cluster_status_publish(Master *master, Instant now, MasterActions *actions);

#endif
