#include "tools/suite/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "uci_bridge/display.h"

/* The engine's move and score as text. */
typedef struct {
    char move[SAN_MOVE_BYTES_MAX];
    char score[DISPLAY_SCORE_BYTES_MAX];
} Answer;

static Answer answer_of(const SuiteEntry *entry)
{
    Answer answer;
    notation_write_san(&entry->epd.position, entry->line.moves[0], answer.move);
    display_score(entry->line.score, entry->line.bound, answer.score);
    return answer;
}

/* ---- the table ---- */

static const char *remark(MateVerdict mate)
{
    return mate == MATE_FALSE      ? "  false mate"
           : mate == MATE_PV_SHORT ? "  line ends before the mate"
                                   : "";
}

static void print_expected(const Epd *epd)
{
    char text[SAN_MOVE_BYTES_MAX];
    if (epd->mate != 0) {
        printf(" #%d", epd->mate);
    }
    for (int i = 0; i < epd->best_count; i++) {
        notation_write_san(&epd->position, epd->best[i], text);
        printf(" %s", text);
    }
    for (int i = 0; i < epd->avoid_count; i++) {
        notation_write_san(&epd->position, epd->avoid[i], text);
        printf(" not %s", text);
    }
}

static void print_row(const SuiteEntry *entry)
{
    const Answer answer = answer_of(entry);
    printf("%-3s %-32.32s %-8s %8s %5d %8.2f s", entry->verdict.solved ? "yes" : "no",
           entry->epd.id, answer.move, answer.score, entry->depth, (double)entry->time.us / 1e6);
    if (entry->epd.points_max > 0) {
        printf(" %3d of %d", entry->verdict.points, entry->epd.points_max);
    }
    printf("  wanted");
    print_expected(&entry->epd);
    printf("%s\n", remark(entry->verdict.mate));
}

void report_table(const SuiteEntry *entries, int count)
{
    printf("%-3s %-32s %-8s %8s %5s %10s\n", "ok", "position", "move", "score", "depth", "time");
    for (int i = 0; i < count; i++) {
        print_row(&entries[i]);
    }
    const SuiteTotals totals = runner_totals(entries, count);
    printf("solved %d of %d", totals.solved, totals.total);
    if (totals.points_max > 0) {
        printf(", %d of %d points", totals.points, totals.points_max);
    }
    printf("; mates: %d of %d found, %d false, %d with a short line\n", totals.mates_found,
           totals.mates_wanted, totals.mates_false, totals.pv_short);
}

/* ---- JSON ---- */

static void print_string(const char *text)
{
    putchar('"');
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            printf("\\%c", *at);
        } else if ((unsigned char)*at < ' ') {
            printf("\\u%04x", (unsigned)*at);
        } else {
            putchar(*at);
        }
    }
    putchar('"');
}

static void print_object(const SuiteEntry *entry)
{
    const Answer answer = answer_of(entry);
    char fen[FEN_BYTES_MAX];
    fen_write(&entry->epd.position, fen);
    printf("{\"id\": ");
    print_string(entry->epd.id);
    printf(", \"fen\": \"%s\", \"solved\": %s, \"move\": \"%s\", \"score\": \"%s\"", fen,
           entry->verdict.solved ? "true" : "false", answer.move, answer.score);
    printf(", \"depth\": %d, \"time_ms\": %" PRId64 ", \"nodes\": %" PRIu64 ", \"points\": %d}",
           entry->depth, duration_to_ms(entry->time), entry->nodes, entry->verdict.points);
}

void report_json(const SuiteEntry *entries, int count)
{
    const SuiteTotals totals = runner_totals(entries, count);
    printf("{\"solved\": %d, \"total\": %d, \"points\": %d, \"points_max\": %d,\n", totals.solved,
           totals.total, totals.points, totals.points_max);
    printf(" \"mates_wanted\": %d, \"mates_found\": %d, \"mates_false\": %d, \"pv_short\": %d,\n",
           totals.mates_wanted, totals.mates_found, totals.mates_false, totals.pv_short);
    printf(" \"positions\": [");
    for (int i = 0; i < count; i++) {
        printf(i == 0 ? "\n  " : ",\n  ");
        print_object(&entries[i]);
    }
    printf("]}\n");
}
