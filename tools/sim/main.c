/*
 * rookery-sim: what a cluster of any size is worth, found on a virtual clock.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/output.h"
#include "tools/sim/curve.h"
#include "tools/sim/options.h"
#include "tools/sim/report.h"
#include "worker/core/worker.h"
#include "worker/eval/eval.h"
#include "worker/search/identity.h"

enum { PATH_BYTES_MAX = 4096 };

/* ---- speedup and solve ---- */

static Status write_results(const Options *options, const Experiment *experiment)
{
    report_table(experiment);
    if (options->each) {
        report_trials(experiment);
    }
    Status status = status_ok();
    if (options->json != NULL) {
        status = report_json(experiment, options->json);
    }
    if (options->svg != NULL && status_is_ok(&status)) {
        status = curve_write_svg(experiment, options->svg);
    }
    return status;
}

/* Without --json what is found is kept only as long as the program runs. */
static Status open_cache(const Options *options, Cache **cache)
{
    char path[PATH_BYTES_MAX];
    if (options->json == NULL) {
        return cache_open(NULL, cache);
    }
    (void)snprintf(path, sizeof path, "%s.cache", options->json);
    return cache_open(path, cache);
}

static Status run_experiment(const Options *options, Experiment *experiment)
{
    Cache *cache = NULL;
    const int trials = experiment->position_count * experiment_trials_each(experiment);
    experiment->results = calloc((size_t)trials, sizeof *experiment->results);
    if (experiment->results == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for the results");
    }
    Status status = open_cache(options, &cache);
    if (status_is_ok(&status) && options->json != NULL) {
        status = files_try_write(options->json);
    }
    if (status_is_ok(&status) && options->svg != NULL) {
        status = files_try_write(options->svg);
    }
    if (status_is_ok(&status)) {
        status = experiment_run(experiment, cache);
    }
    if (status_is_ok(&status)) {
        status = write_results(options, experiment);
    }
    cache_close(&cache);
    free(experiment->results);
    return status;
}

/* ---- timeline ---- */

static void print_search(const Experiment *experiment, const TrialResult *result, Duration taken)
{
    const int64_t *figures = result->figures;
    printf("depth %" PRId64 ": %.3f s of virtual time, speed-up %.2f; %" PRId64
           " nodes, serial %" PRId64 "; simulated at %.2f M nodes/s\n",
           figures[FIGURE_DEPTH], (double)figures[FIGURE_TIME_NS] / 1e9,
           trial_speedup(&experiment->settings, result), figures[FIGURE_NODES],
           figures[FIGURE_SERIAL_NODES], (double)figures[FIGURE_NODES] / (double)taken.us);
    printf("offers %" PRId64 ", of them withdrawn %" PRId64 "; shares searched %" PRId64
           " with %" PRId64 " nodes each; cancelled work %.1f%%; waits %" PRId64 ", %.3f ms each\n",
           figures[FIGURE_OFFERS], figures[FIGURE_WITHDRAWN], figures[FIGURE_SHARES],
           figures[FIGURE_SHARES] > 0 ? figures[FIGURE_SHARE_NODES] / figures[FIGURE_SHARES] : 0,
           100 * (double)figures[FIGURE_CANCELLED_NODES] / (double)figures[FIGURE_NODES],
           figures[FIGURE_WAITS],
           figures[FIGURE_WAITS] > 0
               ? (double)figures[FIGURE_WAITED_NS] / (double)figures[FIGURE_WAITS] / 1e6
               : 0);
}

/* One search by the last size, drawn. */
static Status draw_search(const Options *options, const Experiment *experiment, Timeline *timeline)
{
    const SimPosition *position = &experiment->positions[options->index - 1];
    const TrialCase trial = {.workers = experiment->workers[experiment->size_count - 1],
                             .seed = experiment->seeds[0]};
    Baseline baseline;
    TrialResult result = {0};
    Cache *cache = NULL;
    Status status = open_cache(options, &cache);
    if (!status_is_ok(&status)) {
        return status;
    }
    status = experiment_baseline(experiment, cache, (int)options->index - 1, &baseline);
    cache_close(&cache);
    const Instant start = clock_now();
    if (status_is_ok(&status)) {
        status =
            trial_run(&experiment->settings, &trial, &position->epd, &baseline, timeline, &result);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    const int64_t begin_ns = result.figures[FIGURE_BEGIN_NS];
    const int64_t end_ns = begin_ns + result.figures[FIGURE_TIME_NS];
    print_search(experiment, &result, instant_since(clock_now(), start));
    timeline_print_summary(timeline, begin_ns, end_ns);
    return timeline_write_svg(timeline, options->timeline, begin_ns + options->from_ms * 1000000,
                              options->to_ms > 0 ? begin_ns + options->to_ms * 1000000 : end_ns);
}

static Status run_timeline(const Options *options, const Experiment *experiment)
{
    const int slots = experiment->settings.slots;
    if (options->index > experiment->position_count) {
        return status_error(STATUS_INVALID, "--index: there are only %d positions",
                            experiment->position_count);
    }
    const Status writable = files_try_write(options->timeline);
    if (!status_is_ok(&writable)) {
        return writable;
    }
    Timeline *timeline = timeline_new(experiment->workers[experiment->size_count - 1],
                                      WORKER_LANES_PER_SLOT * slots, slots);
    if (timeline == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for a timeline");
    }
    const Status status = draw_search(options, experiment, timeline);
    timeline_destroy(&timeline);
    return status;
}

/* ---- the program ---- */

static Status run(const Options *options)
{
    Experiment experiment = {.settings = options->settings,
                             .size_count = options->size_count,
                             .seed_count = options->seed_count,
                             .jobs = (int)options->jobs};
    Identity identity = {0};
    memcpy(experiment.workers, options->workers, sizeof experiment.workers);
    memcpy(experiment.seeds, options->seeds, sizeof experiment.seeds);
    Status status = positions_load(options->positions, (int)options->count, &experiment.positions,
                                   &experiment.position_count);
    if (status_is_ok(&status) && options->settings.solves) {
        status = positions_require_moves(experiment.positions, experiment.position_count);
    }
    if (status_is_ok(&status)) {
        status = experiment_build(&experiment.build);
    }
    if (status_is_ok(&status)) {
        status = identity_measure(&identity);
    }
    if (status_is_ok(&status)) {
        experiment.search = identity.value;
        status = options->timeline != NULL ? run_timeline(options, &experiment)
                                           : run_experiment(options, &experiment);
    }
    free(experiment.positions);
    return status;
}

int main(int argc, char **argv)
{
    Options options = {0};
    attacks_init(SLIDER_AUTO);
    eval_init();
    if (argc < 2) {
        fputs(options_help(), stderr);
        return EXIT_CODE_USAGE;
    }
    if (output_answers("rookery-sim", argv + 1, argc - 1, options_help())) {
        return output_exit_code("rookery-sim", status_ok());
    }
    Status status = options_read(argv + 1, argc - 1, &options);
    if (status_is_ok(&status)) {
        status = run(&options);
    }
    return output_exit_code("rookery-sim", status);
}
