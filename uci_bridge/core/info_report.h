/*
 * InfoReport: the lines of one search, and which of them the GUI gets to see when.
 *
 * A fast search finds more lines than a GUI can show. Each printed line costs a token; tokens come
 * back at a steady rate, and without one a line is only remembered. The last line of every rank,
 * of the first rank the last exact one, is never lost: what was not printed is printed before the
 * bestmove. A line that comes once more, at a higher cost, is printed as figures alone. Of MultiPV
 * each depth is printed as a whole, in the order of ranks, once all ranks have reached it: some
 * GUIs show nothing else.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_INFO_REPORT_H
#define ROOKERY_UCI_BRIDGE_CORE_INFO_REPORT_H

#include "uci_bridge/core/bridge_actions.h"

enum {
    INFO_REPORT_BURST = 50,       /* lines that may follow each other at once, and one a rank */
    INFO_REPORT_TOKEN_MS = 20,    /* for one more: 50 lines a second */
    INFO_REPORT_BOUNDS_MS = 1000, /* bounds of rank 0 are shown after this time */
    INFO_REPORT_FIGURES_MS = 500, /* so long after the last line figures alone are news */
};

/* The last line of one rank of MultiPV; of rank 0 the last exact one. */
typedef struct {
    bool is_known;
    bool is_printed;
    MessageInfo info; /* its moves are legal; its time is the bridge's, since the go */
} ReportLine;

typedef struct {
    const Position *position; /* where the lines start; borrowed */
    int multi_pv;             /* ranks, at most MESSAGE_MULTI_PV_MAX */
    bool show_wdl;
    bool has_newest;
    bool newest_is_printed;
    MessageInfo newest;     /* of rank 0, the last one, exact or not */
    bool is_exact_last;     /* the line of rank 0 that was printed last is exact */
    int tokens;             /* lines that may be printed now */
    Duration last_token_at; /* since the go */
    Duration last_line_at;  /* since the go */
    uint64_t nodes_told;    /* by the line that told of most */
    int run;                /* ranks that were printed last, from the first on in their order, */
    int run_depth;          /* all of this depth */
    int whole_depth;        /* of which all ranks have been printed so */
    ReportLine lines[MESSAGE_MULTI_PV_MAX]; /* by rank */
} InfoReport;

/* Begins the report of a search of `position`, which must outlive it. */
void info_report_start(InfoReport *report, const Position *position, int multi_pv, bool show_wdl);

/*
 * Takes a line with legal moves, at least one, and a rank below multi_pv, and prints it if it may;
 * `info->elapsed` counts from the go.
 */
void info_report_add(InfoReport *report, const MessageInfo *info, BridgeActions *actions);

/* Prints a line that is not of the report (the own search's) if it may; returns whether it did. */
bool info_report_print_other(InfoReport *report, const MessageInfo *info, BridgeActions *actions);

/* The last exact line of rank 0, or NULL. */
const MessageInfo *info_report_best(const InfoReport *report);

/*
 * The line that explains `move`: the best exact one, or the newest bound where only that begins
 * with the move (a move that failed high just before the end). NULL if no exact line is known.
 */
const MessageInfo *info_report_of(const InfoReport *report, Move move);

/*
 * Prints every rank's line that has not been printed, or not with the nodes that were reported
 * since, and behind them `final`, unless that stands last already: as the report's best line, or
 * `final_is_last` for another's. Its nodes and its time are no less than those of the lines before.
 * NULL is allowed.
 */
void info_report_finish(InfoReport *report, const MessageInfo *final, bool final_is_last,
                        BridgeActions *actions);

#endif
