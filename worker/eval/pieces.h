/*
 * Pieces: knights, bishops, rooks, queens by place, mobility and their own small features.
 *
 * Sources: chessprogramming.org/Mobility, /Evaluation_of_Pieces, /Outposts, /Bad_Bishop,
 * /Rook_on_Open_File, /Rook_on_Seventh.
 */
#ifndef ROOKERY_WORKER_EVAL_PIECES_H
#define ROOKERY_WORKER_EVAL_PIECES_H

#include "worker/eval/evaluation.h"

/* The mobility curve of a type. */
ALWAYS_INLINE const Weight *pieces_curve(PieceType type)
{
    switch (type) {
    case KNIGHT:
        return weights_packed.knight_mobility;
    case BISHOP:
        return weights_packed.bishop_mobility;
    case ROOK:
        return weights_packed.rook_mobility;
    default:
        return weights_packed.queen_mobility;
    }
}

/* What stops a slider of ours: bishops see through queens, rooks through own rooks as well. */
ALWAYS_INLINE Bitboard pieces_blockers(const Evaluation *e, Color us, PieceType type)
{
    const Position *position = e->position;
    switch (type) {
    case BISHOP:
        return e->occupied & ~position->by_type[QUEEN];
    case ROOK:
        return e->occupied & ~(position->by_type[QUEEN] | position_pieces(position, us, ROOK));
    default:
        return e->occupied;
    }
}

/* A piece that shields its king attacks along that line only. */
ALWAYS_INLINE Bitboard pieces_attacks(const Evaluation *e, Color us, PieceType type, Square square,
                                      Bitboard blockers)
{
    const Bitboard attacks = attacks_piece(type, square, blockers);
    const bool is_free = (e->shields[us] & bitboard_square(square)) == 0;
    return is_free ? attacks : attacks & attacks_line(e->king[us], square);
}

/* A rook is shut in when its king, unable to castle, stands between it and the centre. */
ALWAYS_INLINE bool pieces_king_shuts_in(const Evaluation *e, Color us, Square rook)
{
    const unsigned rights = castling_bit(us, KING_SIDE) | castling_bit(us, QUEEN_SIDE);
    const int king_file = square_file(e->king[us]);
    return (e->position->castling & rights) == 0 &&
           (king_file < 4) == (square_file(rook) < king_file);
}

/* All pieces of one type: place, mobility, attack sets, and attacks on the enemy king. */
ALWAYS_INLINE Score pieces_of_type(Evaluation *e, Color us, PieceType type, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const Bitboard blockers = pieces_blockers(e, us, type);
    int attackers = 0;
    Score score = 0;
    for (Bitboard rest = position_pieces(e->position, us, type); rest;) {
        const Square square = bitboard_pop(&rest);
        const Bitboard attacks = pieces_attacks(e, us, type, square, blockers);
        const int squares = bitboard_count(attacks & e->mobility_area[us]);
        evaluation_join(e, us, type, attacks);
        attackers += (attacks & e->ring[them]) != 0;
        e->attacks[them] += bitboard_count(attacks & e->beside_king[them]);
        score += trace_place(trace, us, type, square);
        score += trace_weigh(trace, us, TERM_MOBILITY, &pieces_curve(type)[squares], 1);
        if (type == BISHOP && bitboard_has_several(attacks & GEOMETRY_CENTRE)) {
            score += trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_long_diagonal, 1);
        }
        if (type == ROOK && squares <= 3 && pieces_king_shuts_in(e, us, square)) {
            score += trace_weigh(trace, us, TERM_ROOKS, &w->rook_trapped, 1);
        }
    }
    e->attackers[them] += attackers;
    e->units[them] += trace_units(trace, them, &w->danger_attacker[type], attackers);
    return score;
}

