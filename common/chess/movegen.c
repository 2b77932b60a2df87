/*
 * How legality is had without trying moves: `Context` says, once per position, where a move may
 * end (anywhere, or only where it answers the one check) and every pinned piece is kept on the
 * line through its king. Only king moves and en passant need attack tests of their own.
 *
 * Every function is inlined into four entry points with the colour and the Sink's kind as
 * constants, so that counting moves (perft's last ply) costs population counts and no writes.
 */
#include "chess/movegen.h"

#include <stddef.h>

#include "base/clamp.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Where generated moves go: into a list, or only into a count. */
typedef struct {
    Move *next;      /* NULL when only counting */
    const Move *end; /* of the list but for its margin; likewise */
    int count;       /* used when only counting */
} Sink;

typedef enum { STAGE_CAPTURES = 1, STAGE_QUIETS = 2, STAGE_ALL = 3 } Stage;

typedef struct {
    Color us;
    Square king;
    Bitboard occupied;
    Bitboard pinned;
    Bitboard evasions; /* squares that answer a check: all when there is none */
    Bitboard targets;  /* squares where pieces may go in this stage, evasions respected */
} Context;

/* None once the list is full: its margin holds what one piece, pawns and the king have more. */
ALWAYS_INLINE void sink_moves(Sink *sink, bool counting, Square from, Bitboard targets)
{
    if (counting) {
        sink->count += bitboard_count(targets);
        return;
    }
    if (sink->next >= sink->end) {
        return;
    }
    while (targets) {
        *sink->next++ = move_make(from, bitboard_pop(&targets));
    }
}

ALWAYS_INLINE void sink_move(Sink *sink, bool counting, Move move)
{
    if (counting) {
        sink->count++;
    } else {
        *sink->next++ = move;
    }
}

ALWAYS_INLINE void sink_promotions(Sink *sink, bool counting, Square from, Square to)
{
    if (counting) {
        sink->count += 4;
        return;
    }
    *sink->next++ = move_make_promotion(from, to, QUEEN);
    *sink->next++ = move_make_promotion(from, to, KNIGHT);
    *sink->next++ = move_make_promotion(from, to, ROOK);
    *sink->next++ = move_make_promotion(from, to, BISHOP);
}

/* Pawn moves of one kind, each `step` squares long, pinned pawns only along their pin. */
ALWAYS_INLINE void sink_pawns(Sink *sink, bool counting, const Context *context, Bitboard targets,
                              int step, bool promote)
{
    if (counting && !promote && context->pinned == 0) {
        sink->count += bitboard_count(targets);
        return;
    }
    while (targets) {
        const Square to = bitboard_pop(&targets);
        const Square from = (Square)(to - step);
        if (bitboard_has(context->pinned, from) &&
            !bitboard_has(attacks_line(context->king, from), to)) {
            continue;
        }
        if (promote) {
            sink_promotions(sink, counting, from, to);
        } else {
            sink_move(sink, counting, move_make(from, to));
        }
    }
}

ALWAYS_INLINE void generate_pawn_captures(const Position *position, Sink *sink, bool counting,
                                          const Context *context)
{
    const Color us = context->us;
    const int forward = us == WHITE ? 8 : -8;
    const Bitboard last_rank = us == WHITE ? BITBOARD_RANK_8 : BITBOARD_RANK_1;
    const Bitboard pawns = position_pieces(position, us, PAWN);
    const Bitboard ahead = bitboard_shift_forward(us, pawns);
    const Bitboard enemies = position->by_color[color_other(us)] & context->evasions;
    const Bitboard east = bitboard_shift_east(ahead) & enemies;
    const Bitboard west = bitboard_shift_west(ahead) & enemies;
    const Bitboard push = ahead & ~context->occupied & last_rank & context->evasions;

    sink_pawns(sink, counting, context, push, forward, true);
    sink_pawns(sink, counting, context, east & last_rank, forward + 1, true);
    sink_pawns(sink, counting, context, west & last_rank, forward - 1, true);
    sink_pawns(sink, counting, context, east & ~last_rank, forward + 1, false);
    sink_pawns(sink, counting, context, west & ~last_rank, forward - 1, false);
}

