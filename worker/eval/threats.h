/*
 * Threats and space: pieces that must move or fall, and room behind the own pawns.
 *
 * A piece is weak when it is attacked and its side does not hold it firmly (a pawn protects it, or
 * more of its pieces than of ours do).
 * Sources: chessprogramming.org/Threat_Move, /Hanging_Piece, /Space.
 */
#ifndef ROOKERY_WORKER_EVAL_THREATS_H
#define ROOKERY_WORKER_EVAL_THREATS_H

#include "worker/eval/evaluation.h"

/* Pieces attacked by pawns now, and after one safe push; and the pushes themselves. */
ALWAYS_INLINE Score threats_by_pawns(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const Color them = color_other(us);
    const Bitboard pawns = position_pieces(position, us, PAWN);
    const Bitboard targets = position->by_color[them] & ~position->by_type[PAWN];
    const Bitboard safe = ~e->attacked[them] | e->attacked[us];
    const Bitboard now = bitboard_pawn_attacks(us, pawns & safe) & targets;
    const Bitboard single = bitboard_shift_forward(us, pawns) & ~e->occupied;
    const Bitboard twice =
        bitboard_shift_forward(us, single & geometry_relative_ranks(us, 2, 2)) & ~e->occupied;
    const Bitboard pushed = (single | twice) & safe & ~e->attacked_by[them][PAWN];
    const Bitboard later = bitboard_pawn_attacks(us, pushed) & targets;
    return trace_weigh(trace, us, TERM_THREATS, &w->threat_pawn, bitboard_count(now)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_push, bitboard_count(later)) +
           trace_weigh(trace, us, TERM_THREATS, &w->pawn_push, bitboard_count(pushed));
}

/* Minors, rooks and the king attacking what is weak or worth more. */
ALWAYS_INLINE Score threats_by_pieces(const Evaluation *e, Color us, Bitboard weak,
                                      EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const Bitboard *type = position->by_type;
    const Bitboard enemy = position->by_color[color_other(us)];
    const Bitboard by_minor = (e->attacked_by[us][KNIGHT] | e->attacked_by[us][BISHOP]) & enemy;
    const Bitboard by_rook = e->attacked_by[us][ROOK] & enemy;
    const Bitboard minors = (type[KNIGHT] | type[BISHOP]) & weak;
    const Bitboard pawns = type[PAWN] & weak;
    return trace_weigh(trace, us, TERM_THREATS, &w->threat_minor_on_pawn,
                       bitboard_count(by_minor & pawns)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_minor_on_minor,
                       bitboard_count(by_minor & minors)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_minor_on_rook,
                       bitboard_count(by_minor & type[ROOK])) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_minor_on_queen,
                       bitboard_count(by_minor & type[QUEEN])) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_rook_on_pawn,
                       bitboard_count(by_rook & pawns)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_rook_on_minor,
                       bitboard_count(by_rook & minors)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_rook_on_queen,
                       bitboard_count(by_rook & type[QUEEN])) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_king, (e->beside_king[us] & weak) != 0);
}

/*
 * Squares from which the enemy queen could be attacked next, and what waits behind a piece: her own
 * worries, not those of two queens.
 */
ALWAYS_INLINE Score threats_to_queen(const Evaluation *e, Color us, Bitboard firm, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Position *position = e->position;
    const Color them = color_other(us);
    const Bitboard queens = position_pieces(position, them, QUEEN);
    if (queens == 0 || bitboard_has_several(queens)) {
        return 0;
    }
    const Square queen = bitboard_first(queens);
    const Bitboard safe = e->mobility_area[us] & ~firm;
    const Bitboard slides = ((e->attacked_by[us][BISHOP] & attacks_bishop(queen, e->occupied)) |
                             (e->attacked_by[us][ROOK] & attacks_rook(queen, e->occupied))) &
                            safe & e->attacked_twice[us];
    const Bitboard between = evaluation_between(e, queen, position_pieces(position, us, ROOK),
                                                position_pieces(position, us, BISHOP));
    return trace_weigh(trace, us, TERM_THREATS, &w->threat_slider_to_queen,
                       bitboard_count(slides)) -
           trace_weigh(trace, them, TERM_THREATS, &w->queen_skewered, bitboard_count(between));
}

/* Outposts that a knight could go to. */
ALWAYS_INLINE Score threats_outposts(const Evaluation *e, Color us, EvalTrace *trace)
{
    const Bitboard outposts = geometry_relative_ranks(us, 3, 5) &
                              ~e->pawns->reach[color_other(us)] & e->attacked_by[us][PAWN] &
                              ~e->position->by_color[us];
    return trace_weigh(trace, us, TERM_KNIGHTS, &weights_packed.outpost_in_reach,
                       (e->attacked_by[us][KNIGHT] & outposts) != 0);
}

ALWAYS_INLINE Score threats_weigh(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const Bitboard firm =
        e->attacked_by[them][PAWN] | (e->attacked_twice[them] & ~e->attacked_twice[us]);
    const Bitboard contested = e->attacked[us] & ~firm;
    const Bitboard weak = contested & e->position->by_color[them];
    const Bitboard hanging = weak & ~e->attacked[them];
    const Bitboard twice = weak & ~e->position->by_type[PAWN] & e->attacked_twice[us];
    const Bitboard by_queen = weak & e->attacked_by[them][QUEEN];
    return threats_by_pawns(e, us, trace) + threats_by_pieces(e, us, weak, trace) +
           threats_to_queen(e, us, firm, trace) + threats_outposts(e, us, trace) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_twice, bitboard_count(twice)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_queen_guard, bitboard_count(by_queen)) +
           trace_weigh(trace, us, TERM_THREATS, &w->threat_hanging, bitboard_count(hanging)) +
           trace_weigh(trace, us, TERM_THREATS, &w->restriction,
                       bitboard_count(contested & e->attacked[them]));
}

/* Squares of ranks 2 to 4 in the centre files that are ours: no own pawn, no enemy attack. */
ALWAYS_INLINE Score threats_space(const Evaluation *e, Color us, EvalTrace *trace)
{
    const Color them = color_other(us);
    const Bitboard safe = GEOMETRY_CENTRE_FILES & geometry_relative_ranks(us, 1, 3) &
                          ~position_pieces(e->position, us, PAWN) & ~e->attacked[them];
    const int pieces = bitboard_count(e->position->by_color[us] & ~e->position->by_type[PAWN]);
    const int squares = bitboard_count(safe);
    return trace_weigh(trace, us, TERM_SPACE, &weights_packed.space, squares) +
           trace_weigh(trace, us, TERM_SPACE, &weights_packed.space_piece, squares * pieces / 4);
}

#endif
