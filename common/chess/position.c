#include "chess/position.h"

#include <string.h>

#include "chess/zobrist.h"

Bitboard position_attackers(const Position *position, Square square, Bitboard occupied)
{
    const Bitboard *types = position->by_type;
    const Bitboard diagonal = types[BISHOP] | types[QUEEN];
    const Bitboard straight = types[ROOK] | types[QUEEN];
    return (attacks_pawn(BLACK, square) & position_pieces(position, WHITE, PAWN)) |
           (attacks_pawn(WHITE, square) & position_pieces(position, BLACK, PAWN)) |
           (attacks_knight(square) & types[KNIGHT]) | (attacks_king(square) & types[KING]) |
           (attacks_bishop(square, occupied) & diagonal) |
           (attacks_rook(square, occupied) & straight);
}

bool position_is_attacked(const Position *position, Square square, Color by, Bitboard occupied)
{
    const Bitboard *types = position->by_type;
    /* A piece that `occupied` leaves out has been taken: it attacks nothing. */
    const Bitboard enemies = position->by_color[by] & occupied;
    const Bitboard leapers = (attacks_pawn(color_other(by), square) & types[PAWN]) |
                             (attacks_knight(square) & types[KNIGHT]) |
                             (attacks_king(square) & types[KING]);
    if (leapers & enemies) {
        return true;
    }
    const Bitboard diagonal = (types[BISHOP] | types[QUEEN]) & enemies;
    const Bitboard straight = (types[ROOK] | types[QUEEN]) & enemies;
    return (attacks_bishop(square, occupied) & diagonal) ||
           (attacks_rook(square, occupied) & straight);
}

/* Finds who checks the side to move and which of its pieces are pinned to their king. */
static inline void update_checks(Position *position)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    const Square king = position_king(position, us);
    const Bitboard occupied = position_occupied(position);
    const Bitboard enemies = position->by_color[them];
    const Bitboard *types = position->by_type;

    Bitboard checkers =
        (attacks_pawn(us, king) & types[PAWN]) | (attacks_knight(king) & types[KNIGHT]);
    Bitboard pinned = 0;

    /* Enemy sliders that would see the king on a board of enemy pieces only. */
    Bitboard snipers = (attacks_bishop(king, enemies) & (types[BISHOP] | types[QUEEN])) |
                       (attacks_rook(king, enemies) & (types[ROOK] | types[QUEEN]));
    checkers &= enemies;
    snipers &= enemies;
    while (snipers) {
        const Square sniper = bitboard_pop(&snipers);
        const Bitboard blockers = attacks_between(king, sniper) & occupied;
        if (blockers == 0) {
            checkers |= bitboard_square(sniper);
        } else if (!bitboard_has_several(blockers)) {
            pinned |= blockers;
        }
    }
    position->checkers = checkers;
    position->pinned = pinned;
}

static inline void key_toggle(Position *position, Piece piece, Square square)
{
    const uint64_t number = zobrist_tables.piece[piece][square];
    position->key ^= number;
    if (piece_type(piece) == PAWN) {
        position->pawn_key ^= number;
    } else {
        position->non_pawn_key[piece_color(piece)] ^= number;
    }
}

static inline void put_piece(Position *position, Piece piece, Square square)
{
    const Bitboard here = bitboard_square(square);
    position->by_type[piece_type(piece)] |= here;
    position->by_color[piece_color(piece)] |= here;
    position->board[square] = piece;
    key_toggle(position, piece, square);
}

static inline void take_piece(Position *position, Piece piece, Square square)
{
    const Bitboard here = bitboard_square(square);
    position->by_type[piece_type(piece)] ^= here;
    position->by_color[piece_color(piece)] ^= here;
    position->board[square] = NO_PIECE;
    key_toggle(position, piece, square);
}

static inline void set_castling(Position *position, unsigned castling)
{
    position->key ^= zobrist_tables.castling[position->castling ^ castling];
    position->castling = (uint8_t)castling;
}

