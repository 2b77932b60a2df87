#include "tools/match/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arguments.h"
#include "base/check.h"
#include "worker/search/tt.h"

enum {
    WORDS_MAX = 512,
    GAMES_MAX = 1000000,
    CONCURRENCY_MAX = 1024,
    NODES_MAX = 1000000000,
    DEPTH_MAX = 200,
    THREADS_MAX = 4096,
    SEED_MAX = 2147483647,
    HASH_MB_DEFAULT = 16,
};

static const char help[] =
    "usage: rookery-match --engine PROGRAM --opponent PROGRAM --games N --tc TC [option...]\n"
    "       rookery-match summary FILE.pgn [--engine NAME] [--sprt ELO0 ELO1]\n"
    "       rookery-match ratio FILE.pgn FILE.pgn --engine NAME\n"
    "\n"
    "Lets a match runner (fastchess or cutechess-cli) play a match of two UCI engines, each\n"
    "opening twice with colours reversed, and says what the games tell: results, Elo difference\n"
    "with its 95% error bar from pairs of games, who lost by time, illegal moves, disconnects.\n"
    "\n"
    "Engines: --engine-X and --opponent-X for one side, --X where shown for both\n"
    "  --engine, --opponent PROGRAM     a path, or a name on PATH\n"
    "  --engine-name NAME               in the PGN; the program's by default\n"
    "  --engine-arg WORD                for its command line; may be repeated\n"
    "  --engine-option NAME=VALUE       UCI option; may be repeated\n"
    "  --tc, --engine-tc TC             seconds and increment: 1+0.01\n"
    "  --nodes, --engine-nodes N        a move; without --tc the time is not limited\n"
    "  --depth, --engine-depth N        likewise\n"
    "  --hash, --engine-hash MB         16 by default;  --threads, --engine-threads N: 1\n"
    "Match\n"
    "  --games N                        an even number\n"
    "  --concurrency N                  games at once, 1 by default\n"
    "  --book FILE                      openings, .epd or .pgn, in the random order of --seed N\n"
    "  --variant fischerandom           Chess960; needs a book\n"
    "  --sprt ELO0 ELO1                 stop early: a sequential test, alpha = beta = 0.05, on\n"
    "                                   the logistic scale. fastchess tests pairs as the summary\n"
    "                                   does, cutechess-cli tests single games\n"
    "  --pgn FILE                       keep the games in a new file\n"
    "  --runner PROGRAM                 its name must hold \"fastchess\" or \"cutechess\"\n"
    "\n"
    "The runner's output goes to stderr, the summary to stdout. Ctrl-C ends the match early.\n"
    "`summary` computes the same from a PGN, for the engine NAME (White of the first game).\n"
    "\n"
    "`ratio` divides the Elo gains of NAME in two matches, with error bar. To learn what a second\n"
    "worker is worth beside doubled time, play both against the same old one:\n"
    "  1. --engine rookery --engine-name new --engine-option Cluster=tcp://HOST:PORT\n"
    "     --opponent rookery --opponent-name old --tc 1+0.01 --pgn a.pgn\n"
    "  2. --engine rookery --engine-name new --engine-tc 2+0.02\n"
    "     --opponent rookery --opponent-name old --tc 1+0.01 --pgn b.pgn\n"
    "  3. rookery-match ratio a.pgn b.pgn --engine new\n"
    "\n"
    "Exit codes: 0 done; 1 no runner, or the runner failed or ended early; 2 wrong usage.\n";

const char *options_help(void)
{
    return help;
}

/* ---- Options that may be repeated or have two values ---- */

typedef struct {
    const char *name;
    WordList *list; /* gets the values */
    int values;     /* behind each name */
} Special;

/* The special option that `word` names, and the value behind its '=', if there is one. */
static const Special *find_special(const char *word, const Special *specials, const char **value)
{
    *value = NULL;
    for (const Special *special = specials; special->name != NULL; special++) {
        const size_t length = strlen(special->name);
        if (strncmp(word, special->name, length) != 0) {
            continue;
        }
        if (word[length] == '=') {
            *value = word + length + 1;
        }
        if (word[length] == '=' || word[length] == '\0') {
            return special;
        }
    }
    return NULL;
}

