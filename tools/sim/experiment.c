#include "tools/sim/experiment.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/prng.h"
#include "os/files.h"
#include "uci_bridge/display.h"

enum {
    KEY_BYTES_MAX = 1400,
    PROGRAM_BYTES_MAX = 256 << 20,
    BASELINE_NUMBERS = 3 * (ROOT_DEPTH_MAX + 1), /* nodes, move, score; those of 0: the depth */
    LOOK_MS = 200,                               /* between two looks for processes that ended */
};

/* The processes at work. */
typedef struct {
    Experiment *experiment;
    int pipe[2];  /* a byte for each finished trial */
    int running;  /* processes */
    int next;     /* position to give out */
    int done;     /* trials */
    int failures; /* processes that ended badly */
} Crew;

Status experiment_build(uint64_t *build)
{
    char *bytes = NULL;
    int length = 0;
    const Status status = files_read("/proc/self/exe", PROGRAM_BYTES_MAX, &bytes, &length);
    if (status_is_ok(&status)) {
        *build = (uint64_t)length;
        for (int i = 0; i + (int)sizeof *build <= length; i += (int)sizeof *build) {
            uint64_t word;
            memcpy(&word, bytes + i, sizeof word);
            *build = prng_mix(*build ^ word);
        }
    }
    free(bytes);
    return status;
}

/* ---- keys ---- */

static void trial_key(const Experiment *experiment, int position, int size, char key[KEY_BYTES_MAX])
{
    char text[TRIAL_TEXT_BYTES_MAX];
    trial_describe(&experiment->settings, experiment->workers[size], text);
    (void)snprintf(key, KEY_BYTES_MAX, "trial;build=%016" PRIx64 ";%s;fen=%s", experiment->build,
                   text, experiment->positions[position].fen);
}

static void baseline_key(const Experiment *experiment, int position, char key[KEY_BYTES_MAX])
{
    (void)snprintf(key, KEY_BYTES_MAX, "serial;search=%016" PRIx64 ";hash=%d;fen=%s",
                   experiment->search, trial_serial_hash_mb(&experiment->settings),
                   experiment->positions[position].fen);
}

/* ---- baselines ---- */

static void unpack_baseline(const int64_t *numbers, Baseline *baseline)
{
    baseline->depth = (int)numbers[0];
    for (int i = 1; i <= ROOT_DEPTH_MAX; i++) {
        baseline->depths[i] = (BaselineDepth){.nodes = (uint64_t)numbers[3 * i],
                                              .move = (Move)numbers[3 * i + 1],
                                              .score = (int)numbers[3 * i + 2]};
    }
}

static void pack_baseline(const Baseline *baseline, int64_t *numbers)
{
    memset(numbers, 0, BASELINE_NUMBERS * sizeof *numbers);
    numbers[0] = baseline->depth;
    for (int i = 1; i <= baseline->depth; i++) {
        numbers[3 * i] = (int64_t)baseline->depths[i].nodes;
        numbers[3 * i + 1] = baseline->depths[i].move;
        numbers[3 * i + 2] = baseline->depths[i].score;
    }
}

/* What the largest cluster needs. */
static int64_t work_max(const Experiment *experiment)
{
    int64_t work = 0;
    for (int i = 0; i < experiment->size_count; i++) {
        const int64_t wanted = trial_work(&experiment->settings, experiment->workers[i]);
        work = wanted > work ? wanted : work;
    }
    return work;
}

Status experiment_baseline(const Experiment *experiment, Cache *cache, int position,
                           Baseline *baseline)
{
    char key[KEY_BYTES_MAX];
    int64_t numbers[BASELINE_NUMBERS];
    const uint64_t work = (uint64_t)work_max(experiment);
    baseline_key(experiment, position, key);
    if (cache_find(cache, key, numbers, BASELINE_NUMBERS)) {
        unpack_baseline(numbers, baseline);
        if (baseline->depth == ROOT_DEPTH_MAX || baseline_depth_beyond(baseline, work) != 0) {
            return status_ok();
        }
    }
    const Status status =
        baseline_measure(&experiment->positions[position].position,
                         trial_serial_hash_mb(&experiment->settings), work, baseline);
    if (!status_is_ok(&status)) {
        return status;
    }
    pack_baseline(baseline, numbers);
    return cache_add(cache, key, numbers, BASELINE_NUMBERS);
}

/* ---- a process ---- */

static TrialResult *result_of(const Experiment *experiment, int position, int size)
{
    return &experiment->results[position * experiment->size_count + size];
}

static bool is_known(const Experiment *experiment, const Cache *cache, int position, int size)
{
    char key[KEY_BYTES_MAX];
    trial_key(experiment, position, size, key);
    return cache_find(cache, key, result_of(experiment, position, size)->figures, FIGURE_COUNT);
}

