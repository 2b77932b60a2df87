#include "worker/eval/endgame.h"

#include "worker/eval/geometry.h"
#include "worker/eval/kpk.h"

/* Material in minor pieces' thirds, enough to compare armies without pawns. */
enum { MINOR_VALUE = 3, ROOK_VALUE = 5, QUEEN_VALUE = 9 };

/* Factors of 64. */
enum {
    SCALE_DEAD_DRAW = 0,
    SCALE_HOPELESS = 4,      /* such as rook against minor */
    SCALE_UNLIKELY = 14,     /* such as rook and minor against rook */
    SCALE_ONE_PAWN = 44,     /* the last pawn may be exchanged */
    SCALE_EACH_PAWN = 6,     /* and each further one */
    SCALE_BISHOPS = 22,      /* opposite bishops alone */
    SCALE_BISHOPS_AHEAD = 6, /* and each pawn ahead beyond one */
    SCALE_BISHOPS_PAWN = 8,  /* opposite bishops, a single pawn or several side by side */
    SCALE_BISHOPS_FILE = 10, /* and each file between the outermost pawns */
    SCALE_BISHOPS_MORE = 48, /* opposite bishops with more pieces */
};

/* Mop-up, centipawns of the endgame. */
enum {
    MOP_UP_BASE = 400,   /* a won ending is better than its material */
    MOP_UP_EDGE = 60,    /* each step of the weak king away from the centre */
    MOP_UP_CORNER = 250, /* each step nearer to the right corner */
    MOP_UP_KINGS = 45,   /* each step of the kings towards each other */
    WON_PAWN_BASE = 500, /* pawns that a lone king cannot stop */
    WON_PAWN_RANK = 20,  /* each rank the foremost has come */
};

static int army_value(const Position *position, Color color)
{
    const Bitboard own = position->by_color[color];
    const Bitboard minors = position->by_type[KNIGHT] | position->by_type[BISHOP];
    return MINOR_VALUE * bitboard_count(own & minors) +
           ROOK_VALUE * bitboard_count(own & position->by_type[ROOK]) +
           QUEEN_VALUE * bitboard_count(own & position->by_type[QUEEN]);
}

static bool is_bare(const Position *position, Color color)
{
    return !bitboard_has_several(position->by_color[color]);
}

static bool is_of_one_colour(Bitboard board)
{
    return (board & BITBOARD_DARK) == 0 || (board & BITBOARD_LIGHT) == 0;
}

/* Two knights, or bishops on squares of one colour: they cannot force mate on a lone king. */
static bool is_helpless_army(const Position *position, Bitboard officers)
{
    const bool two_knights =
        (officers & ~position->by_type[KNIGHT]) == 0 && bitboard_count(officers) == 2;
    const bool bishops = (officers & ~position->by_type[BISHOP]) == 0 && is_of_one_colour(officers);
    return two_knights || bishops;
}

/* Without pawns an advantage of a minor or less does not win, nor does a helpless army. */
static int scale_without_pawns(const Position *position, Color strong)
{
    const Color weak = color_other(strong);
    const int army = army_value(position, strong);
    const int opposition = army_value(position, weak);
    const Bitboard officers = position_officers(position, strong);
    if (army <= MINOR_VALUE) {
        return SCALE_DEAD_DRAW;
    }
    if (is_helpless_army(position, officers)) {
        return is_bare(position, weak) ? SCALE_DEAD_DRAW : SCALE_HOPELESS;
    }
    if (army - opposition > MINOR_VALUE) {
        return ENDGAME_SCALE_FULL;
    }
    return opposition <= MINOR_VALUE ? SCALE_HOPELESS : SCALE_UNLIKELY;
}

/* One bishop each, on squares of different colours. */
static bool has_opposite_bishops(const Position *position)
{
    const Bitboard bishops = position->by_type[BISHOP];
    return bitboard_count(bishops) == 2 && bitboard_count(bishops & BITBOARD_DARK) == 1 &&
           bitboard_count(bishops & position->by_color[WHITE]) == 1;
}

