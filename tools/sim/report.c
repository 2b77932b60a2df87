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

static void print_settings(const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    printf("%s%d slot%s a worker of %.2f M nodes/s, %.3f ms a hop, hash ",
           settings->lazy ? "lazy: " : "", settings->slots, settings->slots == 1 ? "" : "s",
           (double)settings->nodes_per_second / 1e6, (double)settings->latency_ns / 1e6);
    print_hash(settings);
    printf(", seed %" PRIu64 ", %d positions of ", settings->seed, experiment->position_count);
    if (settings->work_per_worker > 0) {
        printf("%.1f M nodes a worker", (double)settings->work_per_worker / 1e6);
    } else {
        printf("%.1f M nodes", (double)settings->serial_nodes / 1e6);
    }
    printf("%s%s%s%s%s\n", settings->splits ? "" : ", no splits", settings->push ? "" : ", no push",
           settings->affinity ? "" : ", no affinity",
           settings->speculation ? "" : ", no speculation",
           settings->predicted_bounds ? "" : ", no predicted bounds");
}

void report_table(const Experiment *experiment)
{
    print_settings(experiment);
    printf("workers  speed-up  95%% interval  overhead  idle  comm  master  messages/s  same move  "
           "offers/s  withdrawn  cancelled  share nodes  wait ms\n");
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        printf("%7d  %8.2f  %5.2f - %5.2f  %8.2f  %3.0f%%  %3.1f%%  %5.1f%%  %10.0f  %8.0f%%  "
               "%8.0f  %8.0f%%  %8.0f%%  %11.0f  %7.2f\n",
               summary.workers, summary.speedup, summary.low, summary.high, summary.overhead,
               100 * summary.idle, 100 * summary.comm, 100 * summary.master_load,
               summary.messages_per_s, 100 * summary.same_move, summary.offers_per_s,
               100 * summary.withdrawn, 100 * summary.cancelled, summary.share_nodes,
               summary.wait_ms);
    }
}

static const TrialResult *result_of(const Experiment *experiment, int position, int size)
{
    return &experiment->results[position * experiment->size_count + size];
}

void report_positions(const Experiment *experiment)
{
    printf("workers  depth  serial nodes         nodes  speed-up  same move  position\n");
    for (int i = 0; i < experiment->size_count; i++) {
        for (int j = 0; j < experiment->position_count; j++) {
            const TrialResult *result = result_of(experiment, j, i);
            const int64_t *figures = result->figures;
            printf("%7d  %5" PRId64 "  %12" PRId64 "  %12" PRId64 "  %8.2f  %9s  %s\n",
                   experiment->workers[i], figures[FIGURE_DEPTH], figures[FIGURE_SERIAL_NODES],
                   figures[FIGURE_NODES], trial_speedup(&experiment->settings, result),
                   figures[FIGURE_MOVE] == figures[FIGURE_SERIAL_MOVE] ? "yes" : "no",
                   experiment->positions[j].name);
        }
    }
}

/* ---- JSON ---- */

static void write_settings(FILE *file, const Experiment *experiment)
{
    const TrialSettings *settings = &experiment->settings;
    fprintf(file,
            "{\"settings\":{\"slots\":%d,\"nodes_per_second\":%" PRId64 ",\"latency_us\":%.1f,"
            "\"jitter_us\":%.1f,\"bits_per_second\":%" PRId64 ",\"hash_total_mb\":%d,"
            "\"hash_worker_mb\":%d,\"serial_nodes\":%" PRId64 ",\"work_per_worker\":%" PRId64 ",",
            settings->slots, settings->nodes_per_second, (double)settings->latency_ns / 1e3,
            (double)settings->jitter_ns / 1e3, settings->bits_per_second, settings->hash_total_mb,
            settings->hash_worker_mb, settings->serial_nodes, settings->work_per_worker);
    fprintf(file,
            "\"lazy\":%s,\"splits\":%s,\"push\":%s,\"affinity\":%s,\"speculation\":%s,"
            "\"predicted_bounds\":%s,\"seed\":%" PRIu64 ",\"search\":\"%016" PRIx64
            "\",\"build\":\"%016" PRIx64 "\"},\n",
            settings->lazy ? "true" : "false", settings->splits ? "true" : "false",
            settings->push ? "true" : "false", settings->affinity ? "true" : "false",
            settings->speculation ? "true" : "false", settings->predicted_bounds ? "true" : "false",
            settings->seed, experiment->search, experiment->build);
}

