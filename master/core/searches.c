#include "master/core/searches.h"

#include <inttypes.h>
#include <stddef.h>

#include "master/core/relay.h"

void searches_on_iteration(Session *session, Instant now, MasterActions *actions)
{
    if (session_note_iteration(session, now)) {
        actions_log(
            actions, MASTER_LOG_SEARCH,
            "session %" PRIu32
            " has come past the depth at which workers were lost: others search beside it again",
            session->id.value);
    }
    session_tell(session, now, actions);
    if (session_is_content(session, now)) {
        root_stop(&session->root);
    }
}

void searches_refresh_jobs(Master *master, const Root *root, const JobId *except,
                           MasterActions *actions)
{
    Jobs *jobs = &master->jobs;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state == JOB_FREE || job->root != root || job->owner != NULL ||
            job_id_equal(&job->id, except)) {
            continue;
        }
        if (root_job_is_out(root, job->id.job)) {
            actions_send(actions, job->worker->peer, MESSAGE_BOUNDS)->bounds =
                (MessageBounds){.id = job->id, .alpha = root_alpha(root)};
        } else {
            relay_cancel(jobs, job, actions);
        }
    }
}

/* ---- the end of a search ---- */

/*
 * Removes every job of the session, shares before their owners. Their results come too late for a
 * search that is over, so that what they have searched is counted as last heard of.
 */
static void remove_jobs_of(Jobs *jobs, Session *session)
{
    session->other_nodes += session->running_nodes;
    for (int i = 0; i < jobs->end; i++) {
        Job *job = &jobs->list[i];
        if (job->state != JOB_FREE && job->session == session && job->owner == NULL) {
            Job *below[JOBS_MAX];
            for (int j = jobs_below(jobs, job, below) - 1; j >= 0; j--) {
                jobs_remove(jobs, below[j]);
            }
            jobs_remove(jobs, job);
        }
    }
}

void searches_cancel(Master *master, Session *session, MasterActions *actions)
{
    const Jobs *jobs = &master->jobs;
    bool has_jobs[MASTER_WORKERS_MAX] = {false};
    for (int i = 0; i < jobs->end; i++) {
        if (jobs->list[i].state == JOB_OUT && jobs->list[i].session == session) {
            has_jobs[jobs->list[i].worker - master->registry.workers] = true;
        }
    }
    for (int i = 0; i < master->registry.end; i++) {
        if (has_jobs[i]) {
            const PeerId peer = master->registry.workers[i].peer;
            actions_send(actions, peer, MESSAGE_CANCEL)->cancel = (MessageCancel){
                .id = {.epoch = master->config.epoch,
                       .session = session->id,
                       .search = session->search.search},
            };
        }
    }
    remove_jobs_of(&master->jobs, session);
    Scout *scout = scouts_least(&master->scouts, session);
    for (; scout != NULL; scout = scouts_least(&master->scouts, session)) {
        scouts_close(scout);
    }
}

void searches_conclude_if_due(Master *master, Session *session, Instant now, MasterActions *actions)
{
    if (!session->is_searching || session->is_held ||
        !session_is_due(session, state_slot_share(master), now)) {
        return;
    }
    if (!actions_have_room(actions)) {
        actions->more = true;
        return;
    }
    searches_cancel(master, session, actions);
    if (session_must_hold(session)) {
        root_stop(&session->root);
        session->is_held = true;
    } else {
        session_finish(session, now, actions);
    }
}

void searches_stop(Master *master, Session *session, Instant now, MasterActions *actions)
{
    if (session->is_searching) {
        searches_cancel(master, session, actions);
        session_finish(session, now, actions);
    }
}
