/*
 * The command `rookery analyse`: a serial search of one position as a table.
 */
#ifndef ROOKERY_UCI_BRIDGE_ANALYSE_H
#define ROOKERY_UCI_BRIDGE_ANALYSE_H

#include "base/status.h"

/*
 * Runs the command with the `count` words behind "analyse", printing on stdout. Errors:
 * STATUS_INVALID for what the person typed, STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status analyse_command_run(char *const *words, int count);

#endif