/* The rights that end when a rook leaves or is taken on `square`. */
static inline unsigned castling_of_rook(const Position *position, Square square)
{
    unsigned rights = 0;
    for (unsigned right = 0; right < CASTLING_COUNT; right++) {
        rights |= (unsigned)(position->castling_rook[right] == square) << right;
    }
    return rights;
}

/* Drops the rights that end with a move of `piece` that takes `victim` (or NO_PIECE). */
static inline void drop_castling(Position *position, Move move, Piece piece, Piece victim)
{
    unsigned lost = 0;
    if (piece_type(piece) == KING) {
        const Color us = piece_color(piece);
        lost = castling_bit(us, KING_SIDE) | castling_bit(us, QUEEN_SIDE);
    } else if (piece_type(piece) == ROOK) {
        lost = castling_of_rook(position, move_from(move));
    }
    if (piece_type(victim) == ROOK) {
        lost |= castling_of_rook(position, move_to(move));
    }
    if (position->castling & lost) {
        set_castling(position, position->castling & ~lost);
    }
}

/* The side to move has a pawn on `candidates` that may legally take en passant on `target`. */
static bool en_passant_is_legal(const Position *position, Square target, Bitboard candidates)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    const Square king = position_king(position, us);
    const Square victim = (Square)(target ^ 8);
    while (candidates) {
        const Square from = bitboard_pop(&candidates);
        const Bitboard occupied =
            (position_occupied(position) ^ bitboard_square(from) ^ bitboard_square(victim)) |
            bitboard_square(target);
        if (!position_is_attacked(position, king, them, occupied)) {
            return true;
        }
    }
    return false;
}

static void make_castling(Position *position, Color us, Square king, Square rook)
{
    const int rank = square_rank(king);
    const bool king_side = rook > king;
    take_piece(position, piece_make(us, KING), king);
    take_piece(position, piece_make(us, ROOK), rook);
    put_piece(position, piece_make(us, KING), square_make(king_side ? 6 : 2, rank));
    put_piece(position, piece_make(us, ROOK), square_make(king_side ? 5 : 3, rank));
}

/* After a double step: notes the target square if, and only if, it can be captured on. */
static void note_en_passant(Position *position, Square target)
{
    const Color us = position_side(position);
    const Bitboard candidates =
        attacks_pawn(color_other(us), target) & position_pieces(position, us, PAWN);
    if (candidates && en_passant_is_legal(position, target, candidates)) {
        position->en_passant = target;
        position->key ^= zobrist_tables.en_passant[square_file(target)];
    }
}

void position_make(const Position *from, Move move, Position *to)
{
    *to = *from;
    const Color us = position_side(from);
    const Color them = color_other(us);
    const Square origin = move_from(move);
    const Square target = move_to(move);
    const Piece piece = from->board[origin];
    const MoveFlag flag = move_flag(move);
    CHECK_HOT(piece != NO_PIECE && piece_color(piece) == us);

    to->side = (uint8_t)them;
    to->key ^= zobrist_tables.side;
    to->rule50 = (uint16_t)(from->rule50 + 1);
    to->full_move = (uint16_t)(from->full_move + (us == BLACK && from->full_move < UINT16_MAX));
    if (from->en_passant != SQUARE_NONE) {
        to->key ^= zobrist_tables.en_passant[square_file(from->en_passant)];
        to->en_passant = SQUARE_NONE;
    }
    if (from->castling) {
        drop_castling(to, move, piece, from->board[target]);
    }

    if (flag == MOVE_CASTLING) {
        make_castling(to, us, origin, target);
        update_checks(to);
        return;
    }
    const Square victim_square = flag == MOVE_EN_PASSANT ? (Square)(target ^ 8) : target;
    const Piece victim = from->board[victim_square];
    if (victim != NO_PIECE) {
        CHECK_HOT(piece_color(victim) == them && piece_type(victim) != KING);
        take_piece(to, victim, victim_square);
        to->rule50 = 0;
    }
    take_piece(to, piece, origin);
    put_piece(to, flag == MOVE_PROMOTION ? piece_make(us, move_promotion(move)) : piece, target);
    if (piece_type(piece) == PAWN) {
        to->rule50 = 0;
        if ((origin ^ target) == 16) {
            note_en_passant(to, (Square)((origin + target) / 2));
        }
    }
    update_checks(to);
}