/* The words of a command line that are left for arguments.h. */
typedef struct {
    char *words[WORDS_MAX];
    int count;
} PlainWords;

static Status append(const Special *special, const char *value)
{
    if (special->list->count == OPTIONS_LIST_MAX) {
        return status_error(STATUS_INVALID, "%s is given too often", special->name);
    }
    special->list->words[special->list->count++] = value;
    return status_ok();
}

/* Takes the special options out of the words; `specials` ends with a name of NULL. */
static Status take_specials(char *const *words, int count, const Special *specials,
                            PlainWords *plain)
{
    Status status = status_ok();
    plain->count = 0;
    if (count > WORDS_MAX) {
        return status_error(STATUS_INVALID, "more than %d words", WORDS_MAX);
    }
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        const char *value;
        const Special *special = find_special(words[i], specials, &value);
        if (special == NULL) {
            plain->words[plain->count++] = words[i];
            continue;
        }
        int missing = special->values;
        if (value != NULL) {
            status = append(special, value);
            missing--;
        }
        for (; missing > 0 && status_is_ok(&status); missing--) {
            status = i + 1 < count
                         ? append(special, words[++i])
                         : status_error(STATUS_INVALID, "option %s needs %d value%s", special->name,
                                        special->values, special->values > 1 ? "s" : "");
        }
    }
    return status;
}

static Status read_elo(const char *text, double *elo)
{
    enum { ELO_MAX = 1000 };
    char *end;
    CHECK(text != NULL);
    errno = 0;
    *elo = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(fabs(*elo) <= ELO_MAX)) {
        return status_error(STATUS_INVALID, "--sprt: '%s' is no Elo difference", text);
    }
    return status_ok();
}

static Status read_sprt(const WordList *words, Sprt *sprt)
{
    *sprt = (Sprt){.is_wanted = words->count > 0};
    if (!sprt->is_wanted) {
        return status_ok();
    }
    Status status = read_elo(words->words[words->count - 2], &sprt->elo0);
    if (status_is_ok(&status)) {
        status = read_elo(words->words[words->count - 1], &sprt->elo1);
    }
    if (status_is_ok(&status) && sprt->elo0 >= sprt->elo1) {
        status = status_error(STATUS_INVALID, "--sprt: the first Elo must be the lower one");
    }
    return status;
}

/* ---- A match ---- */

static void take_common(const Limits *common, Limits *limits)
{
    limits->tc = limits->tc != NULL ? limits->tc : common->tc;
    limits->nodes = limits->nodes > 0 ? limits->nodes : common->nodes;
    limits->depth = limits->depth > 0 ? limits->depth : common->depth;
    limits->hash_mb = limits->hash_mb > 0 ? limits->hash_mb : common->hash_mb;
    limits->threads = limits->threads > 0 ? limits->threads : common->threads;
}

/* The program's name without folders, if no other was given. */
static Status set_name(const char *given, const char *suffix, Contestant *contestant)
{
    const char *slash = strrchr(contestant->program, '/');
    const char *base = slash != NULL ? slash + 1 : contestant->program;
    const int length =
        given != NULL ? snprintf(contestant->name, sizeof contestant->name, "%s", given)
                      : snprintf(contestant->name, sizeof contestant->name, "%s%s", base, suffix);
    if (length < 1 || length >= (int)sizeof contestant->name) {
        return status_error(STATUS_INVALID, "a name must have 1 to %d bytes, not '%s'",
                            (int)sizeof contestant->name - 1, given != NULL ? given : base);
    }
    return status_ok();
}

