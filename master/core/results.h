/*
 * Results: what workers find out, on its way to where the work came from.
 *
 * News of a share goes to its owner (relay.h); news of a root's job moves that root's state machine
 * on, and perhaps the whole search with it.
 */
#ifndef ROOKERY_MASTER_CORE_RESULTS_H
#define ROOKERY_MASTER_CORE_RESULTS_H

#include "master/core/state.h"

/* A worker tells a better line of a job that it searches; ignored if the job is not on record. */
void results_improved(Master *master, const Worker *worker, const MessageImproved *improved,
                      Instant now, MasterActions *actions);

/*
 * A worker has ended a job, complete or given back. Of one that is no longer on record only the
 * nodes count.
 */
void results_take(Master *master, Worker *worker, const MessageResult *result, Instant now,
                  MasterActions *actions);

#endif
