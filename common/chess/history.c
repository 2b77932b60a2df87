#include "chess/history.h"

#include <string.h>

#include "chess/movegen.h"

enum { FIFTY_MOVES_HALF = 100 };

void history_clear(History *history)
{
    history->count = 0;
}

void history_push_game(History *history, const Position *position, const Position *after)
{
    if (after->rule50 == 0) {
        history->count = 0;
        return;
    }
    if (history->count == HISTORY_GAME_KEYS_MAX) {
        memmove(history->keys, history->keys + 1, (HISTORY_GAME_KEYS_MAX - 1) * sizeof(uint64_t));
        history->count--;
    }
    history->keys[history->count++] = position->key;
}

void history_push(History *history, const Position *position)
{
    CHECK_HOT(history->count < HISTORY_KEYS_MAX);
    history->keys[history->count++] = position->key;
}

void history_pop(History *history)
{
    CHECK_HOT(history->count > 0);
    history->count--;
}

/*
 * Earlier equal positions within reach, newest first, up to `wanted`; `newest_distance` is how many
 * plies back the newest of them is (untouched when there is none).
 */
static int count_equal(const History *history, const Position *position, int wanted,
                       int *newest_distance)
{
    const int reach = position->rule50 < history->count ? position->rule50 : history->count;
    int found = 0;
    /* Only every second position has the same side to move, and two plies repeat nothing. */
    for (int distance = 4; distance <= reach; distance += 2) {
        if (history->keys[history->count - distance] == position->key) {
            if (found++ == 0) {
                *newest_distance = distance;
            }
            if (found == wanted) {
                break;
            }
        }
    }
    return found;
}

int history_repetitions(const History *history, const Position *position)
{
    int newest_distance = 0;
    return count_equal(history, position, HISTORY_KEYS_MAX, &newest_distance);
}

bool history_is_repetition(const History *history, const Position *position, int ply)
{
    int newest_distance = 0;
    const int found = count_equal(history, position, 2, &newest_distance);
    return found >= 2 || (found == 1 && newest_distance < ply);
}

bool history_is_fifty_moves(const Position *position)
{
    return position->rule50 >= FIFTY_MOVES_HALF &&
           (!position_in_check(position) || movegen_any(position));
}
