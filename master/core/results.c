#include "master/core/results.h"

#include <string.h>

#include "master/core/relay.h"
#include "master/core/searches.h"

/* ---- improvements ---- */

static void take_improvement(Master *master, const Job *job, const MessageImproved *improved,
                             Instant now, MasterActions *actions)
{
    Session *session = job->session;
    const bool changed = root_job_improved(job->root, improved->id.job, &improved->line);
    if (changed) {
        searches_refresh_jobs(master, job->root, &improved->id, actions);
    }
    if (job->root == &session->root && session_wants_news(session, now)) {
        session_tell(session, now, actions);
    }
}

void results_improved(Master *master, const Worker *worker, const MessageImproved *improved,
                      Instant now, MasterActions *actions)
{
    const Job *job = jobs_find(&master->jobs, worker, &improved->id);
    if (job == NULL || improved->line.length == 0) {
        return;
    }
    if (job->owner != NULL) {
        relay_improved(job, improved, actions);
    } else {
        take_improvement(master, job, improved, now, actions);
    }
}

/* ---- results ---- */

static void to_root_result(const MessageResult *result, RootJobResult *root_result)
{
    root_result->id = result->id.job;
    root_result->nodes = result->nodes;
    root_result->score = result->score;
    root_result->line = result->line;
    root_result->selective_depth = result->selective_depth;
    root_result->cost_count = result->cost_count;
    memcpy(root_result->costs, result->costs, (size_t)result->cost_count * sizeof(MoveCost));
}

/* A scout has completed an iteration, which may be the first to come so far. */
static void on_scout_iteration(Master *master, Session *session, const Root *scout, Instant now,
                               MasterActions *actions)
{
    const JobId none = {.job = 0};
    const int depth_before = session->root.depth_done;
    if (scout->depth_done > depth_before || root_is_finished(scout)) {
        root_adopt(&session->root, scout);
        searches_refresh_jobs(master, &session->root, &none, actions);
        searches_on_iteration(session, now, actions);
    }
}

/* A job that ended for good: its result moves its root's state machine on. */
static void take_result(Master *master, Session *session, Root *root, const MessageResult *result,
                        Instant now, MasterActions *actions)
{
    RootJobResult root_result;
    const int depth_before = root->depth_done;
    const int alpha_before = root_alpha(root);
    const int beta_before = root->beta;
    const int line_before = root->line_index;
    to_root_result(result, &root_result);
    root_job_done(root, &root_result);
    if (root->depth_done == depth_before) {
        if (root_alpha(root) != alpha_before || root->beta != beta_before) {
            searches_refresh_jobs(master, root, &result->id, actions);
        }
        if (root == &session->root && root->line_index != line_before &&
            session_wants_news(session, now)) {
            session_tell(session, now, actions);
        }
    } else if (root == &session->root) {
        searches_on_iteration(session, now, actions);
    } else {
        on_scout_iteration(master, session, root, now, actions);
    }
}

/* A job of a root has ended or is given back; it is no longer on record. */
static void take_root_result(Master *master, Session *session, Root *root,
                             const MessageResult *result, Instant now, MasterActions *actions)
{
    if (!result->is_complete || root != &session->root) {
        session->other_nodes += result->nodes; /* the lead counts its own */
    }
    if (result->is_complete) {
        take_result(master, session, root, result, now, actions);
    } else {
        root_job_lost(root, result->id.job);
    }
}

/* The running search that a job's name belongs to, or NULL if that search is over. */
static Session *find_search(Master *master, const JobId *id)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        Session *session = &master->sessions[i];
        if (session->is_open && session->is_searching &&
            id->epoch.value == master->config.epoch.value &&
            id->session.value == session->id.value &&
            id->search.value == session->search.search.value) {
            return session;
        }
    }
    return NULL;
}

/* A job was cancelled before its RESULT came: its work was done all the same. */
static void take_late_result(Master *master, const MessageResult *result)
{
    Session *session = find_search(master, &result->id);
    if (session != NULL && !session->is_held) { /* else its jobs' nodes are counted already */
        session->other_nodes += result->nodes;
    }
}

void results_take(Master *master, Worker *worker, const MessageResult *result, Instant now,
                  MasterActions *actions)
{
    Job *job = jobs_find(&master->jobs, worker, &result->id);
    if (job == NULL) {
        take_late_result(master, result);
        return;
    }
    Session *session = job->session;
    Root *root = job->root;
    const bool is_share = job->owner != NULL;
    relay_cancel_below(&master->jobs, job, NULL, actions); /* of a job that was given back */
    if (is_share) {
        relay_result(job, result, actions);
    }
    jobs_remove(&master->jobs, job);
    worker->jobs_done++;
    if (!is_share) {
        take_root_result(master, session, root, result, now, actions);
    }
}
