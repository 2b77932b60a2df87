/*
 * History: the keys of the positions behind the current one, for repetitions.
 *
 * The keys of the game come first, those of the search tree after them. Only positions since the
 * last irreversible move can repeat, so the game part keeps at most HISTORY_GAME_KEYS_MAX keys:
 * older ones are forgotten, which loses nothing because the 50-move rule has ended the game by
 * then.
 */
#ifndef ROOKERY_CHESS_HISTORY_H
#define ROOKERY_CHESS_HISTORY_H

#include "chess/position.h"

enum { HISTORY_GAME_KEYS_MAX = 160, HISTORY_KEYS_MAX = HISTORY_GAME_KEYS_MAX + PLY_MAX + 8 };

typedef struct {
    uint64_t keys[HISTORY_KEYS_MAX]; /* oldest first; the current position is not among them */
    int count;
} History;

void history_clear(History *history);

/*
 * Records `position` as left behind by a move played in the game: `after` is the position that the
 * move led to. An irreversible move empties the history.
 */
void history_push_game(History *history, const Position *position, const Position *after);

/* In the tree: remembers the position that is being left, and forgets it again. */
void history_push(History *history, const Position *position);
void history_pop(History *history);

/* How many earlier positions equal `position`, as far back as its 50-move counter reaches. */
int history_repetitions(const History *history, const Position *position);

/*
 * Whether a search at `ply` plies below its root may call the position a draw by repetition: it
 * stood once before inside the tree, or twice at all (the root position itself belongs to the
 * game).
 */
bool history_is_repetition(const History *history, const Position *position, int ply);

/* Draw by the 50-move rule: 100 half moves, and not checkmate, which takes precedence. */
bool history_is_fifty_moves(const Position *position);

#endif
