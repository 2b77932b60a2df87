#include "master/core/dispatch.h"

#include <string.h>

#include "master/core/hunger.h"
#include "master/core/recall.h"
#include "master/core/relay.h"

/* ---- sending a job ---- */

/*
 * The worker that should have the job, now that `worker` is free: rather the one whose table has
 * the job's subtree, if it is free too and not much slower.
 */
static Worker *choose_worker(Master *master, uint64_t key, Worker *worker)
{
    Worker *known = registry_find_id(&master->registry, affinity_worker(&master->affinity, key));
    const bool is_better =
        known != NULL && registry_has_free_slot(known) &&
        2 * known->nodes_per_second_calibrated > worker->nodes_per_second_calibrated;
    return is_better && !master->config.ignores_affinity ? known : worker;
}

/* Hands out a piece of the work of a root: the session's own, or that of `scout`. */
static void send_root_job(Master *master, Session *session, Scout *scout, Worker *worker,
                          const RootJob *root_job, MasterActions *actions)
{
    Root *root = scout == NULL ? &session->root : &scout->root;
    const uint64_t key = affinity_key(session->id, NULL, 0, root_job->moves[0]);
    Worker *chosen = choose_worker(master, key, worker);
    affinity_note(&master->affinity, key, chosen->id);
    MessageJob *job = &actions_send(actions, chosen->peer, MESSAGE_JOB)->job;
    *job = (MessageJob){
        .id = {.epoch = master->config.epoch,
               .session = session->id,
               .search = session->search.search,
               .job = root_job->id,
               .attempt = scout == NULL ? 1 : scout->opening},
        .position = session->search.position,
        .depth = root_job->depth,
        .alpha = root_job->alpha,
        .beta = root_job->beta,
        .node_kind = 0, /* NODE_PV */
        .is_eldest = root_job->is_eldest,
        .best = -SCORE_INFINITE,
        .root_depth = root_job->depth,
        /* The eldest runs alone where there is a limit: what is left is all its own. */
        .node_budget =
            session_node_budget(session, root_job->is_eldest ? 1 : state_slot_share(master)),
        .move_count = root_job->move_count,
    };
    memcpy(job->moves, root_job->moves, (size_t)job->move_count * sizeof(Move));
    memcpy(job->numbers, root_job->numbers, (size_t)job->move_count);
    jobs_add_root(&master->jobs, session, root, chosen, job, master->stepped);
}

/* Hands out a queued share. */
static void send_share(Master *master, Job *share, Worker *worker, MasterActions *actions)
{
    const Session *session = share->session;
    const uint64_t key = affinity_key(session->id, share->work->path, share->work->path_length,
                                      share->work->moves[0]);
    Worker *chosen =
        jobs_is_waited_for(share, worker) ? worker : choose_worker(master, key, worker);
    affinity_note(&master->affinity, key, chosen->id);
    MessageJob *job = &actions_send(actions, chosen->peer, MESSAGE_JOB)->job;
    *job = *share->work;
    job->id = share->id;
    job->position = session->search.position;
    job->node_budget = session_node_budget(session, state_slot_share(master));
    jobs_hand_out(share, chosen, master->stepped);
}

/* ---- finding a job ---- */

/* The slots that each search of the session may count on, when all that are wanted are there. */
static int search_slots(const Master *master, const Session *session)
{
    return state_slot_share(master) / state_searches_wanted(master, session);
}

static bool may_draw(const Master *master, const Session *session)
{
    return jobs_have_room(&master->jobs) && session_has_nodes(session, state_slot_share(master));
}

/* A job of the session's own search. */
static bool draw_own_job(Master *master, Session *session, Worker *worker, MasterActions *actions)
{
    RootJob job;
    if (!may_draw(master, session) ||
        !root_next_job(&session->root, search_slots(master, session), &job)) {
        return false;
    }
    send_root_job(master, session, NULL, worker, &job, actions);
    return true;
}

/* A job of one of its scouts; with `only_eldest` none that waits for another. */
static bool draw_scout_job(Master *master, Session *session, Worker *worker, bool only_eldest,
                           MasterActions *actions)
{
    RootJob job;
    const bool may = may_draw(master, session);
    for (int i = 0; i < SCOUTS_MAX && may; i++) {
        Scout *scout = &master->scouts.list[i];
        if (scout->session == session && (!only_eldest || scout->root.phase == ROOT_ELDEST) &&
            scouts_next_job(scout, search_slots(master, session), &job)) {
            send_root_job(master, session, scout, worker, &job, actions);
            return true;
        }
    }
    return false;
}

