#include "tools/sim/baseline.h"

#include "worker/search/serial.h"

typedef struct {
    uint64_t nodes; /* wanted */
    Baseline *baseline;
} Measurement;

static bool on_progress(void *context, const Root *root, bool iteration_is_complete, uint64_t nodes)
{
    const Measurement *measurement = context;
    if (!iteration_is_complete) {
        return true;
    }
    measurement->baseline->depth = root->depth_done;
    measurement->baseline->depths[root->depth_done] =
        (BaselineDepth){.nodes = nodes, .move = root->best_move, .score = root->best_score};
    return nodes <= measurement->nodes;
}

static void run(Search *search, const Position *position, Measurement *measurement)
{
    const RootLimits limits = {.depth = ROOT_DEPTH_MAX, .multi_pv = 1};
    const SerialHost host = {.context = measurement, .progress = on_progress};
    SearchControl control = {0};
    History game;
    Root root;
    history_clear(&game);
    serial_search(search, position, &game, &limits, &control, &host, &root);
}

Status baseline_measure(const Position *position, int hash_mb, uint64_t nodes, Baseline *baseline)
{
    Tt *tt = NULL;
    Measurement measurement = {.nodes = nodes, .baseline = baseline};
    *baseline = (Baseline){.depth = 0};
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
    run(search, position, &measurement);
    search_destroy(&search);
    tt_destroy(&tt);
    return status;
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
