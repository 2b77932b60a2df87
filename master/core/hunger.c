#include "master/core/hunger.h"

#include <stddef.h>

#include "base/clamp.h"

enum {
    DEPTH_MIN = 5,  /* a shallower job is done before its shares could be */
    KEPT_PLIES = 2, /* see hunger.h */
};

/* A job that may be asked. */
typedef struct {
    const Job *job; /* that is out and searches */
    int place;      /* in the pool */
    int count;      /* shares wanted of it */
} Candidate;

/* Shares that the cluster could use, more than are queued, as far as there is room for them. */
static int count_wanted(const Jobs *jobs, const Registry *registry, int surplus)
{
    const int slots = registry_slot_count(registry);
    if (slots <= 1) {
        return 0;
    }
    const int wanted = registry_free_slot_count(registry) - jobs_queued_count(jobs) + surplus;
    return wanted > 0 ? smaller(wanted, JOBS_MAX - jobs->count) : 0;
}

static int expected_work(const Job *job)
{
    return job->depth + (job->shares_asked > 0 ? KEPT_PLIES : 0);
}

/* Most work first, older first. */
static bool is_before(const Job *left, const Job *right)
{
    const int difference = expected_work(left) - expected_work(right);
    return difference != 0 ? difference > 0 : left->order < right->order;
}

/* Does the job search, and is there a use for what it will find? */
static bool may_be_asked(const Job *job, int slot_share)
{
    return job->state == JOB_OUT && !job->is_parked && job->depth >= DEPTH_MIN &&
           job->helpers_lost.count < JOB_HELPERS_LOST_MAX &&
           (job->owner != NULL || root_job_is_out(job->root, job->id.job)) &&
           session_has_nodes(job->session, slot_share);
}

static int list_candidates(const Jobs *jobs, int slot_share, Candidate list[JOBS_MAX])
{
    int count = 0;
    for (int i = 0; i < jobs->end; i++) {
        const Job *job = &jobs->list[i];
        if (!may_be_asked(job, slot_share)) {
            continue;
        }
        int at = count++;
        for (; at > 0 && is_before(job, list[at - 1].job); at--) {
            list[at] = list[at - 1];
        }
        list[at] = (Candidate){.job = job, .place = i};
    }
    return count;
}

/*
 * Distributes what is wanted: one for each first; of the rest, what each has been asked for anyway;
 * of that rest, to those with the fewest.
 */
static void distribute(int wanted, Candidate list[], int count)
{
    int rest = wanted;
    for (int i = 0; i < count && rest > 0; i++) {
        list[i].count = 1;
        rest--;
    }
    for (int i = 0; i < count && rest > 0; i++) {
        const int kept = smaller(list[i].job->shares_asked - 1, rest);
        if (kept > 0) {
            list[i].count += kept;
            rest -= kept;
        }
    }
    for (int level = 1; level < MESSAGE_SHARES_MAX && rest > 0; level++) {
        for (int i = 0; i < count && rest > 0; i++) {
            if (list[i].count == level) {
                list[i].count++;
                rest--;
            }
        }
    }
}

void hunger_tell(Jobs *jobs, const Registry *registry, int surplus, int slot_share,
                 MasterActions *actions)
{
    Candidate candidates[JOBS_MAX];
    int counts[JOBS_MAX] = {0}; /* by place in the pool */
    const int wanted = count_wanted(jobs, registry, surplus);
    const int count = wanted > 0 ? list_candidates(jobs, slot_share, candidates) : 0;
    distribute(wanted, candidates, count);
    for (int i = 0; i < count; i++) {
        counts[candidates[i].place] = candidates[i].count;
    }
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state != JOB_OUT || job->shares_asked == counts[i]) {
            continue;
        }
        if (!actions_have_room(actions)) {
            actions->more = true;
            return;
        }
        job->shares_asked = counts[i];
        actions_send(actions, job->worker->peer, MESSAGE_HUNGRY)->hungry =
            (MessageHungry){.id = job->id, .count = counts[i]};
    }
}