/* The files between the outermost pawns, 0 when they stand side by side or on one file. */
static int files_between(Bitboard pawns)
{
    int first = 7;
    int last = 0;
    while (pawns) {
        const int file = square_file(bitboard_pop(&pawns));
        first = file < first ? file : first;
        last = file > last ? file : last;
    }
    return last - first > 1 ? last - first - 1 : 0;
}

/* A bishop and its king stop pawns that stand together, not those that stand far apart. */
static int scale_lone_bishops(Bitboard own_pawns, Bitboard enemy_pawns)
{
    if (enemy_pawns == 0) {
        return geometry_clamp(SCALE_BISHOPS_PAWN + SCALE_BISHOPS_FILE * files_between(own_pawns), 0,
                              SCALE_BISHOPS_MORE);
    }
    const int ahead = bitboard_count(own_pawns) - bitboard_count(enemy_pawns);
    return geometry_clamp(SCALE_BISHOPS + SCALE_BISHOPS_AHEAD * (ahead - 1), 10,
                          ENDGAME_SCALE_FULL);
}

static int scale_opposite_bishops(const Position *position, Color strong, int phase)
{
    const Bitboard officers =
        position_officers(position, WHITE) | position_officers(position, BLACK);
    if (officers != position->by_type[BISHOP]) {
        return ENDGAME_SCALE_FULL - (ENDGAME_SCALE_FULL - SCALE_BISHOPS_MORE) * (24 - phase) / 24;
    }
    return scale_lone_bishops(position_pieces(position, strong, PAWN),
                              position_pieces(position, color_other(strong), PAWN));
}

/*
 * Whether the weak king holds the corner where a rook pawn of `strong` promotes, no piece being
 * able to drive it away: it is there, or, alone, comes there in time, before both the strong king
 * and the pawn. Exact tables of one pawn with a bishop, and of two pawns, know no exception.
 */
static bool reaches_corner(const Position *position, Color strong, Square corner)
{
    const Color weak = color_other(strong);
    const Bitboard pawns = position_pieces(position, strong, PAWN);
    const Square foremost = strong == WHITE ? bitboard_last(pawns) : bitboard_first(pawns);
    const int defender = geometry_distance(position_king(position, weak), corner);
    const int attacker = geometry_distance(position_king(position, strong), corner);
    const int pawn = geometry_clamp(7 - square_relative_rank(strong, foremost), 1, 5);
    const int lead = position_side(position) == weak ? 1 : 2;
    return defender <= 1 ||
           (is_bare(position, weak) && attacker >= defender + lead && pawn >= defender + lead);
}

/*
 * Rook pawns of one file with no pieces, or with bishops that do not control the promotion corner,
 * and no enemy pawn that they might take or that must move when the king cannot: drawn when the
 * weak king holds the corner.
 */
static bool is_wrong_rook_pawn(const Position *position, Color strong)
{
    const Bitboard pawns = position_pieces(position, strong, PAWN);
    const Bitboard officers = position_officers(position, strong);
    const bool on_a = (pawns & ~BITBOARD_FILE_A) == 0;
    const bool on_h = (pawns & ~BITBOARD_FILE_H) == 0;
    if ((!on_a && !on_h) || pawns != position->by_type[PAWN] ||
        (officers & ~position->by_type[BISHOP]) != 0) {
        return false;
    }
    const Square corner = square_relative(strong, on_a ? SQUARE_A8 : SQUARE_H8);
    const Bitboard colour = bitboard_has(BITBOARD_DARK, corner) ? BITBOARD_DARK : BITBOARD_LIGHT;
    return (officers & colour) == 0 && reaches_corner(position, strong, corner);
}

