#include "tools/sim/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "chess/notation.h"

static void print_hash(const TrialSettings *settings)
{
    if (settings->hash_total_mb > 0) {
        printf("%d MB in all", settings->hash_total_mb);
    } else {
        printf("%d MB a worker", settings->hash_worker_mb);
    }
}

static void print_seeds(const Experiment *experiment)
{
    printf(", seed%s ", experiment->seed_count > 1 ? "s" : "");
    for (int i = 0; i < experiment->seed_count; i++) {
        printf("%s%" PRIu64, i > 0 ? "," : "", experiment->seeds[i]);
    }
}

/* What was searched. */
static void print_positions(const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    printf(", %d positions", experiment->position_count);
    if (settings->solves) {
        printf(" solved between %.1f and %.1f M nodes (left out: %d sooner, %d not)",
               (double)settings->solve_nodes_min / 1e6, (double)settings->solve_nodes_max / 1e6,
               experiment->too_easy, experiment->too_hard);
    } else if (settings->work_per_worker > 0) {
        printf(" of %.1f M nodes a worker", (double)settings->work_per_worker / 1e6);
    } else {
        printf(" of %.1f M nodes", (double)settings->serial_nodes / 1e6);
    }
    if (settings->multi_pv > 1) {
        printf(", %d lines each", settings->multi_pv);
    }
}

static void print_settings(const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    printf("%s%d slot%s a worker of %.2f M nodes/s, %.3f ms a hop, hash ",
           settings->lazy ? "lazy: " : "", settings->slots, settings->slots == 1 ? "" : "s",
           (double)settings->nodes_per_second / 1e6, (double)settings->latency_ns / 1e6);
    print_hash(settings);
    print_seeds(experiment);
    print_positions(experiment);
    printf(", up to %d search%s a root%s%s%s", settings->searches,
           settings->searches == 1 ? "" : "es", settings->splits ? "" : ", no splits",
           settings->push ? "" : ", no push", settings->affinity ? "" : ", no affinity");
    if (settings->fault_every_ns > 0) {
        printf(", a fault each %.1f ms", (double)settings->fault_every_ns / 1e6);
    }
    printf("\n");
}

enum { INTERVAL_BYTES_MAX = 64 };

static void write_interval(const Summary *summary, char text[INTERVAL_BYTES_MAX])
{
    if (summary->has_interval) {
        (void)snprintf(text, INTERVAL_BYTES_MAX, "%5.2f - %5.2f", summary->low, summary->high);
    } else {
        (void)snprintf(text, INTERVAL_BYTES_MAX, "%13s", "unknown");
    }
}

static void print_speedups(const Experiment *experiment)
{
    char interval[INTERVAL_BYTES_MAX];
    printf("workers  speed-up  95%% interval  overhead  idle  comm  master  messages/s  same move  "
           "offers/s  withdrawn  cancelled  share nodes  wait ms\n");
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        write_interval(&summary, interval);
        printf("%7d  %8.2f  %s  %8.2f  %3.0f%%  %3.1f%%  %5.1f%%  %10.0f  %8.0f%%  "
               "%8.0f  %8.0f%%  %8.0f%%  %11.0f  %7.2f\n",
               summary.workers, summary.speedup, interval, summary.overhead, 100 * summary.idle,
               100 * summary.comm, 100 * summary.master_load, summary.messages_per_s,
               100 * summary.same_move, summary.offers_per_s, 100 * summary.withdrawn,
               100 * summary.cancelled, summary.share_nodes, summary.wait_ms);
    }
}

/* The trials of one size that found no solution in time. */
static void print_unsolved(const Experiment *experiment, int size)
{
    for (int i = 0; i < experiment->position_count; i++) {
        for (int j = 0; j < experiment->seed_count; j++) {
            if (experiment_result(experiment, i, size, j)->figures[FIGURE_IS_SOLVED] == 0) {
                printf("not solved by %d: %s, seed %" PRIu64 "\n", experiment->workers[size],
                       experiment->positions[i].epd.id, experiment->seeds[j]);
            }
        }
    }
}

