#include "uci_bridge/perft_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "os/clock.h"
#include "uci_bridge/display.h"
#include "uci_bridge/suite_file.h"

static const char help[] =
    "usage: rookery perft DEPTH [FEN] [--chess960]\n"
    "       rookery perft --suite FILE --depth DEPTH [--chess960]\n"
    "\n"
    "Counts the leaves of the legal move tree: below each move of the position (the start of the\n"
    "game without FEN), or for every line \"FEN ;D1 20 ;D2 400 ...\" of FILE all the counts up to\n"
    "DEPTH. Castling rights as file letters (HAha) are Chess960; --chess960 makes all so.\n";

typedef struct {
    const char *suite; /* file, or NULL */
    int64_t depth;     /* 0 until given */
    bool chess960;
    bool help;
    char rest[ARGUMENTS_TEXT_BYTES_MAX]; /* without --suite: depth and FEN */
} Options;

static Status read_options(char *const *words, int count, Options *options)
{
    const Argument arguments[] = {
        {.name = "--suite", .text = &options->suite},
        {.name = "--depth", .number = &options->depth, .minimum = 1, .maximum = PERFT_DEPTH_MAX},
        {.name = "--chess960", .flag = &options->chess960},
        {.name = "--help", .flag = &options->help},
    };
    return arguments_parse(words, count, arguments, sizeof arguments / sizeof arguments[0],
                           options->rest);
}

/* Millions a second, 0 if no time passed. */
static double millions_per_second(uint64_t nodes, Duration time)
{
    return time.us > 0 ? (double)nodes / (double)time.us : 0.0;
}

/* ---- one position ---- */

typedef struct {
    PerftInterrupt *interrupt; /* or NULL */
    void *context;             /* for it */
    bool is_interrupted;
} Division;

/* Leaves at `depth` plies; a part of them once the division is interrupted. */
static uint64_t count_leaves(Division *division, const Position *position, int depth)
{
    enum { AT_ONCE_MAX = 4 }; /* plies that take some milliseconds */
    if (depth <= AT_ONCE_MAX) {
        const uint64_t leaves = perft_count(position, depth);
        division->is_interrupted =
            division->interrupt != NULL && division->interrupt(division->context);
        return leaves;
    }
    uint64_t total = 0;
    MoveList list;
    movegen_all(position, &list);
    for (int i = 0; i < list.count && !division->is_interrupted; i++) {
        Position after;
        position_make(position, list.moves[i], &after);
        total += count_leaves(division, &after, depth - 1);
    }
    return total;
}

bool perft_command_divide(const Position *position, int depth, PerftInterrupt *interrupt,
                          void *context)
{
    const Instant start = clock_now();
    Division division = {.interrupt = interrupt, .context = context};
    uint64_t total = 0;
    MoveList list;
    movegen_all(position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[UCI_MOVE_BYTES_MAX];
        Position after;
        position_make(position, list.moves[i], &after);
        const uint64_t nodes = count_leaves(&division, &after, depth - 1);
        if (division.is_interrupted) {
            return false;
        }
        notation_write_uci(position, list.moves[i], text);
        printf("%s: %" PRIu64 "\n", text, nodes);
        (void)fflush(stdout); /* the next may take minutes */
        total += nodes;
    }
    const Duration time = instant_since(clock_now(), start);
    printf("\nNodes searched: %" PRIu64 "\n", total);
    printf("Time: %.3f s, %.1f million/s\n", (double)time.us / 1e6,
           millions_per_second(total, time));
    return true;
}

static Status run_position(Options *options)
{
    char *fen = strchr(options->rest, ' ');
    if (fen != NULL) {
        *fen++ = '\0';
    }
    if (options->rest[0] == '\0' || options->depth != 0) {
        return status_error(STATUS_INVALID, "perft needs a DEPTH (see rookery perft --help)");
    }
    Status status = arguments_number("DEPTH", options->rest, 1, PERFT_DEPTH_MAX, &options->depth);
    if (!status_is_ok(&status)) {
        return status;
    }
    Position position = fen_start_position();
    if (fen != NULL) {
        status = fen_parse(fen, (int)strlen(fen), options->chess960, &position);
        if (!status_is_ok(&status)) {
            return status;
        }
    }
    (void)perft_command_divide(&position, (int)options->depth, NULL, NULL);
    return status_ok();
}

/* ---- a suite ---- */

/* How a suite's run stands. */
typedef struct {
    int64_t depth;    /* larger counts are not checked */
    int positions;    /* read so far */
    int counts;       /* checked so far */
    int mismatches;   /* among them */
    uint64_t nodes;   /* counted so far */
    bool chess960;    /* for all positions */
    const char *file; /* for messages */
} Suite;

