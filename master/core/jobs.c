#include "master/core/jobs.h"

#include <string.h>

/* Names of shares; those of the root's jobs, counted from 1, never come so far. */
static const uint32_t first_share = 0x80000001;

void jobs_init(Jobs *jobs)
{
    memset(jobs, 0, sizeof *jobs);
    jobs->next_share = first_share;
}

/* ---- counting ---- */

/* The worker and the session have `change` more jobs out like this one. */
static void count_out(const Job *job, int change)
{
    const int active = job->is_parked ? 0 : change;
    job->worker->jobs_out += change;
    job->worker->jobs_active += active;
    job->session->jobs_out += change;
    job->session->jobs_active += active;
}

/* Its nodes a second count from now on. */
static void restart_pace(Job *job, Instant now)
{
    job->resumed = now;
    job->heard = now;
    job->nodes_then = job->nodes;
}

static void go_out(Job *job, Worker *worker, Instant now)
{
    CHECK(registry_has_free_slot(worker));
    job->state = JOB_OUT;
    job->worker = worker;
    job->since = now;
    restart_pace(job, now);
    count_out(job, 1);
}

/* The worker has it no more. */
static void come_back(const Job *job)
{
    count_out(job, -1);
    job->session->running_nodes -= job->nodes;
}

/* ---- coming and going ---- */

/* An empty record at the first free place. There must be one. */
static Job *new_job(Jobs *jobs)
{
    int place = 0;
    CHECK(jobs_have_room(jobs));
    while (jobs->list[place].state != JOB_FREE) {
        place++;
    }
    jobs->count++;
    jobs->end = place < jobs->end ? jobs->end : place + 1;
    Job *job = &jobs->list[place];
    *job = (Job){.order = jobs->next_order++, .work = &jobs->work[place]};
    return job;
}

void jobs_add_root(Jobs *jobs, Session *session, Root *root, Worker *worker, const MessageJob *work,
                   Instant now)
{
    Job *job = new_job(jobs);
    job->id = work->id;
    job->session = session;
    job->root = root;
    job->is_eldest = work->is_eldest;
    job->depth = work->depth;
    job->move_count = work->move_count;
    go_out(job, worker, now);
}

Job *jobs_add_share(Jobs *jobs, Job *owner, const MessageOffer *offer)
{
    if (!jobs_have_room(jobs)) {
        return NULL;
    }
    Job *job = new_job(jobs);
    job->state = JOB_QUEUED;
    job->id = owner->id;
    job->id.job = jobs->next_share;
    job->id.attempt = 1;
    jobs->next_share = jobs->next_share == UINT32_MAX ? first_share : jobs->next_share + 1;
    job->session = owner->session;
    job->root = owner->root;
    job->owner = owner;
    job->share = offer->share;
    job->depth = offer->job.depth;
    job->move_count = offer->job.move_count;
    *job->work = offer->job;
    return job;
}

void jobs_hand_out(Job *job, Worker *worker, Instant now)
{
    CHECK(job->state == JOB_QUEUED);
    go_out(job, worker, now);
}

void jobs_set_parked(Job *job, bool is_parked, Instant now)
{
    CHECK(job->state == JOB_OUT);
    count_out(job, -1);
    job->is_parked = is_parked;
    count_out(job, 1);
    restart_pace(job, now);
}

static bool has_shares(const Jobs *jobs, const Job *owner)
{
    for (int i = 0; i < jobs->end; i++) {
        if (jobs->list[i].state != JOB_FREE && jobs->list[i].owner == owner) {
            return true;
        }
    }
    return false;
}

void jobs_note_nodes(Job *job, uint64_t nodes, Instant now)
{
    CHECK(job->state == JOB_OUT);
    job->session->running_nodes += nodes - job->nodes;
    job->nodes = nodes;
    job->heard = now;
    if (job->worker->jobs_active > job->worker->slots) {
        restart_pace(job, now); /* one of them waits for a core, and it may be this one */
    }
}

void jobs_restart_paces(Jobs *jobs, const Worker *worker, Instant now)
{
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state == JOB_OUT && (worker == NULL || job->worker == worker)) {
            restart_pace(job, now);
        }
    }
}

void jobs_queue_again(Jobs *jobs, Job *job)
{
    CHECK(job->state == JOB_OUT && job->owner != NULL && !has_shares(jobs, job));
    come_back(job);
    job->state = JOB_QUEUED;
    job->id.attempt++;
    job->is_parked = false;
    job->nodes = 0;
    job->shares_asked = 0;
    job->order = jobs->next_order++;
}

void jobs_remove(Jobs *jobs, Job *job)
{
    CHECK(job->state != JOB_FREE && !has_shares(jobs, job));
    if (job->state == JOB_OUT) {
        come_back(job);
    }
    job->state = JOB_FREE;
    jobs->count--;
    while (jobs->end > 0 && jobs->list[jobs->end - 1].state == JOB_FREE) {
        jobs->end--;
    }
}

/* ---- finding ---- */

Job *jobs_find(Jobs *jobs, const Worker *worker, const JobId *id)
{
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state == JOB_OUT && job->worker == worker && job_id_equal(&job->id, id)) {
            return job;
        }
    }
    return NULL;
}

Job *jobs_find_share(Jobs *jobs, const Job *owner, uint32_t share)
{
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state != JOB_FREE && job->owner == owner && job->share == share) {
            return job;
        }
    }
    return NULL;
}

/* Appends what was given away by this very job to a list of `count`; returns the new count. */
static int append_shares(Jobs *jobs, const Job *owner, Job *list[JOBS_MAX], int count)
{
    for (int i = 0; i < jobs->end; i++) {
        if (jobs->list[i].state != JOB_FREE && jobs->list[i].owner == owner) {
            list[count++] = &jobs->list[i];
        }
    }
    return count;
}

int jobs_below(Jobs *jobs, const Job *job, Job *list[JOBS_MAX])
{
    int count = append_shares(jobs, job, list, 0);
    for (int i = 0; i < count; i++) {
        count = append_shares(jobs, list[i], list, count);
    }
    return count;
}

/* ---- the queue ---- */

bool jobs_is_waited_for(const Job *job, const Worker *worker)
{
    for (const Job *above = job->owner; above != NULL; above = above->owner) {
        if (above->is_parked && above->worker == worker) {
            return true;
        }
    }
    return false;
}

/* Should `left` be searched before `right`? */
static bool is_before(const Job *left, const Job *right, const Worker *worker)
{
    const bool left_is_waited_for = jobs_is_waited_for(left, worker);
    const bool right_is_waited_for = jobs_is_waited_for(right, worker);
    if (left_is_waited_for != right_is_waited_for) {
        return left_is_waited_for;
    }
    if (left->depth != right->depth) {
        return left->depth > right->depth;
    }
    if (left->move_count != right->move_count) {
        return left->move_count > right->move_count;
    }
    return left->order < right->order;
}

Job *jobs_next_share(Jobs *jobs, const Session *session, const Worker *worker)
{
    Job *best = NULL;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state == JOB_QUEUED && job->session == session &&
            (best == NULL || is_before(job, best, worker))) {
            best = job;
        }
    }
    return best;
}

int jobs_queued_count(const Jobs *jobs)
{
    int count = 0;
    for (int i = 0; i < jobs->end; i++) {
        count += jobs->list[i].state == JOB_QUEUED;
    }
    return count;
}
