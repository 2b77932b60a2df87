/*
 * rookery: the UCI engine, and beside it the commands for people and scripts.
 */
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "chess/attacks.h"
#include "uci_bridge/analyse.h"
#include "uci_bridge/bench.h"
#include "uci_bridge/perft_command.h"
#include "worker/eval/eval.h"

static const char help[] =
    "usage: rookery                 speak UCI on standard input and output\n"
    "       rookery analyse [FEN]   search a position and print a table\n"
    "       rookery bench [DEPTH]   search fixed positions and print nodes and speed\n"
    "       rookery perft DEPTH     count legal moves, to prove the move generator\n"
    "       rookery --version       print the version\n"
    "\n"
    "\"rookery COMMAND --help\" explains a command. Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

static int fail(const Status *status)
{
    fprintf(stderr, "rookery: %s\n", status->message);
    return status->code == STATUS_INVALID ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}

static Status run_command(const char *command, char *const *words, int count, int *exit_code)
{
    if (strcmp(command, "bench") == 0) {
        return bench_command_run(words, count);
    }
    if (strcmp(command, "perft") == 0) {
        return perft_command_run(words, count, exit_code);
    }
    if (strcmp(command, "analyse") == 0) {
        return analyse_command_run(words, count);
    }
    return status_error(STATUS_INVALID, "unknown command '%.100s' (see rookery --help)", command);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("rookery: the UCI engine is not in this build\n", stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_CODE_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("rookery " ROOKERY_VERSION);
        return EXIT_CODE_OK;
    }
    attacks_init(SLIDER_AUTO);
    eval_init();

    int exit_code = EXIT_CODE_OK;
    const Status status = run_command(argv[1], argv + 2, argc - 2, &exit_code);
    return status_is_ok(&status) ? exit_code : fail(&status);
}
