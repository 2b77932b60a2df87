#include "tools/match/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tools/match/programs.h"

/* Adds a word, formatted as by printf; one that does not fit shows in is_full. */
__attribute__((format(printf, 2, 3))) static void add(Command *command, const char *format, ...)
{
    const int room = COMMAND_BYTES_MAX - command->used;
    if (room <= 0 || command->count == COMMAND_WORDS_MAX) {
        command->used = COMMAND_BYTES_MAX + 1;
        return;
    }
    char *word = command->text + command->used;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(word, (size_t)room, format, arguments);
    va_end(arguments);
    command->used += length < room ? length + 1 : COMMAND_BYTES_MAX + 1;
    command->words[command->count++] = word;
    command->words[command->count] = NULL;
}

static bool is_full(const Command *command)
{
    return command->used > COMMAND_BYTES_MAX;
}

/* fastchess takes all arguments in one text, which it splits at spaces. */
static Status add_joined_arguments(const WordList *arguments, Command *command)
{
    char joined[COMMAND_BYTES_MAX] = "";
    int length = 0;
    for (int i = 0; i < arguments->count; i++) {
        const char *word = arguments->words[i];
        if (word[0] == '\0' || strpbrk(word, " \t\"'\\") != NULL) {
            return status_error(STATUS_INVALID,
                                "fastchess cannot give an engine the argument '%s': no spaces, "
                                "quotes or backslashes",
                                word);
        }
        length += snprintf(joined + length, sizeof joined - (size_t)length, "%s%s",
                           i > 0 ? " " : "", word);
        if (length >= (int)sizeof joined) {
            return status_error(STATUS_INVALID, "the arguments of an engine are too long");
        }
    }
    if (arguments->count > 0) {
        add(command, "args=%s", joined);
    }
    return status_ok();
}

static Status add_arguments(RunnerKind kind, const WordList *arguments, Command *command)
{
    if (kind == RUNNER_FASTCHESS) {
        return add_joined_arguments(arguments, command);
    }
    for (int i = 0; i < arguments->count; i++) {
        add(command, "arg=%s", arguments->words[i]);
    }
    return status_ok();
}

static void add_limits(const Limits *limits, Command *command)
{
    add(command, "tc=%s", limits->tc != NULL ? limits->tc : "inf");
    if (limits->nodes > 0) {
        add(command, "nodes=%" PRId64, limits->nodes);
    }
    if (limits->depth > 0) {
        add(command, "depth=%" PRId64, limits->depth);
    }
    add(command, "option.Hash=%" PRId64, limits->hash_mb);
    add(command, "option.Threads=%" PRId64, limits->threads);
}

static Status add_contestant(RunnerKind kind, const Contestant *contestant, Command *command)
{
    char path[PROGRAMS_PATH_BYTES_MAX];
    Status status = programs_find(contestant->program, path);
    if (!status_is_ok(&status)) {
        return status;
    }
    add(command, "-engine");
    add(command, "name=%s", contestant->name);
    add(command, "cmd=%s", path);
    add(command, "proto=uci");
    status = add_arguments(kind, &contestant->arguments, command);
    add_limits(&contestant->limits, command);
    for (int i = 0; i < contestant->uci_options.count; i++) {
        add(command, "option.%s", contestant->uci_options.words[i]);
    }
    return status;
}

static void add_book(const char *book, Command *command)
{
    const char *ending = strrchr(book, '.');
    add(command, "-openings");
    add(command, "file=%s", book);
    add(command, "format=%s", strcasecmp(ending, ".pgn") == 0 ? "pgn" : "epd");
    add(command, "order=random");
}

/* Both runners know hypotheses on the logistic scale; fastchess must be told to use it. */
static void add_sprt(RunnerKind kind, const Sprt *sprt, Command *command)
{
    add(command, "-sprt");
    add(command, "elo0=%g", sprt->elo0);
    add(command, "elo1=%g", sprt->elo1);
    add(command, "alpha=0.05");
    add(command, "beta=0.05");
    if (kind == RUNNER_FASTCHESS) {
        add(command, "model=logistic");
    }
}

static void add_number(const char *option, int64_t number, Command *command)
{
    add(command, "%s", option);
    add(command, "%" PRId64, number);
}

static void add_match(const MatchOptions *options, RunnerKind kind, Command *command)
{
    add_number("-rounds", options->games / 2, command);
    add_number("-games", 2, command);
    add(command, "-repeat");
    add(command, "-recover");
    add_number("-concurrency", options->concurrency, command);
    add_number("-srand", options->seed, command);
    add(command, "-variant");
    add(command, "%s", options->variant);
    if (options->book != NULL) {
        add_book(options->book, command);
    }
    if (options->sprt.is_wanted) {
        add_sprt(kind, &options->sprt, command);
    }
}

static void add_output(RunnerKind kind, const char *pgn, Command *command)
{
    add(command, "-pgnout");
    add(command, kind == RUNNER_FASTCHESS ? "file=%s" : "%s", pgn);
    if (kind == RUNNER_FASTCHESS) {
        /* It would leave a file of its own in the current folder. */
        add(command, "-config");
        add(command, "outname=/dev/null");
    }
}

Status command_make(const MatchOptions *options, const Runner *runner, const char *pgn,
                    Command *command)
{
    command->count = 0;
    command->used = 0;
    add(command, "%s", runner->path);
    Status status = add_contestant(runner->kind, &options->engine, command);
    if (status_is_ok(&status)) {
        status = add_contestant(runner->kind, &options->opponent, command);
    }
    if (status_is_ok(&status)) {
        add_match(options, runner->kind, command);
        add_output(runner->kind, pgn, command);
        if (is_full(command)) {
            status = status_error(STATUS_INVALID, "the runner's command line would be too long");
        }
    }
    return status;
}