ALWAYS_INLINE void generate_pawn_quiets(const Position *position, Sink *sink, bool counting,
                                        const Context *context)
{
    const Color us = context->us;
    const int forward = us == WHITE ? 8 : -8;
    const Bitboard last_rank = us == WHITE ? BITBOARD_RANK_8 : BITBOARD_RANK_1;
    const Bitboard third_rank = us == WHITE ? bitboard_rank(2) : bitboard_rank(5);
    const Bitboard empty = ~context->occupied;
    const Bitboard pawns = position_pieces(position, us, PAWN);
    const Bitboard single = bitboard_shift_forward(us, pawns) & empty & ~last_rank;
    const Bitboard twice = bitboard_shift_forward(us, single & third_rank) & empty;

    sink_pawns(sink, counting, context, single & context->evasions, forward, false);
    sink_pawns(sink, counting, context, twice & context->evasions, 2 * forward, false);
}

/* Two pawns leave the board's ranks at once here, so the king's safety is looked at directly. */
ALWAYS_INLINE void generate_en_passant(const Position *position, Sink *sink, bool counting,
                                       const Context *context)
{
    if (position->en_passant == SQUARE_NONE) {
        return;
    }
    const Color us = context->us;
    const Color them = color_other(us);
    const Square target = position->en_passant;
    const Bitboard victim = bitboard_square((Square)(target ^ 8));
    Bitboard pawns = attacks_pawn(them, target) & position_pieces(position, us, PAWN);
    while (pawns) {
        const Square from = bitboard_pop(&pawns);
        const Bitboard occupied =
            (context->occupied ^ bitboard_square(from) ^ victim) | bitboard_square(target);
        if (!position_is_attacked(position, context->king, them, occupied)) {
            sink_move(sink, counting, move_make_flag(from, target, MOVE_EN_PASSANT));
        }
    }
}

ALWAYS_INLINE void generate_pieces(const Position *position, Sink *sink, bool counting,
                                   const Context *context)
{
    const Bitboard ours = position->by_color[context->us];
    const Bitboard *types = position->by_type;
    const Bitboard occupied = context->occupied;
    const Bitboard free = ours & ~context->pinned;
    const Bitboard pinned = ours & context->pinned;
    const Bitboard targets = context->targets;

    for (Bitboard knights = types[KNIGHT] & free; knights;) { /* a pinned knight never moves */
        const Square from = bitboard_pop(&knights);
        sink_moves(sink, counting, from, attacks_knight(from) & targets);
    }
    for (Bitboard sliders = (types[BISHOP] | types[QUEEN]) & free; sliders;) {
        const Square from = bitboard_pop(&sliders);
        sink_moves(sink, counting, from, attacks_bishop(from, occupied) & targets);
    }
    for (Bitboard sliders = (types[ROOK] | types[QUEEN]) & free; sliders;) {
        const Square from = bitboard_pop(&sliders);
        sink_moves(sink, counting, from, attacks_rook(from, occupied) & targets);
    }
    for (Bitboard sliders = (types[BISHOP] | types[QUEEN]) & pinned; sliders;) {
        const Square from = bitboard_pop(&sliders);
        const Bitboard line = attacks_line(context->king, from);
        sink_moves(sink, counting, from, attacks_bishop(from, occupied) & targets & line);
    }
    for (Bitboard sliders = (types[ROOK] | types[QUEEN]) & pinned; sliders;) {
        const Square from = bitboard_pop(&sliders);
        const Bitboard line = attacks_line(context->king, from);
        sink_moves(sink, counting, from, attacks_rook(from, occupied) & targets & line);
    }
}

