/*
 * Recall: work that is taken back, so that slots become free for what is wanted more.
 *
 * Whatever runs for a scout that is one too many is cancelled with it. A single job goes back to
 * where it came from, its root or the queue, and is handed out again (dispatch.h).
 */
#ifndef ROOKERY_MASTER_CORE_RECALL_H
#define ROOKERY_MASTER_CORE_RECALL_H

#include "master/core/state.h"

/*
 * Closes the scouts that are more than their sessions should have by now. When there is no room for
 * actions left, it asks for more.
 */
void recall_scouts(Master *master, MasterActions *actions);

/*
 * A worker with a free slot, if need be one that was another session's, for a session that has
 * none; NULL when no slot can be spared.
 */
Worker *recall_slot(Master *master, MasterActions *actions);

/*
 * Takes a job back that is late, for a worker that has nothing to do, and gives whoever was late a
 * rest. False if none is late: a job is if its worker tells that it searches at less than a quarter
 * of the speed that it said, and of the other one's. For others wait for it, and what the slow one
 * has done of it the quick one does in no time. Whoever tells nothing has its lease instead.
 */
bool recall_late(Master *master, const Worker *idle, MasterActions *actions);

/*
 * Takes all jobs of roots back from workers that are in reserve by now, for whatever waits for them
 * would wait too long, and logs who they are. To be called when a worker has joined or is gone.
 */
void recall_from_reserve(Master *master, MasterActions *actions);

#endif
