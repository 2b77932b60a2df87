/*
 * Positions: the data of the tuner, made by games of our search against itself.
 *
 * Each game is written whole, followed by the line "# game NUMBER"; games are written in order,
 * whatever the number of threads, so that the same settings give the same file. A run that finds
 * games in the file goes on behind them; a game that was cut off is played again. The first line
 * names what the games depend on, the openings and the engine too: others' games are not joined.
 */
#ifndef ROOKERY_TOOLS_TUNER_POSITIONS_H
#define ROOKERY_TOOLS_TUNER_POSITIONS_H

#include "tools/tuner/game.h"

typedef struct {
    GameSettings game;
    const char *openings; /* path of the openings' file, one FEN a line; for the file's head */
    const char *out;      /* path of the data file */
    int games;            /* to be in the file at the end */
    int threads;          /* at least 1 */
} PositionsSettings;

/*
 * Plays the games that are missing, with progress on stderr.
 * Errors: STATUS_INVALID (the file is of other settings, openings or another engine), STATUS_IO,
 * STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status positions_make(const PositionsSettings *settings);

#endif
