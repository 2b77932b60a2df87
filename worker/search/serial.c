#include "worker/search/serial.h"

typedef struct {
    const SerialHost *host;
    SearchControl *control;
    Root *root;
    RootJobId job;
} Run;

static void on_poll(void *context, uint64_t nodes)
{
    const Run *run = context;
    if (run->host->poll != NULL) {
        run->host->poll(run->host->context, run->root->nodes + nodes);
    }
}

static void report(const Run *run, bool iteration_is_complete, uint64_t nodes)
{
    if (run->host->progress != NULL &&
        !run->host->progress(run->host->context, run->root, iteration_is_complete, nodes)) {
        atomic_store_explicit(&run->control->stop, true, memory_order_relaxed);
    }
}

static void on_improved(void *context, const Line *line)
{
    const Run *run = context;
    (void)root_job_improved(run->root, run->job, line);
    report(run, false, run->root->nodes);
}

SearchJob serial_job(const Position *position, const History *game, const RootJob *job,
                     uint64_t node_budget)
{
    return (SearchJob){
        .root = position,
        .game = game,
        .depth = job->depth,
        .alpha = job->alpha,
        .beta = job->beta,
        .kind = NODE_PV,
        .is_eldest = job->is_eldest,
        .move_count = job->move_count,
        .moves = job->moves,
        .numbers = job->numbers,
        .node_budget = node_budget,
    };
}

void serial_job_result(const SearchResult *result, RootJobId id, RootJobResult *root_result)
{
    root_result->id = id;
    root_result->nodes = result->nodes;
    root_result->score = result->score;
    root_result->line = result->line;
    root_result->selective_depth = result->selective_depth;
    root_result->cost_count = result->cost_count;
    for (int i = 0; i < result->cost_count; i++) {
        root_result->costs[i] = result->costs[i];
    }
}

void serial_search(Search *search, const Position *position, const History *game,
                   const RootLimits *limits, SearchControl *control, const SerialHost *host,
                   Root *root)
{
    Run run = {.host = host, .control = control, .root = root};
    const SearchHost search_host = {.context = &run, .poll = on_poll, .improved = on_improved};
    RootJob root_job;
    SearchResult result;
    RootJobResult root_result;

    root_start(root, position, limits);
    while (!search_control_must_stop(control) && root_next_job(root, 1, &root_job)) {
        if (limits->nodes > 0 && root->nodes >= limits->nodes) {
            break;
        }
        run.job = root_job.id;
        const uint64_t budget = limits->nodes > 0 ? limits->nodes - root->nodes : 0;
        const SearchJob job = serial_job(position, game, &root_job, budget);
        search_run(search, &job, control, &search_host, &result);
        if (result.stopped) {
            root->nodes += result.nodes;
            break;
        }
        const int depth_before = root->depth_done;
        serial_job_result(&result, root_job.id, &root_result);
        root_job_done(root, &root_result);
        report(&run, root->depth_done != depth_before, root->nodes);
    }
    root_stop(root);
}
