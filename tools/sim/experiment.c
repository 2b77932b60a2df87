#include "tools/sim/experiment.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/prng.h"
#include "chess/notation.h"
#include "os/files.h"
#include "uci_bridge/display.h"

enum {
    KEY_BYTES_MAX = 2000,
    RIGHT_BYTES_MAX = 2 * EPD_MOVES_MAX * UCI_MOVE_BYTES_MAX + 16,
    PROGRAM_BYTES_MAX = 256 << 20,
    BASELINE_NUMBERS = 3 * (ROOT_DEPTH_MAX + 1), /* nodes, move, score; of 0: depth, nodes */
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

/* ---- trials: those of a position have numbers from 0, by size, then seed ---- */

int experiment_trials_each(const Experiment *experiment)
{
    return experiment->size_count * experiment->seed_count;
}

static TrialResult *result_of(const Experiment *experiment, int position, int trial)
{
    return &experiment->results[position * experiment_trials_each(experiment) + trial];
}

TrialResult *experiment_result(const Experiment *experiment, int position, int size, int seed)
{
    return result_of(experiment, position, size * experiment->seed_count + seed);
}

static TrialCase case_of(const Experiment *experiment, int trial)
{
    return (TrialCase){.workers = experiment->workers[trial / experiment->seed_count],
                       .seed = experiment->seeds[trial % experiment->seed_count]};
}

/* ---- keys ---- */

/* Appends at `used`; returns the new length. */
static int write_moves(const Position *position, const char *name, const Move *moves, int count,
                       char text[RIGHT_BYTES_MAX], int used)
{
    used += snprintf(text + used, (size_t)(RIGHT_BYTES_MAX - used), "%s", name);
    for (int i = 0; i < count; i++) {
        char move[UCI_MOVE_BYTES_MAX];
        notation_write_uci(position, moves[i], move);
        used += snprintf(text + used, (size_t)(RIGHT_BYTES_MAX - used), "%s,", move);
    }
    return used;
}

/* What is right in a test position. */
static void write_right(const Epd *epd, char text[RIGHT_BYTES_MAX])
{
    const int used = write_moves(&epd->position, "bm=", epd->best, epd->best_count, text, 0);
    (void)write_moves(&epd->position, ";am=", epd->avoid, epd->avoid_count, text, used);
}

static void trial_key(const Experiment *experiment, int position, int trial,
                      char key[KEY_BYTES_MAX])
{
    const SimPosition *searched = &experiment->positions[position];
    const TrialCase trial_case = case_of(experiment, trial);
    char text[TRIAL_TEXT_BYTES_MAX];
    char right[RIGHT_BYTES_MAX] = "";
    trial_describe(&experiment->settings, &trial_case, text);
    if (experiment->settings.solves) {
        write_right(&searched->epd, right);
    }
    (void)snprintf(key, KEY_BYTES_MAX, "%s;build=%016" PRIx64 ";%s%s%s;fen=%s",
                   experiment->settings.solves ? "solve" : "trial", experiment->build, text,
                   experiment->settings.solves ? ";" : "", right, searched->fen);
}

/* That of one line is what it was before there could be several: it is costly to find. */
static void baseline_key(const Experiment *experiment, int position, char key[KEY_BYTES_MAX])
{
    const TrialSettings *settings = &experiment->settings;
    char lines[24] = "";
    if (settings->multi_pv > 1) {
        (void)snprintf(lines, sizeof lines, "lines=%d;", settings->multi_pv);
    }
    (void)snprintf(key, KEY_BYTES_MAX, "serial;search=%016" PRIx64 ";%shash=%d;fen=%s",
                   experiment->search, lines, trial_serial_hash_mb(settings),
                   experiment->positions[position].fen);
}

/* ---- baselines ---- */

static void unpack_baseline(const int64_t *numbers, Baseline *baseline)
{
    baseline->depth = (int)numbers[0];
    baseline->nodes = (uint64_t)numbers[1];
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
    numbers[1] = (int64_t)baseline->nodes;
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

static Solution serial_solution(const Experiment *experiment, int position,
                                const Baseline *baseline)
{
    return baseline_solution(baseline, &experiment->positions[position].epd,
                             (uint64_t)experiment->settings.solve_nodes_max);
}

/* Whether the serial search went on for long enough. */
static bool is_enough(const Experiment *experiment, int position, const Baseline *baseline)
{
    if (baseline->depth == ROOT_DEPTH_MAX) {
        return true;
    }
    if (experiment->settings.solves) {
        const Solution solution = serial_solution(experiment, position, baseline);
        return solution_is_over(&solution, (int64_t)baseline->nodes);
    }
    return baseline_depth_beyond(baseline, (uint64_t)work_max(experiment)) != 0;
}

static bool find_baseline(const Experiment *experiment, const Cache *cache, int position,
                          Baseline *baseline)
{
    char key[KEY_BYTES_MAX];
    int64_t numbers[BASELINE_NUMBERS];
    baseline_key(experiment, position, key);
    if (!cache_find(cache, key, numbers, BASELINE_NUMBERS)) {
        return false;
    }
    unpack_baseline(numbers, baseline);
    return is_enough(experiment, position, baseline);
}

static Status measure(const Experiment *experiment, int position, Baseline *baseline)
{
    const TrialSettings *settings = &experiment->settings;
    const Epd *epd = &experiment->positions[position].epd;
    const int hash_mb = trial_serial_hash_mb(settings);
    return settings->solves
               ? baseline_solve(epd, hash_mb, (uint64_t)settings->solve_nodes_max, baseline)
               : baseline_measure(&epd->position, settings->multi_pv, hash_mb,
                                  (uint64_t)work_max(experiment), baseline);
}

Status experiment_baseline(const Experiment *experiment, Cache *cache, int position,
                           Baseline *baseline)
{
    char key[KEY_BYTES_MAX];
    int64_t numbers[BASELINE_NUMBERS];
    if (find_baseline(experiment, cache, position, baseline)) {
        return status_ok();
    }
    const Status status = measure(experiment, position, baseline);
    if (!status_is_ok(&status)) {
        return status;
    }
    baseline_key(experiment, position, key);
    pack_baseline(baseline, numbers);
    return cache_add(cache, key, numbers, BASELINE_NUMBERS);
}

/* ---- test positions that do not count ---- */

typedef enum { FIT_GOOD, FIT_TOO_EASY, FIT_TOO_HARD } Fit;

static Fit fit_of(const Experiment *experiment, int position, const Baseline *baseline)
{
    if (!experiment->settings.solves) {
        return FIT_GOOD;
    }
    const Solution solution = serial_solution(experiment, position, baseline);
    if (!solution_is_found(&solution)) {
        return FIT_TOO_HARD;
    }
    return solution.found < experiment->settings.solve_nodes_min ? FIT_TOO_EASY : FIT_GOOD;
}

static void keep_position(Experiment *experiment, int from, int to)
{
    const int trials = experiment_trials_each(experiment);
    experiment->positions[to] = experiment->positions[from];
    memmove(result_of(experiment, to, 0), result_of(experiment, from, 0),
            (size_t)trials * sizeof *experiment->results);
}

static Status leave_out_positions(Experiment *experiment, const Cache *cache)
{
    int kept = 0;
    for (int i = 0; i < experiment->position_count; i++) {
        Baseline baseline;
        const Fit fit = find_baseline(experiment, cache, i, &baseline)
                            ? fit_of(experiment, i, &baseline)
                            : FIT_GOOD;
        experiment->too_easy += fit == FIT_TOO_EASY;
        experiment->too_hard += fit == FIT_TOO_HARD;
        if (fit == FIT_GOOD) {
            keep_position(experiment, i, kept++);
        }
    }
    experiment->position_count = kept;
    return kept > 0 ? status_ok()
                    : status_error(STATUS_UNAVAILABLE,
                                   "no position left: %d are solved too soon, %d not soon enough",
                                   experiment->too_easy, experiment->too_hard);
}

/* ---- a process ---- */

static bool is_known(const Experiment *experiment, const Cache *cache, int position, int trial)
{
    char key[KEY_BYTES_MAX];
    trial_key(experiment, position, trial, key);
    return cache_find(cache, key, result_of(experiment, position, trial)->figures, FIGURE_COUNT);
}

static Status run_trial(const Experiment *experiment, Cache *cache, const Baseline *baseline,
                        int position, int trial)
{
    char key[KEY_BYTES_MAX];
    TrialResult *result = result_of(experiment, position, trial);
    const TrialCase trial_case = case_of(experiment, trial);
    const Status status = trial_run(&experiment->settings, &trial_case,
                                    &experiment->positions[position].epd, baseline, NULL, result);
    if (!status_is_ok(&status)) {
        return status;
    }
    trial_key(experiment, position, trial, key);
    return cache_add(cache, key, result->figures, FIGURE_COUNT);
}

/* All trials of one position that are not known yet; `report` gets a byte for each. */
static Status run_position(const Experiment *experiment, Cache *cache, int position, int report)
{
    Baseline baseline;
    Status status = experiment_baseline(experiment, cache, position, &baseline);
    for (int i = 0; i < experiment_trials_each(experiment) && status_is_ok(&status); i++) {
        if (is_known(experiment, cache, position, i)) {
            continue;
        }
        if (fit_of(experiment, position, &baseline) == FIT_GOOD) {
            status = run_trial(experiment, cache, &baseline, position, i);
        }
        if (status_is_ok(&status) && write(report, "t", 1) != 1) {
            status = status_error(STATUS_IO, "pipe: %s", strerror(errno));
        }
    }
    return status;
}

/* Ends with its parent, which may be ended by a signal to itself alone. */
static _Noreturn void work(const Experiment *experiment, Cache *cache, int position, int report,
                           pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        _exit(1);
    }
    const Status status = run_position(experiment, cache, position, report);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "rookery-sim: %s: %s\n", experiment->positions[position].epd.id,
                status.message);
    }
    _exit(status_is_ok(&status) ? 0 : 1);
}

/* ---- all processes ---- */

/* How many trials of a position are still to be done. */
static int count_missing(const Experiment *experiment, const Cache *cache, int position)
{
    int missing = 0;
    Baseline baseline;
    if (experiment->settings.solves && find_baseline(experiment, cache, position, &baseline) &&
        fit_of(experiment, position, &baseline) != FIT_GOOD) {
        return 0;
    }
    for (int i = 0; i < experiment_trials_each(experiment); i++) {
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
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child < 0) {
            return status_error(STATUS_IO, "cannot start a process: %s", strerror(errno));
        }
        if (child == 0) {
            work(experiment, cache, position, crew->pipe[1], parent);
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
        display_progress(
            crew->done, crew->experiment->position_count * experiment_trials_each(crew->experiment),
            "trials");
    }
}

static Status run_all(Crew *crew, Cache *cache)
{
    Status status = status_ok();
    const Experiment *experiment = crew->experiment;
    crew->done = experiment->position_count * experiment_trials_each(experiment);
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
    return status_is_ok(&status) ? leave_out_positions(experiment, cache) : status;
}
