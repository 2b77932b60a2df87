/*
 * Report: what the games of a match tell, in words on standard output.
 */
#ifndef ROOKERY_TOOLS_MATCH_REPORT_H
#define ROOKERY_TOOLS_MATCH_REPORT_H

#include "tools/match/options.h"
#include "tools/match/tally.h"

/* Results, Elo with errors and faults; with `sprt` wanted, the test's state too. */
void report_summary(const Tally *tally, const Sprt *sprt);

/*
 * The gain of the first match by that of the second, with both. Errors: STATUS_UNAVAILABLE when one
 * of them is not known well enough to be divided.
 */
Status report_ratio(const Tally *tally, const Tally *other);

#endif
