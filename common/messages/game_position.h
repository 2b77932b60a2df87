/*
 * GamePosition resolved: from what travels to what a search needs.
 */
#ifndef ROOKERY_MESSAGES_GAME_POSITION_H
#define ROOKERY_MESSAGES_GAME_POSITION_H

#include "base/status.h"
#include "messages/messages.h"

/*
 * Sets up `position` and the keys of the game before it in `history`. Errors: STATUS_INVALID with
 * the reason of a bad FEN, or the number of the first illegal move; both outputs are then void.
 */
__attribute__((warn_unused_result)) Status
game_position_resolve(const GamePosition *game, Position *position, History *history);

#endif
