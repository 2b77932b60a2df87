/*
 * Split: the bookkeeping of a search's split points and of the shares it has given away.
 *
 * A split point is a node of the search's stack whose remaining moves have been taken from its
 * picker into a list. The node's own loop takes moves from the front; a share is dealt from the
 * list, every so many moves, and what a share did not get done comes back to it. Nothing here
 * searches or talks: that is sharing.c.
 *
 * Lists are in the node's order and small; one search has few split points at a time, so that all
 * is kept in fixed arrays and found by looking through them.
 */
#ifndef ROOKERY_SEARCH_SPLIT_H
#define ROOKERY_SEARCH_SPLIT_H

#include "chess/movegen.h"
#include "messages/messages.h"

enum { SPLITS_MAX = 32, SHARES_MAX = MESSAGE_SHARES_MAX };

/* A node of the search's stack (node.h). */
typedef struct Node Node;

typedef struct {
    Node *node;                 /* NULL: free */
    int count;                  /* moves still to be searched */
    Move moves[MOVES_MAX];      /* in the node's order */
    uint8_t numbers[MOVES_MAX]; /* each one's place in that order, from 1 */
    int shares_out;
} Split;

typedef struct {
    uint32_t number; /* 0: free */
    Split *split;    /* where its moves are from */
    int count;
    Move moves[MOVES_MAX];
    uint8_t numbers[MOVES_MAX];
} Share;

typedef struct {
    Split splits[SPLITS_MAX];
    Share shares[SHARES_MAX];
    uint32_t last_number; /* of the newest share: numbers never repeat within a job */
} SplitTable;

/* Forgets everything. */
void split_clear(SplitTable *table);

/* A split point without moves for `node`, or NULL when there are too many. */
Split *split_open(SplitTable *table, Node *node);

/* The split point is over; its shares must have been dropped. */
void split_close(Split *split);

/* Appends a move. */
void split_add(Split *split, Move move, int number);

/* Takes the first move; false when there is none. */
bool split_next(Split *split, Move *move, int *number);

/* Deals every `stride`th move, beginning with the first, as a new share; NULL when there are no
 * moves or too many shares.
 */
Share *split_deal(SplitTable *table, Split *split, int stride);

/* The share with this number, or NULL. */
Share *split_find(SplitTable *table, uint32_t number);

/* Puts the moves of the share that are not among `costs` back into its list, in order. */
void split_take_back(Share *share, const MoveCost *costs, int cost_count);

/* Forgets the share. */
void split_drop(Share *share);

#endif