void position_make_null(const Position *from, Position *to)
{
    CHECK_HOT(!position_in_check(from));
    *to = *from;
    to->side = (uint8_t)color_other(position_side(from));
    to->key ^= zobrist_tables.side;
    to->rule50 = (uint16_t)(from->rule50 + 1);
    if (from->en_passant != SQUARE_NONE) {
        to->key ^= zobrist_tables.en_passant[square_file(from->en_passant)];
        to->en_passant = SQUARE_NONE;
    }
    update_checks(to);
}

uint64_t position_key_after(const Position *position, Move move)
{
    const Piece piece = position->board[move_from(move)];
    const Piece victim = position->board[move_to(move)];
    uint64_t key = position->key ^ zobrist_tables.side ^
                   zobrist_tables.piece[piece][move_from(move)] ^
                   zobrist_tables.piece[piece][move_to(move)];
    if (victim != NO_PIECE) {
        key ^= zobrist_tables.piece[victim][move_to(move)];
    }
    return key;
}

/* Whether a slider of `us` other than those on the changed squares sees the enemy king. */
static bool slider_sees(const Position *position, Color us, Square king, Bitboard occupied,
                        Bitboard unchanged)
{
    const Bitboard *types = position->by_type;
    const Bitboard ours = position->by_color[us] & unchanged;
    return (attacks_bishop(king, occupied) & (types[BISHOP] | types[QUEEN]) & ours) ||
           (attacks_rook(king, occupied) & (types[ROOK] | types[QUEEN]) & ours);
}

bool position_gives_check(const Position *position, Move move)
{
    const Color us = position_side(position);
    const Square from = move_from(move);
    const Square to = move_to(move);
    const Square king = position_king(position, color_other(us));
    const MoveFlag flag = move_flag(move);
    Bitboard occupied = position_occupied(position) & ~bitboard_square(from);

    if (flag == MOVE_CASTLING) {
        const int rank = square_rank(from);
        const Square king_to = square_make(to > from ? 6 : 2, rank);
        const Square rook_to = square_make(to > from ? 5 : 3, rank);
        occupied &= ~bitboard_square(to);
        occupied |= bitboard_square(king_to) | bitboard_square(rook_to);
        return bitboard_has(attacks_rook(rook_to, occupied), king);
    }
    occupied |= bitboard_square(to);
    if (flag == MOVE_EN_PASSANT) {
        occupied &= ~bitboard_square((Square)(to ^ 8));
    }
    const PieceType type =
        flag == MOVE_PROMOTION ? move_promotion(move) : position_type_on(position, from);
    const Bitboard direct = type == PAWN ? attacks_pawn(us, to) : attacks_piece(type, to, occupied);
    if (type != KING && bitboard_has(direct, king)) {
        return true;
    }
    /* A discovered check needs the mover, or the pawn taken en passant, in line with the king. */
    if (attacks_line(king, from) == 0 && flag != MOVE_EN_PASSANT) {
        return false;
    }
    return slider_sees(position, us, king, occupied, ~bitboard_square(from));
}

bool position_is_insufficient(const Position *position)
{
    const Bitboard *types = position->by_type;
    if (types[PAWN] | types[ROOK] | types[QUEEN]) {
        return false;
    }
    const Bitboard bishops = types[BISHOP];
    if (types[KNIGHT] == 0) {
        return (bishops & BITBOARD_LIGHT) == 0 || (bishops & BITBOARD_DARK) == 0;
    }
    return bishops == 0 && !bitboard_has_several(types[KNIGHT]);
}

