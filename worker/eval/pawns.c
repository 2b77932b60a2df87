#include "worker/eval/pawns.h"

#include "worker/eval/geometry.h"

void pawns_clear_entry(PawnEntry *entry)
{
    *entry = (PawnEntry){.shelter_king = {SQUARE_NONE, SQUARE_NONE}};
}

/* The pawns of one side, seen from it, and the sets that its terms are made of. */
typedef struct {
    Bitboard own;
    Bitboard enemy;
    Bitboard own_attacks;   /* squares attacked by own pawns */
    Bitboard enemy_attacks; /* squares attacked by enemy pawns */
} PawnSides;

ALWAYS_INLINE Bitboard beside(Bitboard board)
{
    return bitboard_shift_east(board) | bitboard_shift_west(board);
}

/* The squares in front of a set, without the set. */
ALWAYS_INLINE Bitboard front_of(Color color, Bitboard board)
{
    return geometry_fill_forward(color, bitboard_shift_forward(color, board));
}

ALWAYS_INLINE Bitboard find_doubled(const PawnSides *pawns, Color us)
{
    return pawns->own & front_of(color_other(us), pawns->own);
}

/* On a file where no enemy pawn stands further on. */
ALWAYS_INLINE Bitboard find_unopposed(const PawnSides *pawns, Color us)
{
    return pawns->own & ~front_of(color_other(us), pawns->enemy);
}

/* Every square of the files of a set. */
ALWAYS_INLINE Bitboard files_of(Bitboard board)
{
    return geometry_fill_forward(WHITE, geometry_fill_forward(BLACK, board));
}

ALWAYS_INLINE Bitboard find_isolated(const PawnSides *pawns)
{
    return pawns->own & ~beside(files_of(pawns->own));
}

/* No neighbour can come to protect it, its stop square is guarded, and it attacks no pawn. */
ALWAYS_INLINE Bitboard find_backward(const PawnSides *pawns, Color us, Bitboard isolated)
{
    const Bitboard can_be_helped = geometry_fill_forward(us, beside(pawns->own));
    const Bitboard stop_is_guarded = geometry_shift_back(us, pawns->enemy_attacks);
    return pawns->own & stop_is_guarded & ~(can_be_helped | isolated | pawns->enemy_attacks);
}

/* No pawn in front, and none beside that could take it as it advances. */
ALWAYS_INLINE Bitboard find_passed(const PawnSides *pawns, Color us, Bitboard open)
{
    const Bitboard guarded = front_of(color_other(us), beside(pawns->enemy));
    return open & ~guarded;
}

/* Guarded, but at least as many neighbours level or behind help as enemies guard. */
static bool is_candidate(const PawnSides *pawns, Color us, Square square)
{
    const Bitboard files = geometry_neighbour_files(square_file(square));
    const Bitboard ahead = geometry_ranks_ahead(us, square_rank(square));
    return bitboard_count(pawns->own & files & ~ahead) >=
           bitboard_count(pawns->enemy & files & ahead);
}

/* A weight that depends on the rank, for each pawn of a set. */
ALWAYS_INLINE Score weigh_by_rank(Color us, Bitboard pawns, const Weight by_rank[RANK_COUNT],
                                  EvalTrace *trace)
{
    Score score = 0;
    while (pawns) {
        const int rank = square_relative_rank(us, bitboard_pop(&pawns));
        score += trace_weigh(trace, us, TERM_PAWNS, &by_rank[rank], 1);
    }
    return score;
}

ALWAYS_INLINE Score weigh_weaknesses(const PawnSides *pawns, Color us, EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Bitboard isolated = find_isolated(pawns);
    const Bitboard backward = find_backward(pawns, us, isolated);
    const Bitboard exposed = (isolated | backward) & find_unopposed(pawns, us);
    const Bitboard doubled = find_doubled(pawns, us);
    return trace_weigh(trace, us, TERM_PAWNS, &w->pawn_isolated, bitboard_count(isolated)) +
           trace_weigh(trace, us, TERM_PAWNS, &w->pawn_backward, bitboard_count(backward)) +
           trace_weigh(trace, us, TERM_PAWNS, &w->pawn_exposed, bitboard_count(exposed)) +
           trace_weigh(trace, us, TERM_PAWNS, &w->pawn_doubled, bitboard_count(doubled));
}

