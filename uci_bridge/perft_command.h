/*
 * The command `rookery perft`: counts move trees, one position in detail or a suite of them.
 */
#ifndef ROOKERY_UCI_BRIDGE_PERFT_COMMAND_H
#define ROOKERY_UCI_BRIDGE_PERFT_COMMAND_H

#include "base/status.h"
#include "chess/position.h"

/*
 * Runs the command with the `count` words behind "perft", printing on stdout, progress on stderr.
 * *exit_code is EXIT_CODE_FAILURE when a suite's counts do not agree. Errors: STATUS_INVALID for
 * what the person typed or the suite holds, STATUS_NOT_FOUND and STATUS_IO for its file.
 */
__attribute__((warn_unused_result)) Status perft_command_run(char *const *words, int count,
                                                             int *exit_code);

/* Asked now and then, at least a few times a second; true ends the counting. */
typedef bool PerftInterrupt(void *context);

/*
 * Prints the leaves below each legal move, their sum and the speed; the UCI command `go perft`.
 * Ends without a sum, and returns false, when `interrupt` (NULL: nobody) says so.
 */
bool perft_command_divide(const Position *position, int depth, PerftInterrupt *interrupt,
                          void *context);

#endif