void position_refresh(Position *position)
{
    position->key = zobrist_tables.castling[position->castling];
    position->pawn_key = 0;
    position->non_pawn_key[WHITE] = 0;
    position->non_pawn_key[BLACK] = 0;
    if (position->side == BLACK) {
        position->key ^= zobrist_tables.side;
    }
    if (position->en_passant != SQUARE_NONE) {
        position->key ^= zobrist_tables.en_passant[square_file(position->en_passant)];
    }
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        if (position->board[square] != NO_PIECE) {
            key_toggle(position, position->board[square], square);
        }
    }
    update_checks(position);
}

/* Invariant 1, and that the bitboards say what the board says. */
static bool board_is_consistent(const Position *position)
{
    Bitboard by_type[PIECE_TYPE_COUNT] = {0};
    Bitboard by_color[COLOR_COUNT] = {0};
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        if (piece != NO_PIECE) {
            if (piece_type(piece) > KING || piece >= PIECE_COUNT) {
                return false;
            }
            by_type[piece_type(piece)] |= bitboard_square(square);
            by_color[piece_color(piece)] |= bitboard_square(square);
        }
    }
    const Bitboard kings = by_type[KING];
    return memcmp(by_type, position->by_type, sizeof by_type) == 0 &&
           memcmp(by_color, position->by_color, sizeof by_color) == 0 &&
           bitboard_count(kings & by_color[WHITE]) == 1 &&
           bitboard_count(kings & by_color[BLACK]) == 1 && bitboard_count(by_color[WHITE]) <= 16 &&
           bitboard_count(by_color[BLACK]) <= 16 &&
           (by_type[PAWN] & (BITBOARD_RANK_1 | BITBOARD_RANK_8)) == 0;
}

/* Invariant 3. */
static bool castling_is_consistent(const Position *position)
{
    for (unsigned right = 0; right < CASTLING_COUNT; right++) {
        if ((position->castling & (1U << right)) == 0) {
            continue;
        }
        const Color color = (Color)(right / 2);
        const Square king = position_king(position, color);
        const Square rook = position->castling_rook[right];
        const bool king_side = right % 2 == KING_SIDE;
        if (rook >= SQUARE_COUNT || position->board[rook] != piece_make(color, ROOK) ||
            square_relative_rank(color, king) != 0 || square_relative_rank(color, rook) != 0 ||
            (rook > king) != king_side) {
            return false;
        }
    }
    return true;
}

/* Invariant 4. */
static bool en_passant_is_consistent(const Position *position)
{
    const Square target = position->en_passant;
    if (target == SQUARE_NONE) {
        return true;
    }
    const Color us = position_side(position);
    const Color them = color_other(us);
    const Bitboard candidates = attacks_pawn(them, target) & position_pieces(position, us, PAWN);
    return square_relative_rank(us, target) == 5 && position->board[target] == NO_PIECE &&
           position->board[target ^ 8] == piece_make(them, PAWN) && candidates != 0 &&
           en_passant_is_legal(position, target, candidates);
}

bool position_is_consistent(const Position *position)
{
    if (!board_is_consistent(position) || !castling_is_consistent(position) ||
        !en_passant_is_consistent(position)) {
        return false;
    }
    const Color us = position_side(position);
    if (position_is_attacked(position, position_king(position, color_other(us)), us,
                             position_occupied(position))) {
        return false;
    }
    Position fresh = *position;
    position_refresh(&fresh);
    return fresh.key == position->key && fresh.pawn_key == position->pawn_key &&
           fresh.non_pawn_key[WHITE] == position->non_pawn_key[WHITE] &&
           fresh.non_pawn_key[BLACK] == position->non_pawn_key[BLACK] &&
           fresh.checkers == position->checkers && fresh.pinned == position->pinned;
}
