#include "master/core/departure.h"

#include <inttypes.h>

#include "chess/notation.h"
#include "master/core/clears.h"
#include "master/core/cluster_status.h"
#include "master/core/recall.h"
#include "master/core/relay.h"
#include "master/core/searches.h"

/* A worker has died with a job of the root: a second one may end the searches side by side. */
static void note_loss(const Master *master, Session *session, WorkerId worker, int depth,
                      MasterActions *actions)
{
    const int searches_before = state_searches_wanted(master, session);
    session_note_loss(session, worker, depth, master->stepped);
    if (state_searches_wanted(master, session) < searches_before) {
        actions_log(actions, MASTER_LOG_SEARCH,
                    "%d workers were lost with jobs of session %" PRIu32
                    ": one search has its root to itself until %d minutes pass without a loss",
                    session->workers_lost.count, session->id.value,
                    SESSION_LOSSES_KEPT_MS / (60 * 1000));
    }
}

/* A job of the root has cost a worker, perhaps because of what it is. */
static void blame_root_job(const Master *master, const Job *job, MasterActions *actions)
{
    Session *session = job->session;
    const int depth_before = session->root.depth_done;
    note_loss(master, session, job->worker->id, job->root->depth, actions);
    if (job->root != &session->root) {
        root_job_lost(job->root, job->id.job);
        return;
    }
    const Move move = root_job_killed(&session->root, job->id.job);
    if (move != MOVE_NONE) {
        char text[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&session->position, move, text);
        actions_log(actions, MASTER_LOG_SEARCH,
                    "%d workers were lost with %s of session %" PRIu32 ": leaving it out",
                    ROOT_KILLS_MAX, text, session->id.value);
    }
    if (session->root.depth_done != depth_before) {
        searches_on_iteration(session, master->stepped, actions); /* only that move was missing */
    }
}

/*
 * Gives a job that will not be finished, and has nothing below it, back to where it came from. It
 * is blamed when its worker died with it.
 */
static void lose_job(Master *master, Job *job, bool is_blamed, MasterActions *actions)
{
    if (job->owner != NULL) {
        if (is_blamed) {
            losses_note(&job->owner->helpers_lost, job->worker->id);
        }
        relay_give_back(job, actions);
    } else if (is_blamed) {
        blame_root_job(master, job, actions);
    } else {
        root_job_lost(job->root, job->id.job);
    }
    jobs_remove(&master->jobs, job);
}

/*
 * Whether the job may have cost its worker: not if it was parked, nor if it went out in this very
 * step, to a worker that was dead already and shows it now.
 */
static bool is_suspect(const Master *master, const Job *job)
{
    return !job->is_parked && instant_is_before(job->since, master->stepped);
}

/* A worker is gone: what its jobs gave away is void, they themselves must be done again. */
static void lose_jobs_of(Master *master, const Worker *worker, bool is_blamed,
                         MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    for (int i = 0; i < jobs->end; i++) {
        if (jobs->list[i].state == JOB_OUT && jobs->list[i].worker == worker) {
            relay_cancel_below(jobs, &jobs->list[i], worker, actions);
        }
    }
    for (int i = 0; i < jobs->end; i++) {
        if (jobs->list[i].state == JOB_OUT && jobs->list[i].worker == worker) {
            lose_job(master, &jobs->list[i], is_blamed && is_suspect(master, &jobs->list[i]),
                     actions);
        }
    }
}

void departure_of_worker(Master *master, Worker *worker, const char *reason, bool is_blamed,
                         MasterActions *actions)
{
    lose_jobs_of(master, worker, is_blamed, actions);
    actions_log(actions, MASTER_LOG_WORKER, "worker %" PRIu32 " (%s) %s", worker->id.value,
                worker->name, reason);
    clears_forget(master, worker->id, actions);
    registry_remove(&master->registry, worker);
    recall_from_reserve(master, actions);
    if (master->registry.count == 0) {
        cluster_status_send_to_all(master, actions); /* bridges go on alone */
    }
}

void departure_of_session(Master *master, Session *session, const char *reason,
                          MasterActions *actions)
{
    if (session->is_searching) {
        searches_cancel(master, session, actions);
    }
    actions_log(actions, MASTER_LOG_SESSION, "session %" PRIu32 " (%s) %s", session->id.value,
                session->name, reason);
    session->is_open = false;
    session->is_searching = false;
}
