/*
 * UCI output: lines without their newline.
 *
 * Source: UCI specification (2006); `wdl` as other engines write it: permille behind the score and
 * its bound.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_UCI_FORMAT_H
#define ROOKERY_UCI_BRIDGE_CORE_UCI_FORMAT_H

#include "messages/messages.h"

enum {
    UCI_FORMAT_LINE_BYTES_MAX = 1024, /* the longest line of all, with its NUL */
    UCI_FORMAT_BOARD_LINES = 13,      /* of `d` */
};

/* Win, draw and loss of the side to move; they add up to 1000. */
typedef struct {
    int win;
    int draw;
    int loss;
} Wdl;

/* How often a score of `score` (any of chess/score.h but SCORE_NONE) ends how. */
Wdl uci_format_wdl(int score);

/*
 * Writes an `info` line; `position` is where the line starts, and all of the line's moves must be
 * legal there. A line of no moves is written without a pv.
 */
void uci_format_info(const Position *position, const MessageInfo *info, bool show_wdl,
                     char line[UCI_FORMAT_LINE_BYTES_MAX]);

/* Writes an `info` line of the figures alone: what the search has cost by now. */
void uci_format_progress(const MessageInfo *info, char line[UCI_FORMAT_LINE_BYTES_MAX]);

/* Writes `bestmove`; MOVE_NONE is "(none)", and no ponder move is written for MOVE_NONE. */
void uci_format_best_move(const Position *position, Move move, Move ponder,
                          char line[UCI_FORMAT_LINE_BYTES_MAX]);

/* Writes the `index`th line (from 0) of the board for people; its key is Polyglot's. */
void uci_format_board(const Position *position, int index, char line[UCI_FORMAT_LINE_BYTES_MAX]);

/* Writes the title of the table of workers, and one worker's row of it. */
void uci_format_worker_title(char line[UCI_FORMAT_LINE_BYTES_MAX]);
void uci_format_worker(const WorkerRow *row, char line[UCI_FORMAT_LINE_BYTES_MAX]);

#endif
