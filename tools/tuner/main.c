/*
 * rookery-tuner: makes positions by games of the engine against itself, and fits the weights of the
 * evaluation to them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "chess/movegen.h"
#include "os/files.h"
#include "os/output.h"
#include "tools/tuner/fit.h"
#include "tools/tuner/positions.h"
#include "tools/tuner/weights_file.h"
#include "uci_bridge/epd.h"
#include "uci_bridge/suite_file.h"
#include "worker/eval/eval.h"

static const char help[] =
    "usage: rookery-tuner positions --openings FILE --out FILE [--games N] [--nodes K] [--seed S]\n"
    "                               [--threads T]\n"
    "       rookery-tuner fit --data FILE --weights FILE --out FILE [--epochs E] [--spread CP]\n"
    "                               [--score-percent P]\n"
    "\n"
    "positions plays games of N (default 1000) in all, K nodes a move (default 5000), each from\n"
    "a random line of the openings (FEN or EPD) and 4 to 8 random moves, and writes their quiet\n"
    "positions as \"FEN;RESULT;SCORE\". The same settings give the same file; one that has games\n"
    "already is continued.\n"
    "\n"
    "fit finds weights that predict the results of such games best, and writes the source text of\n"
    "the weights (worker/eval/weights.c) anew. --epochs: passes over the data (default 60);\n"
    "--spread: how far off the present weights may well be (default 20 cp); --score-percent: how\n"
    "far the search's score counts instead of the result (default 0).\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

enum { EPOCHS_MAX = 100000, SPREAD_MAX = 10000, SOURCE_BYTES_MAX = 1 << 20 };
enum { GAMES_MAX = 100000000, NODES_MIN = 100, NODES_MAX = 100000000, THREADS_MAX = 256 };

/* ---- positions ---- */

static Status read_openings(SuiteFile *file, const char *path, Position *openings, int *count)
{
    Status status = status_ok();
    const char *line;
    Epd epd;
    while (status_is_ok(&status) && (line = suite_file_next(file)) != NULL) {
        status = epd_parse(line, path, file->line, false, &epd);
        if (status_is_ok(&status)) {
            openings[(*count)++] = epd.position;
        }
    }
    if (status_is_ok(&status) && *count == 0) {
        status = status_error(STATUS_INVALID, "%.80s holds no opening", path);
    }
    return status;
}

/* The openings of a file, which the caller frees. */
static Status load_openings(const char *path, Position **openings, int *count)
{
    SuiteFile file;
    *count = 0;
    *openings = NULL;
    Status status = suite_file_open(path, &file);
    if (!status_is_ok(&status)) {
        return status;
    }
    *openings = calloc((size_t)file.line_count + 1, sizeof **openings);
    if (*openings == NULL) {
        status = status_error(STATUS_NO_MEMORY, "not enough memory for %s", path);
    } else {
        status = read_openings(&file, path, *openings, count);
    }
    suite_file_close(&file);
    return status;
}

static Status run_positions(char *const *words, int count)
{
    PositionsSettings settings = {.openings = NULL};
    int64_t games = 1000;
    int64_t nodes = 5000;
    int64_t seed = 1;
    int64_t threads = 1;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Argument arguments[] = {
        {"--openings", .text = &settings.openings},
        {"--out", .text = &settings.out},
        {"--games", .number = &games, .minimum = 1, .maximum = GAMES_MAX},
        {"--nodes", .number = &nodes, .minimum = NODES_MIN, .maximum = NODES_MAX},
        {"--seed", .number = &seed, .minimum = 0, .maximum = INT64_MAX},
        {"--threads", .number = &threads, .minimum = 1, .maximum = THREADS_MAX},
    };
    Status status =
        arguments_parse(words, count, arguments, sizeof arguments / sizeof arguments[0], rest);
    if (!status_is_ok(&status)) {
        return status;
    }
    if (settings.openings == NULL || settings.out == NULL || rest[0] != '\0') {
        return status_error(STATUS_INVALID, "--openings and --out are needed (see --help)");
    }
    Position *openings = NULL;
    settings.games = (int)games;
    settings.threads = (int)threads;
    settings.game.nodes = (uint64_t)nodes;
    settings.game.seed = (uint64_t)seed;
    status = load_openings(settings.openings, &openings, &settings.game.opening_count);
    settings.game.openings = openings;
    if (status_is_ok(&status)) {
        status = positions_make(&settings);
    }
    free(openings);
    return status;
}

/* ---- fit ---- */

typedef struct {
    const char *data;
    const char *weights; /* the source text to take the layout from */
    const char *out;
    FitSettings fit;
} FitOptions;

static Status read_fit_options(char *const *words, int count, FitOptions *options)
{
    int64_t epochs = 60;
    int64_t spread = 20;
    int64_t percent = 0;
    char rest[ARGUMENTS_TEXT_BYTES_MAX];
    const Argument arguments[] = {
        {"--data", .text = &options->data},
        {"--weights", .text = &options->weights},
        {"--out", .text = &options->out},
        {"--epochs", .number = &epochs, .minimum = 1, .maximum = EPOCHS_MAX},
        {"--spread", .number = &spread, .minimum = 1, .maximum = SPREAD_MAX},
        {"--score-percent", .number = &percent, .minimum = 0, .maximum = 100},
    };
    const Status status =
        arguments_parse(words, count, arguments, sizeof arguments / sizeof arguments[0], rest);
    if (status_is_ok(&status) && (options->data == NULL || options->weights == NULL ||
                                  options->out == NULL || rest[0] != '\0')) {
        return status_error(STATUS_INVALID, "--data, --weights and --out are needed (see --help)");
    }
    options->fit = (FitSettings){
        .epochs = (int)epochs,
        .spread = (double)spread,
        .score_share = (double)percent / 100,
    };
    return status;
}

