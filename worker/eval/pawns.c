#include "worker/eval/pawns.h"

#include "worker/eval/geometry.h"

void pawns_clear_entry(PawnEntry *entry)
{
    *entry = (PawnEntry){.shelter_king = {SQUARE_NONE, SQUARE_NONE}};
}

/* What one pawn has around it; all sets are of pawns. */
typedef struct {
    Bitboard in_front;    /* own, on its file further on */
    Bitboard opposing;    /* enemy, on its file further on */
    Bitboard neighbours;  /* own, on the files beside */
    Bitboard behind;      /* of the neighbours, those level with it or further back */
    Bitboard supporters;  /* own, protecting it */
    Bitboard phalanx;     /* own, right beside it */
    Bitboard guards;      /* enemy, beside and ahead: they can take it as it advances */
    Bitboard levers;      /* enemy, that it attacks */
    Bitboard stop_guards; /* enemy, attacking the square in front of it */
} PawnView;

ALWAYS_INLINE PawnView look_around(const Position *position, Color us, Square square)
{
    const Color them = color_other(us);
    const Bitboard own = position_pieces(position, us, PAWN);
    const Bitboard enemy = position_pieces(position, them, PAWN);
    const Bitboard file = bitboard_file(square_file(square));
    const Bitboard beside = geometry_neighbour_files(square_file(square));
    const Bitboard ahead = geometry_ranks_ahead(us, square_rank(square));
    return (PawnView){
        .in_front = own & file & ahead,
        .opposing = enemy & file & ahead,
        .neighbours = own & beside,
        .behind = own & beside & ~ahead,
        .supporters = own & attacks_pawn(them, square),
        .phalanx = own & beside & bitboard_rank(square_rank(square)),
        .guards = enemy & beside & ahead,
        .levers = enemy & attacks_pawn(us, square),
        .stop_guards = enemy & attacks_pawn(us, geometry_stop_square(us, square)),
    };
}

/* No neighbour can come to protect it, and it cannot step forward safely. */
static bool is_backward(const PawnView *view)
{
    return view->behind == 0 && view->neighbours != 0 && view->levers == 0 &&
           view->stop_guards != 0;
}

/* Its file is open, and at least as many neighbours help as enemies guard. */
static bool is_candidate(const PawnView *view)
{
    return (view->opposing | view->in_front) == 0 && view->guards != 0 &&
           bitboard_count(view->behind) >= bitboard_count(view->guards);
}

static bool is_passed(const PawnView *view)
{
    return (view->opposing | view->guards | view->in_front) == 0;
}

/* The pawn's weaknesses and strengths on its own; passed pawns are weighed in passed.h. */
ALWAYS_INLINE Score weigh_pawn(const PawnView *view, Color us, int rank, EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    const bool isolated = view->neighbours == 0;
    const bool backward = is_backward(view);
    Score score = 0;
    if (isolated) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_isolated, 1);
    }
    if (backward) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_backward, 1);
    }
    if ((isolated || backward) && view->opposing == 0) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_unopposed_weak, 1);
    }
    if (view->in_front) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_doubled, 1);
    }
    if (view->supporters) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_supported[rank], 1);
    }
    if (view->phalanx) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_phalanx[rank], 1);
    }
    if (is_candidate(view)) {
        score += trace_weigh(trace, us, TERM_PAWNS, &w->pawn_candidate[rank], 1);
    }
    return score;
}

ALWAYS_INLINE Score fill_side(const Position *position, Color us, PawnEntry *entry,
                              EvalTrace *trace)
{
    const Bitboard own = position_pieces(position, us, PAWN);
    Score score = 0;
    for (Bitboard rest = own; rest;) {
        const Square square = bitboard_pop(&rest);
        const PawnView view = look_around(position, us, square);
        score += trace_place(trace, us, PAWN, square);
        score += weigh_pawn(&view, us, square_relative_rank(us, square), trace);
        if (is_passed(&view)) {
            entry->passed |= bitboard_square(square);
        }
    }
    entry->reach[us] = geometry_fill_forward(us, bitboard_pawn_attacks(us, own));
    return score;
}

void pawns_fill(const Position *position, PawnEntry *entry, EvalTrace *trace)
{
    pawns_clear_entry(entry);
    entry->key = position->pawn_key;
    entry->structure =
        fill_side(position, WHITE, entry, trace) - fill_side(position, BLACK, entry, trace);
}

/* The rank, as `us` sees it, of the pawn nearest to its back rank; 0 when there is none. */
static int nearest_rank(Color us, Bitboard pawns)
{
    if (pawns == 0) {
        return 0;
    }
    return square_relative_rank(us, us == WHITE ? bitboard_first(pawns) : bitboard_last(pawns));
}

/* Own pawns in front of the king shelter it, enemy pawns storm it: one file of the three. */
static Score shelter_on_file(const Position *position, Color us, int file, Bitboard not_behind,
                             EvalTrace *trace)
{
    const EvalWeights *w = &eval_weights;
    const Bitboard pawns = position->by_type[PAWN] & bitboard_file(file) & not_behind;
    const int own = nearest_rank(us, pawns & position->by_color[us]);
    const int enemy = nearest_rank(us, pawns & position->by_color[color_other(us)]);
    const int edge = file < 4 ? file : 7 - file;
    const bool blocked = own != 0 && enemy == own + 1;
    const Weight *storm = blocked ? &w->king_storm_blocked[enemy] : &w->king_storm[edge][enemy];
    return trace_weigh(trace, us, TERM_KING_SHELTER, &w->king_shelter[edge][own], 1) +
           trace_weigh(trace, us, TERM_KING_SHELTER, storm, 1);
}

/* King steps to the nearest own pawn; 0 without pawns. */
static int pawn_distance(const Position *position, Color us, Square king)
{
    int nearest = 0;
    for (Bitboard pawns = position_pieces(position, us, PAWN); pawns;) {
        const int distance = geometry_distance(king, bitboard_pop(&pawns));
        if (nearest == 0 || distance < nearest) {
            nearest = distance;
        }
    }
    return nearest;
}

Score pawns_shelter(const Position *position, Color color, PawnEntry *entry, EvalTrace *trace)
{
    const Square king = position_king(position, color);
    if (entry->shelter_king[color] == king) {
        return entry->shelter[color];
    }
    const Bitboard behind = geometry_ranks_ahead(color_other(color), square_rank(king));
    const int centre = geometry_clamp(square_file(king), 1, 6);
    Score score = 0;
    for (int file = centre - 1; file <= centre + 1; file++) {
        score += shelter_on_file(position, color, file, ~behind, trace);
    }
    score += trace_weigh(trace, color, TERM_KING_SHELTER, &eval_weights.king_pawn_distance,
                         pawn_distance(position, color, king));
    entry->shelter_king[color] = king;
    entry->shelter[color] = score;
    return score;
}
