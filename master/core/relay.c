#include "master/core/relay.h"

#include <stddef.h>

/* ---- from the owner ---- */

/* What a job of this name that is out with the worker gave away under this number, or NULL. */
static Job *find_given_away(Jobs *jobs, const Worker *worker, const JobId *id, uint32_t share)
{
    const Job *owner = jobs_find(jobs, worker, id);
    return owner == NULL ? NULL : jobs_find_share(jobs, owner, share);
}

/* Answers an offer or a share of which nothing has been done. */
static void refuse(const Job *owner, uint32_t share, MasterActions *actions)
{
    actions_send(actions, owner->worker->peer, MESSAGE_RESULT)->result = (MessageResult){
        .id = owner->id,
        .share = share,
        .is_complete = false,
        .score = -SCORE_INFINITE,
        .line = {.score = SCORE_NONE},
    };
}

void relay_offer(Jobs *jobs, const Worker *worker, const MessageOffer *offer,
                 MasterActions *actions)
{
    Job *owner = jobs_find(jobs, worker, &offer->parent);
    if (owner == NULL || offer->share == 0 || jobs_find_share(jobs, owner, offer->share) != NULL) {
        return;
    }
    if (owner->shares_asked > 0) {
        owner->shares_asked--; /* as the search that offers counts it down */
    }
    if (owner->helpers_lost.count >= JOB_HELPERS_LOST_MAX ||
        jobs_add_share(jobs, owner, offer) == NULL) {
        refuse(owner, offer->share, actions);
    }
}

/* So that the share, if it is handed out again, begins with what is known by now. */
static void raise_alpha(const Job *share, int alpha)
{
    if (alpha > share->work->alpha && alpha < share->work->beta) {
        share->work->alpha = alpha;
    }
}

void relay_bounds(Jobs *jobs, const Worker *worker, const MessageBounds *bounds,
                  MasterActions *actions)
{
    const Job *share = find_given_away(jobs, worker, &bounds->id, bounds->share);
    if (share == NULL) {
        return;
    }
    if (share->state == JOB_OUT) {
        actions_send(actions, share->worker->peer, MESSAGE_BOUNDS)->bounds =
            (MessageBounds){.id = share->id, .alpha = bounds->alpha};
    }
    raise_alpha(share, bounds->alpha);
}

void relay_withdraw(Jobs *jobs, const Worker *worker, const MessageCancel *cancel,
                    MasterActions *actions)
{
    Job *share = find_given_away(jobs, worker, &cancel->id, cancel->share);
    if (share != NULL) {
        relay_cancel(jobs, share, actions);
    }
}

void relay_parked(Jobs *jobs, const Worker *worker, const MessageParked *parked, Instant now)
{
    Job *job = jobs_find(jobs, worker, &parked->id);
    if (job != NULL) {
        jobs_set_parked(job, parked->is_parked, now);
    }
}

/* ---- to the owner ---- */

void relay_improved(const Job *share, const MessageImproved *improved, MasterActions *actions)
{
    const Job *owner = share->owner;
    MessageImproved *told = &actions_send(actions, owner->worker->peer, MESSAGE_IMPROVED)->improved;
    *told = *improved;
    told->id = owner->id;
    told->share = share->share;
    raise_alpha(share, improved->line.score);
}

void relay_result(const Job *share, const MessageResult *result, MasterActions *actions)
{
    const Job *owner = share->owner;
    MessageResult *told = &actions_send(actions, owner->worker->peer, MESSAGE_RESULT)->result;
    *told = *result;
    told->id = owner->id;
    told->share = share->share;
}

void relay_give_back(const Job *share, MasterActions *actions)
{
    refuse(share->owner, share->share, actions);
}

/* Parked where a slot is idle that can take no other job. */
static bool is_stranded(const Job *owner)
{
    const Worker *worker = owner->worker;
    return owner->is_parked && worker->jobs_active < worker->slots &&
           !registry_has_free_slot(worker);
}

void relay_give_back_stranded(Jobs *jobs, Instant now, MasterActions *actions)
{
    for (int i = 0; i < jobs->end; i++) {
        Job *share = &jobs->list[i];
        if (share->state != JOB_QUEUED || !is_stranded(share->owner)) {
            continue;
        }
        if (!actions_have_room(actions)) {
            actions->more = true;
            return;
        }
        relay_give_back(share, actions);
        jobs_set_parked(share->owner, false, now); /* it goes on as soon as it hears of it */
        jobs_remove(jobs, share);
    }
}

/* ---- giving up ---- */

void relay_cancel_below(Jobs *jobs, const Job *job, const Worker *gone, MasterActions *actions)
{
    Job *below[JOBS_MAX];
    const int count = jobs_below(jobs, job, below);
    for (int i = count - 1; i >= 0; i--) {
        if (below[i]->state == JOB_OUT && below[i]->worker != gone) {
            actions_send(actions, below[i]->worker->peer, MESSAGE_CANCEL)->cancel =
                (MessageCancel){.id = below[i]->id};
        }
        jobs_remove(jobs, below[i]);
    }
}

/* Whoever searches the job is to give it up, and all that lies below it is. */
static void call_off(Jobs *jobs, const Job *job, MasterActions *actions)
{
    if (job->state == JOB_OUT) {
        actions_send(actions, job->worker->peer, MESSAGE_CANCEL)->cancel =
            (MessageCancel){.id = job->id};
    }
    relay_cancel_below(jobs, job, NULL, actions);
}

void relay_cancel(Jobs *jobs, Job *job, MasterActions *actions)
{
    call_off(jobs, job, actions);
    jobs_remove(jobs, job);
}

void relay_queue_again(Jobs *jobs, Job *share, MasterActions *actions)
{
    call_off(jobs, share, actions);
    jobs_queue_again(jobs, share);
}
