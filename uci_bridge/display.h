/*
 * Display: scores, variations and progress as people read them.
 */
#ifndef ROOKERY_UCI_BRIDGE_DISPLAY_H
#define ROOKERY_UCI_BRIDGE_DISPLAY_H

#include "base/duration.h"
#include "chess/line.h"
#include "chess/position.h"

enum { DISPLAY_SCORE_BYTES_MAX = 16 };

/*
 * Writes a score from the view of the side to move: pawns as "+0.35", a mate as "#5" or "#-5" in
 * full moves, "-" for SCORE_NONE. A bound has '>' or '<' in front.
 */
void display_score(int score, Bound bound, char text[DISPLAY_SCORE_BYTES_MAX]);

/*
 * Writes as many moves of the line as fit into `width` characters, in SAN with single spaces,
 * NUL-terminated; `text` has room for width + 1 bytes. The line must be legal from `position`; it
 * ends at the first move that is not.
 */
void display_line(const Position *position, const Line *line, int width, char *text);

/*
 * Shows how far a long run is, on stderr: on a terminal a bar that is drawn over and over, else a
 * line whenever another tenth is done. `note` follows the count. Call with `done` from 0 to
 * `total`, from one thread at a time.
 */
void display_progress(int done, int total, const char *note);

/* A row of the table that `analyse` prints. */
typedef struct {
    const Line *line;
    uint64_t nodes;   /* of the whole search so far */
    Duration elapsed; /* since it began */
    char mark;        /* stands behind the depth; ' ' for none */
} DisplayRow;

/* Prints the heading of that table on stdout. */
void display_row_heading(void);

/* Prints one row, at most 100 characters wide, the line in SAN from `position`. */
void display_row(const Position *position, const DisplayRow *row);

#endif
