/*
 * Epd: one test position with what is expected of an engine there.
 *
 * Opcodes understood: bm and am (best moves, moves to avoid; "bm #5" is a mate to be found, "#-5"
 * one to be suffered), id, and points for single moves as the Strategic Test Suite has them: c8
 * (points) with c9 (the moves in UCI notation) or c7 (in SAN), or c0 ("f5=10, Be5=4"). Others are
 * passed over. Source: PGN standard 16.2.
 */
#ifndef ROOKERY_UCI_BRIDGE_EPD_H
#define ROOKERY_UCI_BRIDGE_EPD_H

#include "base/status.h"
#include "chess/position.h"

enum { EPD_MOVES_MAX = 32, EPD_ID_BYTES_MAX = 80 };

typedef struct {
    Move move;
    int points;
} EpdPoints;

typedef struct {
    char id[EPD_ID_BYTES_MAX]; /* "line 7" if the file gives none; cut if longer */
    Position position;
    Move best[EPD_MOVES_MAX]; /* bm */
    int best_count;
    Move avoid[EPD_MOVES_MAX]; /* am */
    int avoid_count;
    EpdPoints points[EPD_MOVES_MAX]; /* what single moves are worth */
    int points_count;
    int points_max; /* the most that a move is worth */
    int mate;       /* moves of "bm #N", negative for the side that is mated; 0 without */
} Epd;

/*
 * Reads one line of a file, be it a FEN alone. `file` and `line` stand in messages. Errors:
 * STATUS_INVALID (a bad FEN, a move that is not legal); *epd is then undefined.
 */
__attribute__((warn_unused_result)) Status epd_parse(const char *text, const char *file, int line,
                                                     bool chess960, Epd *epd);

/* Whether anything is expected of an engine: a move, points or a mate. */
bool epd_is_test(const Epd *epd);

/* The points that `move` earns, 0 if it is not listed. */
int epd_points(const Epd *epd, Move move);

/* Whether `move` is what bm and am ask for, or without both the one that earns most points. */
bool epd_move_is_right(const Epd *epd, Move move);

#endif