static Status run_trial(const Experiment *experiment, Cache *cache, const Baseline *baseline,
                        int position, int size)
{
    char key[KEY_BYTES_MAX];
    TrialResult *result = result_of(experiment, position, size);
    const Status status =
        trial_run(&experiment->settings, &experiment->positions[position].position, baseline,
                  experiment->workers[size], NULL, result);
    if (!status_is_ok(&status)) {
        return status;
    }
    trial_key(experiment, position, size, key);
    return cache_add(cache, key, result->figures, FIGURE_COUNT);
}

/* All sizes of one position that are not known yet; `report` gets a byte for each. */
static Status run_position(const Experiment *experiment, Cache *cache, int position, int report)
{
    Baseline baseline;
    Status status = experiment_baseline(experiment, cache, position, &baseline);
    for (int i = 0; i < experiment->size_count && status_is_ok(&status); i++) {
        if (!is_known(experiment, cache, position, i)) {
            status = run_trial(experiment, cache, &baseline, position, i);
            if (status_is_ok(&status) && write(report, "t", 1) != 1) {
                status = status_error(STATUS_IO, "pipe: %s", strerror(errno));
            }
        }
    }
    return status;
}

static _Noreturn void work(const Experiment *experiment, Cache *cache, int position, int report)
{
    const Status status = run_position(experiment, cache, position, report);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "rookery-sim: %s: %s\n", experiment->positions[position].name,
                status.message);
    }
    _exit(status_is_ok(&status) ? 0 : 1);
}

/* ---- all processes ---- */

/* How many trials of a position are still to be done. */
static int count_missing(const Experiment *experiment, const Cache *cache, int position)
{
    int missing = 0;
    for (int i = 0; i < experiment->size_count; i++) {
        missing += !is_known(experiment, cache, position, i);
    }
    return missing;
}

static Status start_processes(Crew *crew, Cache *cache)
{
    const Experiment *experiment = crew->experiment;
    while (crew->running < experiment->jobs && crew->next < experiment->position_count) {
        const int position = crew->next++;
        if (count_missing(experiment, cache, position) == 0) {
            continue;
        }
        const pid_t child = fork();
        if (child < 0) {
            return status_error(STATUS_IO, "cannot start a process: %s", strerror(errno));
        }
        if (child == 0) {
            work(experiment, cache, position, crew->pipe[1]);
        }
        crew->running++;
    }
    return status_ok();
}

static void collect_processes(Crew *crew)
{
    int outcome;
    while (crew->running > 0 && waitpid(-1, &outcome, WNOHANG) > 0) {
        crew->running--;
        crew->failures += !WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0;
    }
}

static void show_progress(Crew *crew)
{
    char bytes[64];
    struct pollfd news = {.fd = crew->pipe[0], .events = POLLIN};
    if (poll(&news, 1, LOOK_MS) > 0) {
        const ssize_t count = read(crew->pipe[0], bytes, sizeof bytes);
        crew->done += count > 0 ? (int)count : 0;
        display_progress(crew->done,
                         crew->experiment->position_count * crew->experiment->size_count, "trials");
    }
}

static Status run_all(Crew *crew, Cache *cache)
{
    Status status = status_ok();
    const Experiment *experiment = crew->experiment;
    crew->done = experiment->position_count * experiment->size_count;
    for (int i = 0; i < experiment->position_count; i++) {
        crew->done -= count_missing(experiment, cache, i);
    }
    do {
        if (status_is_ok(&status)) {
            status = start_processes(crew, cache);
        }
        show_progress(crew);
        collect_processes(crew);
    } while (crew->running > 0 ||
             (status_is_ok(&status) && crew->next < experiment->position_count));
    show_progress(crew);
    return status;
}

Status experiment_run(Experiment *experiment, Cache *cache)
{
    Crew crew = {.experiment = experiment};
    fflush(stdout);
    if (pipe(crew.pipe) != 0) {
        return status_error(STATUS_IO, "pipe: %s", strerror(errno));
    }
    Status status = run_all(&crew, cache);
    (void)close(crew.pipe[0]);
    (void)close(crew.pipe[1]);
    if (status_is_ok(&status)) {
        status = cache_refresh(cache);
    }
    int missing = 0;
    for (int i = 0; i < experiment->position_count && status_is_ok(&status); i++) {
        missing += count_missing(experiment, cache, i);
    }
    if (status_is_ok(&status) && missing > 0) {
        status = status_error(STATUS_UNAVAILABLE, "%d trials failed; run again to try them again",
                              missing);
    }
    return status;
}
