#include "worker/search/message_job.h"

#include <string.h>

bool message_job_is_playable(const MessageJob *job, const Position *root)
{
    Position node = *root;
    for (int i = 0; i < job->path_length; i++) {
        if (!movegen_is_legal(&node, job->path[i])) {
            return false;
        }
        Position after;
        position_make(&node, job->path[i], &after);
        node = after;
    }
    for (int i = 0; i < job->move_count; i++) {
        if (!movegen_is_legal(&node, job->moves[i]) || job->numbers[i] == 0) {
            return false;
        }
    }
    return job->depth > 0 && job->alpha < job->beta && movegen_any(&node);
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
    };
}

void message_job_result(const SearchResult *found, const JobId *id, MessageResult *result)
{
    result->id = *id;
    result->is_complete = !found->stopped;
    result->score = found->score;
    result->line = found->line;
    result->nodes = found->nodes;
    result->selective_depth = found->selective_depth;
    result->cost_count = found->cost_count;
    memcpy(result->costs, found->costs, (size_t)found->cost_count * sizeof(MoveCost));
}
