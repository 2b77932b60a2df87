#include "master/core/recall.h"

#include <inttypes.h>
#include <stddef.h>

#include "master/core/clears.h"
#include "master/core/relay.h"

/* ---- scouts ---- */

/* Ends a scout and whatever is out for it. */
static void dismiss(Master *master, Scout *scout, MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state != JOB_FREE && job->root == &scout->root && job->owner == NULL) {
            relay_cancel(jobs, job, actions);
        }
    }
    scouts_close(scout);
}

/* Slots have become fewer, or searches more. */
static void dismiss_surplus(Master *master, Session *session, MasterActions *actions)
{
    const int wanted = state_searches_wanted(master, session);
    while (state_search_count(master, session) > wanted) {
        dismiss(master, scouts_least(&master->scouts, session), actions);
    }
}

void recall_scouts(Master *master, MasterActions *actions)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (!actions_have_room(actions)) {
            actions->more = true;
            return;
        }
        if (session_is_at_work(&master->sessions[i])) {
            dismiss_surplus(master, &master->sessions[i], actions);
        }
    }
}

/* ---- jobs ---- */

/*
 * Takes a job back, to be handed out again. A share goes back to the queue and not to its owner,
 * which, if it is parked, would go on and take the very slot.
 */
static void take_back(Jobs *jobs, Job *job, MasterActions *actions)
{
    if (job->owner != NULL) {
        relay_queue_again(jobs, job, actions);
    } else {
        root_job_lost(job->root, job->id.job);
        relay_cancel(jobs, job, actions);
    }
}

/*
 * May a session without any slot take that of this job? From one that has another, or has had this
 * for a while: where slots are fewer than sessions, all have their turn.
 */
static bool may_be_spared(const Master *master, const Job *job)
{
    enum { TURN_MS = 1000 };
    return job->state == JOB_OUT && !job->is_parked && !registry_is_kept_back(job->worker) &&
           (job->session->jobs_active > 1 ||
            instant_since(master->stepped, job->since).us >= duration_ms(TURN_MS).us);
}

/*
 * Does taking it back free a slot? Not where more jobs search than there are slots, because parked
 * ones have gone on.
 */
static bool holds_a_slot(const Job *job)
{
    return job->worker->jobs_active <= job->worker->slots;
}

/*
 * Of the session with the most jobs the youngest one: whatever is at work below a job is younger
 * than it. Where every session has one job only, the one that went out first.
 */
static bool is_rather_spared(const Job *left, const Job *right)
{
    const int left_active = left->session->jobs_active;
    const int right_active = right->session->jobs_active;
    if (holds_a_slot(left) != holds_a_slot(right)) {
        return holds_a_slot(left);
    }
    if (left_active != right_active) {
        return left_active > right_active;
    }
    return left_active > 1 ? left->order > right->order
                           : instant_is_before(left->since, right->since);
}

/* Recalls a job if one may be spared; true if so. */
static bool spare_a_job(Master *master, MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    Job *spare = NULL;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (may_be_spared(master, job) && (spare == NULL || is_rather_spared(job, spare))) {
            spare = job;
        }
    }
    if (spare != NULL) {
        take_back(jobs, spare, actions);
    }
    return spare != NULL;
}

Worker *recall_slot(Master *master, MasterActions *actions)
{
    Worker *worker = registry_free_worker(&master->registry);
    while (worker == NULL && spare_a_job(master, actions)) {
        worker = registry_free_worker(&master->registry);
    }
    return worker;
}

enum {
    LATE_MS = 300,  /* three heartbeats: two may be on their way at once */
    LATE_TIMES = 4, /* slower */
    REST_MS = 3000, /* so that trying it again costs a tenth */
};

/* Whether so many nodes in a time that is long enough to tell are less than so many a second. */
static bool is_slow(uint64_t nodes, int64_t us, uint64_t least)
{
    return us >= duration_ms(LATE_MS).us && nodes * 1000000 < least * (uint64_t)us;
}

/* By what its worker tells of this job, or of all its jobs of late, none of which need be long. */
static bool is_late(const Job *job, const Worker *idle)
{
    if (job->state != JOB_OUT || job->is_parked || job->worker == idle) {
        return false;
    }
    const Worker *worker = job->worker;
    const uint64_t told = worker->nodes_per_second_calibrated;
    const uint64_t other = idle->nodes_per_second_calibrated;
    const uint64_t least = (told < other ? told : other) / LATE_TIMES;
    return is_slow(job->nodes - job->nodes_then, instant_since(job->heard, job->resumed).us,
                   least) ||
           is_slow(worker->window_nodes, worker->window_us, least * (uint64_t)worker->slots);
}

/* One that clears its tables searches nothing, which says nothing of its speed. */
static void give_rest(const Master *master, Worker *worker, MasterActions *actions)
{
    worker->is_resting = true;
    worker->rest_ends = instant_add(master->stepped, duration_ms(REST_MS));
    registry_restart_window(worker);
    if (!worker->rest_is_told && !clears_are_awaited(master, worker->id)) {
        worker->rest_is_told = true;
        actions_log(actions, MASTER_LOG_WORKER,
                    "worker %" PRIu32
                    " (%s) is more than %d times slower than it said: others do what is late there",
                    worker->id.value, worker->name, LATE_TIMES);
    }
}

bool recall_late(Master *master, const Worker *idle, MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (is_late(job, idle)) {
            give_rest(master, job->worker, actions);
            take_back(jobs, job, actions);
            return true;
        }
    }
    return false;
}

static void tell_reserve(Worker *worker, MasterActions *actions)
{
    if (worker->is_in_reserve && !worker->reserve_is_told) {
        actions_log(actions, MASTER_LOG_WORKER,
                    "worker %" PRIu32
                    " (%s) is kept in reserve: the fastest is more than 3 times faster",
                    worker->id.value, worker->name);
    }
    worker->reserve_is_told = worker->is_in_reserve;
}

void recall_from_reserve(Master *master, MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    for (int i = 0; i < master->registry.end; i++) {
        if (master->registry.workers[i].is_joined) {
            tell_reserve(&master->registry.workers[i], actions);
        }
    }
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state == JOB_OUT && job->owner == NULL && job->worker->is_in_reserve) {
            take_back(jobs, job, actions);
        }
    }
}