static Status set_names(const char *engine_name, const char *opponent_name, MatchOptions *options)
{
    Status status = set_name(engine_name, "", &options->engine);
    if (status_is_ok(&status)) {
        status = set_name(opponent_name, "", &options->opponent);
    }
    const bool is_same = strcmp(options->engine.name, options->opponent.name) == 0;
    if (status_is_ok(&status) && is_same && opponent_name == NULL) {
        return set_name(NULL, "-opponent", &options->opponent);
    }
    if (status_is_ok(&status) && is_same) {
        status =
            status_error(STATUS_INVALID, "both engines have the name %s", options->engine.name);
    }
    return status;
}

static Status check_contestant(const char *option, const Contestant *contestant)
{
    const Limits *limits = &contestant->limits;
    if (limits->tc == NULL && limits->nodes == 0 && limits->depth == 0) {
        return status_error(STATUS_INVALID, "%s has no --tc, --nodes or --depth", option);
    }
    for (int i = 0; i < contestant->uci_options.count; i++) {
        const char *word = contestant->uci_options.words[i];
        if (word[0] == '=' || strchr(word, '=') == NULL) {
            return status_error(STATUS_INVALID, "%s-option must be NAME=VALUE, not '%s'", option,
                                word);
        }
    }
    return status_ok();
}

static bool has_ending(const char *text, const char *ending)
{
    const size_t length = strlen(text);
    return length >= strlen(ending) && strcasecmp(text + length - strlen(ending), ending) == 0;
}

static Status check_match(const MatchOptions *options)
{
    const char *book = options->book;
    const bool is_fischer = strcmp(options->variant, "fischerandom") == 0;
    if (options->games == 0 || options->games % 2 != 0) {
        return status_error(STATUS_INVALID,
                            "--games must be even: each opening is played with both colours");
    }
    if (!is_fischer && strcmp(options->variant, "standard") != 0) {
        return status_error(STATUS_INVALID, "--variant must be standard or fischerandom");
    }
    if (is_fischer && book == NULL) {
        return status_error(STATUS_INVALID, "--variant fischerandom needs a --book");
    }
    if (book != NULL && !has_ending(book, ".epd") && !has_ending(book, ".pgn")) {
        return status_error(STATUS_INVALID, "--book must be a file .epd or .pgn, not %s", book);
    }
    Status status = check_contestant("--engine", &options->engine);
    if (status_is_ok(&status)) {
        status = check_contestant("--opponent", &options->opponent);
    }
    return status;
}

/* What is on the command line and not in the options as such. */
typedef struct {
    Limits common;
    const char *engine_name;
    const char *opponent_name;
    WordList sprt;
} Given;

static Status read_plain(const PlainWords *plain, Given *given, MatchOptions *options)
{
    Limits *engine = &options->engine.limits;
    Limits *opponent = &options->opponent.limits;
    Limits *common = &given->common;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Argument arguments[] = {
        {"--engine", .text = &options->engine.program},
        {"--opponent", .text = &options->opponent.program},
        {"--engine-name", .text = &given->engine_name},
        {"--opponent-name", .text = &given->opponent_name},
        {"--tc", .text = &common->tc},
        {"--engine-tc", .text = &engine->tc},
        {"--opponent-tc", .text = &opponent->tc},
        {"--nodes", .number = &common->nodes, .minimum = 1, .maximum = NODES_MAX},
        {"--engine-nodes", .number = &engine->nodes, .minimum = 1, .maximum = NODES_MAX},
        {"--opponent-nodes", .number = &opponent->nodes, .minimum = 1, .maximum = NODES_MAX},
        {"--depth", .number = &common->depth, .minimum = 1, .maximum = DEPTH_MAX},
        {"--engine-depth", .number = &engine->depth, .minimum = 1, .maximum = DEPTH_MAX},
        {"--opponent-depth", .number = &opponent->depth, .minimum = 1, .maximum = DEPTH_MAX},
        {"--hash", .number = &common->hash_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--engine-hash", .number = &engine->hash_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--opponent-hash", .number = &opponent->hash_mb, .minimum = 1, .maximum = TT_MB_MAX},
        {"--threads", .number = &common->threads, .minimum = 1, .maximum = THREADS_MAX},
        {"--engine-threads", .number = &engine->threads, .minimum = 1, .maximum = THREADS_MAX},
        {"--opponent-threads", .number = &opponent->threads, .minimum = 1, .maximum = THREADS_MAX},
        {"--games", .number = &options->games, .minimum = 2, .maximum = GAMES_MAX},
        {"--concurrency", .number = &options->concurrency, .minimum = 1,
         .maximum = CONCURRENCY_MAX},
        {"--seed", .number = &options->seed, .minimum = 0, .maximum = SEED_MAX},
        {"--book", .text = &options->book},
        {"--variant", .text = &options->variant},
        {"--pgn", .text = &options->pgn},
        {"--runner", .text = &options->runner},
    };
    const Status status = arguments_parse(plain->words, plain->count, arguments,
                                          (int)(sizeof arguments / sizeof arguments[0]), rest);
    if (status_is_ok(&status) && rest[0] != '\0') {
        return status_error(STATUS_INVALID, "'%.60s' is not understood (see --help)", rest);
    }
    return status;
}