int endgame_scale(const Position *position, Color strong, int phase)
{
    const Bitboard pawns = position_pieces(position, strong, PAWN);
    if (pawns == 0) {
        return scale_without_pawns(position, strong);
    }
    if (kpk_applies(position)) {
        return kpk_is_win(position) ? ENDGAME_SCALE_FULL : SCALE_DEAD_DRAW;
    }
    if (is_wrong_rook_pawn(position, strong)) {
        return SCALE_DEAD_DRAW;
    }
    if (is_bare(position, color_other(strong))) {
        return ENDGAME_SCALE_FULL;
    }
    if (has_opposite_bishops(position)) {
        return scale_opposite_bishops(position, strong, phase);
    }
    const int scale = SCALE_ONE_PAWN + SCALE_EACH_PAWN * (bitboard_count(pawns) - 1);
    return scale < ENDGAME_SCALE_FULL ? scale : ENDGAME_SCALE_FULL;
}

/* Steps without diagonals. */
static int manhattan(Square left, Square right)
{
    return __builtin_abs(square_file(left) - square_file(right)) +
           __builtin_abs(square_rank(left) - square_rank(right));
}

/* 0 in the centre to 6 in the corners. */
static int steps_from_centre(Square square)
{
    return 6 - geometry_steps_from_edge(square_file(square)) -
           geometry_steps_from_edge(square_rank(square));
}

/* Steps to the nearer of the two corners that a bishop on `bishops` can attack. */
static int steps_to_corner(Bitboard bishops, Square king)
{
    const bool dark = (bishops & BITBOARD_DARK) != 0;
    const int one = manhattan(king, dark ? SQUARE_A1 : SQUARE_A8);
    const int other = manhattan(king, dark ? SQUARE_H8 : SQUARE_H1);
    return one < other ? one : other;
}

static bool has_bishop_and_knight_only(const Position *position, Color color)
{
    return (position->by_color[color] & ~position->by_type[KING]) ==
               position_officers(position, color) &&
           bitboard_count(position->by_color[color]) == 3 &&
           bitboard_count(position_pieces(position, color, KNIGHT)) == 1 &&
           bitboard_count(position_pieces(position, color, BISHOP)) == 1;
}

/* Enough to mate a lone king: a rook, a queen, or more than one minor and no helpless army. */
static bool can_mate(const Position *position, Color color)
{
    return army_value(position, color) > MINOR_VALUE &&
           !is_helpless_army(position, position_officers(position, color));
}

/* Pawns that are known to promote are worth most of a queen, the more the nearer they are. */
static Score won_pawns(const Position *position, Color strong)
{
    const Bitboard pawns = position_pieces(position, strong, PAWN);
    const Square foremost = strong == WHITE ? bitboard_last(pawns) : bitboard_first(pawns);
    return score_make(0, WON_PAWN_BASE + WON_PAWN_RANK * square_relative_rank(strong, foremost));
}

/* What drives a lone king to where it is mated. */
static Score drive(const Position *position, Color strong)
{
    const Square king = position_king(position, strong);
    const Square victim = position_king(position, color_other(strong));
    const int closeness = MOP_UP_KINGS * (14 - manhattan(king, victim));
    const int place = has_bishop_and_knight_only(position, strong)
                          ? MOP_UP_CORNER * (7 - steps_to_corner(position->by_type[BISHOP], victim))
                          : MOP_UP_EDGE * steps_from_centre(victim);
    return score_make(0, MOP_UP_BASE + closeness + place);
}

Score endgame_mop_up(const Position *position, Color strong)
{
    if (kpk_applies(position)) {
        return position_pieces(position, strong, PAWN) != 0 && kpk_is_win(position)
                   ? won_pawns(position, strong)
                   : 0;
    }
    if (can_mate(position, strong)) {
        return drive(position, strong);
    }
    const bool has_pawns = position_pieces(position, strong, PAWN) != 0;
    return has_pawns && !is_wrong_rook_pawn(position, strong) ? won_pawns(position, strong) : 0;
}
