/*
 * Move generation: strictly legal moves, whole or in stages, with pins and evasions by masks.
 *
 * The captures stage holds captures, en passant and all promotions; the quiets stage holds
 * the rest, castling too. Together they are exactly the legal moves.
 */
#ifndef ROOKERY_CHESS_MOVEGEN_H
#define ROOKERY_CHESS_MOVEGEN_H

#include "chess/position.h"

/* Lists of fewer than MOVES_MAX moves; the margin is for a generator that looks too late. */
enum { MOVE_LIST_MARGIN = 32 };

typedef struct {
    Move moves[MOVES_MAX + MOVE_LIST_MARGIN];
    int count; /* below MOVES_MAX */
} MoveList;

/* Fills `list` with every legal move, each once, in no promised order. */
void movegen_all(const Position *position, MoveList *list);

/* Each of these *appends* its stage's legal moves to `list`, whose count must be set. */
void movegen_captures(const Position *position, MoveList *list);
void movegen_quiets(const Position *position, MoveList *list);

/* The number of legal moves, without making a list. */
int movegen_count(const Position *position);

/* Whether there is a legal move at all. */
bool movegen_any(const Position *position);

/*
 * Whether `move` is legal here. Any 16 bits may be asked (a corrupt table entry, a move typed by
 * a person or sent by a peer): this never trusts the move.
 */
bool movegen_is_legal(const Position *position, Move move);

#endif