/* The first job of a scout more, if another one is wanted. */
static bool send_scout(Master *master, Session *session, Worker *worker, MasterActions *actions)
{
    return state_search_count(master, session) < state_searches_wanted(master, session) &&
           scouts_open(&master->scouts, session) != NULL &&
           draw_scout_job(master, session, worker, true, actions);
}

/*
 * Hands out a job of the session to the worker, or says that there is none. Eldest jobs first, for
 * a search stands still without; then shares, since others wait for them already, then brothers. A
 * share goes out even if no nodes are left: its owner must be answered, and a budget of next to
 * nothing soon sees to that.
 */
static bool serve(Master *master, Session *session, Worker *worker, MasterActions *actions)
{
    if ((session->root.phase == ROOT_ELDEST && draw_own_job(master, session, worker, actions)) ||
        draw_scout_job(master, session, worker, true, actions) ||
        send_scout(master, session, worker, actions)) {
        return true;
    }
    Job *share = jobs_next_share(&master->jobs, session, worker);
    if (share != NULL) {
        send_share(master, share, worker, actions);
        return true;
    }
    return draw_own_job(master, session, worker, actions) ||
           draw_scout_job(master, session, worker, false, actions);
}

/* Serves the session with the fewest jobs at work among those that have more to do, if any has. */
static bool serve_next(Master *master, Worker *worker, MasterActions *actions)
{
    bool tried[MASTER_SESSIONS_MAX] = {false};
    for (int round = 0; round < MASTER_SESSIONS_MAX; round++) {
        int best = -1;
        for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
            const int index = (master->first_session + i) % MASTER_SESSIONS_MAX;
            const Session *session = &master->sessions[index];
            if (session_is_at_work(session) && !tried[index] &&
                (best < 0 || session->jobs_active < master->sessions[best].jobs_active)) {
                best = index;
            }
        }
        if (best < 0) {
            return false;
        }
        tried[best] = true;
        if (serve(master, &master->sessions[best], worker, actions)) {
            master->first_session = (best + 1) % MASTER_SESSIONS_MAX;
            return true;
        }
    }
    return false;
}

/* ---- handing out ---- */

/* Has the session something to hand out while it searches nothing at all? */
static bool is_starving(Master *master, const Session *session)
{
    return session_is_at_work(session) && session->jobs_active == 0 &&
           (session->jobs_out == 0 ? jobs_have_room(&master->jobs)
                                   : jobs_next_share(&master->jobs, session, NULL) != NULL);
}

/* Sessions without a slot get one of those that have. */
static void serve_the_starving(Master *master, MasterActions *actions)
{
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (!is_starving(master, &master->sessions[i])) {
            continue;
        }
        if (!actions_have_room(actions)) {
            actions->more = true;
            return;
        }
        Worker *worker = recall_slot(master, actions);
        if (worker == NULL) {
            return;
        }
        (void)serve_next(master, worker, actions);
    }
}

/* Shares to keep queued. Where each search has one slot nobody splits anything. */
static int surplus_wanted(const Master *master)
{
    const int slots = registry_slot_count(&master->registry);
    int searches = 0;
    for (int i = 0; i < MASTER_SESSIONS_MAX; i++) {
        if (session_is_at_work(&master->sessions[i])) {
            searches += state_search_count(master, &master->sessions[i]);
        }
    }
    return slots > searches ? (int)((int64_t)slots * master->config.surplus_permille / 1000) : 0;
}

void dispatch_work(Master *master, MasterActions *actions)
{
    recall_scouts(master, actions);
    Worker *worker = registry_free_worker(&master->registry);
    while (worker != NULL) {
        if (!actions_have_room(actions)) {
            actions->more = true;
            return;
        }
        if (!serve_next(master, worker, actions) && !recall_late(master, worker, actions)) {
            break;
        }
        worker = registry_free_worker(&master->registry);
    }
    if (worker == NULL) {
        serve_the_starving(master, actions);
    }
    relay_give_back_stranded(&master->jobs, master->stepped, actions);
    hunger_tell(&master->jobs, &master->registry, surplus_wanted(master), state_slot_share(master),
                actions);
}
