#include "messages/game_position.h"

Status game_position_resolve(const GamePosition *game, Position *position, History *history)
{
    const Status status = fen_parse(game->fen, FEN_BYTES_MAX, game->chess960, position);
    if (!status_is_ok(&status)) {
        return status;
    }
    history_clear(history);
    for (int i = 0; i < game->move_count; i++) {
        if (!movegen_is_legal(position, game->moves[i])) {
            return status_error(STATUS_INVALID, "move %d of the game is illegal", i + 1);
        }
        Position after;
        position_make(position, game->moves[i], &after);
        history_push_game(history, position, &after);
        *position = after;
    }
    return status_ok();
}
