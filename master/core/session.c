#include "master/core/session.h"

#include <string.h>

#include "messages/game_position.h"

void session_open(Session *session, PeerId peer, SessionId id, const MessageOpen *open, Instant now)
{
    session->is_open = true;
    session->is_searching = false;
    session->has_learned = false;
    session->clearing_count = 0;
    session->peer = peer;
    session->id = id;
    session->heard = now;
    session->hash_permille = 0;
    memcpy(session->name, open->name, sizeof session->name);
}

static RootLimits root_limits(const MessageSearch *search)
{
    RootLimits limits = {
        .depth = search->limits.depth,
        .mate_moves = search->limits.mate_moves,
        .nodes = search->limits.nodes,
        .multi_pv = search->multi_pv,
        .search_move_count = search->limits.search_move_count,
    };
    memcpy(limits.search_moves, search->limits.search_moves,
           (size_t)limits.search_move_count * sizeof(Move));
    return limits;
}

static void refuse_search(const Session *session, const Status *status, MasterActions *actions)
{
    actions_refuse(actions, session->peer, ERROR_POSITION, status->message);
    MessageBestMove *answer = &actions_send(actions, session->peer, MESSAGE_BESTMOVE)->bestmove;
    *answer = (MessageBestMove){.search = session->search.search};
}

static bool losses_are_forgotten(const Session *session, Instant now)
{
    return instant_since(now, session->last_lost).us >= duration_ms(SESSION_LOSSES_KEPT_MS).us;
}

static void forget_losses(Session *session)
{
    session->workers_lost = (Losses){0};
    session->lost_depth = 0;
}

void session_note_loss(Session *session, WorkerId worker, int depth, Instant now)
{
    if (losses_are_forgotten(session, now)) {
        forget_losses(session);
    }
    losses_note(&session->workers_lost, worker);
    session->last_lost = now;
    session->lost_depth = depth > session->lost_depth ? depth : session->lost_depth;
}

bool session_note_iteration(Session *session, Instant now)
{
    if (session->root.given_up_count > 0 || session->acquittals == SESSION_ACQUITTALS_MAX ||
        !session_costs_workers(session, now) || session->root.depth_done < session->lost_depth) {
        return false;
    }
    session->acquittals++;
    forget_losses(session);
    return true;
}

bool session_costs_workers(const Session *session, Instant now)
{
    return session->root.given_up_count > 0 ||
           (session->workers_lost.count > 1 && !losses_are_forgotten(session, now));
}

void session_search(Session *session, const MessageSearch *search, Instant now,
                    MasterActions *actions)
{
    History history;
    session->search = *search;
    const Status status = game_position_resolve(&search->position, &session->position, &history);
    if (!status_is_ok(&status)) {
        refuse_search(session, &status, actions);
        return;
    }
    const RootLimits limits = root_limits(search);
    root_start(&session->root, &session->position, &limits);
    session->budget = timeman_budget(&search->limits, position_side(&session->position),
                                     session->position.full_move, search->move_overhead);
    session->is_searching = true;
    session->is_pondering = search->limits.ponder;
    session->is_held = false;
    session->received = now;
    session->clock_started = now;
    session->has_learned = true;
    forget_losses(session);
    session->acquittals = 0;
    session->other_nodes = 0;
    session->told_nodes = 0;
    session->told = now;
}

void session_ponderhit(Session *session, Instant now)
{
    if (!session->is_pondering) {
        return;
    }
    session->is_pondering = false;
    session->clock_started = now;
}

uint64_t session_nodes(const Session *session)
{
    return session->root.nodes + session->other_nodes;
}

uint64_t session_node_budget(const Session *session, int slot_share)
{
    const uint64_t limit = session->root.limits.nodes;
    if (limit == 0) {
        return 0;
    }
    const uint64_t used = session_nodes(session);
    const uint64_t left = used < limit ? limit - used : 1;
    const uint64_t budget = left / (uint64_t)slot_share;
    return budget > 0 ? budget : 1;
}

bool session_wants_news(const Session *session, Instant now)
{
    enum { NEWS_AFTER_MS = 500, LINES_EACH_MS = 100 };
    const bool is_due = session->root.limits.multi_pv == 1 ||
                        instant_since(now, session->told).us >= duration_ms(LINES_EACH_MS).us;
    return session->is_searching && !session->is_held && is_due &&
           instant_since(now, session->received).us >= duration_ms(NEWS_AFTER_MS).us;
}