/* Passed pawns are only found here; passed.h weighs them, as it needs the pieces. */
ALWAYS_INLINE Score weigh_strengths(const PawnSides *pawns, Color us, PawnEntry *entry,
                                    EvalTrace *trace)
{
    const EvalWeights *w = &weights_packed;
    const Bitboard open = find_unopposed(pawns, us) & ~find_doubled(pawns, us);
    const Bitboard passed = find_passed(pawns, us, open);
    Bitboard candidates = 0;
    for (Bitboard rest = open & ~passed; rest;) {
        const Square square = bitboard_pop(&rest);
        candidates |= is_candidate(pawns, us, square) ? bitboard_square(square) : 0;
    }
    entry->passed |= passed;
    return weigh_by_rank(us, pawns->own & pawns->own_attacks, w->pawn_supported, trace) +
           weigh_by_rank(us, pawns->own & beside(pawns->own), w->pawn_phalanx, trace) +
           weigh_by_rank(us, candidates, w->pawn_candidate, trace);
}

ALWAYS_INLINE Score fill_side(const Position *position, Color us, PawnEntry *entry,
                              EvalTrace *trace)
{
    const Color them = color_other(us);
    const Bitboard own = position_pieces(position, us, PAWN);
    const Bitboard enemy = position_pieces(position, them, PAWN);
    const PawnSides pawns = {
        .own = own,
        .enemy = enemy,
        .own_attacks = bitboard_pawn_attacks(us, own),
        .enemy_attacks = bitboard_pawn_attacks(them, enemy),
    };
    Score score = weigh_weaknesses(&pawns, us, trace) + weigh_strengths(&pawns, us, entry, trace);
    for (Bitboard rest = own; rest;) {
        score += trace_place(trace, us, PAWN, bitboard_pop(&rest));
    }
    entry->reach[us] = geometry_fill_forward(us, pawns.own_attacks);
    entry->files[us] = files_of(own);
    return score;
}

ALWAYS_INLINE void fill(const Position *position, PawnEntry *entry, EvalTrace *trace)
{
    pawns_clear_entry(entry);
    entry->key = position->pawn_key;
    entry->structure =
        fill_side(position, WHITE, entry, trace) - fill_side(position, BLACK, entry, trace);
}

void pawns_fill(const Position *position, PawnEntry *entry, EvalTrace *trace)
{
    if (trace) {
        fill(position, entry, trace);
    } else {
        fill(position, entry, NULL);
    }
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
    const EvalWeights *w = &weights_packed;
    const Bitboard pawns = position->by_type[PAWN] & bitboard_file(file) & not_behind;
    const int own = nearest_rank(us, pawns & position->by_color[us]);
    const int enemy = nearest_rank(us, pawns & position->by_color[color_other(us)]);
    const int edge = geometry_steps_from_edge(file);
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

Score pawns_fill_shelter(const Position *position, Color color, PawnEntry *entry, EvalTrace *trace)
{
    const Square king = position_king(position, color);
    const Bitboard behind = geometry_ranks_ahead(color_other(color), square_rank(king));
    const int centre = geometry_clamp(square_file(king), 1, 6);
    Score score = 0;
    for (int file = centre - 1; file <= centre + 1; file++) {
        score += shelter_on_file(position, color, file, ~behind, trace);
    }
    score += trace_weigh(trace, color, TERM_KING_SHELTER, &weights_packed.king_pawn_distance,
                         pawn_distance(position, color, king));
    entry->shelter_king[color] = king;
    entry->shelter[color] = score;
    return score;
}
