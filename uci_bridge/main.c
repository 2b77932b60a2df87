/*
 * rookery: the UCI engine, and beside it the commands for people and scripts.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "chess/attacks.h"
#include "os/output.h"
#include "uci_bridge/analyse.h"
#include "uci_bridge/bench.h"
#include "uci_bridge/engine_child.h"
#include "uci_bridge/perft_command.h"
#include "uci_bridge/uci_program.h"
#include "worker/eval/eval.h"

static int fail(const Status *status)
{
    fprintf(stderr, "rookery: %s\n", status->message);
    return status->code == STATUS_INVALID ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}

/* Whether the words begin with a command; else they are options of the UCI engine. */
static bool is_command(int argc, char **argv)
{
    return argc >= 2 && argv[1][0] != '-';
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
    attacks_init(SLIDER_AUTO);
    eval_init();

    int exit_code = EXIT_CODE_OK;
    Status status;
    if (is_command(argc, argv)) {
        status = run_command(argv[1], argv + 2, argc - 2, &exit_code);
        status = status_is_ok(&status) ? output_finish() : status;
    } else if (argc >= 2 && strcmp(argv[1], ENGINE_CHILD_OPTION) == 0) {
        status = engine_child_run(argv + 2, argc - 2); /* returned: it could not begin */
        _exit(fail(&status));
    } else {
        status = uci_program_run(argv + 1, argc - 1);
    }
    return status_is_ok(&status) ? exit_code : fail(&status);
}