static void write_summary(FILE *file, const Summary *summary)
{
    fprintf(file,
            "{\"workers\":%d,\"speedup\":%.4f,\"ci95\":[%.4f,%.4f],\"overhead\":%.4f,"
            "\"idle\":%.4f,\"comm\":%.4f,\"master_load\":%.4f,\"messages_per_s\":%.1f,"
            "\"bytes_per_s\":%.0f,\"pushed_bytes_per_s\":%.0f,\"same_move\":%.4f,",
            summary->workers, summary->speedup, summary->low, summary->high, summary->overhead,
            summary->idle, summary->comm, summary->master_load, summary->messages_per_s,
            summary->bytes_per_s, summary->pushed_per_s, summary->same_move);
    fprintf(file,
            "\"offers_per_s\":%.1f,\"withdrawn\":%.4f,\"cancelled\":%.4f,\"share_nodes\":%.0f,"
            "\"wait_ms\":%.3f,\"positions\":%d}",
            summary->offers_per_s, summary->withdrawn, summary->cancelled, summary->share_nodes,
            summary->wait_ms, summary->positions);
}

/* Names of positions come from files: only what needs no escape. */
static void write_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++) {
        const bool is_plain = *name >= ' ' && *name < 127 && *name != '"' && *name != '\\';
        fputc(is_plain ? *name : '?', file);
    }
}

static void write_trial(FILE *file, const Experiment *experiment, int position, int size)
{
    const TrialResult *result = result_of(experiment, position, size);
    const int64_t *figures = result->figures;
    char move[UCI_MOVE_BYTES_MAX];
    char serial_move[UCI_MOVE_BYTES_MAX];
    const Position *board = &experiment->positions[position].position;
    notation_write_uci(board, (Move)figures[FIGURE_MOVE], move);
    notation_write_uci(board, (Move)figures[FIGURE_SERIAL_MOVE], serial_move);
    fprintf(file, "{\"position\":\"");
    write_name(file, experiment->positions[position].name);
    fprintf(file,
            "\",\"workers\":%d,\"depth\":%" PRId64 ",\"speedup\":%.4f,\"time_us\":%" PRId64
            ",\"serial_nodes\":%" PRId64 ",\"nodes\":%" PRId64 ",\"move\":\"%s\",\"score\":%" PRId64
            ",\"serial_move\":\"%s\",\"serial_score\":%" PRId64 "}",
            experiment->workers[size], figures[FIGURE_DEPTH],
            trial_speedup(&experiment->settings, result), figures[FIGURE_TIME_NS] / 1000,
            figures[FIGURE_SERIAL_NODES], figures[FIGURE_NODES], move, figures[FIGURE_SCORE],
            serial_move, figures[FIGURE_SERIAL_SCORE]);
}

Status report_json(const Experiment *experiment, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    write_settings(file, experiment);
    fprintf(file, "\"results\":[");
    for (int i = 0; i < experiment->size_count; i++) {
        const Summary summary = statistics_summary(experiment, i);
        fprintf(file, "%s\n", i == 0 ? "" : ",");
        write_summary(file, &summary);
    }
    fprintf(file, "],\n\"trials\":[");
    for (int i = 0; i < experiment->size_count * experiment->position_count; i++) {
        fprintf(file, "%s\n", i == 0 ? "" : ",");
        write_trial(file, experiment, i % experiment->position_count,
                    i / experiment->position_count);
    }
    fprintf(file, "]}\n");
    const bool has_failed = ferror(file) != 0;
    return fclose(file) != 0 || has_failed ? status_error(STATUS_IO, "cannot write %s", path)
                                           : status_ok();
}
