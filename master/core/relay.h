/*
 * Relay: what the owner of a share and whoever searches it have to say to each other.
 *
 * The owner names a share by its own job and a number, its helper by a job's name that the master
 * made. Neither knows the other: everything goes through here and is renamed.
 *
 *     owner's worker                    master                    helper
 *     OFFER job 1 share 3 ---------->  queued  ---------------->  JOB 2
 *     BOUNDS job 1 share 3 ------------------------------------>  BOUNDS job 2
 *     CANCEL job 1 share 3 ------------------------------------>  CANCEL job 2, and all below it
 *     IMPROVED job 1 share 3 <----------------------------------  IMPROVED job 2
 *     RESULT job 1 share 3 <------------------------------------  RESULT job 2
 *     RESULT (not complete) <--- no room, helper lost, stranded
 *
 * Exactly one RESULT answers each OFFER of a job that is out, unless the owner withdraws the share
 * or is cancelled itself.
 */
#ifndef ROOKERY_MASTER_CORE_RELAY_H
#define ROOKERY_MASTER_CORE_RELAY_H

#include "master/core/jobs.h"

/*
 * What a worker says of the shares that its jobs give away. It is ignored if the job is not out
 * with that worker, or if the job has no such share.
 */

/* A job gives a share away: it is queued, or refused. One that is on record already is ignored. */
void relay_offer(Jobs *jobs, const Worker *worker, const MessageOffer *offer,
                 MasterActions *actions);

/* A job has a higher lower bound for a share. */
void relay_bounds(Jobs *jobs, const Worker *worker, const MessageBounds *bounds,
                  MasterActions *actions);

/* A job no longer wants a share. */
void relay_withdraw(Jobs *jobs, const Worker *worker, const MessageCancel *cancel,
                    MasterActions *actions);

/* A job begins or ends to wait for its shares. */
void relay_parked(Jobs *jobs, const Worker *worker, const MessageParked *parked, Instant now);

/* What is said of a share to its owner. `share` is on record; the caller removes it if it ends. */

/* Its line got better. */
void relay_improved(const Job *share, const MessageImproved *improved, MasterActions *actions);

/* It has ended. */
void relay_result(const Job *share, const MessageResult *result, MasterActions *actions);

/* It has ended, and nothing came of it. */
void relay_give_back(const Job *share, MasterActions *actions);

/*
 * Gives up everything below a job. `gone` is a worker that need not be told, since it has left;
 * NULL: all are told.
 */
void relay_cancel_below(Jobs *jobs, const Job *job, const Worker *gone, MasterActions *actions);

/* Gives up a job, of the root or a share, and everything below it. */
void relay_cancel(Jobs *jobs, Job *job, MasterActions *actions);

/* Takes a share back from its helper, to be handed out again; its owner need not know of that. */
void relay_queue_again(Jobs *jobs, Job *share, MasterActions *actions);

/*
 * Gives queued shares back to owners that are parked on a worker with an idle slot but no place for
 * another job, one for each such slot. Nothing could be gained by their waiting, and if all of the
 * cluster came to be parked so, nobody would ever search again. To be called when dispatch has
 * nothing more to hand out.
 */
void relay_give_back_stranded(Jobs *jobs, Instant now, MasterActions *actions);

#endif