static void print_epoch(int epoch, double learned, double held_out)
{
    printf("%5d  %.6f  %.6f\n", epoch, learned, held_out);
    (void)fflush(stdout);
}

static void print_data(const FitOptions *options, const Dataset *dataset)
{
    printf("%s: %zu positions of %d games, %zu held out\n", options->data, dataset->count,
           dataset->games, dataset->held_out);
    printf("the model is the evaluation to %d cp\n", dataset->error_max);
    printf("epoch  learned   held out  (mean square errors)\n");
}

/* Whatever the targets were, the results alone tell how well games are predicted. */
static void print_result(const FitOptions *options, const Dataset *dataset, const FitResult *result)
{
    ModelWeights start;
    FitSettings by_results = options->fit;
    by_results.score_share = 0;
    model_start_weights(&start);
    printf("a score's chance is 1 / (1 + exp(-%.6f score)), a search's 1 / (1 + exp(-%.6f "
           "score))\n",
           result->scale, result->score_scale);
    printf("held out: %.6f at the start, %.6f in epoch %d\n", result->start_error,
           result->best_error, result->best_epoch);
    printf("by the results alone: %.6f at the start, %.6f now\n",
           fit_held_out_error(dataset, &by_results, result, &start),
           fit_held_out_error(dataset, &by_results, result, &result->weights));
}

static Status write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return status_error(STATUS_IO, "%s: %s", path, strerror(errno));
    }
    const bool is_written = fwrite(text, 1, length, file) == length;
    return fclose(file) == 0 && is_written
               ? status_ok()
               : status_error(STATUS_IO, "%s: %s", path, strerror(errno));
}

/* The source text with these weights; the caller frees it. */
static Status make_source(const FitOptions *options, const EvalWeights *weights, char **source,
                          size_t *source_length)
{
    char *text = NULL;
    int length = 0;
    *source = NULL;
    Status status = files_read(options->weights, SOURCE_BYTES_MAX, &text, &length);
    if (!status_is_ok(&status)) {
        return status;
    }
    FILE *memory = open_memstream(source, source_length);
    if (memory == NULL) {
        free(text);
        return status_error(STATUS_NO_MEMORY, "not enough memory for the weights");
    }
    status = weights_file_rewrite(text, weights, memory);
    if (fclose(memory) != 0 && status_is_ok(&status)) {
        status = status_error(STATUS_NO_MEMORY, "not enough memory for the weights");
    }
    free(text);
    return status;
}

/* The file is opened once its text is whole: it may be the one that was read. */
static Status write_weights(const FitOptions *options, const EvalWeights *weights)
{
    char *source = NULL;
    size_t length = 0;
    Status status = make_source(options, weights, &source, &length);
    if (status_is_ok(&status)) {
        status = write_file(options->out, source, length);
    }
    free(source);
    return status;
}

/* Whether the weights will be written in the end, which is hours away. */
static Status check_files(const FitOptions *options)
{
    char *source = NULL;
    size_t length = 0;
    Status status = make_source(options, &eval_weights, &source, &length);
    free(source);
    if (status_is_ok(&status) && files_are_same(options->out, options->data)) {
        status = status_error(STATUS_INVALID, "--out %s is the file of --data", options->out);
    }
    return status_is_ok(&status) ? files_try_write(options->out) : status;
}

static Status fit_data(const FitOptions *options, const Dataset *dataset)
{
    FitResult *result = malloc(sizeof *result);
    EvalWeights rounded;
    if (result == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory to fit");
    }
    Status status = fit_run(dataset, &options->fit, print_epoch, result);
    if (status_is_ok(&status)) {
        print_result(options, dataset, result);
        model_round(&result->weights, &rounded);
        status = write_weights(options, &rounded);
    }
    free(result);
    return status;
}

static Status run_fit(char *const *words, int count)
{
    FitOptions options = {.data = NULL};
    Dataset dataset;
    Status status = read_fit_options(words, count, &options);
    if (status_is_ok(&status)) {
        status = check_files(&options);
    }
    if (status_is_ok(&status)) {
        status = dataset_read(options.data, &dataset);
    }
    if (status_is_ok(&status)) {
        print_data(&options, &dataset);
        status = fit_data(&options, &dataset);
        dataset_free(&dataset);
    }
    return status;
}

static Status run_command(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "positions") == 0) {
        return run_positions(argv + 2, argc - 2);
    }
    if (argc >= 2 && strcmp(argv[1], "fit") == 0) {
        return run_fit(argv + 2, argc - 2);
    }
    return status_error(STATUS_INVALID, "a command is needed (see --help)");
}

int main(int argc, char **argv)
{
    if (output_answers("rookery-tuner", argv + 1, argc - 1, help)) {
        return output_exit_code("rookery-tuner", status_ok());
    }
    attacks_init(SLIDER_AUTO);
    eval_init();
    return output_exit_code("rookery-tuner", run_command(argc, argv));
}
