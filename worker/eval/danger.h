/*
 * Danger: how strongly the enemy pieces attack a king.
 *
 * Attack units are summed for attackers of the king's ring, attacks beside the king, holes and
 * possible checks; the penalty grows with the square of the sum, because attackers help each other.
 * Source: chessprogramming.org/King_Safety#Attack_Units.
 */
#ifndef ROOKERY_WORKER_EVAL_DANGER_H
#define ROOKERY_WORKER_EVAL_DANGER_H

#include "worker/eval/evaluation.h"

/* Units of one kind of check: a safe one, or else each square that it could be tried from. */
ALWAYS_INLINE Score danger_check(Color us, Bitboard checks, Bitboard safe, const Weight *weight,
                                 EvalTrace *trace)
{
    const int is_safe = (checks & safe) != 0;
    const int unsafe = is_safe ? 0 : bitboard_count(checks);
    return trace_units(trace, us, weight, is_safe) +
           trace_units(trace, us, &weights_packed.danger_unsafe_check, unsafe);
}

/* Units for the checks that the enemy could give; sliders see through our queen, which must go. */
ALWAYS_INLINE Score danger_checks(const Evaluation *e, Color us, Bitboard weak, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const Bitboard *by = e->attacked_by[them];
    const Bitboard not_theirs = ~e->position->by_color[them];
    const Bitboard safe = ~e->attacked[us] | (weak & e->attacked_twice[them]);
    const Bitboard blockers = e->occupied & ~position_pieces(e->position, us, QUEEN);
    const Bitboard diagonals = attacks_bishop(e->king[us], blockers) & not_theirs;
    const Bitboard lines = attacks_rook(e->king[us], blockers) & not_theirs;
    const Bitboard jumps = attacks_knight(e->king[us]) & not_theirs;
    const Bitboard queen_safe = safe & ~e->attacked_by[us][QUEEN];
    return danger_check(us, jumps & by[KNIGHT], safe, &w->danger_knight_check, trace) +
           danger_check(us, diagonals & by[BISHOP], safe, &w->danger_bishop_check, trace) +
           danger_check(us, lines & by[ROOK], safe, &w->danger_rook_check, trace) +
           danger_check(us, (diagonals | lines) & by[QUEEN], queen_safe, &w->danger_queen_check,
                        trace);
}

/* The penalty, as a score to be subtracted from ours, for attack units in both phases. */
static inline Score danger_penalty(Score units)
{
    const int mg = geometry_clamp(score_mg(units), 0, DANGER_MG_MAX);
    const int eg = score_eg(units) > 0 ? score_eg(units) : 0;
    return score_make(mg * mg / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR);
}

/* What troubles our king without an attack: pieces that may not move, and no pawns near. */
ALWAYS_INLINE Score danger_without_attack(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Bitboard pawns = e->position->by_type[PAWN] & evaluation_flank(e->king[us]);
    return trace_weigh(trace, us, TERM_KING_DANGER, &w->pinned, bitboard_count(e->shields[us])) +
           trace_weigh(trace, us, TERM_KING_DANGER, &w->king_flank_pawnless, pawns == 0);
}

/* Units for the state of the king's side of the board. */
ALWAYS_INLINE Score danger_surroundings(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const Square king = e->king[us];
    const Bitboard camp = evaluation_flank(king) & geometry_relative_ranks(us, 0, 4);
    const Bitboard files =
        bitboard_rank(square_rank(king)) &
        (bitboard_file(square_file(king)) | geometry_neighbour_files(square_file(king)));
    return trace_units(trace, us, &w->danger_open_file,
                       bitboard_count(files & ~e->pawns->files[us])) +
           trace_units(trace, us, &w->danger_flank, bitboard_count(e->attacked[them] & camp)) +
           trace_units(trace, us, &w->danger_flank_twice,
                       bitboard_count(e->attacked_twice[them] & camp)) +
           trace_units(trace, us, &w->danger_flank_guard, bitboard_count(e->attacked[us] & camp));
}

/* The danger of an attack; none while only one piece attacks and that without a queen's help. */
ALWAYS_INLINE Score danger_of_attack(const Evaluation *e, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Color them = color_other(us);
    const int has_queen = position_pieces(e->position, them, QUEEN) != 0;
    if (e->attackers[us] < 2 - has_queen) {
        return 0;
    }
    const Bitboard firm = e->attacked_twice[us] |
                          (e->attacked[us] & ~(e->attacked_by[us][QUEEN] | e->beside_king[us]));
    const Bitboard weak = e->attacked[them] & ~firm;
    const int guarded = (e->attacked_by[us][KNIGHT] & e->ring[us]) != 0;
    const Score units =
        e->units[us] + trace_units(trace, us, &w->danger_attack, e->attacks[us]) +
        trace_units(trace, us, &w->danger_weak, bitboard_count(weak & e->ring[us])) +
        trace_units(trace, us, &w->danger_no_queen, !has_queen) +
        trace_units(trace, us, &w->danger_knight_guard, guarded) +
        trace_units(trace, us, &w->danger_base, 1) + danger_surroundings(e, us, trace) +
        danger_checks(e, us, weak, trace);
    const Score score = -danger_penalty(units);
    if (trace) {
        trace->danger_counts[us] = true;
    }
    trace_term(trace, us, TERM_KING_DANGER, score);
    return score;
}

/* All that concerns the safety of our king but its shelter. */
ALWAYS_INLINE Score danger_weigh(const Evaluation *e, Color us, EvalTrace *trace)
{
    return danger_without_attack(e, us, trace) + danger_of_attack(e, us, trace);
}

#endif
