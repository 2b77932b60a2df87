/*
 * Evaluation: the working state of one evaluation, that the terms share.
 *
 * Filled in order: evaluation_begin (pawns, kings), then every piece joins (pieces.h),
 * then the terms that need complete attack sets (king danger, passed pawns, threats, space) read.
 * Only eval.c includes this and the terms' headers: they are compiled into one function.
 */
#ifndef ROOKERY_WORKER_EVAL_EVALUATION_H
#define ROOKERY_WORKER_EVAL_EVALUATION_H

#include "worker/eval/geometry.h"
#include "worker/eval/pawns.h"

typedef struct {
    const Position *position;
    PawnEntry *pawns;                                    /* of this position's pawns */
    Bitboard occupied;                                   /* all pieces */
    Bitboard attacked_by[COLOR_COUNT][PIECE_TYPE_COUNT]; /* sliders see through some friends */
    Bitboard attacked[COLOR_COUNT];                      /* by any piece */
    Bitboard attacked_twice[COLOR_COUNT];                /* by two pieces or more */
    Bitboard mobility_area[COLOR_COUNT];                 /* squares that count as mobility */
    Bitboard ring[COLOR_COUNT];                          /* the king's neighbourhood */
    Bitboard beside_king[COLOR_COUNT];                   /* the king's own moves */
    Bitboard shields[COLOR_COUNT];                       /* pieces that keep a check from it */
    Square king[COLOR_COUNT];
    Score units[COLOR_COUNT];   /* attack units against that king */
    int attackers[COLOR_COUNT]; /* enemy pieces that reach its ring */
    int attacks[COLOR_COUNT];   /* their attacks beside the king */
} Evaluation;

/* The king's square and its neighbours, moved inwards at the edge so that it always has nine. */
static inline Bitboard evaluation_ring(Square king)
{
    const int file = geometry_clamp(square_file(king), 1, 6);
    const int rank = geometry_clamp(square_rank(king), 1, 6);
    const Square centre = square_make(file, rank);
    return attacks_king(centre) | bitboard_square(centre);
}

/* The pieces that alone stand between `square` and one of the given sliders. */
ALWAYS_INLINE Bitboard evaluation_between(const Evaluation *e, Square square, Bitboard on_lines,
                                          Bitboard on_diagonals)
{
    Bitboard rest =
        (attacks_rook(square, 0) & on_lines) | (attacks_bishop(square, 0) & on_diagonals);
    Bitboard alone = 0;
    while (rest) {
        const Bitboard way = attacks_between(square, bitboard_pop(&rest)) & e->occupied;
        alone |= bitboard_has_several(way) ? 0 : way;
    }
    return alone;
}

/* What keeps an enemy slider from giving check to our king. */
ALWAYS_INLINE Bitboard evaluation_shields(const Evaluation *e, Color us)
{
    const Color them = color_other(us);
    const Bitboard queens = position_pieces(e->position, them, QUEEN);
    return evaluation_between(e, e->king[us], position_pieces(e->position, them, ROOK) | queens,
                              position_pieces(e->position, them, BISHOP) | queens);
}

/*
 * Squares worth moving to: not attacked by enemy pawns, not the king's or a queen's, not those of
 * pawns that stand still (blocked, or on their first two ranks) or of what shields the king.
 */
ALWAYS_INLINE Bitboard evaluation_area(const Evaluation *e, Color us)
{
    const Position *position = e->position;
    const Bitboard own = position->by_color[us];
    const Bitboard blocked =
        geometry_shift_back(us, e->occupied) | geometry_relative_ranks(us, 1, 2);
    const Bitboard still =
        (position->by_type[PAWN] & blocked) | position->by_type[KING] | position->by_type[QUEEN];
    return ~((own & still) | e->shields[us] | e->attacked_by[color_other(us)][PAWN]);
}

/* Pawns and king of one side. */
ALWAYS_INLINE void evaluation_begin_side(Evaluation *e, Color us)
{
    const Bitboard pawns = position_pieces(e->position, us, PAWN);
    const Bitboard ahead = bitboard_shift_forward(us, pawns);
    const Bitboard east = bitboard_shift_east(ahead);
    const Bitboard west = bitboard_shift_west(ahead);
    e->king[us] = position_king(e->position, us);
    e->beside_king[us] = attacks_king(e->king[us]);
    e->shields[us] = evaluation_shields(e, us);
    e->attacked_by[us][PAWN] = east | west;
    e->attacked_by[us][KING] = e->beside_king[us];
    e->attacked_by[us][KNIGHT] = 0;
    e->attacked_by[us][BISHOP] = 0;
    e->attacked_by[us][ROOK] = 0;
    e->attacked_by[us][QUEEN] = 0;
    e->attacked[us] = (east | west) | e->beside_king[us];
    e->attacked_twice[us] = (east & west) | ((east | west) & e->beside_king[us]);
    e->ring[us] = evaluation_ring(e->king[us]) & ~(east & west);
    e->units[us] = 0;
    e->attackers[us] = 0;
    e->attacks[us] = 0;
}

ALWAYS_INLINE void evaluation_begin(Evaluation *e, const Position *position, PawnEntry *pawns)
{
    e->position = position;
    e->pawns = pawns;
    e->occupied = position_occupied(position);
    evaluation_begin_side(e, WHITE);
    evaluation_begin_side(e, BLACK);
    e->mobility_area[WHITE] = evaluation_area(e, WHITE);
    e->mobility_area[BLACK] = evaluation_area(e, BLACK);
}

/* The files on the king's side of the board, four of them, or the middle ones for d and e. */
ALWAYS_INLINE Bitboard evaluation_flank(Square king)
{
    const int file = square_file(king);
    return file < 3 ? GEOMETRY_QUEEN_SIDE : file > 4 ? GEOMETRY_KING_SIDE : GEOMETRY_CENTRE_FILES;
}

/* A piece's attacks join its side's attack sets. */
ALWAYS_INLINE void evaluation_join(Evaluation *e, Color us, PieceType type, Bitboard attacks)
{
    e->attacked_twice[us] |= e->attacked[us] & attacks;
    e->attacked[us] |= attacks;
    e->attacked_by[us][type] |= attacks;
}

#endif
