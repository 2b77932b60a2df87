/*
 * The UCI engine: `rookery` without a command.
 *
 * The parent of the two processes. It owns standard input and output, the last deadline and a small
 * search of its own, and never makes a ZeroMQ context; all else is in its engine child. What it
 * decides is decided by uci_bridge/core; here are only descriptors, processes and the clock.
 */
#ifndef ROOKERY_UCI_BRIDGE_UCI_PROGRAM_H
#define ROOKERY_UCI_BRIDGE_UCI_PROGRAM_H

#include "base/status.h"

/*
 * Speaks UCI until `quit` or the end of input, with the `count` words behind the program's name
 * (--cluster, --config); --help, which tells of the commands too, and --version only print. Errors:
 * STATUS_INVALID for the words or the configuration, STATUS_NOT_FOUND and STATUS_IO for its file,
 * STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status uci_program_run(char *const *words, int count);

#endif