static void print_solutions(const Experiment *experiment)
{
    char interval[INTERVAL_BYTES_MAX];
    printf("workers  positions  trials  solved  times as fast  95%% interval\n");
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        write_interval(&summary, interval);
        printf("%7d  %9d  %6d  %6d  %13.2f  %s\n", summary.workers, summary.positions,
               summary.positions * experiment->seed_count, summary.solved, summary.speedup,
               interval);
    }
    for (int i = 0; i < experiment->size_count; i++) {
        print_unsolved(experiment, i);
    }
}

void report_table(const Experiment *experiment)
{
    print_settings(experiment);
    if (experiment->settings.solves) {
        print_solutions(experiment);
    } else {
        print_speedups(experiment);
    }
}

static void print_trial(const Experiment *experiment, int position, int size, int seed)
{
    const TrialResult *result = experiment_result(experiment, position, size, seed);
    const int64_t *figures = result->figures;
    printf("%7d  %10" PRIu64 "  %5" PRId64 "  %12" PRId64 "  %12" PRId64 "  %8.2f  %9s  %s\n",
           experiment->workers[size], experiment->seeds[seed], figures[FIGURE_DEPTH],
           figures[FIGURE_SERIAL_NODES], figures[FIGURE_NODES],
           trial_speedup(&experiment->settings, result),
           figures[FIGURE_MOVE] == figures[FIGURE_SERIAL_MOVE] ? "yes" : "no",
           experiment->positions[position].epd.id);
}

void report_trials(const Experiment *experiment)
{
    printf("workers        seed  depth  serial nodes         nodes  speed-up  same move  "
           "position\n");
    for (int i = 0; i < experiment->size_count; i++) {
        for (int j = 0; j < experiment->position_count; j++) {
            for (int k = 0; k < experiment->seed_count; k++) {
                print_trial(experiment, j, i, k);
            }
        }
    }
}

/* ---- JSON ---- */

static void write_seeds(FILE *file, const Experiment *experiment)
{
    fprintf(file, "\"seeds\":[");
    for (int i = 0; i < experiment->seed_count; i++) {
        fprintf(file, "%s%" PRIu64, i > 0 ? "," : "", experiment->seeds[i]);
    }
    fprintf(file, "],");
}

/* How much was searched. */
static void write_work(FILE *file, const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    if (settings->solves) {
        fprintf(file,
                "\"min_serial_nodes\":%" PRId64 ",\"max_serial_nodes\":%" PRId64
                ",\"too_easy\":%d,\"too_hard\":%d,",
                settings->solve_nodes_min, settings->solve_nodes_max, experiment->too_easy,
                experiment->too_hard);
    } else {
        fprintf(file, "\"serial_nodes\":%" PRId64 ",\"work_per_worker\":%" PRId64 ",",
                settings->serial_nodes, settings->work_per_worker);
    }
}

static void write_settings(FILE *file, const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    fprintf(file,
            "{\"settings\":{\"slots\":%d,\"nodes_per_second\":%" PRId64 ",\"latency_us\":%.1f,"
            "\"jitter_us\":%.1f,\"bits_per_second\":%" PRId64 ",\"hash_total_mb\":%d,"
            "\"hash_worker_mb\":%d,\"fault_every_us\":%.1f,",
            settings->slots, settings->nodes_per_second, (double)settings->latency_ns / 1e3,
            (double)settings->jitter_ns / 1e3, settings->bits_per_second, settings->hash_total_mb,
            settings->hash_worker_mb, (double)settings->fault_every_ns / 1e3);
    write_work(file, experiment);
    write_seeds(file, experiment);
    fprintf(file,
            "\"lazy\":%s,\"splits\":%s,\"push\":%s,\"affinity\":%s,\"searches\":%d,\"multi_pv\":%d,"
            "\"search\":\"%"
            "016" PRIx64 "\",\"build\":\"%016" PRIx64 "\"},\n",
            settings->lazy ? "true" : "false", settings->splits ? "true" : "false",
            settings->push ? "true" : "false", settings->affinity ? "true" : "false",
            settings->searches, settings->multi_pv, experiment->search, experiment->build);
}

/* What summaries of both kinds begin with. */
static void write_speedup(FILE *file, const Summary *summary)
{
    fprintf(file, "{\"workers\":%d,\"speedup\":%.4f,\"ci95\":", summary->workers, summary->speedup);
    if (summary->has_interval) {
        fprintf(file, "[%.4f,%.4f],", summary->low, summary->high);
    } else {
        fprintf(file, "null,");
    }
}

