/*
 * The UCI command `eval`: the evaluation of a position, term by term.
 */
#ifndef ROOKERY_UCI_BRIDGE_EVAL_COMMAND_H
#define ROOKERY_UCI_BRIDGE_EVAL_COMMAND_H

#include "chess/position.h"

/* Prints the table of terms, in pawns, and the sum from White's view on stdout. */
void eval_command_print(const Position *position);

#endif
