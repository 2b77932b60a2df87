/*
 * Output: what a program has written to its standard output, and whether it came there.
 */
#ifndef ROOKERY_OS_OUTPUT_H
#define ROOKERY_OS_OUTPUT_H

#include "base/status.h"

/*
 * Writes out what is left, once, when all has been printed. STATUS_IO if anything was lost, on a
 * full disk for one. The main thread.
 */
__attribute__((warn_unused_result)) Status output_finish(void);

/*
 * Prints `help` or "PROGRAM VERSION" if the first word is --help or --version, or the second is and
 * the first is a command; true if it was so. Words behind these may be the values of options.
 */
bool output_answers(const char *program, char *const *words, int count, const char *help);

/*
 * The exit code of `program`, whose work came to `status`: output that was lost is a failure too,
 * and what failed is told on standard error. As output_finish otherwise.
 */
int output_exit_code(const char *program, Status status);

#endif
