/*
 * Dispatch: which free slot gets which work.
 *
 * Sessions are served in turn, the one with the fewest jobs at work first. Of a session's work the
 * eldest jobs of its searches go out first, for a search stands still without; then shares, since
 * others wait for them already; then brothers. A job goes by preference to the worker that had its
 * subtree last (affinity.h). A session that would get no slot at all takes one of another
 * (recall.h). What stays free then is cared for by asking running jobs for shares (hunger.h).
 */
#ifndef ROOKERY_MASTER_CORE_DISPATCH_H
#define ROOKERY_MASTER_CORE_DISPATCH_H

#include "master/core/state.h"

/*
 * Hands out work while there are free slots, work and room for actions; without room it asks for
 * more. To be called at the end of each step.
 */
void dispatch_work(Master *master, MasterActions *actions);

#endif
