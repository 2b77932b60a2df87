#include "worker/eval/kpk.h"

#include "worker/eval/geometry.h"

enum {
    PAWN_SQUARES = 24, /* files a to d, ranks 2 to 7 */
    KPK_COUNT = COLOR_COUNT * SQUARE_COUNT * SQUARE_COUNT * PAWN_SQUARES,
};

/* One position: the pawn is White's and on files a to d. */
typedef struct {
    Color side; /* to move */
    Square white;
    Square black;
    Square pawn;
} KpkPosition;

/* What is known of a position. A move to an impossible position is none. */
typedef enum { KPK_UNKNOWN, KPK_IMPOSSIBLE, KPK_DRAW, KPK_WIN } KpkResult;

/* KpkResult by index, two bits each. */
static uint8_t kpk_results[KPK_COUNT / 4];

static unsigned index_of(const KpkPosition *kpk)
{
    const unsigned pawn = (unsigned)(square_rank(kpk->pawn) - 1) * 4 + (kpk->pawn & 7U);
    return ((pawn * SQUARE_COUNT + kpk->white) * SQUARE_COUNT + kpk->black) * COLOR_COUNT +
           (unsigned)kpk->side;
}

static KpkPosition position_at(unsigned index)
{
    const unsigned pawn = index / (COLOR_COUNT * SQUARE_COUNT * SQUARE_COUNT);
    return (KpkPosition){
        .side = (Color)(index % COLOR_COUNT),
        .black = (Square)(index / COLOR_COUNT % SQUARE_COUNT),
        .white = (Square)(index / (COLOR_COUNT * SQUARE_COUNT) % SQUARE_COUNT),
        .pawn = square_make((int)(pawn % 4), (int)(pawn / 4) + 1),
    };
}

static KpkResult get(unsigned index)
{
    return (KpkResult)(kpk_results[index / 4] >> (index % 4 * 2) & 3);
}

/* Unknown results become known, never the other way. */
static void set(unsigned index, KpkResult result)
{
    kpk_results[index / 4] |= (uint8_t)((unsigned)result << (index % 4 * 2));
}

static KpkResult look_up(Color side, Square white, Square black, Square pawn)
{
    const KpkPosition kpk = {.side = side, .white = white, .black = black, .pawn = pawn};
    return get(index_of(&kpk));
}

static bool is_impossible(const KpkPosition *kpk)
{
    return geometry_distance(kpk->white, kpk->black) <= 1 || kpk->white == kpk->pawn ||
           kpk->black == kpk->pawn ||
           (kpk->side == WHITE && bitboard_has(attacks_pawn(WHITE, kpk->pawn), kpk->black));
}

/* The pawn steps on the last rank and stays alive. */
static bool promotes(const KpkPosition *kpk)
{
    const Square stop = (Square)(kpk->pawn + 8);
    return square_rank(stop) == 7 && kpk->white != stop && kpk->black != stop &&
           (geometry_distance(kpk->black, stop) > 1 || geometry_distance(kpk->white, stop) == 1);
}

/* Black is stalemated (mate cannot happen) or takes the pawn. */
static bool black_saves_himself(const KpkPosition *kpk)
{
    const Bitboard guarded = attacks_king(kpk->white) | attacks_pawn(WHITE, kpk->pawn);
    const Bitboard flights = attacks_king(kpk->black) & ~guarded;
    return flights == 0 || bitboard_has(flights, kpk->pawn);
}

/* What the position is without looking at its moves. */
static KpkResult classify_at_once(const KpkPosition *kpk)
{
    if (is_impossible(kpk)) {
        return KPK_IMPOSSIBLE;
    }
    if (kpk->side == WHITE) {
        return promotes(kpk) ? KPK_WIN : KPK_UNKNOWN;
    }
    return black_saves_himself(kpk) ? KPK_DRAW : KPK_UNKNOWN;
}

/* A set of the results that the moves lead to: bit r for KpkResult r. */
static unsigned results_of_white(const KpkPosition *kpk)
{
    unsigned seen = 0;
    for (Bitboard to = attacks_king(kpk->white); to;) {
        seen |= 1U << look_up(BLACK, bitboard_pop(&to), kpk->black, kpk->pawn);
    }
    const Square stop = (Square)(kpk->pawn + 8);
    if (square_rank(stop) == 7 || stop == kpk->white || stop == kpk->black) {
        return seen;
    }
    seen |= 1U << look_up(BLACK, kpk->white, kpk->black, stop);
    const Square next = (Square)(stop + 8);
    if (square_rank(kpk->pawn) == 1 && next != kpk->white && next != kpk->black) {
        seen |= 1U << look_up(BLACK, kpk->white, kpk->black, next);
    }
    return seen;
}

static unsigned results_of_black(const KpkPosition *kpk)
{
    unsigned seen = 0;
    for (Bitboard to = attacks_king(kpk->black); to;) {
        seen |= 1U << look_up(WHITE, kpk->white, bitboard_pop(&to), kpk->pawn);
    }
    return seen;
}

/* The side to move picks its best; while it may still hope for better, nothing is known. */
static KpkResult classify_by_moves(const KpkPosition *kpk)
{
    const bool white = kpk->side == WHITE;
    const unsigned seen = white ? results_of_white(kpk) : results_of_black(kpk);
    const KpkResult best = white ? KPK_WIN : KPK_DRAW;
    if (seen & 1U << best) {
        return best;
    }
    if (seen & 1U << KPK_UNKNOWN) {
        return KPK_UNKNOWN;
    }
    return white ? KPK_DRAW : KPK_WIN;
}

/* One pass over all unknown positions; whether it found anything. */
static bool refine(KpkResult (*classify)(const KpkPosition *kpk))
{
    bool found = false;
    for (unsigned index = 0; index < KPK_COUNT; index++) {
        if (get(index) == KPK_UNKNOWN) {
            const KpkPosition kpk = position_at(index);
            const KpkResult result = classify(&kpk);
            set(index, result);
            found |= result != KPK_UNKNOWN;
        }
    }
    return found;
}

void kpk_init(void)
{
    refine(classify_at_once);
    while (refine(classify_by_moves)) {
    }
}

/* What stays unknown for ever cannot be won. */
bool kpk_is_win(const Position *position)
{
    const Square pawn = bitboard_first(position->by_type[PAWN]);
    const Color strong = piece_color(position->board[pawn]);
    const unsigned flip = (strong == WHITE ? 0U : 56U) ^ (square_file(pawn) < 4 ? 0U : 7U);
    const KpkPosition kpk = {
        .side = position_side(position) == strong ? WHITE : BLACK,
        .white = (Square)(position_king(position, strong) ^ flip),
        .black = (Square)(position_king(position, color_other(strong)) ^ flip),
        .pawn = (Square)(pawn ^ flip),
    };
    return get(index_of(&kpk)) == KPK_WIN;
}