/* The king goes to `targets` that nothing attacks once it has left its square. */
ALWAYS_INLINE void generate_king(const Position *position, Sink *sink, bool counting,
                                 const Context *context, Bitboard targets)
{
    const Color them = color_other(context->us);
    const Bitboard behind = context->occupied ^ bitboard_square(context->king);
    Bitboard steps = attacks_king(context->king) & targets;
    while (steps) {
        const Square to = bitboard_pop(&steps);
        if (!position_is_attacked(position, to, them, behind | bitboard_square(to))) {
            sink_move(sink, counting, move_make(context->king, to));
        }
    }
}

/* Chess960's castling, of which the standard one is a case: FIDE guidelines II.3. */
static bool castling_is_legal(const Position *position, Square king, Square rook)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    const int rank = square_rank(king);
    const Square king_to = square_make(rook > king ? 6 : 2, rank);
    const Square rook_to = square_make(rook > king ? 5 : 3, rank);
    const Bitboard others =
        position_occupied(position) ^ bitboard_square(king) ^ bitboard_square(rook);
    const Bitboard king_path = attacks_between(king, king_to) | bitboard_square(king_to);
    const Bitboard rook_path = attacks_between(rook, rook_to) | bitboard_square(rook_to);

    if ((king_path | rook_path) & others) {
        return false;
    }
    const Bitboard without_king = position_occupied(position) ^ bitboard_square(king);
    for (Bitboard path = king_path; path;) {
        if (position_is_attacked(position, bitboard_pop(&path), them, without_king)) {
            return false;
        }
    }
    /* The rook may have shielded the king from the side it came from (Chess960 only). */
    return !position_is_attacked(position, king_to, them,
                                 others | bitboard_square(king_to) | bitboard_square(rook_to));
}

ALWAYS_INLINE void generate_castling(const Position *position, Sink *sink, bool counting,
                                     const Context *context)
{
    for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++) {
        const Square rook = position->castling_rook[castling_index(context->us, side)];
        if ((position->castling & castling_bit(context->us, side)) &&
            castling_is_legal(position, context->king, rook)) {
            sink_move(sink, counting, move_make_flag(context->king, rook, MOVE_CASTLING));
        }
    }
}

ALWAYS_INLINE void generate(const Position *position, Sink *sink, bool counting, Color us,
                            Stage stage)
{
    const Bitboard checkers = position->checkers;
    const Bitboard enemies = position->by_color[color_other(us)];
    Context context = {
        .us = us,
        .king = position_king(position, us),
        .occupied = position_occupied(position),
        .pinned = position->pinned,
        .evasions = ~UINT64_C(0),
    };
    const Bitboard stage_squares =
        ((stage & STAGE_CAPTURES) ? enemies : 0) | ((stage & STAGE_QUIETS) ? ~context.occupied : 0);

    if (!bitboard_has_several(checkers)) {
        if (checkers) {
            context.evasions = attacks_between(context.king, bitboard_first(checkers)) | checkers;
        }
        context.targets = stage_squares & context.evasions;
        if (stage & STAGE_CAPTURES) {
            generate_pawn_captures(position, sink, counting, &context);
            generate_en_passant(position, sink, counting, &context);
        }
        if (stage & STAGE_QUIETS) {
            generate_pawn_quiets(position, sink, counting, &context);
        }
        generate_pieces(position, sink, counting, &context);
        if ((stage & STAGE_QUIETS) && position->castling && !checkers) {
            generate_castling(position, sink, counting, &context);
        }
    }
    generate_king(position, sink, counting, &context, stage_squares);
}

ALWAYS_INLINE void generate_into(const Position *position, MoveList *list, Stage stage)
{
    Sink sink = {.next = list->moves + list->count, .end = list->moves + MOVES_MAX - 1};
    if (position_side(position) == WHITE) {
        generate(position, &sink, false, WHITE, stage);
    } else {
        generate(position, &sink, false, BLACK, stage);
    }
    list->count = smaller((int)(sink.next - list->moves), MOVES_MAX - 1);
}

void movegen_captures(const Position *position, MoveList *list)
{
    generate_into(position, list, STAGE_CAPTURES);
}

void movegen_quiets(const Position *position, MoveList *list)
{
    generate_into(position, list, STAGE_QUIETS);
}

