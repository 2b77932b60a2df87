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

#endif
