#include "uci_bridge/core/uci_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "chess/notation.h"
#include "chess/polyglot.h"
#include "uci_bridge/core/uci_text.h"

enum {
    PERMILLE = 1000,
};

static const uint64_t us_per_second = 1000000;

/* Even chances of a win against a draw at the centre, steeper for a smaller slope. */
static const double wdl_centre_cp = 150.0;
static const double wdl_slope_cp = 90.0;

/* A line as it grows; what does not fit is cut. */
typedef struct {
    char *text;
    int length;
} LineWriter;

__attribute__((format(printf, 2, 3))) static void append(LineWriter *writer, const char *format,
                                                         ...)
{
    const int room = UCI_FORMAT_LINE_BYTES_MAX - writer->length;
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(writer->text + writer->length, (size_t)room, format, arguments);
    va_end(arguments);
    writer->length += written < room ? written : room - 1;
}

static int win_permille(double score_cp)
{
    return (int)(PERMILLE / (1.0 + exp((wdl_centre_cp - score_cp) / wdl_slope_cp)) + 0.5);
}

Wdl uci_format_wdl(int score)
{
    const int win = win_permille(score);
    const int loss = win_permille(-score);
    return (Wdl){.win = win, .draw = PERMILLE - win - loss, .loss = loss};
}

static void append_wdl(LineWriter *writer, const Position *position, int score)
{
    Wdl wdl = uci_format_wdl(score);
    if (position_is_insufficient(position)) {
        wdl = (Wdl){.draw = PERMILLE};
    }
    append(writer, " wdl %d %d %d", wdl.win, wdl.draw, wdl.loss);
}

static void append_score(LineWriter *writer, const Position *position, const Line *line,
                         bool show_wdl)
{
    if (score_is_mate(line->score)) {
        append(writer, " score mate %d", score_mate_moves(line->score));
    } else {
        append(writer, " score cp %d", score_shown(line->score));
    }
    if (line->bound == BOUND_LOWER) {
        append(writer, " lowerbound");
    } else if (line->bound == BOUND_UPPER) {
        append(writer, " upperbound");
    }
    if (show_wdl) {
        append_wdl(writer, position, line->score);
    }
}

static uint64_t nodes_per_second(uint64_t nodes, Duration elapsed)
{
    const uint64_t us = elapsed.us > 0 ? (uint64_t)elapsed.us : 1;
    if (nodes <= UINT64_MAX / us_per_second) {
        return nodes * us_per_second / us;
    }
    return us < us_per_second ? nodes : nodes / (us / us_per_second);
}

static void append_moves(LineWriter *writer, const Position *position, const Line *line)
{
    Position positions[2] = {*position};
    for (int i = 0; i < line->length; i++) {
        char move[UCI_MOVE_BYTES_MAX];
        notation_write_uci(&positions[i % 2], line->moves[i], move);
        append(writer, " %s", move);
        position_make(&positions[i % 2], line->moves[i], &positions[(i + 1) % 2]);
    }
}

static void append_figures(LineWriter *writer, const MessageInfo *info)
{
    append(writer, " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d time %" PRId64, info->nodes,
           nodes_per_second(info->nodes, info->elapsed), info->hash_permille,
           duration_to_ms(info->elapsed));
}

void uci_format_info(const Position *position, const MessageInfo *info, bool show_wdl,
                     char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    LineWriter writer = {.text = line};
    append(&writer, "info depth %d seldepth %d multipv %d", info->line.depth,
           info->line.selective_depth, info->multi_pv_index + 1);
    append_score(&writer, position, &info->line, show_wdl);
    append_figures(&writer, info);
    if (info->line.length > 0) {
        append(&writer, " pv");
        append_moves(&writer, position, &info->line);
    }
}

void uci_format_progress(const MessageInfo *info, char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    LineWriter writer = {.text = line};
    append(&writer, "info");
    append_figures(&writer, info);
}

void uci_format_best_move(const Position *position, Move move, Move ponder,
                          char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    LineWriter writer = {.text = line};
    if (move == MOVE_NONE) {
        append(&writer, "bestmove (none)");
        return;
    }
    char text[UCI_MOVE_BYTES_MAX];
    notation_write_uci(position, move, text);
    append(&writer, "bestmove %s", text);
    if (ponder != MOVE_NONE) {
        Position after;
        position_make(position, move, &after);
        notation_write_uci(&after, ponder, text);
        append(&writer, " ponder %s", text);
    }
}

static void append_rank(LineWriter *writer, const Position *position, int rank)
{
    static const char letters[COLOR_COUNT][PIECE_TYPE_COUNT + 1] = {"PNBRQK", "pnbrqk"};
    append(writer, "%d  ", rank + 1);
    for (int file = 0; file < FILE_COUNT; file++) {
        const Piece piece = position->board[square_make(file, rank)];
        const char letter =
            piece == NO_PIECE ? '.' : letters[piece_color(piece)][piece_type(piece)];
        append(writer, "%c%s", letter, file + 1 < FILE_COUNT ? " " : "");
    }
}

static void append_checkers(LineWriter *writer, const Position *position)
{
    append(writer, "Checkers:");
    for (Bitboard left = position->checkers; left != 0; left &= left - 1) {
        const Square square = bitboard_first(left);
        append(writer, " %c%c", 'a' + square_file(square), '1' + square_rank(square));
    }
}

void uci_format_board(const Position *position, int index, char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    enum { FILES = RANK_COUNT, GAP, FEN, KEY, CHECKERS };
    _Static_assert(CHECKERS == UCI_FORMAT_BOARD_LINES - 1, "every line has its case");
    LineWriter writer = {.text = line};
    char fen[FEN_BYTES_MAX];
    line[0] = '\0';
    switch (index) {
    case FILES:
        append(&writer, "   a b c d e f g h");
        break;
    case GAP:
        break;
    case FEN:
        fen_write(position, fen);
        append(&writer, "Fen: %s", fen);
        break;
    case KEY:
        append(&writer, "Key: %016" PRIX64, polyglot_key(position));
        break;
    case CHECKERS:
        append_checkers(&writer, position);
        break;
    default:
        append_rank(&writer, position, RANK_COUNT - 1 - index);
    }
}

void uci_format_worker_title(char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    LineWriter writer = {.text = line};
    append(&writer, "%-24s %5s %12s %10s %7s", "worker", "slots", "nodes/s", "jobs", "idle");
}

void uci_format_worker(const WorkerRow *row, char line[UCI_FORMAT_LINE_BYTES_MAX])
{
    LineWriter writer = {.text = line};
    char name[MESSAGE_NAME_BYTES_MAX];
    uci_text_copy(uci_text_of(row->name), name, sizeof name);
    append(&writer, "%-24s %5d %12" PRIu64 " %10" PRIu64, name, row->slots, row->nodes_per_second,
           row->jobs);
    if (row->is_in_reserve) {
        append(&writer, " %7s", "reserve");
    } else {
        append(&writer, " %4d.%d%%", row->idle_permille / 10, row->idle_permille % 10);
    }
}
