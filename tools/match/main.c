/*
 * rookery-match: lets a match runner play two engines and says what the games tell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "chess/attacks.h"
#include "os/output.h"
#include "tools/match/command.h"
#include "tools/match/options.h"
#include "tools/match/report.h"
#include "tools/match/runner.h"
#include "tools/match/tally.h"

/* ---- A match ---- */

/* Where the runner writes the games. */
typedef struct {
    char path[PROGRAMS_PATH_BYTES_MAX];
    bool is_temporary;
} GamesFile;

/* Runners append to a file that is there, and its games would be counted again. */
static Status open_games(const char *pgn, GamesFile *file)
{
    *file = (GamesFile){.path = "/tmp/rookery-match-XXXXXX", .is_temporary = pgn == NULL};
    if (!file->is_temporary) {
        if (access(pgn, F_OK) == 0) {
            return status_error(STATUS_INVALID, "--pgn: %s exists already", pgn);
        }
        return snprintf(file->path, sizeof file->path, "%s", pgn) < (int)sizeof file->path
                   ? status_ok()
                   : status_error(STATUS_INVALID, "--pgn: the path is too long");
    }
    const int descriptor = mkstemp(file->path);
    if (descriptor < 0) {
        return status_error(STATUS_IO, "cannot make a file in /tmp");
    }
    (void)close(descriptor);
    return status_ok();
}

/* Sums up what was played; `ran` says how the runner ended. */
static Status sum_up(const MatchOptions *options, const char *path, const Status *ran)
{
    Tally tally;
    const Status read = tally_read_file(path, options->engine.name, &tally);
    if (!status_is_ok(&read)) {
        return status_is_ok(ran) ? read : *ran;
    }
    report_summary(&tally, &options->sprt);
    const int played = tally.games + tally.unfinished + tally.unreadable;
    if (!status_is_ok(ran)) {
        return *ran;
    }
    if (played < options->games && !options->sprt.is_wanted) {
        return status_error(STATUS_UNAVAILABLE, "the runner ended after %d of %d games", played,
                            (int)options->games);
    }
    return status_ok();
}

static Status play(const MatchOptions *options)
{
    Runner runner;
    GamesFile file;
    Status status = runner_find(options->runner, &runner);
    if (status_is_ok(&status)) {
        status = open_games(options->pgn, &file);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    Command command;
    status = command_make(options, &runner, file.path, &command);
    if (status_is_ok(&status)) {
        const Status ran = runner_run(command.words);
        status = sum_up(options, file.path, &ran);
    }
    if (file.is_temporary) {
        (void)unlink(file.path);
    }
    return status;
}

/* ---- Commands ---- */

static Status command_match(char *const *words, int count)
{
    MatchOptions options;
    const Status status = options_read_match(words, count, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    return play(&options);
}

/* A figure that leaves out games must not pass for that of the whole match. */
static Status refuse_unreadable(const Tally *tally, const char *path)
{
    return tally->unreadable == 0
               ? status_ok()
               : status_error(STATUS_IO, "%.150s: %d games are no PGN", path, tally->unreadable);
}

static Status command_summary(char *const *words, int count)
{
    SummaryOptions options;
    Tally tally;
    Status status = options_read_summary(words, count, 1, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    status = tally_read_file(options.files[0], options.engine, &tally);
    if (status_is_ok(&status)) {
        report_summary(&tally, &options.sprt);
        status = refuse_unreadable(&tally, options.files[0]);
    }
    return status;
}

static Status command_ratio(char *const *words, int count)
{
    SummaryOptions options;
    Tally tallies[OPTIONS_FILES_MAX];
    Status status = options_read_summary(words, count, OPTIONS_FILES_MAX, &options);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (options.engine == NULL || options.sprt.is_wanted) {
        return status_error(STATUS_INVALID, "ratio takes --engine NAME and nothing else");
    }
    for (int i = 0; i < OPTIONS_FILES_MAX && status_is_ok(&status); i++) {
        status = tally_read_file(options.files[i], options.engine, &tallies[i]);
        if (status_is_ok(&status)) {
            status = refuse_unreadable(&tallies[i], options.files[i]);
        }
    }
    return status_is_ok(&status) ? report_ratio(&tallies[0], &tallies[1]) : status;
}

static Status run(char *const *words, int count)
{
    if (count > 0 && strcmp(words[0], "summary") == 0) {
        return command_summary(words + 1, count - 1);
    }
    if (count > 0 && strcmp(words[0], "ratio") == 0) {
        return command_ratio(words + 1, count - 1);
    }
    return command_match(words, count);
}

int main(int argc, char **argv)
{
    if (output_answers("rookery-match", argv + 1, argc - 1, options_help())) {
        return output_exit_code("rookery-match", status_ok());
    }
    attacks_init(SLIDER_AUTO);
    return output_exit_code("rookery-match", run(argv + 1, argc - 1));
}
