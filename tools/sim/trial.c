#include "tools/sim/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clamp.h"
#include "base/prng.h"
#include "tools/sim/lazy.h"

int64_t trial_work(const TrialSettings *settings, int workers)
{
    return settings->work_per_worker > 0 ? settings->work_per_worker * workers
                                         : settings->serial_nodes;
}

int trial_serial_hash_mb(const TrialSettings *settings)
{
    return settings->hash_total_mb > 0 ? settings->hash_total_mb : settings->hash_worker_mb;
}

static int worker_hash_mb(const TrialSettings *settings, int workers)
{
    const int share_mb = settings->hash_total_mb / workers;
    return settings->hash_total_mb == 0 ? settings->hash_worker_mb : share_mb > 0 ? share_mb : 1;
}

static void fill_config(const TrialSettings *settings, const TrialCase *trial, Timeline *timeline,
                        double speeds[CLUSTER_MACHINES_MAX], ClusterConfig *config)
{
    const int workers = trial->workers;
    for (int i = 0; i < workers; i++) {
        speeds[i] = i < settings->speed_count ? settings->speeds[i] : 1;
    }
    *config = (ClusterConfig){
        .machines = workers,
        .slots = settings->slots,
        .hash_mb = worker_hash_mb(settings, workers),
        .nodes_per_second = settings->nodes_per_second,
        .speeds = speeds,
        .network = {.latency_ns = settings->latency_ns,
                    .jitter_ns = settings->jitter_ns,
                    .bits_per_second = settings->bits_per_second,
                    .seed = trial->seed},
        .master_receive_ns = settings->master_receive_ns,
        .master_send_ns = settings->master_send_ns,
        .worker_message_ns = settings->worker_message_ns,
        .wake_ns = settings->wake_ns,
        .splits = settings->splits,
        .affinity = settings->affinity,
        .searches = settings->searches,
        .multi_pv = settings->multi_pv,
        .pushes = settings->push,
        .push_interval_ns = settings->push_interval_ns,
        .fault_every_ns = settings->fault_every_ns,
        .fault_seed = prng_mix(trial->seed),
        .timeline = timeline,
    };
}

static Status search(const TrialSettings *settings, const ClusterConfig *config,
                     const Position *position, int depth, Solution *solution,
                     ClusterOutcome *outcome)
{
    if (settings->lazy) {
        return lazy_search(config, position, depth, solution, outcome);
    }
    Cluster *cluster = NULL;
    Status status = cluster_new(config, &cluster);
    if (status_is_ok(&status)) {
        status = cluster_search(cluster, position, depth, solution, outcome);
    }
    cluster_destroy(&cluster);
    return status;
}

static void fill_result(const BaselineDepth *serial, int depth, int slots,
                        const ClusterOutcome *outcome, TrialResult *result)
{
    int64_t *figures = result->figures;
    figures[FIGURE_DEPTH] = depth;
    figures[FIGURE_SERIAL_NODES] = (int64_t)serial->nodes;
    figures[FIGURE_SERIAL_MOVE] = serial->move;
    figures[FIGURE_SERIAL_SCORE] = serial->score;
    figures[FIGURE_BEGIN_NS] = outcome->begin_ns;
    figures[FIGURE_TIME_NS] = outcome->end_ns - outcome->begin_ns;
    figures[FIGURE_MOVE] = outcome->move;
    figures[FIGURE_SCORE] = outcome->score;
    figures[FIGURE_NODES] = (int64_t)outcome->nodes;
    figures[FIGURE_SLOTS] = slots;
    figures[FIGURE_BUSY_NS] = outcome->busy_ns;
    figures[FIGURE_MESSAGE_NS] = outcome->message_ns;
    figures[FIGURE_MASTER_NS] = outcome->master_ns;
    figures[FIGURE_MESSAGES] = (int64_t)outcome->messages;
    figures[FIGURE_BYTES] = (int64_t)outcome->bytes;
    figures[FIGURE_PUSHED_BYTES] = (int64_t)outcome->pushed_bytes;
    figures[FIGURE_JOBS] = (int64_t)outcome->jobs;
    figures[FIGURE_SHARES] = (int64_t)outcome->shares;
    figures[FIGURE_SHARE_NODES] = (int64_t)outcome->share_nodes;
    figures[FIGURE_OFFERS] = (int64_t)outcome->offers;
    figures[FIGURE_WITHDRAWN] = (int64_t)outcome->withdrawn;
    figures[FIGURE_CANCELLED_NODES] = (int64_t)outcome->cancelled_nodes;
    figures[FIGURE_WAITS] = (int64_t)outcome->waits;
    figures[FIGURE_WAITED_NS] = outcome->waited_ns;
    figures[FIGURE_IS_SOLVED] = 1;
}

static double serial_ns(const TrialSettings *settings, double nodes)
{
    return nodes * 1e9 / (double)settings->nodes_per_second;
}

