/*
 * Positions: the file of positions that a simulation searches.
 */
#ifndef ROOKERY_TOOLS_SIM_POSITIONS_H
#define ROOKERY_TOOLS_SIM_POSITIONS_H

#include "base/status.h"
#include "chess/fen.h"
#include "uci_bridge/epd.h"

enum { POSITIONS_MAX = 1024 };

typedef struct {
    Epd epd;                 /* as the file has it */
    char fen[FEN_BYTES_MAX]; /* as this program writes it */
} SimPosition;

/*
 * Reads the first `limit` positions (0: all, up to POSITIONS_MAX) of a file of EPD or FEN lines.
 * On success the caller owns *positions (free). Errors: STATUS_INVALID with file and line, those of
 * reading a file.
 */
__attribute__((warn_unused_result)) Status positions_load(const char *path, int limit,
                                                          SimPosition **positions, int *count);

/* Sees to it that each position names moves that are right or wrong. Errors: STATUS_INVALID. */
__attribute__((warn_unused_result)) Status positions_require_moves(const SimPosition *positions,
                                                                   int count);

#endif
