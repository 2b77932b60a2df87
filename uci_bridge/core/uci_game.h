/*
 * UciGame: the position that the GUI set up and the game that led to it.
 *
 * Invariants: playing `moves` from `base` leads to `position`, and all of them are reversible;
 * `history` holds the keys of the positions passed on the way. A game of any length needs no more:
 * what lies before an irreversible move can never repeat.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_UCI_GAME_H
#define ROOKERY_UCI_BRIDGE_CORE_UCI_GAME_H

#include "messages/messages.h"

typedef struct {
    Position position; /* the current one */
    History history;   /* the positions before it */
    Position base;     /* the one after the last irreversible move, or later */
    int move_count;
    Move moves[MESSAGE_GAME_MOVES_MAX]; /* from `base` to `position` */
} UciGame;

/* Begins a game at `start`. */
void uci_game_start(UciGame *game, const Position *start);

/* Plays a legal move. Of more than MESSAGE_GAME_MOVES_MAX reversible moves the oldest go. */
void uci_game_play(UciGame *game, Move move);

/* The game as messages carry it. */
void uci_game_write(const UciGame *game, GamePosition *out);

/*
 * Cuts a line that came from elsewhere to what can be played and makes sense from `position`: up to
 * the first illegal move, and no further than a mate, a third occurrence (`history` counts too) or
 * the end of the 50-move rule. The length may become 0; one beyond PLY_MAX or below 0 is corrected.
 */
void uci_game_trim_line(const Position *position, const History *history, Line *line);

#endif
