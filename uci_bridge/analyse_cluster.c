#include "uci_bridge/analyse_cluster.h"

#include <inttypes.h>
#include <stdio.h>

#include "chess/notation.h"
#include "transport/transport.h"
#include "uci_bridge/cluster_client.h"
#include "uci_bridge/display.h"

enum {
    OPEN_PATIENCE_MS = 5000,
    WORKERS_PATIENCE_MS = 10000,
    ANSWER_PATIENCE_MS = 10000, /* STATUS comes every second */
    WORKERS_SHOWN_MAX = 8,      /* in the line of workers; the rest is counted */
};

static Status wait_for_workers(ClusterClient *client, int wanted)
{
    int joined = 0;
    for (int waited_ms = 0; joined < wanted;) {
        const Message *message;
        const Status status =
            cluster_client_next(client, duration_ms(WORKERS_PATIENCE_MS), &message);
        if (!status_is_ok(&status)) {
            return status;
        }
        if (message->type == MESSAGE_STATUS) {
            enum { STATUS_INTERVAL_MS = 1000 };
            joined = message->status.worker_count;
            waited_ms += STATUS_INTERVAL_MS;
        }
        if (waited_ms > WORKERS_PATIENCE_MS && joined < wanted) {
            return status_error(STATUS_UNAVAILABLE, "only %d of %d workers have joined", joined,
                                wanted);
        }
    }
    return status_ok();
}

static void print_info(const AnalyseClusterOptions *options, const MessageInfo *info)
{
    const DisplayRow row = {
        .line = &info->line,
        .nodes = info->nodes,
        .elapsed = info->elapsed,
        .mark = ' ',
    };
    display_row(&options->position, &row);
}

/* One line: each worker's name, speed and share of time without work. */
static void print_workers(const MessageStatus *status)
{
    printf("      workers:");
    for (int i = 0; i < status->worker_count && i < WORKERS_SHOWN_MAX; i++) {
        const WorkerRow *worker = &status->workers[i];
        printf("  %s %" PRIu64 " kn/s", worker->name, worker->nodes_per_second / 1000);
        if (worker->is_in_reserve) {
            printf(" (in reserve)");
        } else {
            printf(" (%d%% idle)", worker->idle_permille / 10);
        }
    }
    if (status->worker_count > WORKERS_SHOWN_MAX) {
        printf("  and %d more", status->worker_count - WORKERS_SHOWN_MAX);
    }
    puts(status->worker_count == 0 ? " none" : "");
}

static void print_best_move(const Position *position, Move move)
{
    char text[UCI_MOVE_BYTES_MAX] = "none";
    if (move != MOVE_NONE) {
        notation_write_uci(position, move, text);
    }
    printf("best move: %s\n", text);
}

static Status watch(ClusterClient *client, const AnalyseClusterOptions *options)
{
    Line shown[MESSAGE_MULTI_PV_MAX] = {0}; /* of the newest row of each rank */
    for (;;) {
        const Message *message;
        const Status status =
            cluster_client_next(client, duration_ms(ANSWER_PATIENCE_MS), &message);
        if (!status_is_ok(&status)) {
            return status;
        }
        if (message->type == MESSAGE_INFO) {
            Line *line = &shown[message->info.multi_pv_index];
            if (!line_says_the_same(&message->info.line, line)) {
                *line = message->info.line;
                print_info(options, &message->info);
            }
        } else if (message->type == MESSAGE_STATUS) {
            print_workers(&message->status);
        } else if (message->type == MESSAGE_BESTMOVE) {
            print_best_move(&options->position, message->bestmove.move);
            return status_ok();
        }
        (void)fflush(stdout);
    }
}

/* A large table takes seconds to clear, in which the search's clock would run. */
static Status wait_for_clear(ClusterClient *client)
{
    for (;;) {
        const Message *message;
        const Status status =
            cluster_client_next(client, duration_ms(ANSWER_PATIENCE_MS), &message);
        if (!status_is_ok(&status) || message->type == MESSAGE_CLEARED) {
            return status;
        }
    }
}

/* Begins with empty tables, as the analysis on one thread does, and asks for the search. */
static Status ask(ClusterClient *client, const AnalyseClusterOptions *options)
{
    const Message new_game = {
        .type = MESSAGE_NEW_GAME,
        .new_game.session = cluster_client_session(client),
    };
    Status status = cluster_client_send(client, &new_game);
    if (status_is_ok(&status)) {
        status = wait_for_clear(client);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    Message search = {.type = MESSAGE_SEARCH};
    search.search.search.value = 1;
    search.search.limits = options->limits;
    search.search.multi_pv = options->multi_pv;
    search.search.position.chess960 = options->position.chess960;
    fen_write(&options->position, search.search.position.fen);
    return cluster_client_send(client, &search);
}

Status analyse_cluster_run(const AnalyseClusterOptions *options)
{
    ClusterClient *client;
    transport_init();
    Status status = cluster_client_open(options->address, options->insecure, "analyse",
                                        duration_ms(OPEN_PATIENCE_MS), &client);
    if (status_is_ok(&status)) {
        status = wait_for_workers(client, options->worker_count);
    }
    if (status_is_ok(&status)) {
        status = ask(client, options);
    }
    if (status_is_ok(&status)) {
        display_row_heading();
        status = watch(client, options);
    }
    cluster_client_close(&client);
    return status;
}
