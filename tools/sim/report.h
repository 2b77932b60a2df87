/*
 * Report: the outcome of an experiment as a table on stdout and as JSON in a file.
 */
#ifndef ROOKERY_TOOLS_SIM_REPORT_H
#define ROOKERY_TOOLS_SIM_REPORT_H

#include "tools/sim/statistics.h"

/* One row a cluster size. */
void report_table(const Experiment *experiment);

/* One row a trial: a size, position and seed. */
void report_trials(const Experiment *experiment);

/* {"settings": ..., "results": [...], "trials": [...]}. Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status report_json(const Experiment *experiment,
                                                       const char *path);

#endif
