/*
 * Hunger: which jobs are asked for shares of their work, and for how many.
 *
 * So many shares are wanted as there are free slots that nothing queued will fill, and a few more,
 * so that a slot that becomes free need not wait for the hop; never more than the pool of jobs has
 * room for, since they would be refused and asked for again. They are asked of the jobs with the
 * most work to be expected, of different ones as far as there are enough.
 *
 * A HUNGRY holds until it is changed or met: the job's search counts each share it gives away, and
 * so does the master (Job.shares_asked). To keep messages few, a job that has been asked for more
 * than others stays so while that many are wanted, and one that has been asked is preferred to
 * another that is no more than KEPT_PLIES deeper.
 */
#ifndef ROOKERY_MASTER_CORE_HUNGER_H
#define ROOKERY_MASTER_CORE_HUNGER_H

#include "master/core/jobs.h"

/*
 * Sends HUNGRY to every job for which the number wanted is not the one it has been told. A cluster
 * of one slot wants none. `surplus` is the wanted length of the queue; `slot_share` as for
 * session_has_nodes. To be called after dispatch.
 */
void hunger_tell(Jobs *jobs, const Registry *registry, int surplus, int slot_share,
                 MasterActions *actions);

#endif