static void write_summary(FILE *file, const Summary *summary)
{
    write_speedup(file, summary);
    fprintf(file,
            "\"overhead\":%.4f,\"idle\":%.4f,\"comm\":%.4f,\"master_load\":%.4f,"
            "\"messages_per_s\":%.1f,\"bytes_per_s\":%.0f,\"pushed_bytes_per_s\":%.0f,"
            "\"same_move\":%.4f,",
            summary->overhead, summary->idle, summary->comm, summary->master_load,
            summary->messages_per_s, summary->bytes_per_s, summary->pushed_per_s,
            summary->same_move);
    fprintf(file,
            "\"offers_per_s\":%.1f,\"withdrawn\":%.4f,\"cancelled\":%.4f,\"share_nodes\":%.0f,"
            "\"wait_ms\":%.3f,\"positions\":%d}",
            summary->offers_per_s, summary->withdrawn, summary->cancelled, summary->share_nodes,
            summary->wait_ms, summary->positions);
}

static void write_solutions(FILE *file, const Summary *summary)
{
    write_speedup(file, summary);
    fprintf(file, "\"solved\":%d,\"positions\":%d}", summary->solved, summary->positions);
}

/* Names of positions come from files: only what needs no escape. */
static void write_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++) {
        const bool is_plain = *name >= ' ' && *name < 127 && *name != '"' && *name != '\\';
        fputc(is_plain ? *name : '?', file);
    }
}

static void write_trial(FILE *file, const Experiment *experiment, int position, int size, int seed)
{
    const TrialResult *result = experiment_result(experiment, position, size, seed);
    const int64_t *figures = result->figures;
    char move[UCI_MOVE_BYTES_MAX];
    char serial_move[UCI_MOVE_BYTES_MAX];
    const Epd *epd = &experiment->positions[position].epd;
    notation_write_uci(&epd->position, (Move)figures[FIGURE_MOVE], move);
    notation_write_uci(&epd->position, (Move)figures[FIGURE_SERIAL_MOVE], serial_move);
    fprintf(file, "{\"position\":\"");
    write_name(file, epd->id);
    fprintf(file, "\",\"workers\":%d,\"seed\":%" PRIu64 ",", experiment->workers[size],
            experiment->seeds[seed]);
    if (experiment->settings.solves) {
        fprintf(file, "\"solved\":%s,", figures[FIGURE_IS_SOLVED] != 0 ? "true" : "false");
    }
    fprintf(file,
            "\"depth\":%" PRId64 ",\"speedup\":%.4f,\"time_us\":%" PRId64
            ",\"serial_nodes\":%" PRId64 ",\"nodes\":%" PRId64 ",\"move\":\"%s\",\"score\":%" PRId64
            ",\"serial_move\":\"%s\",\"serial_score\":%" PRId64 "}",
            figures[FIGURE_DEPTH], trial_speedup(&experiment->settings, result),
            figures[FIGURE_TIME_NS] / 1000, figures[FIGURE_SERIAL_NODES], figures[FIGURE_NODES],
            move, figures[FIGURE_SCORE], serial_move, figures[FIGURE_SERIAL_SCORE]);
}

static void write_trials(FILE *file, const Experiment *experiment)
{
    const char *separator = "";
    for (int i = 0; i < experiment->size_count; i++) {
        for (int j = 0; j < experiment->position_count; j++) {
            for (int k = 0; k < experiment->seed_count; k++) {
                fprintf(file, "%s\n", separator);
                write_trial(file, experiment, j, i, k);
                separator = ",";
            }
        }
    }
}

static void write_results(FILE *file, const Experiment *experiment)
{
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        fprintf(file, "%s\n", i == 0 ? "" : ",");
        if (experiment->settings.solves) {
            write_solutions(file, &summary);
        } else {
            write_summary(file, &summary);
        }
    }
}

Status report_json(const Experiment *experiment, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    write_settings(file, experiment);
    fprintf(file, "\"results\":[");
    write_results(file, experiment);
    fprintf(file, "],\n\"trials\":[");
    write_trials(file, experiment);
    fprintf(file, "]}\n");
    const bool has_failed = ferror(file) != 0;
    return fclose(file) != 0 || has_failed ? status_error(STATUS_IO, "cannot write %s", path)
                                           : status_ok();
}