/* Castling rights by files, as Shredder-FEN writes them: the third field has a letter A to H. */
static bool has_file_letters(const char *fen, int length)
{
    int field = 0;
    for (int i = 0; i < length; i++) {
        if (fen[i] == ' ') {
            field++;
        } else if (field == 2 && strchr("ABCDEFGHabcdefgh", fen[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void check_count(Suite *suite, const Position *position, int depth, uint64_t expected)
{
    const uint64_t got = perft_count(position, depth);
    suite->counts++;
    suite->nodes += got;
    if (got != expected) {
        char fen[FEN_BYTES_MAX];
        fen_write(position, fen);
        suite->mismatches++;
        printf("mismatch: %s depth %d expected %" PRIu64 " got %" PRIu64 "\n", fen, depth, expected,
               got);
    }
}

/* Reads digits at *text, and blanks behind them; false if there is no number of 64 bits. */
static bool take_number(const char **text, uint64_t *number)
{
    const int digits = (int)strspn(*text, "0123456789");
    if (digits == 0 || digits >= 20) {
        return false;
    }
    *number = strtoull(*text, NULL, 10);
    *text += digits;
    *text += strspn(*text, " \t\r");
    return true;
}

/* Checks the counts of one line, from its first ";D" on. */
static Status check_counts(Suite *suite, const Position *position, const char *text, int line)
{
    while (*text != '\0') {
        const char *at = text + 2;
        uint64_t depth = 0;
        uint64_t expected = 0;
        if (strncmp(text, ";D", 2) != 0 || !take_number(&at, &depth) ||
            !take_number(&at, &expected)) {
            return status_error(STATUS_INVALID, "%s:%d: expected ';D1 20', not '%.20s'",
                                suite->file, line, text);
        }
        if (depth <= (uint64_t)suite->depth) {
            check_count(suite, position, (int)depth, expected);
        }
        text = at;
    }
    return status_ok();
}

static Status check_line(Suite *suite, const char *text, int line)
{
    const char *counts = strchr(text, ';');
    if (counts == NULL) {
        return status_error(STATUS_INVALID, "%s:%d: no ';D1 20' behind the position", suite->file,
                            line);
    }
    const int length = (int)(counts - text);
    Position position;
    const Status status =
        fen_parse(text, length, suite->chess960 || has_file_letters(text, length), &position);
    if (!status_is_ok(&status)) {
        return status_error(status.code, "%s:%d: %.180s", suite->file, line, status.message);
    }
    suite->positions++;
    return check_counts(suite, &position, counts, line);
}

static Status check_lines(Suite *suite, SuiteFile *file)
{
    const char *line;
    Status status = status_ok();
    while (status_is_ok(&status) && (line = suite_file_next(file)) != NULL) {
        status = check_line(suite, line, file->line);
        display_progress(file->line, file->line_count, "positions");
    }
    return status;
}

static Status run_suite(const Options *options, int *exit_code)
{
    if (options->depth == 0 || options->rest[0] != '\0') {
        return status_error(STATUS_INVALID,
                            "perft --suite needs --depth and nothing else (see perft --help)");
    }
    SuiteFile file;
    Status status = suite_file_open(options->suite, &file);
    if (!status_is_ok(&status)) {
        return status;
    }
    Suite suite = {.depth = options->depth, .chess960 = options->chess960, .file = options->suite};
    const Instant start = clock_now();
    status = check_lines(&suite, &file);
    suite_file_close(&file);
    if (status_is_ok(&status) && suite.counts == 0) {
        status = status_error(STATUS_INVALID, "%s holds no count of this depth", options->suite);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    const Duration time = instant_since(clock_now(), start);
    printf("%d positions, %d counts, %d mismatches\n", suite.positions, suite.counts,
           suite.mismatches);
    printf("Nodes searched: %" PRIu64 "\n", suite.nodes);
    printf("Time: %.3f s, %.1f million/s\n", (double)time.us / 1e6,
           millions_per_second(suite.nodes, time));
    *exit_code = suite.mismatches == 0 ? EXIT_CODE_OK : EXIT_CODE_FAILURE;
    return status;
}

Status perft_command_run(char *const *words, int count, int *exit_code)
{
    Options options = {.suite = NULL};
    const Status status = read_options(words, count, &options);
    *exit_code = EXIT_CODE_OK;
    if (!status_is_ok(&status)) {
        return status;
    }
    if (options.help) {
        fputs(help, stdout);
        return status_ok();
    }
    return options.suite != NULL ? run_suite(&options, exit_code) : run_position(&options);
}