void movegen_all(const Position *position, MoveList *list)
{
    list->count = 0;
    generate_into(position, list, STAGE_ALL);
}

int movegen_count(const Position *position)
{
    Sink sink = {.next = NULL};
    if (position_side(position) == WHITE) {
        generate(position, &sink, true, WHITE, STAGE_ALL);
    } else {
        generate(position, &sink, true, BLACK, STAGE_ALL);
    }
    return sink.count;
}

bool movegen_any(const Position *position)
{
    return movegen_count(position) > 0;
}

/* Whether a pawn of the side to move could go from `from` to `to` if the king were no matter. */
static bool pawn_can_reach(const Position *position, Square from, Square to)
{
    const Color us = position_side(position);
    const Bitboard here = bitboard_square(from);
    const Bitboard empty = ~position_occupied(position);
    const Bitboard single = bitboard_shift_forward(us, here) & empty;
    const Bitboard twice =
        square_relative_rank(us, from) == 1 ? bitboard_shift_forward(us, single) & empty : 0;
    const Bitboard captures = attacks_pawn(us, from) & position->by_color[color_other(us)];
    return bitboard_has(single | twice | captures, to);
}

static bool castling_move_is_legal(const Position *position, Square from, Square to)
{
    const Color us = position_side(position);
    if (position_in_check(position) || from != position_king(position, us)) {
        return false;
    }
    for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++) {
        if ((position->castling & castling_bit(us, side)) &&
            position->castling_rook[castling_index(us, side)] == to) {
            return castling_is_legal(position, from, to);
        }
    }
    return false;
}

static bool en_passant_move_is_legal(const Position *position, Square from, Square to)
{
    const Color us = position_side(position);
    const Color them = color_other(us);
    if (to != position->en_passant || to == SQUARE_NONE ||
        !bitboard_has(attacks_pawn(us, from), to)) {
        return false;
    }
    const Bitboard occupied =
        (position_occupied(position) ^ bitboard_square(from) ^ bitboard_square((Square)(to ^ 8))) |
        bitboard_square(to);
    return !position_is_attacked(position, position_king(position, us), them, occupied);
}

bool movegen_is_legal(const Position *position, Move move)
{
    const Color us = position_side(position);
    const Square from = move_from(move);
    const Square to = move_to(move);
    const MoveFlag flag = move_flag(move);
    const Piece piece = position->board[from];
    const bool is_pawn = piece_type(piece) == PAWN;
    const unsigned promotion_bits = (move >> 12) & 3;

    if (piece == NO_PIECE || piece_color(piece) != us ||
        (flag != MOVE_PROMOTION && promotion_bits)) {
        return false;
    }
    if (flag == MOVE_CASTLING) {
        return castling_move_is_legal(position, from, to);
    }
    if (bitboard_has(position->by_color[us], to)) {
        return false;
    }
    if (flag == MOVE_EN_PASSANT) {
        return is_pawn && en_passant_move_is_legal(position, from, to);
    }
    const bool reaches_end = is_pawn && square_relative_rank(us, to) == 7;
    if (reaches_end != (flag == MOVE_PROMOTION)) {
        return false;
    }
    const Bitboard occupied = position_occupied(position);
    if (piece_type(piece) == KING) {
        const Bitboard behind = (occupied ^ bitboard_square(from)) | bitboard_square(to);
        return bitboard_has(attacks_king(from), to) &&
               !position_is_attacked(position, to, color_other(us), behind);
    }
    if (is_pawn ? !pawn_can_reach(position, from, to)
                : !bitboard_has(attacks_piece(piece_type(piece), from, occupied), to)) {
        return false;
    }
    const Square king = position_king(position, us);
    if (bitboard_has(position->pinned, from) && !bitboard_has(attacks_line(king, from), to)) {
        return false;
    }
    if (bitboard_has_several(position->checkers)) {
        return false;
    }
    return position->checkers == 0 ||
           bitboard_has(
               position->checkers | attacks_between(king, bitboard_first(position->checkers)), to);
}
