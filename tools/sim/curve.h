/*
 * Curve: a drawing of speed-up against the number of workers, beside published figures.
 *
 * Published: Hyatt's dynamic tree splitting on shared memory ("The Dynamic Tree-Splitting Parallel
 * Search Algorithm", 1997) and Feldmann's ZUGZWANG (1993), both before modern pruning.
 */
#ifndef ROOKERY_TOOLS_SIM_CURVE_H
#define ROOKERY_TOOLS_SIM_CURVE_H

#include "tools/sim/statistics.h"

/* Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status curve_write_svg(const Experiment *experiment,
                                                           const char *path);

#endif
