/*
 * Report: the outcome of a suite on stdout, as a table for people or as JSON for programs.
 */
#ifndef ROOKERY_TOOLS_SUITE_REPORT_H
#define ROOKERY_TOOLS_SUITE_REPORT_H

#include "tools/suite/runner.h"

/* One row a position, then the totals. */
void report_table(const SuiteEntry *entries, int count);

/*
 * One object: the totals by their names in SuiteTotals and "positions", each with id, fen, solved,
 * move (SAN), score ("+0.35", "#5"), depth, time_ms, nodes and points. Source: RFC 8259.
 */
void report_json(const SuiteEntry *entries, int count);

#endif
