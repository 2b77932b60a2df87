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

/* Bytes of the UTF-8 character that the text begins with; 0 if it begins with none. RFC 3629. */
static int character_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const int length = first < 0x80                    ? 1
                       : first >= 0xC2 && first < 0xE0 ? 2
                       : first >= 0xE0 && first < 0xF0 ? 3
                       : first >= 0xF0 && first < 0xF5 ? 4
                                                       : 0;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const unsigned char second = length > 2 ? (unsigned char)text[1] : 0;
    const bool is_too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool is_beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
    return is_too_long || is_beyond ? 0 : length;
}

/* Bytes that are no UTF-8 are taken for Latin-1, in which old files are. */
static void print_string(const char *text)
{
    putchar('"');
    while (*text != '\0') {
        const int length = character_length(text);
        if (*text == '"' || *text == '\\') {
            printf("\\%c", *text);
        } else if (length == 0 || (unsigned char)*text < ' ') {
            printf("\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            (void)fwrite(text, 1, (size_t)length, stdout);
        }
        text += length > 0 ? length : 1;
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
