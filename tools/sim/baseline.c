#include "tools/sim/baseline.h"

#include "worker/search/serial.h"

typedef struct {
    int multi_pv;      /* lines */
    uint64_t nodes;    /* wanted, if no solution is */
    Solution solution; /* wanted if its epd is not NULL */
    Baseline *baseline;
    SearchControl control;
} Measurement;

/* A search for a solution need not end an iteration that comes too late. */
static void on_poll(void *context, uint64_t nodes)
{
    Measurement *measurement = context;
    measurement->baseline->nodes = nodes;
    if (measurement->solution.epd != NULL &&
        solution_is_over(&measurement->solution, (int64_t)nodes)) {
        atomic_store_explicit(&measurement->control.stop, true, memory_order_relaxed);
    }
}

static bool on_progress(void *context, const Root *root, bool iteration_is_complete, uint64_t nodes)
{
    Measurement *measurement = context;
    Solution *solution = &measurement->solution;
    measurement->baseline->nodes = nodes;
    if (iteration_is_complete) {
        measurement->baseline->depth = root->depth_done;
        measurement->baseline->depths[root->depth_done] =
            (BaselineDepth){.nodes = nodes, .move = root->best_move, .score = root->best_score};
    }
    if (solution->epd == NULL) {
        return !iteration_is_complete || nodes <= measurement->nodes;
    }
    if (iteration_is_complete) {
        solution_note(solution, root->depth_done, (int64_t)nodes, root->best_move);
    }
    return !solution_is_over(solution, (int64_t)nodes);
}

static void run(Search *search, const Position *position, Measurement *measurement)
{
    const RootLimits limits = {.depth = ROOT_DEPTH_MAX, .multi_pv = measurement->multi_pv};
    const SerialHost host = {.context = measurement, .poll = on_poll, .progress = on_progress};
    History game;
    Root root;
    history_clear(&game);
    serial_search(search, position, &game, &limits, &measurement->control, &host, &root);
}

static Status measure(const Position *position, int hash_mb, Measurement *measurement)
{
    Tt *tt = NULL;
    *measurement->baseline = (Baseline){.depth = 0};
    const Status status = tt_new(hash_mb, &tt);
    if (!status_is_ok(&status)) {
        return status;
    }
    tt_age(tt); /* as a worker does before a search */
    Search *search = search_new(tt);
    if (search == NULL) {
        tt_destroy(&tt);
        return status_error(STATUS_NO_MEMORY, "not enough memory for a search");
    }
    search_clear(search);
    run(search, position, measurement);
    search_destroy(&search);
    tt_destroy(&tt);
    return status;
}

Status baseline_measure(const Position *position, int multi_pv, int hash_mb, uint64_t nodes,
                        Baseline *baseline)
{
    Measurement measurement = {.multi_pv = multi_pv, .nodes = nodes, .baseline = baseline};
    return measure(position, hash_mb, &measurement);
}

Status baseline_solve(const Epd *epd, int hash_mb, uint64_t nodes, Baseline *baseline)
{
    Measurement measurement = {.multi_pv = 1, .baseline = baseline};
    solution_init(&measurement.solution, epd, (int64_t)nodes);
    return measure(&epd->position, hash_mb, &measurement);
}

Solution baseline_solution(const Baseline *baseline, const Epd *epd, uint64_t nodes)
{
    Solution solution;
    solution_init(&solution, epd, (int64_t)nodes);
    for (int depth = 1; depth <= baseline->depth; depth++) {
        const BaselineDepth *entry = &baseline->depths[depth];
        solution_note(&solution, depth, (int64_t)entry->nodes, entry->move);
    }
    return solution;
}

int baseline_depth_beyond(const Baseline *baseline, uint64_t nodes)
{
    for (int depth = 1; depth <= baseline->depth; depth++) {
        if (baseline->depths[depth].nodes > nodes) {
            return depth;
        }
    }
    return 0;
}
