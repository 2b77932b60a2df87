/*
 * Position: one chess position, complete for generation, search and hashing.
 *
 * A Position is a plain value: making a move writes a new one and leaves the old untouched
 * (copy-make), so there is no unmake and a parent is always at hand. It knows nothing of the
 * game before it; repetition needs History (history.h).
 *
 * Invariants, true of every Position that leaves this library:
 *  1. Each side has exactly one king and at most 16 pieces; no pawn stands on rank 1 or 8.
 *  2. The side not to move is not in check.
 *  3. A castling right implies its king and rook on their back rank, the rook on its side.
 *  4. `en_passant` is set only when an en passant capture is legal, so that equal positions have
 *     equal keys (FIDE 9.2.3, and the Polyglot format).
 *  5. `checkers`, `pinned` and the keys agree with the board.
 */
#ifndef ROOKERY_CHESS_POSITION_H
#define ROOKERY_CHESS_POSITION_H

#include "chess/attacks.h"

typedef struct {
    Bitboard by_type[PIECE_TYPE_COUNT];
    Bitboard by_color[COLOR_COUNT];
    Piece board[SQUARE_COUNT];
    uint64_t key;                         /* Zobrist key of everything but rule50 */
    uint64_t pawn_key;                    /* of the pawns of both sides alone */
    uint64_t non_pawn_key[COLOR_COUNT];   /* of one side's pieces without pawns, king included */
    Bitboard checkers;                    /* enemy pieces that attack the king to move */
    Bitboard pinned;                      /* pieces of the side to move pinned to their king */
    uint16_t full_move;                   /* as in FEN, from 1; saturates at 65535 */
    uint16_t rule50;                      /* half moves since the last capture or pawn move */
    uint8_t side;                         /* Color to move */
    uint8_t castling;                     /* castling_bit of each right left */
    Square en_passant;                    /* target square, or SQUARE_NONE */
    bool chess960;                        /* castling is written king-takes-rook */
    Square castling_rook[CASTLING_COUNT]; /* where each right's rook stands; by castling_index */
} Position;

static inline Color position_side(const Position *position)
{
    return (Color)position->side;
}

static inline Bitboard position_occupied(const Position *position)
{
    return position->by_color[WHITE] | position->by_color[BLACK];
}

static inline Bitboard position_pieces(const Position *position, Color color, PieceType type)
{
    return position->by_color[color] & position->by_type[type];
}

static inline Square position_king(const Position *position, Color color)
{
    return bitboard_first(position_pieces(position, color, KING));
}

static inline PieceType position_type_on(const Position *position, Square square)
{
    return piece_type(position->board[square]);
}

static inline bool position_in_check(const Position *position)
{
    return position->checkers != 0;
}

/* Knights, bishops, rooks and queens of `color`. */
static inline Bitboard position_officers(const Position *position, Color color)
{
    return position->by_color[color] & ~(position->by_type[PAWN] | position->by_type[KING]);
}

/* All pieces of both colours that attack `square`, sliders seeing through nothing in `occupied`. */
Bitboard position_attackers(const Position *position, Square square, Bitboard occupied);

/* Whether `color` attacks `square` when exactly `occupied` stands on the board. */
bool position_is_attacked(const Position *position, Square square, Color by, Bitboard occupied);

/*
 * Writes to `to` the position after a legal `move` in `from`. The two must not overlap. The move
 * must be legal (movegen.h); nothing is checked in a release.
 */
void position_make(const Position *from, Move move, Position *to);

/* Writes the position after passing. The side to move must not be in check. */
void position_make_null(const Position *from, Position *to);

/*
 * The key that position_make would give for most moves, in less time (TT prefetch). It differs
 * where the move castles, promotes, takes en passant, or changes castling or en passant rights.
 */
uint64_t position_key_after(const Position *position, Move move);

/* Whether the move takes something (en passant too; castling never does). */
static inline bool move_is_capture(const Position *position, Move move)
{
    return move_flag(move) == MOVE_EN_PASSANT ||
           (move_flag(move) != MOVE_CASTLING && position->board[move_to(move)] != NO_PIECE);
}

/* A capture or a promotion: what quiescence and the capture stage of the move picker handle. */
static inline bool move_is_tactical(const Position *position, Move move)
{
    return move_is_capture(position, move) || move_flag(move) == MOVE_PROMOTION;
}

/* Whether the legal `move` gives check, en passant, promotion and castling included. */
bool position_gives_check(const Position *position, Move move);

/* Neither side can mate by any sequence of legal moves: bare kings, one minor, or bishops all on
   squares of one colour. */
bool position_is_insufficient(const Position *position);

/*
 * Recomputes checkers, pins and all keys from board, side, castling and en passant.
 * For code that sets up a board by hand (fen.c, tests).
 */
void position_refresh(Position *position);

/* Whether every numbered invariant above holds. Slow; for tests and CHECK. */
bool position_is_consistent(const Position *position);

#endif