/* Checks and completes what has been read. */
static Status complete(const Given *given, MatchOptions *options)
{
    if (options->engine.program == NULL || options->opponent.program == NULL) {
        return status_error(STATUS_INVALID, "--engine and --opponent are needed (see --help)");
    }
    take_common(&given->common, &options->engine.limits);
    take_common(&given->common, &options->opponent.limits);
    Status status = set_names(given->engine_name, given->opponent_name, options);
    if (status_is_ok(&status)) {
        status = read_sprt(&given->sprt, &options->sprt);
    }
    return status_is_ok(&status) ? check_match(options) : status;
}

Status options_read_match(char *const *words, int count, MatchOptions *options)
{
    Given given = {.common = {.hash_mb = HASH_MB_DEFAULT, .threads = 1}};
    *options = (MatchOptions){.variant = "standard", .concurrency = 1, .seed = 1};
    const Special specials[] = {
        {"--engine-arg", &options->engine.arguments, 1},
        {"--engine-option", &options->engine.uci_options, 1},
        {"--opponent-arg", &options->opponent.arguments, 1},
        {"--opponent-option", &options->opponent.uci_options, 1},
        {"--sprt", &given.sprt, 2},
        {.name = NULL},
    };
    PlainWords plain;
    Status status = take_specials(words, count, specials, &plain);
    if (status_is_ok(&status)) {
        status = read_plain(&plain, &given, options);
    }
    return status_is_ok(&status) ? complete(&given, options) : status;
}

/* ---- A summary ---- */

/* The files stand first, so that their names may hold spaces. */
static int take_files(char *const *words, int count, int file_count, SummaryOptions *options)
{
    int taken = 0;
    while (taken < file_count && taken < count && words[taken][0] != '-') {
        options->files[taken] = words[taken];
        taken++;
    }
    return taken;
}

Status options_read_summary(char *const *words, int count, int file_count, SummaryOptions *options)
{
    WordList sprt = {.count = 0};
    *options = (SummaryOptions){.engine = NULL};
    const Special specials[] = {{"--sprt", &sprt, 2}, {.name = NULL}};
    const Argument arguments[] = {
        {"--engine", .text = &options->engine},
    };
    const int taken = take_files(words, count, file_count, options);
    PlainWords plain;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    Status status = take_specials(words + taken, count - taken, specials, &plain);
    if (status_is_ok(&status)) {
        status = arguments_parse(plain.words, plain.count, arguments,
                                 (int)(sizeof arguments / sizeof arguments[0]), rest);
    }
    if (!status_is_ok(&status)) {
        return status;
    }
    if (taken < file_count || rest[0] != '\0') {
        return status_error(STATUS_INVALID, "%d PGN file%s needed, first of all (see --help)",
                            file_count, file_count > 1 ? "s are" : " is");
    }
    return read_sprt(&sprt, &options->sprt);
}
