#include "worker/search/split.h"

#include <string.h>

#include "base/check.h"

void split_clear(SplitTable *table)
{
    for (int i = 0; i < SPLITS_MAX; i++) {
        table->splits[i].node = NULL;
    }
    for (int i = 0; i < SHARES_MAX; i++) {
        table->shares[i].number = 0;
    }
    table->last_number = 0;
}

Split *split_open(SplitTable *table, Node *node)
{
    for (int i = 0; i < SPLITS_MAX; i++) {
        Split *split = &table->splits[i];
        if (split->node == NULL) {
            split->node = node;
            split->count = 0;
            split->shares_out = 0;
            return split;
        }
    }
    return NULL;
}

void split_close(Split *split)
{
    CHECK(split->shares_out == 0);
    split->node = NULL;
}

void split_add(Split *split, Move move, int number)
{
    split->moves[split->count] = move;
    split->numbers[split->count] = (uint8_t)number;
    split->count++;
}

bool split_next(Split *split, Move *move, int *number)
{
    if (split->count == 0) {
        return false;
    }
    *move = split->moves[0];
    *number = split->numbers[0];
    split->count--;
    memmove(split->moves, split->moves + 1, (size_t)split->count * sizeof(Move));
    memmove(split->numbers, split->numbers + 1, (size_t)split->count);
    return true;
}

static Share *free_share(SplitTable *table)
{
    for (int i = 0; i < SHARES_MAX; i++) {
        if (table->shares[i].number == 0) {
            return &table->shares[i];
        }
    }
    return NULL;
}

Share *split_deal(SplitTable *table, Split *split, int stride)
{
    Share *share = split->count > 0 ? free_share(table) : NULL;
    if (share == NULL) {
        return NULL;
    }
    share->number = ++table->last_number;
    share->split = split;
    share->count = 0;
    int kept = 0;
    for (int i = 0; i < split->count; i++) {
        if (i % stride == 0) {
            share->moves[share->count] = split->moves[i];
            share->numbers[share->count++] = split->numbers[i];
        } else {
            split->moves[kept] = split->moves[i];
            split->numbers[kept++] = split->numbers[i];
        }
    }
    split->count = kept;
    split->shares_out++;
    return share;
}

Share *split_find(SplitTable *table, uint32_t number)
{
    for (int i = 0; i < SHARES_MAX; i++) {
        if (table->shares[i].number == number && number != 0) {
            return &table->shares[i];
        }
    }
    return NULL;
}

/* Inserts a move at its place in the node's order. */
static void insert(Split *split, Move move, uint8_t number)
{
    int to = split->count++;
    while (to > 0 && split->numbers[to - 1] > number) {
        split->moves[to] = split->moves[to - 1];
        split->numbers[to] = split->numbers[to - 1];
        to--;
    }
    split->moves[to] = move;
    split->numbers[to] = number;
}

void split_take_back(Share *share, const MoveCost *costs, int cost_count)
{
    for (int i = 0; i < share->count; i++) {
        if (!move_cost_is_among(share->moves[i], costs, cost_count)) {
            insert(share->split, share->moves[i], share->numbers[i]);
        }
    }
}

void split_drop(Share *share)
{
    share->split->shares_out--;
    share->number = 0;
}
