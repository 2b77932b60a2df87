/*
 * The vocabulary of chess: colours, pieces, squares, moves.
 *
 * Squares count a1 = 0, b1 = 1, ... h8 = 63 (little-endian rank-file mapping). A move is 16 bits:
 *
 *     bits 0-5 from, 6-11 to, 12-13 promotion piece minus KNIGHT, 14-15 MoveFlag
 *
 * Castling is encoded as "king takes own rook" for every variant, so that Chess960 needs no case
 * of its own; only the notation layer (notation.h) knows that a standard game writes e1g1.
 */
#ifndef ROOKERY_CHESS_TYPES_H
#define ROOKERY_CHESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; /* one bit a square, a1 is bit 0 */
typedef uint8_t Square;    /* 0 to 63, or SQUARE_NONE */

typedef enum { WHITE, BLACK } Color;
enum { COLOR_COUNT = 2 };

typedef enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE_TYPE } PieceType;
enum { PIECE_TYPE_COUNT = 6 };

/* A coloured piece: color * 8 + type; NO_PIECE marks an empty square. */
typedef uint8_t Piece;
enum { NO_PIECE = NO_PIECE_TYPE, PIECE_COUNT = 16 };

enum { SQUARE_COUNT = 64, SQUARE_NONE = 64, FILE_COUNT = 8, RANK_COUNT = 8 };

/* Named squares that castling and tests need. */
enum {
    SQUARE_A1 = 0,
    SQUARE_C1 = 2,
    SQUARE_D1 = 3,
    SQUARE_E1 = 4,
    SQUARE_F1 = 5,
    SQUARE_G1 = 6,
    SQUARE_H1 = 7,
    SQUARE_A8 = 56,
    SQUARE_E8 = 60,
    SQUARE_H8 = 63,
};

/*
 * Room for all moves of a position. The most that one of a game has is 218; of set-ups, where 15
 * men may be queens, 241 are known. Should there be one with 256 or more, the rest is left out.
 */
enum { MOVES_MAX = 256 };

/* The deepest ply that a search of ours can reach. */
enum { PLY_MAX = 128 };

typedef uint16_t Move;
enum { MOVE_NONE = 0 };

typedef enum { MOVE_NORMAL, MOVE_PROMOTION, MOVE_EN_PASSANT, MOVE_CASTLING } MoveFlag;

/* Castling rights: one bit each, index = color * 2 + side. */
typedef enum { KING_SIDE, QUEEN_SIDE } CastlingSide;
enum { CASTLING_COUNT = 4, CASTLING_ALL = 15 };

static inline Color color_other(Color color)
{
    return (Color)(color ^ 1);
}

static inline Piece piece_make(Color color, PieceType type)
{
    return (Piece)((unsigned)color * 8 + type);
}

static inline PieceType piece_type(Piece piece)
{
    return (PieceType)(piece & 7);
}

/* Must not be asked of NO_PIECE. */
static inline Color piece_color(Piece piece)
{
    return (Color)(piece >> 3);
}

static inline Square square_make(int file, int rank)
{
    return (Square)(rank * 8 + file);
}

static inline int square_file(Square square)
{
    return square & 7;
}

static inline int square_rank(Square square)
{
    return square >> 3;
}

/* The rank as `color` sees it: 0 is its own back rank. */
static inline int square_relative_rank(Color color, Square square)
{
    return square_rank(square) ^ (color == WHITE ? 0 : 7);
}

/* The square mirrored top to bottom for Black, unchanged for White. */
static inline Square square_relative(Color color, Square square)
{
    return (Square)(square ^ (color == WHITE ? 0 : 56));
}

static inline Move move_make(Square from, Square to)
{
    return (Move)(from | (to << 6));
}

static inline Move move_make_flag(Square from, Square to, MoveFlag flag)
{
    return (Move)(from | (to << 6) | ((unsigned)flag << 14));
}

static inline Move move_make_promotion(Square from, Square to, PieceType promotion)
{
    return (Move)(from | (to << 6) | (((unsigned)promotion - KNIGHT) << 12) |
                  (MOVE_PROMOTION << 14));
}

static inline Square move_from(Move move)
{
    return (Square)(move & 63);
}

static inline Square move_to(Move move)
{
    return (Square)((move >> 6) & 63);
}

static inline MoveFlag move_flag(Move move)
{
    return (MoveFlag)(move >> 14);
}

/* Meaningful for MOVE_PROMOTION alone. */
static inline PieceType move_promotion(Move move)
{
    return (PieceType)(((move >> 12) & 3) + KNIGHT);
}

/* Whether `move` is one of the `count` moves. */
static inline bool move_is_among(Move move, const Move *moves, int count)
{
    for (int i = 0; i < count; i++) {
        if (moves[i] == move) {
            return true;
        }
    }
    return false;
}

static inline unsigned castling_index(Color color, CastlingSide side)
{
    return (unsigned)color * 2 + (unsigned)side;
}

static inline unsigned castling_bit(Color color, CastlingSide side)
{
    return 1U << castling_index(color, side);
}

#endif
