/*
 * Positions: the file of positions that a simulation searches.
 */
#ifndef ROOKERY_TOOLS_SIM_POSITIONS_H
#define ROOKERY_TOOLS_SIM_POSITIONS_H

#include "base/status.h"
#include "chess/fen.h"
#include "chess/position.h"

enum { POSITIONS_NAME_BYTES_MAX = 64, POSITIONS_MAX = 1024 };

typedef struct {
    char name[POSITIONS_NAME_BYTES_MAX]; /* the EPD's id, or "line 7"; cut if longer */
    char fen[FEN_BYTES_MAX];             /* as this program writes it */
    Position position;
} SimPosition;

/*
 * Reads the first `limit` positions (0: all, up to POSITIONS_MAX) of a file of EPD or FEN lines.
 * On success the caller owns *positions (free). Errors: STATUS_INVALID with file and line, those of
 * reading a file.
 */
__attribute__((warn_unused_result)) Status positions_load(const char *path, int limit,
                                                          SimPosition **positions, int *count);

#endif
