/*
 * Quantity: numbers with units as people write them on a command line.
 */
#ifndef ROOKERY_TOOLS_SIM_QUANTITY_H
#define ROOKERY_TOOLS_SIM_QUANTITY_H

#include "base/status.h"

#include <stdint.h>

enum { QUANTITY_LIST_MAX = 256 };

/*
 * Each reads all of `text`; `name` stands in the message. Errors: STATUS_INVALID, the outputs are
 * then void.
 */

/* A count from 0: "20M", "1.5k", "300000". */
__attribute__((warn_unused_result)) Status quantity_count(const char *name, const char *text,
                                                          int64_t *count);

/* A duration: "0.2ms", "5us", "1s", "0". */
__attribute__((warn_unused_result)) Status quantity_duration(const char *name, const char *text,
                                                             int64_t *duration_ns);

/* A bandwidth: "1Gbit", "100Mbit" a second; "0" for no limit. */
__attribute__((warn_unused_result)) Status quantity_bandwidth(const char *name, const char *text,
                                                              int64_t *bits_per_second);

/* Positive numbers with commas between them: "1,1,0.1". */
__attribute__((warn_unused_result)) Status
quantity_list(const char *name, const char *text, double list[QUANTITY_LIST_MAX], int *count);

#endif
