/*
 * rookery-suite: searches a file of test positions and says how many it solves.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "chess/movegen.h"
#include "os/output.h"
#include "tools/suite/report.h"
#include "tools/suite/runner.h"
#include "uci_bridge/suite_file.h"
#include "worker/eval/eval.h"
#include "worker/search/tt.h"

static const char help[] =
    "usage: rookery-suite FILE --movetime MS [--hash MB] [--slots N] [--early] [--chess960]\n"
    "                     [--json]\n"
    "\n"
    "Searches each position of an EPD file for MS milliseconds, with a table of MB (default 16), "
    "N\n"
    "positions at once (default 1), and compares with its opcodes: bm, am, \"bm #5\" for a mate,\n"
    "c8 and c9 for points. --early ends a search whose answer has been right for 3 depths.\n"
    "Prints a table, or JSON. Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

enum { MOVETIME_MS_MAX = 86400000, HASH_MB_DEFAULT = 16, SLOTS_MAX = 256 };

typedef struct {
    int64_t movetime_ms; /* 0 until given */
    int64_t hash_mb;
    int64_t slots;
    bool early;
    bool chess960;
    bool json;
    char file[ARGUMENTS_TEXT_BYTES_MAX];
} Options;

static Status read_options(char *const *words, int count, Options *options)
{
    const Argument arguments[] = {
        {"--movetime", .number = &options->movetime_ms, .minimum = 1, .maximum = MOVETIME_MS_MAX},
        {"--hash", .number = &options->hash_mb, .minimum = TT_MB_MIN, .maximum = TT_MB_MAX},
        {"--slots", .number = &options->slots, .minimum = 1, .maximum = SLOTS_MAX},
        {"--early", .flag = &options->early},
        {"--chess960", .flag = &options->chess960},
        {"--json", .flag = &options->json},
    };
    const Status status = arguments_parse(words, count, arguments,
                                          sizeof arguments / sizeof arguments[0], options->file);
    if (status_is_ok(&status) && (options->file[0] == '\0' || options->movetime_ms == 0)) {
        return status_error(STATUS_INVALID, "FILE and --movetime are needed (see --help)");
    }
    return status;
}

/* Reads the lines of an open file into `entries`, which has room for all. */
static Status read_entries(SuiteFile *file, const Options *options, SuiteEntry *entries, int *count)
{
    Status status = status_ok();
    const char *line;
    while (status_is_ok(&status) && (line = suite_file_next(file)) != NULL) {
        Epd *epd = &entries[*count].epd;
        status = epd_parse(line, options->file, file->line, options->chess960, epd);
        if (status_is_ok(&status) && !epd_is_test(epd)) {
            status = status_error(STATUS_INVALID, "%s:%d: no bm, am or points: nothing to solve",
                                  options->file, file->line);
        }
        if (status_is_ok(&status) && !movegen_any(&epd->position)) {
            status =
                status_error(STATUS_INVALID, "%s:%d: no legal move", options->file, file->line);
        }
        *count += status_is_ok(&status);
    }
    if (status_is_ok(&status) && *count == 0) {
        status = status_error(STATUS_INVALID, "%s holds no position", options->file);
    }
    return status;
}

static Status load_suite(const Options *options, SuiteEntry **entries, int *count)
{
    SuiteFile file;
    Status status = suite_file_open(options->file, &file);
    if (!status_is_ok(&status)) {
        return status;
    }
    *count = 0;
    *entries = calloc((size_t)file.line_count + 1, sizeof **entries);
    if (*entries == NULL) {
        status = status_error(STATUS_NO_MEMORY, "not enough memory for %s", options->file);
    } else {
        status = read_entries(&file, options, *entries, count);
    }
    suite_file_close(&file);
    return status;
}

static Status run(const Options *options)
{
    const RunnerSettings settings = {
        .time = duration_ms(options->movetime_ms),
        .hash_mb = (int)options->hash_mb,
        .slots = (int)options->slots,
        .is_early = options->early,
    };
    SuiteEntry *entries = NULL;
    int count = 0;
    Status status = load_suite(options, &entries, &count);
    if (status_is_ok(&status)) {
        status = runner_run(entries, count, &settings);
    }
    if (status_is_ok(&status)) {
        (options->json ? report_json : report_table)(entries, count);
    }
    free(entries);
    return status;
}

int main(int argc, char **argv)
{
    if (output_answers("rookery-suite", argv + 1, argc - 1, help)) {
        return output_exit_code("rookery-suite", status_ok());
    }
    attacks_init(SLIDER_AUTO);
    eval_init();

    Options options = {.hash_mb = HASH_MB_DEFAULT, .slots = 1};
    Status status = read_options(argv + 1, argc - 1, &options);
    if (status_is_ok(&status)) {
        status = run(&options);
    }
    return output_exit_code("rookery-suite", status);
}