static Status search_to_depth(const TrialSettings *settings, const ClusterConfig *config,
                              const Position *position, const Baseline *baseline,
                              TrialResult *result)
{
    ClusterOutcome outcome;
    const int64_t work = trial_work(settings, config->machines);
    const int depth = baseline_depth_beyond(baseline, (uint64_t)work);
    if (depth == 0) {
        return status_error(STATUS_INVALID, "the search ends before it has enough to do");
    }
    const Status status = search(settings, config, position, depth, NULL, &outcome);
    if (status_is_ok(&status) && outcome.depth < depth) {
        return status_error(
            STATUS_UNAVAILABLE,
            "the search gave up at depth %d of %d: a move has cost too many workers", outcome.depth,
            depth);
    }
    if (status_is_ok(&status)) {
        fill_result(&baseline->depths[depth], depth, config->machines * config->slots, &outcome,
                    result);
    }
    return status;
}

static Status solve(const TrialSettings *settings, const ClusterConfig *config, const Epd *epd,
                    const Baseline *baseline, TrialResult *result)
{
    ClusterOutcome outcome;
    Solution solution;
    const Solution serial = baseline_solution(baseline, epd, (uint64_t)settings->solve_nodes_max);
    if (!solution_is_found(&serial)) {
        return status_error(STATUS_INVALID, "the serial search does not solve it");
    }
    const int64_t limit_ns =
        (int64_t)(TRIAL_LIMIT_FACTOR * serial_ns(settings, (double)serial.found));
    solution_init(&solution, epd, limit_ns);
    const Status status =
        search(settings, config, &epd->position, ROOT_DEPTH_MAX, &solution, &outcome);
    if (status_is_ok(&status)) {
        const bool is_solved = solution_is_found(&solution);
        fill_result(&baseline->depths[serial.found_depth],
                    is_solved ? solution.found_depth : solution.depth,
                    config->machines * config->slots, &outcome, result);
        result->figures[FIGURE_TIME_NS] = is_solved ? solution.found : limit_ns;
        result->figures[FIGURE_MOVE] = solution.best;
        result->figures[FIGURE_IS_SOLVED] = is_solved;
    }
    return status;
}

Status trial_run(const TrialSettings *settings, const TrialCase *trial, const Epd *epd,
                 const Baseline *baseline, Timeline *timeline, TrialResult *result)
{
    double speeds[CLUSTER_MACHINES_MAX];
    ClusterConfig config;
    fill_config(settings, trial, timeline, speeds, &config);
    return settings->solves ? solve(settings, &config, epd, baseline, result)
                            : search_to_depth(settings, &config, &epd->position, baseline, result);
}

double trial_speedup(const TrialSettings *settings, const TrialResult *result)
{
    return serial_ns(settings, (double)result->figures[FIGURE_SERIAL_NODES]) /
           (double)result->figures[FIGURE_TIME_NS];
}

/* So many speeds would not fit into a word. */
static uint64_t hash_speeds(const double speeds[], int count)
{
    uint64_t hash = (uint64_t)count;
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &speeds[i], sizeof bits);
        hash = prng_mix(hash ^ bits);
    }
    return hash;
}

void trial_describe(const TrialSettings *settings, const TrialCase *trial,
                    char text[TRIAL_TEXT_BYTES_MAX])
{
    enum { HASH_BYTES_MAX = 17 };
    const int workers = trial->workers;
    const int64_t work = settings->solves ? 0 : trial_work(settings, workers);
    const int used =
        snprintf(text, TRIAL_TEXT_BYTES_MAX,
                 "workers=%d;slots=%d;nps=%" PRId64 ";latency=%" PRId64 ";jitter=%" PRId64
                 ";bandwidth=%" PRId64 ";push-interval=%" PRId64 ";costs=%" PRId64 "+%" PRId64
                 "+%" PRId64 "+%" PRId64 ";faults=%" PRId64 ";hash=%d/%d;work=%" PRId64
                 ";parts=%d%d%d%d/%d;lines=%d;seed=%" PRIu64 ";speeds=",
                 workers, settings->slots, settings->nodes_per_second, settings->latency_ns,
                 settings->jitter_ns, settings->bits_per_second, settings->push_interval_ns,
                 settings->master_receive_ns, settings->master_send_ns, settings->worker_message_ns,
                 settings->wake_ns, settings->fault_every_ns, settings->hash_total_mb,
                 settings->hash_worker_mb, work, settings->lazy, settings->splits, settings->push,
                 settings->affinity, settings->searches, settings->multi_pv, trial->seed);
    CHECK(used < TRIAL_TEXT_BYTES_MAX - HASH_BYTES_MAX);
    if (settings->speed_count > 0) {
        (void)snprintf(text + used, HASH_BYTES_MAX, "%016" PRIx64,
                       hash_speeds(settings->speeds, smaller(settings->speed_count, workers)));
    }
}