/*
 * Gathers the lines that have a score, all but the first in the order of their scores; returns how
 * many. There are as many as MultiPV asks for at most.
 */
static int rank_lines(const Root *root, const Line *lines[MESSAGE_MULTI_PV_MAX])
{
    int count = 0;
    const Line *line = root_line(root, 0);
    while (line != NULL && line->score != SCORE_NONE) {
        int to = count++;
        while (to > 1 && lines[to - 1]->score < line->score) {
            lines[to] = lines[to - 1];
            to--;
        }
        lines[to] = line;
        line = root_line(root, count);
    }
    return count;
}

void session_tell(Session *session, Instant now, MasterActions *actions)
{
    const Line *lines[MESSAGE_MULTI_PV_MAX];
    const int count = rank_lines(&session->root, lines);
    const uint64_t nodes = session_nodes(session) + session->running_nodes;
    session->told_nodes = nodes > session->told_nodes ? nodes : session->told_nodes;
    session->told = now;
    for (int rank = 0; rank < count && actions_have_room(actions); rank++) {
        MessageInfo *info = &actions_send(actions, session->peer, MESSAGE_INFO)->info;
        info->search = session->search.search;
        info->multi_pv_index = rank;
        info->line = *lines[rank];
        info->nodes = session->told_nodes;
        info->elapsed = instant_since(now, session->received);
        info->hash_permille = session->hash_permille;
        if (info->line.score > lines[0]->score) {
            info->line.score = lines[0]->score;
            info->line.bound = BOUND_UPPER;
        }
    }
}

static bool clock_is_running(const Session *session)
{
    return session->budget.is_limited && !session->is_pondering && !session->search.limits.infinite;
}

bool session_has_nodes(const Session *session, int slot_share)
{
    enum { REST_PARTS = 64 };
    const uint64_t limit = session->root.limits.nodes;
    const uint64_t rest = slot_share > 1 ? limit / REST_PARTS : 0;
    return limit == 0 || session_nodes(session) < limit - rest;
}

/* The node limit is reached, by finished jobs or by all there may be. */
static bool nodes_are_spent(const Session *session, int slot_share)
{
    const uint64_t limit = session->root.limits.nodes;
    return !session_has_nodes(session, slot_share) &&
           (session->jobs_out == 0 || session_nodes(session) >= limit);
}

bool session_is_due(const Session *session, int slot_share, Instant now)
{
    if (root_is_finished(&session->root) || nodes_are_spent(session, slot_share)) {
        return true;
    }
    return clock_is_running(session) &&
           instant_since(now, session->clock_started).us >= session->budget.hard.us;
}

bool session_is_content(const Session *session, Instant now)
{
    const Root *root = &session->root;
    const TimemanFacts facts = {
        .depth_done = root->depth_done,
        .stable_iterations = root->stable_iterations,
        .best_score = root->best_score,
        .previous_best_score = root->previous_best_score,
        .best_move_nodes = root->best_move_nodes,
        .iteration_nodes = root->iteration_nodes,
        .is_forced = root->move_count == 1 && root->limits.search_move_count == 0,
    };
    return clock_is_running(session) &&
           timeman_should_stop(&session->budget, instant_since(now, session->clock_started),
                               &facts);
}

bool session_must_hold(const Session *session)
{
    return session->is_pondering || session->search.limits.infinite;
}

void session_finish(Session *session, Instant now, MasterActions *actions)
{
    const Line *line = root_line(&session->root, 0);
    session_tell(session, now, actions);
    MessageBestMove *answer = &actions_send(actions, session->peer, MESSAGE_BESTMOVE)->bestmove;
    *answer = (MessageBestMove){.search = session->search.search};
    /* Where moves were left out the one that comes next may never have been looked at. */
    const bool is_known =
        line != NULL && (line->score != SCORE_NONE || session->root.depth_done == 0);
    if (is_known) {
        answer->move = line->moves[0];
        answer->ponder = line->length > 1 ? line->moves[1] : MOVE_NONE;
    }
    root_stop(&session->root);
    session->is_searching = false;
    session->is_held = false;
    session->searched = now;
}

Instant session_deadline(const Session *session, Instant otherwise)
{
    if (!session->is_searching || session->is_held || !clock_is_running(session)) {
        return otherwise;
    }
    const Instant hard = instant_add(session->clock_started, session->budget.hard);
    return instant_is_before(hard, otherwise) ? hard : otherwise;
}
