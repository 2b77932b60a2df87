#include "uci_bridge/core/uci_game.h"

#include <string.h>

void uci_game_start(UciGame *game, const Position *start)
{
    game->position = *start;
    game->base = *start;
    game->move_count = 0;
    history_clear(&game->history);
}

/* Makes room for one more move by playing the oldest one on the base. */
static void forget_oldest(UciGame *game)
{
    Position next;
    position_make(&game->base, game->moves[0], &next);
    game->base = next;
    game->move_count--;
    memmove(game->moves, game->moves + 1, (size_t)game->move_count * sizeof game->moves[0]);
}

void uci_game_play(UciGame *game, Move move)
{
    Position after;
    position_make(&game->position, move, &after);
    history_push_game(&game->history, &game->position, &after);
    if (after.rule50 == 0) {
        game->base = after;
        game->move_count = 0;
    } else {
        if (game->move_count == MESSAGE_GAME_MOVES_MAX) {
            forget_oldest(game);
        }
        game->moves[game->move_count++] = move;
    }
    game->position = after;
}

void uci_game_write(const UciGame *game, GamePosition *out)
{
    fen_write(&game->base, out->fen);
    out->chess960 = game->base.chess960;
    out->move_count = game->move_count;
    memcpy(out->moves, game->moves, (size_t)game->move_count * sizeof game->moves[0]);
}

void uci_game_trim_line(const Position *position, const History *history, Line *line)
{
    Position positions[2] = {*position};
    History past = *history;
    const int length = line->length < PLY_MAX ? line->length : PLY_MAX;
    int valid = 0;
    while (valid < length) {
        const Position *from = &positions[valid % 2];
        Position *to = &positions[(valid + 1) % 2];
        if (!movegen_is_legal(from, line->moves[valid])) {
            break;
        }
        position_make(from, line->moves[valid], to);
        history_push(&past, from);
        valid++;
        if (history_repetitions(&past, to) >= 2 || history_is_fifty_moves(to)) {
            break;
        }
    }
    line->length = valid;
}
