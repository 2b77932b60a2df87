#include "uci_bridge/display.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chess/movegen.h"
#include "chess/notation.h"

void display_score(int score, Bound bound, char text[DISPLAY_SCORE_BYTES_MAX])
{
    const char *mark = bound == BOUND_LOWER ? ">" : bound == BOUND_UPPER ? "<" : "";
    if (score == SCORE_NONE) {
        snprintf(text, DISPLAY_SCORE_BYTES_MAX, "-");
    } else if (score_is_mate(score)) {
        snprintf(text, DISPLAY_SCORE_BYTES_MAX, "%s#%d", mark, score_mate_moves(score));
    } else {
        const int shown = abs(score_shown(score));
        snprintf(text, DISPLAY_SCORE_BYTES_MAX, "%s%c%d.%02d", mark, score < 0 ? '-' : '+',
                 shown / 100, shown % 100);
    }
}

void display_line(const Position *position, const Line *line, int width, char *text)
{
    Position before = *position;
    int used = 0;
    text[0] = '\0';
    for (int i = 0; i < line->length; i++) {
        const Move move = line->moves[i];
        if (!movegen_is_legal(&before, move)) {
            return;
        }
        char san[SAN_MOVE_BYTES_MAX];
        notation_write_san(&before, move, san);
        const int gap = used > 0;
        const int length = (int)strlen(san);
        if (used + gap + length > width) {
            return;
        }
        if (gap) {
            text[used] = ' ';
        }
        memcpy(text + used + gap, san, (size_t)length + 1);
        used += gap + length;

        Position after;
        position_make(&before, move, &after);
        before = after;
    }
}

static void draw_bar(int done, int total, const char *note)
{
    enum { BAR_WIDTH = 30 };
    char bar[BAR_WIDTH + 1];
    const int filled = (int)((long long)done * BAR_WIDTH / total);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %d/%d %s\033[K%s", bar, done, total, note, done == total ? "\n" : "");
}

void display_progress(int done, int total, const char *note)
{
    enum { TENTHS = 10 };
    if (total <= 0) {
        return;
    }
    if (isatty(STDERR_FILENO)) {
        draw_bar(done, total, note);
    } else if (done > 0 &&
               done * (long long)TENTHS / total != (done - 1) * (long long)TENTHS / total) {
        fprintf(stderr, "%d/%d %s\n", done, total, note);
    }
}

enum { ROW_WIDTH = 100 };

void display_row_heading(void)
{
    printf("%5s %4s %8s %12s %10s %9s  %s\n", "depth", "sel", "score", "nodes", "nodes/s", "time",
           "line");
}

void display_row(const Position *position, const DisplayRow *row)
{
    char score[DISPLAY_SCORE_BYTES_MAX];
    char text[ROW_WIDTH + 1];
    char moves[ROW_WIDTH + 1];
    const double seconds = (double)row->elapsed.us / 1e6;
    const double speed = seconds > 0 ? (double)row->nodes / seconds : 0.0;
    display_score(row->line->score, row->line->bound, score);
    const int used = snprintf(text, sizeof text, "%4d%c %4d %8s %12" PRIu64 " %10.0f %7.3f s  ",
                              row->line->depth, row->mark, row->line->selective_depth, score,
                              row->nodes, speed, seconds);
    display_line(position, row->line, used < ROW_WIDTH ? ROW_WIDTH - used : 0, moves);
    printf("%s%s\n", text, moves);
}