/* What knights and bishops share: outposts, a pawn as a roof, the way to their king. */
ALWAYS_INLINE Score pieces_minor(const Evaluation *e, Color us, PieceType type,
                                 const Weight outpost[2], EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const EvalTermId term = type == KNIGHT ? TERM_KNIGHTS : TERM_BISHOPS;
    const Bitboard minors = position_pieces(position, us, type);
    const Bitboard outposts =
        minors & geometry_relative_ranks(us, 3, 5) & ~e->pawns->reach[color_other(us)];
    const Bitboard supported = outposts & e->attacked_by[us][PAWN];
    const Bitboard roofed = minors & geometry_shift_back(us, position->by_type[PAWN]);
    int steps = 0;
    for (Bitboard rest = minors; rest;) {
        steps += geometry_distance(e->king[us], bitboard_pop(&rest));
    }
    return trace_weigh(trace, us, term, &outpost[0], bitboard_count(outposts & ~supported)) +
           trace_weigh(trace, us, term, &outpost[1], bitboard_count(supported)) +
           trace_weigh(trace, us, term, &w->minor_behind_pawn, bitboard_count(roofed)) +
           trace_weigh(trace, us, term, &w->minor_king_distance, steps);
}

/* Two bishops together, and the pawns in their way. */
ALWAYS_INLINE Score pieces_bishops(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Bitboard bishops = position_pieces(e->position, us, BISHOP);
    const Bitboard pawns = position_pieces(e->position, us, PAWN);
    const int in_the_way =
        bitboard_count(bishops & BITBOARD_DARK) * bitboard_count(pawns & BITBOARD_DARK) +
        bitboard_count(bishops & BITBOARD_LIGHT) * bitboard_count(pawns & BITBOARD_LIGHT);
    const Bitboard stuck = pawns & GEOMETRY_CENTRE_FILES & geometry_shift_back(us, e->occupied);
    return trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_pair, bitboard_has_several(bishops)) +
           trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_pawn, in_the_way) +
           trace_weigh(trace, us, TERM_BISHOPS, &w->bishop_blocked_pawn,
                       in_the_way * bitboard_count(stuck));
}

/* Rooks on files without own pawns, and on the seventh rank if the enemy has something there. */
ALWAYS_INLINE Score pieces_rooks(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const Color them = color_other(us);
    const Bitboard rooks = position_pieces(position, us, ROOK);
    const Bitboard half_open = rooks & ~e->pawns->files[us];
    const Bitboard open = half_open & ~e->pawns->files[them];
    const Bitboard seventh = geometry_relative_ranks(us, 6, 6);
    const Bitboard targets =
        (position_pieces(position, them, PAWN) & seventh) |
        (position_pieces(position, them, KING) & geometry_relative_ranks(us, 7, 7));
    const int on_seventh = targets ? bitboard_count(rooks & seventh) : 0;
    return trace_weigh(trace, us, TERM_ROOKS, &w->rook_file[0], bitboard_count(half_open & ~open)) +
           trace_weigh(trace, us, TERM_ROOKS, &w->rook_file[1], bitboard_count(open)) +
           trace_weigh(trace, us, TERM_ROOKS, &w->rook_seventh, on_seventh);
}

/* What is worth more or less beside other material. Source: Kaufman 1999. */
ALWAYS_INLINE Score pieces_imbalance(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const int pawns = bitboard_count(position_pieces(position, us, PAWN));
    const Bitboard knights = position_pieces(position, us, KNIGHT);
    const Bitboard bishops = position_pieces(position, us, BISHOP);
    const int queens = bitboard_count(position_pieces(position, us, QUEEN));
    return trace_weigh(trace, us, TERM_IMBALANCE, &w->knight_pawn,
                       bitboard_count(knights) * pawns) +
           trace_weigh(trace, us, TERM_IMBALANCE, &w->queen_minor,
                       queens * bitboard_count(knights | bishops));
}

ALWAYS_INLINE Score pieces_weigh(Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    return pieces_of_type(e, us, KNIGHT, trace) + pieces_of_type(e, us, BISHOP, trace) +
           pieces_of_type(e, us, ROOK, trace) + pieces_of_type(e, us, QUEEN, trace) +
           pieces_minor(e, us, KNIGHT, w->knight_outpost, trace) +
           pieces_minor(e, us, BISHOP, w->bishop_outpost, trace) + pieces_bishops(e, us, trace) +
           pieces_rooks(e, us, trace) + pieces_imbalance(e, us, trace) +
           trace_place(trace, us, KING, e->king[us]);
}

#endif
