#include "uci_bridge/analyse.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "config/config.h"
#include "config/config_address.h"
#include "os/host_check.h"
#include "uci_bridge/analyse_cluster.h"
#include "uci_bridge/display.h"
#include "uci_bridge/searcher.h"

enum {
    MOVETIME_MS_DEFAULT = 5000, /* when no limit is given */
    MOVETIME_MS_MAX = 1000000000,
    HASH_MB_DEFAULT = 64,
};

static const char help[] =
    "usage: rookery analyse [FEN] [--movetime MS] [--depth D] [--nodes N]\n"
    "                       [--hash MB] [--multipv LINES] [--chess960]\n"
    "                       [--cluster ADDRESS [--workers N]] [--config FILE]\n"
    "\n"
    "Searches the position (the start of the game without FEN) on one thread until the first "
    "limit\n"
    "is reached, 5 s without any, and prints a row for each depth and the best move. Scores are\n"
    "pawns, or #N for a mate in N moves, from the side to move; > and < mark bounds, and * a\n"
    "depth that was not finished. With --cluster the workers of the master at ADDRESS search, "
    "once\n"
    "N of them have joined, and their speeds are shown about every second. FILE is a cluster.toml\n"
    "that names the cluster, and allows one beyond this machine.\n";

typedef struct {
    int64_t movetime_ms; /* 0: no limit */
    int64_t depth;       /* 0: no limit */
    int64_t nodes;       /* 0: no limit */
    int64_t hash_mb;
    int64_t multi_pv;
    int64_t worker_count; /* of the cluster, to be waited for */
    const char *cluster;  /* the master's address; NULL: the configuration's */
    const char *config;   /* its file, or NULL: the defaults */
    bool chess960;
    bool help;
    char fen[ARGUMENTS_TEXT_BYTES_MAX]; /* empty: the start of the game */
} Options;

static Status read_options(char *const *words, int count, Options *options)
{
    const Argument arguments[] = {
        {"--movetime", .number = &options->movetime_ms, .minimum = 1, .maximum = MOVETIME_MS_MAX},
        {"--depth", .number = &options->depth, .minimum = 1, .maximum = ROOT_DEPTH_MAX},
        {"--nodes", .number = &options->nodes, .minimum = 1, .maximum = INT64_MAX},
        {"--hash", .number = &options->hash_mb, .minimum = TT_MB_MIN, .maximum = TT_MB_MAX},
        {"--multipv", .number = &options->multi_pv, .minimum = 1, .maximum = MOVES_MAX},
        {"--workers", .number = &options->worker_count, .minimum = 0,
         .maximum = MESSAGE_WORKERS_MAX},
        {"--cluster", .text = &options->cluster},
        {"--config", .text = &options->config},
        {"--chess960", .flag = &options->chess960},
        {"--help", .flag = &options->help},
    };
    const Status status = arguments_parse(words, count, arguments,
                                          sizeof arguments / sizeof arguments[0], options->fen);
    if (options->movetime_ms == 0 && options->depth == 0 && options->nodes == 0) {
        options->movetime_ms = MOVETIME_MS_DEFAULT;
    }
    return status;
}

/* ---- the table ---- */

/* What the rows need. */
typedef struct {
    const Position *position;
    int lines;       /* rows for each depth */
    int depth_shown; /* of the newest rows */
    Move move_shown; /* the first of the newest rows' best line */
} Table;

/* The newest lines; `mark` stands behind their depth. */
static void print_rows(Table *table, const SearcherReport *report, char mark)
{
    for (int i = 0; i < table->lines; i++) {
        const Line *line = root_line(report->root, i);
        if (line != NULL) {
            const DisplayRow row = {line, report->nodes, report->elapsed, mark};
            display_row(table->position, &row);
        }
    }
    const Line *best = root_line(report->root, 0);
    table->depth_shown = best->depth;
    table->move_shown = best->moves[0];
    (void)fflush(stdout);
}

static bool on_progress(void *context, const SearcherReport *report)
{
    if (report->iteration_is_complete) {
        print_rows(context, report, ' ');
    }
    return true;
}

/* ---- one position ---- */

static RootLimits limits_of(const Options *options)
{
    return (RootLimits){
        .depth = (int)options->depth,
        .nodes = (uint64_t)options->nodes,
        .multi_pv = (int)options->multi_pv,
    };
}

/* The last row when the search was stopped after its last complete depth with something new. */
static void print_unfinished(Table *table, const SearcherReport *report)
{
    const Line *best = root_line(report->root, 0);
    if (best->score != SCORE_NONE &&
        (best->depth != table->depth_shown || best->moves[0] != table->move_shown)) {
        print_rows(table, report, '*');
    }
}

static void search_and_print(Searcher *searcher, const Position *position, const Options *options)
{
    Table table = {.position = position, .lines = (int)options->multi_pv};
    const RootLimits limits = limits_of(options);
    char move[UCI_MOVE_BYTES_MAX];

    display_row_heading();
    const SearcherReport report = searcher_run(
        searcher, position, &limits, duration_ms(options->movetime_ms), on_progress, &table);
    print_unfinished(&table, &report);
    notation_write_uci(position, root_line(report.root, 0)->moves[0], move);
    printf("best move: %s\n", move);
}

static Status analyse_by_cluster(const Position *position, const Options *options,
                                 const char *address, bool insecure)
{
    const AnalyseClusterOptions cluster = {
        .address = address,
        .insecure = insecure,
        .worker_count = (int)options->worker_count,
        .position = *position,
        .limits = {.has_move_time = options->movetime_ms > 0,
                   .move_time = duration_ms(options->movetime_ms),
                   .depth = (int)options->depth,
                   .nodes = (uint64_t)options->nodes},
        .multi_pv = (int)options->multi_pv,
    };
    const Status status = config_address_admit(address, CONFIG_ADDRESS_CONNECT, insecure);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (!config_address_is_loopback(address)) {
        fprintf(stderr, "rookery: insecure: anybody can read or forge what goes to %s\n", address);
        host_check_begin(address, "rookery", STDERR_FILENO);
    }
    return analyse_cluster_run(&cluster);
}

static Status analyse_here(const Position *position, const Options *options)
{
    Searcher *searcher = NULL;
    const Status status = searcher_new((int)options->hash_mb, &searcher);
    if (status_is_ok(&status)) {
        search_and_print(searcher, position, options);
    }
    searcher_destroy(&searcher);
    return status;
}

static Status analyse(const Position *position, const Options *options)
{
    if (!movegen_any(position)) {
        printf("%s\nbest move: (none)\n", position_in_check(position)
                                              ? "The side to move is checkmated."
                                              : "The side to move is stalemated.");
        return status_ok();
    }
    Config config = config_default();
    const Status status =
        options->config != NULL ? config_load(options->config, &config) : status_ok();
    if (!status_is_ok(&status)) {
        return status;
    }
    const char *address = options->cluster != NULL ? options->cluster : config.bridge.cluster;
    return options->cluster != NULL || address[0] != '\0'
               ? analyse_by_cluster(position, options, address, config.network.insecure)
               : analyse_here(position, options);
}

Status analyse_command_run(char *const *words, int count)
{
    Options options = {.hash_mb = HASH_MB_DEFAULT, .multi_pv = 1};
    Position position = fen_start_position();
    Status status = read_options(words, count, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (options.help) {
        fputs(help, stdout);
        return status;
    }
    if (options.fen[0] != '\0') {
        status = fen_parse(options.fen, (int)strlen(options.fen), options.chess960, &position);
    }
    return status_is_ok(&status) ? analyse(&position, &options) : status;
}
