/*
 * Pieces: knights, bishops, rooks, queens by place, mobility and their own small features.
 *
 * Sources: chessprogramming.org/Mobility, /Evaluation_of_Pieces, /Outposts, /Bad_Bishop,
 * /Rook_on_Open_File, /Rook_on_Seventh.
 */
#ifndef ROOKERY_WORKER_EVAL_PIECES_H
#define ROOKERY_WORKER_EVAL_PIECES_H

#include "worker/eval/evaluation.h"

/* Material, place and mobility, `curve` being the weights by number of squares. */
ALWAYS_INLINE Score pieces_common(Evaluation *e, Color us, PieceType type, Square square,
                                  Bitboard attacks, const Weight *curve, EvalTrace *trace)
{
    const int squares = bitboard_count(attacks & e->mobility_area[us]);
    evaluation_join(e, us, type, attacks, trace);
    return trace_place(trace, us, type, square) +
           trace_weigh(trace, us, TERM_MOBILITY, &curve[squares], 1);
}

/* What knights and bishops share: outposts, a pawn as a roof, the way to their king. */
ALWAYS_INLINE Score pieces_minor(const Evaluation *e, Color us, EvalTermId term, Square square,
                                 const Weight outpost[2], EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    const Bitboard at = bitboard_square(square);
    const Bitboard unreachable = ~e->pawns->reach[color_other(us)];
    const int is_outpost = (at & unreachable & geometry_relative_ranks(us, 3, 5)) != 0;
    const int is_supported = (at & e->attacked_by[us][PAWN]) != 0;
    const int is_roofed = (bitboard_shift_forward(us, at) & e->position->by_type[PAWN]) != 0;
    return trace_weigh(trace, us, term, &outpost[is_supported], is_outpost) +
           trace_weigh(trace, us, term, &w->minor_behind_pawn, is_roofed) +
           trace_weigh(trace, us, term, &w->minor_king_distance,
                       geometry_distance(square, e->king[us]));
}

ALWAYS_INLINE Score pieces_knights(Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    Score score = 0;
    for (Bitboard rest = position_pieces(e->position, us, KNIGHT); rest;) {
        const Square square = bitboard_pop(&rest);
        const Bitboard attacks = attacks_knight(square);
        score += pieces_common(e, us, KNIGHT, square, attacks, w->knight_mobility, trace);
        score += pieces_minor(e, us, TERM_KNIGHTS, square, w->knight_outpost, trace);
    }
    return score;
}

ALWAYS_INLINE Score pieces_bishops(Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    const Position *position = e->position;
    const Bitboard bishops = position_pieces(position, us, BISHOP);
    const Bitboard own_pawns = position_pieces(position, us, PAWN);
    const Bitboard seen_through = e->occupied & ~position->by_type[QUEEN];
    Score score = 0;
    if (bitboard_has_several(bishops)) {
        score += trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_pair, 1);
    }
    for (Bitboard rest = bishops; rest;) {
        const Square square = bitboard_pop(&rest);
        const Bitboard attacks = attacks_bishop(square, seen_through);
        const Bitboard colour =
            bitboard_has(BITBOARD_DARK, square) ? BITBOARD_DARK : BITBOARD_LIGHT;
        const int is_long =
            bitboard_has_several((attacks | bitboard_square(square)) & GEOMETRY_CENTRE);
        score += pieces_common(e, us, BISHOP, square, attacks, w->bishop_mobility, trace);
        score += pieces_minor(e, us, TERM_BISHOPS, square, w->bishop_outpost, trace);
        score += trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_pawn,
                             bitboard_count(own_pawns & colour));
        score += trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_long_diagonal, is_long);
    }
    return score;
}

/* Shut in: hardly a move, and the own king, unable to castle, stands towards the near corner. */
ALWAYS_INLINE bool pieces_rook_is_trapped(const Evaluation *e, Color us, Square square,
                                          Bitboard attacks)
{
    const unsigned rights = castling_bit(us, KING_SIDE) | castling_bit(us, QUEEN_SIDE);
    const int king_file = square_file(e->king[us]);
    return bitboard_count(attacks & e->mobility_area[us]) <= 3 &&
           (e->position->castling & rights) == 0 &&
           (king_file < 4) == (square_file(square) < king_file);
}

ALWAYS_INLINE Score pieces_rooks(Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    const Position *position = e->position;
    const Color them = color_other(us);
    const Bitboard rooks = position_pieces(position, us, ROOK);
    const Bitboard pawns = position->by_type[PAWN];
    const Bitboard seen_through = e->occupied & ~(position->by_type[QUEEN] | rooks);
    const Bitboard seventh = geometry_relative_ranks(us, 6, 6);
    const Bitboard targets =
        (pawns & position->by_color[them] & seventh) |
        (position_pieces(position, them, KING) & ~geometry_relative_ranks(us, 0, 6));
    Score score = 0;
    for (Bitboard rest = rooks; rest;) {
        const Square square = bitboard_pop(&rest);
        const Bitboard attacks = attacks_rook(square, seen_through);
        const Bitboard on_file = pawns & bitboard_file(square_file(square));
        const int is_half_open = (on_file & position->by_color[us]) == 0;
        const int is_on_seventh = bitboard_has(seventh, square) && targets != 0;
        score += pieces_common(e, us, ROOK, square, attacks, w->rook_mobility, trace);
        score += trace_weigh(trace, us, TERM_ROOKS, &w->rook_file[on_file == 0], is_half_open);
        score += trace_weigh(trace, us, TERM_ROOKS, &w->rook_seventh, is_on_seventh);
        if (!is_half_open && pieces_rook_is_trapped(e, us, square, attacks)) {
            score += trace_weigh(trace, us, TERM_ROOKS, &w->rook_trapped, 1);
        }
    }
    return score;
}

ALWAYS_INLINE Score pieces_queens(Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    Score score = 0;
    for (Bitboard rest = position_pieces(e->position, us, QUEEN); rest;) {
        const Square square = bitboard_pop(&rest);
        const Bitboard attacks = attacks_queen(square, e->occupied);
        score += pieces_common(e, us, QUEEN, square, attacks, w->queen_mobility, trace);
    }
    return score;
}

ALWAYS_INLINE Score pieces_weigh(Evaluation *e, Color us, EvalTrace *trace)
{
    return pieces_knights(e, us, trace) + pieces_bishops(e, us, trace) +
           pieces_rooks(e, us, trace) + pieces_queens(e, us, trace) +
           trace_place(trace, us, KING, e->king[us]);
}

#endif
