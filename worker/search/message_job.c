#include "worker/search/message_job.h"

#include <string.h>

/* Nodes that a share may be said to have cost: more than any has, and the search can do sums. */
static const uint64_t share_nodes_max = UINT64_C(1) << 48;

/* ---- to the search ---- */

/* Plays one move of a path; false when it cannot be played. */
static bool play(Position *position, Move move)
{
    Position after;
    if (move != MOVE_NONE && movegen_is_legal(position, move)) {
        position_make(position, move, &after);
    } else if (move == MOVE_NONE && !position_in_check(position)) {
        position_make_null(position, &after);
    } else {
        return false;
    }
    *position = after;
    return true;
}

static bool is_between(int value, int minimum, int maximum)
{
    return value >= minimum && value <= maximum;
}

/* Whether what only a share of an inner node has is in range. */
static bool split_is_sound(const MessageJob *job)
{
    return job->move_count > 0 && is_between(job->best, -SCORE_INFINITE, job->beta - 1) &&
           is_between(job->root_depth, 1, 2 * PLY_MAX) &&
           is_between(job->double_extensions, 0, PLY_MAX) &&
           is_between(job->null_move_ply_min, 0, 2 * PLY_MAX);
}

bool message_job_is_playable(const MessageJob *job, const Position *root)
{
    Position node = *root;
    for (int i = 0; i < job->path_length; i++) {
        if (!play(&node, job->path[i])) {
            return false;
        }
    }
    for (int i = 0; i < job->move_count; i++) {
        if (!movegen_is_legal(&node, job->moves[i]) || job->numbers[i] == 0) {
            return false;
        }
    }
    return job->depth > 0 && job->alpha < job->beta &&
           is_between(job->node_kind, NODE_PV, NODE_ALL) &&
           (!job->is_split || split_is_sound(job)) &&
           (!job->is_eldest || (job->move_count > 0 && !job->is_split)) && movegen_any(&node);
}

SearchJob message_job_search(const MessageJob *job, const Position *root, const History *game)
{
    return (SearchJob){
        .root = root,
        .game = game,
        .path = job->path,
        .path_length = job->path_length,
        .depth = job->depth,
        .alpha = job->alpha,
        .beta = job->beta,
        .kind = (NodeKind)job->node_kind,
        .is_eldest = job->is_eldest,
        .move_count = job->move_count,
        .moves = job->moves,
        .numbers = job->numbers,
        .node_budget = job->node_budget,
        .is_split = job->is_split,
        .best = job->best,
        .was_pv = job->was_pv,
        .root_depth = job->root_depth,
        .double_extensions = job->double_extensions,
        .null_move_ply_min = job->null_move_ply_min,
    };
}

/* The line as the node above can extend it: the stack ends at PLY_MAX. */
static void take_line(const MessageJob *job, const Line *from, Line *line)
{
    const int length_max = PLY_MAX - job->path_length;
    if (from->length == 0 || !move_is_among(from->moves[0], job->moves, job->move_count) ||
        !is_between(from->score, -SCORE_MATE, SCORE_MATE)) {
        line->length = 0;
        return;
    }
    *line = *from;
    if (line->length > length_max) {
        line->length = length_max;
    }
}

void message_job_improved_news(const MessageJob *job, const MessageImproved *improved,
                               ShareNews *news)
{
    news->share = improved->share;
    news->is_over = false;
    take_line(job, &improved->line, &news->line);
}

void message_job_result_news(const MessageJob *job, const MessageResult *result, ShareNews *news)
{
    news->share = result->share;
    news->is_over = true;
    news->score = result->score;
    take_line(job, &result->line, &news->line);
    news->nodes = result->nodes < share_nodes_max ? result->nodes : share_nodes_max;
    news->selective_depth = result->selective_depth;
    news->cost_count = 0;
    for (int i = 0; i < result->cost_count; i++) {
        const MoveCost *cost = &result->costs[i];
        if (move_is_among(cost->move, job->moves, job->move_count) &&
            !move_cost_is_among(cost->move, news->costs, news->cost_count)) {
            news->costs[news->cost_count++] = *cost;
        }
    }
}

/* ---- from the search ---- */

void message_job_result(const SearchResult *found, const JobId *id, MessageResult *result)
{
    result->id = *id;
    result->share = 0;
    result->is_complete = !found->stopped;
    result->score = found->score;
    result->line = found->line;
    result->nodes = found->nodes;
    result->selective_depth = found->selective_depth;
    result->cost_count = found->cost_count;
    memcpy(result->costs, found->costs, (size_t)found->cost_count * sizeof(MoveCost));
}

void message_job_offer(const SearchJob *share, MessageJob *job)
{
    job->path_length = share->path_length;
    memcpy(job->path, share->path, (size_t)share->path_length * sizeof(Move));
    job->depth = share->depth;
    job->alpha = share->alpha;
    job->beta = share->beta;
    job->node_kind = (int)share->kind;
    job->is_eldest = share->is_eldest;
    job->is_split = share->is_split;
    job->best = share->best;
    job->was_pv = share->was_pv;
    job->root_depth = share->root_depth;
    job->double_extensions = share->double_extensions;
    job->null_move_ply_min = share->null_move_ply_min;
    job->node_budget = share->node_budget;
    job->move_count = share->move_count;
    memcpy(job->moves, share->moves, (size_t)share->move_count * sizeof(Move));
    memcpy(job->numbers, share->numbers, (size_t)share->move_count * sizeof job->numbers[0]);
}
