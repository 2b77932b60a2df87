#include "uci_bridge/core/info_report.h"

#include <stddef.h>

void info_report_start(InfoReport *report, const Position *position, int multi_pv, bool show_wdl)
{
    report->position = position;
    report->multi_pv = multi_pv;
    report->show_wdl = show_wdl;
    report->has_newest = false;
    report->is_exact_last = false;
    report->tokens = INFO_REPORT_BURST + multi_pv;
    report->last_token_at = duration_ms(0);
    report->last_line_at = duration_ms(0);
    report->nodes_told = 0;
    report->run = 0;
    report->run_depth = 0;
    report->whole_depth = 0;
    for (int rank = 0; rank < multi_pv; rank++) {
        report->lines[rank].is_known = false;
    }
}

/* Takes a token if there is one, after earning those of the time that has passed. */
static bool take_token(InfoReport *report, Duration elapsed)
{
    const int64_t interval_us = duration_ms(INFO_REPORT_TOKEN_MS).us;
    const int64_t earned = (elapsed.us - report->last_token_at.us) / interval_us;
    const int most = INFO_REPORT_BURST + report->multi_pv;
    if (earned > 0) {
        report->last_token_at.us += earned * interval_us;
        report->tokens = earned > most - report->tokens ? most : report->tokens + (int)earned;
    }
    if (report->tokens == 0) {
        return false;
    }
    report->tokens--;
    return true;
}

/* Follows how far the ranks of one depth have been printed one after another. */
static void count_run(InfoReport *report, const MessageInfo *info)
{
    const bool goes_on = info->multi_pv_index == report->run && info->multi_pv_index > 0 &&
                         info->line.depth == report->run_depth;
    report->run = goes_on ? report->run + 1 : info->multi_pv_index == 0;
    report->run_depth = info->line.depth;
    if (report->run == report->multi_pv) {
        report->whole_depth = report->run_depth;
    }
}

static void print(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    uci_format_info(report->position, info, report->show_wdl, line);
    bridge_actions_print(actions, "%s", line);
    report->last_line_at = info->elapsed;
    report->nodes_told = info->nodes > report->nodes_told ? info->nodes : report->nodes_told;
    count_run(report, info);
    if (info->multi_pv_index == 0) {
        report->is_exact_last = info->line.bound == BOUND_EXACT;
    }
}

/* The line still stands and has cost more by now, which its last print should say. */
static void count_on(ReportLine *line, const MessageInfo *info)
{
    line->info.nodes = info->nodes;
    line->info.elapsed = info->elapsed;
    line->info.hash_permille = info->hash_permille;
    line->is_printed = false;
}

static void print_progress(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    const int64_t since_us = info->elapsed.us - report->last_line_at.us;
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    if (since_us >= duration_ms(INFO_REPORT_FIGURES_MS).us && take_token(report, info->elapsed)) {
        uci_format_progress(info, line);
        bridge_actions_print(actions, "%s", line);
        report->last_line_at = info->elapsed;
    }
}

/* Takes a line of rank 0. */
static void add_best(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    ReportLine *line = &report->lines[0];
    const bool is_exact = info->line.bound == BOUND_EXACT;
    const bool is_known =
        report->has_newest && line_says_the_same(&report->newest.line, &info->line);
    if (is_known && report->newest_is_printed) {
        report->newest = *info;
        count_on(line, info);
        print_progress(report, info, actions);
        return;
    }
    const bool is_shown = is_exact || info->elapsed.us >= duration_ms(INFO_REPORT_BOUNDS_MS).us;
    const bool may_print = is_shown && take_token(report, info->elapsed);
    report->newest = *info;
    report->has_newest = true;
    report->newest_is_printed = may_print;
    if (may_print) {
        print(report, info, actions);
    }
    if (is_exact) {
        *line = (ReportLine){.is_known = true, .is_printed = may_print, .info = *info};
    } else if (!is_shown) {
        count_on(line, info);
    }
}

/*
 * Whether a line is the last of its burst, in which ranks come in their order, and all ranks have
 * its depth, which has not been printed as a whole.
 */
static bool completes_depth(const InfoReport *report, const MessageInfo *info)
{
    const int depth = info->line.depth;
    for (int rank = 0; rank < report->multi_pv; rank++) {
        const ReportLine *line = &report->lines[rank];
        if (!line->is_known || line->info.line.depth != depth) {
            return false;
        }
    }
    return info->multi_pv_index == report->multi_pv - 1 && depth > report->whole_depth &&
           report->newest.line.depth == depth && report->newest.line.bound == BOUND_EXACT;
}

static void print_whole(InfoReport *report, Duration elapsed, BridgeActions *actions)
{
    for (int rank = 0; rank < report->multi_pv && take_token(report, elapsed); rank++) {
        ReportLine *line = &report->lines[rank];
        print(report, &line->info, actions);
        line->is_printed = true;
        report->newest_is_printed = report->newest_is_printed || rank == 0;
    }
}

/* Takes a line of another rank, which stands for what is known of it whatever its bound. */
static void add_other(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    ReportLine *line = &report->lines[info->multi_pv_index];
    const bool is_news = !line->is_known || !line_says_the_same(&line->info.line, &info->line);
    if (is_news) {
        *line = (ReportLine){.is_known = true, .info = *info};
    } else {
        count_on(line, info);
    }
    const bool is_next =
        is_news && report->run == info->multi_pv_index && report->run_depth == info->line.depth;
    if (completes_depth(report, info) && !is_next) {
        print_whole(report, info->elapsed, actions);
    } else if (is_news && take_token(report, info->elapsed)) {
        print(report, info, actions);
        line->is_printed = true;
    }
}

void info_report_add(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    if (info->multi_pv_index == 0) {
        add_best(report, info, actions);
    } else {
        add_other(report, info, actions);
    }
}

bool info_report_print_other(InfoReport *report, const MessageInfo *info, BridgeActions *actions)
{
    const bool may_print = take_token(report, info->elapsed);
    if (may_print) {
        print(report, info, actions);
        report->is_exact_last = false; /* none of the report's own */
    }
    return may_print;
}

const MessageInfo *info_report_best(const InfoReport *report)
{
    return report->lines[0].is_known ? &report->lines[0].info : NULL;
}

const MessageInfo *info_report_of(const InfoReport *report, Move move)
{
    const MessageInfo *best = info_report_best(report);
    const bool is_newest = best != NULL && best->line.moves[0] != move && report->has_newest &&
                           report->newest.line.moves[0] == move;
    return is_newest ? &report->newest : best;
}

void info_report_finish(InfoReport *report, const MessageInfo *final, bool final_is_last,
                        BridgeActions *actions)
{
    for (int rank = 0; rank < report->multi_pv; rank++) {
        ReportLine *line = &report->lines[rank];
        if (line->is_known && !line->is_printed) {
            print(report, &line->info, actions);
            line->is_printed = true;
            final_is_last = false;
        }
    }
    if (final == NULL || final_is_last ||
        (final == &report->lines[0].info && report->is_exact_last)) {
        return;
    }
    char line[UCI_FORMAT_LINE_BYTES_MAX];
    MessageInfo shown = *final;
    shown.nodes = shown.nodes > report->nodes_told ? shown.nodes : report->nodes_told;
    if (shown.elapsed.us < report->last_line_at.us) {
        shown.elapsed = report->last_line_at;
    }
    uci_format_info(report->position, &shown, report->show_wdl, line);
    bridge_actions_print_kept(actions, line);
}
