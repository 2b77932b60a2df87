/*
 * Game: one game of our search against itself, and the positions of it that are worth keeping.
 *
 * A game begins at a random opening and some random moves; the openings so reached that the search
 * does not find about even are thrown away. Both sides search a fixed number of nodes, so that a
 * game depends on nothing but the settings and its number.
 *
 * Kept is every quiet position after the first plies: not in check, no mate in sight, neither
 * the search's move nor any exchange that wins material changes what stands on the board.
 */
#ifndef ROOKERY_TOOLS_TUNER_GAME_H
#define ROOKERY_TOOLS_TUNER_GAME_H

#include "base/status.h"
#include "tools/tuner/sample.h"

enum { GAME_PLIES_MAX = 400 }; /* a longer game is a draw */

typedef struct {
    const Position *openings; /* borrowed */
    int opening_count;        /* at least 1 */
    uint64_t nodes;           /* of each search */
    uint64_t seed;            /* of all games */
} GameSettings;

typedef struct {
    Sample samples[GAME_PLIES_MAX]; /* the quiet positions, in order */
    int count;
    int halves; /* White's points, doubled */
    int plies;  /* played after the opening; 0: no even opening was found, and no samples */
} GameRecord;

/* A search with its table, for one game after the other. */
typedef struct GamePlayer GamePlayer;

/* Makes a player. Errors: STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status game_player_new(GamePlayer **player);

/* Frees it and nulls the pointer; NULL is allowed. */
void game_player_destroy(GamePlayer **player);

/* Plays the `number`th game, from any state of the player. */
void game_play(GamePlayer *player, const GameSettings *settings, int number, GameRecord *record);

#endif
