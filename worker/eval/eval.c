#include "worker/eval/eval.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "worker/eval/danger.h"
#include "worker/eval/endgame.h"
#include "worker/eval/kpk.h"
#include "worker/eval/passed.h"
#include "worker/eval/pieces.h"
#include "worker/eval/threats.h"
#include "worker/eval/winnable.h"

/* To be raised with every change of the evaluation's code that changes a score. */
enum { EVAL_VERSION = 6 };

enum {
    PAWN_ENTRY_COUNT = 4096, /* a power of two */
    PHASE_MAX = 24,          /* knights and bishops count 1, rooks 2, queens 4 */
    DAMPING_PLIES = 220,     /* a score without progress would fade to 0 in so many plies */
};

struct EvalCache {
    PawnEntry pawns[PAWN_ENTRY_COUNT]; /* by the low bits of pawn_key */
};

void eval_init(void)
{
    geometry_init();
    kpk_init();
    weights_init();
}

EvalCache *eval_cache_new(void)
{
    EvalCache *cache = malloc(sizeof *cache);
    if (cache) {
        eval_cache_clear(cache);
    }
    return cache;
}

void eval_cache_destroy(EvalCache **cache)
{
    free(*cache);
    *cache = NULL;
}

void eval_cache_clear(EvalCache *cache)
{
    for (int i = 0; i < PAWN_ENTRY_COUNT; i++) {
        pawns_clear_entry(&cache->pawns[i]);
    }
}

static int phase_of(const Position *position)
{
    const Bitboard *type = position->by_type;
    const int phase = bitboard_count(type[KNIGHT] | type[BISHOP]) + 2 * bitboard_count(type[ROOK]) +
                      4 * bitboard_count(type[QUEEN]);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

/* A lone king is to be driven to the edge. */
ALWAYS_INLINE Score mop_up(const Position *position, Color strong, EvalTrace *trace)
{
    if (bitboard_has_several(position->by_color[color_other(strong)])) {
        return 0;
    }
    const Score score = endgame_mop_up(position, strong);
    trace_term(trace, strong, TERM_MOP_UP, score);
    return score;
}

/* The terms of one side that need the attack sets of both. */
ALWAYS_INLINE Score weigh_side(const Evaluation *e, Color us, EvalTrace *trace)
{
    return pawns_shelter(e->position, us, e->pawns, trace) + danger_weigh(e, us, trace) +
           passed_weigh(e, us, trace) + threats_weigh(e, us, trace) + threats_space(e, us, trace) +
           mop_up(e->position, us, trace);
}

/* All terms, White minus Black. */
ALWAYS_INLINE Score weigh(const Position *position, PawnEntry *pawns, EvalTrace *trace)
{
    Evaluation e;
    evaluation_begin(&e, position, pawns);
    Score score = pawns->structure;
    score += pieces_weigh(&e, WHITE, trace);
    score -= pieces_weigh(&e, BLACK, trace);
    score += weigh_side(&e, WHITE, trace);
    score -= weigh_side(&e, BLACK, trace);
    const Score tempo =
        trace_weigh(trace, position_side(position), TERM_TEMPO, &weights_packed.tempo, 1);
    score += position_side(position) == WHITE ? tempo : -tempo;
    return score + winnable_weigh(&e, score, trace);
}

/* From both phases to one number: tapered, scaled, and fading as the 50-move rule draws near. */
ALWAYS_INLINE int resolve(const Position *position, Score total, EvalTrace *trace)
{
    const int phase = phase_of(position);
    const int tapered = score_mg(total) * phase + score_eg(total) * (PHASE_MAX - phase);
    const int scale = endgame_scale(position, tapered > 0 ? WHITE : BLACK, phase);
    const int plies = position->rule50 < 100 ? position->rule50 : 100;
    const int scaled = tapered * scale / (PHASE_MAX * ENDGAME_SCALE_FULL);
    const int damped = scaled * (DAMPING_PLIES - plies) / DAMPING_PLIES;
    const int score = geometry_clamp(damped, -EVAL_SCORE_MAX, EVAL_SCORE_MAX);
    if (trace) {
        trace->total = total;
        trace->phase = phase;
        trace->scale = scale;
        trace->score = score;
    }
    return score;
}

/* The entry of this position's pawns: from the cache when it is there, else filled anew. */
static PawnEntry *probe_pawns(const Position *position, EvalCache *cache)
{
    PawnEntry *entry = &cache->pawns[position->pawn_key % PAWN_ENTRY_COUNT];
    if (entry->key != position->pawn_key) {
        pawns_fill(position, entry, NULL);
    }
    return entry;
}

int eval_position(const Position *position, EvalCache *cache)
{
    PawnEntry own;
    PawnEntry *pawns = &own;
    if (cache) {
        pawns = probe_pawns(position, cache);
    } else {
        pawns_fill(position, pawns, NULL);
    }
    const int score = resolve(position, weigh(position, pawns, NULL), NULL);
    return position_side(position) == WHITE ? score : -score;
}

void eval_trace_fill(const Position *position, EvalTrace *trace)
{
    PawnEntry pawns;
    memset(trace, 0, sizeof *trace);
    pawns_fill(position, &pawns, trace);
    resolve(position, weigh(position, &pawns, trace), trace);
}

static const char *const term_names[TERM_COUNT] = {
    [TERM_MATERIAL] = "Material",
    [TERM_PIECE_SQUARE] = "Piece squares",
    [TERM_PAWNS] = "Pawn structure",
    [TERM_PASSED] = "Passed pawns",
    [TERM_KNIGHTS] = "Knights",
    [TERM_BISHOPS] = "Bishops",
    [TERM_ROOKS] = "Rooks",
    [TERM_MOBILITY] = "Mobility",
    [TERM_KING_SHELTER] = "King shelter",
    [TERM_KING_DANGER] = "King danger",
    [TERM_THREATS] = "Threats",
    [TERM_SPACE] = "Space",
    [TERM_TEMPO] = "Tempo",
    [TERM_MOP_UP] = "Mop-up",
    [TERM_IMBALANCE] = "Imbalance",
    [TERM_WINNABLE] = "Winnable",
};

static EvalTerm term_row(const EvalTrace *trace, EvalTermId id)
{
    const Score white = trace->terms[id][WHITE];
    const Score black = trace->terms[id][BLACK];
    EvalTerm row = {
        .name = term_names[id],
        .mg = {score_mg(white), score_mg(black)},
        .eg = {score_eg(white), score_eg(black)},
    };
    row.total = ((row.mg[WHITE] - row.mg[BLACK]) * trace->phase +
                 (row.eg[WHITE] - row.eg[BLACK]) * (PHASE_MAX - trace->phase)) /
                PHASE_MAX;
    return row;
}

int eval_trace(const Position *position, EvalTerm *terms, int capacity)
{
    EvalTrace trace;
    eval_trace_fill(position, &trace);
    const int count = capacity < EVAL_TERMS_MAX ? capacity : EVAL_TERMS_MAX;
    int rest = trace.score;
    for (int i = 0; i < count && i < TERM_COUNT; i++) {
        terms[i] = term_row(&trace, (EvalTermId)i);
        rest -= terms[i].total;
    }
    if (count == EVAL_TERMS_MAX) {
        terms[TERM_COUNT] = (EvalTerm){.name = "Scaling and rounding", .total = rest};
    }
    return count;
}

uint64_t eval_identity(void)
{
    uint64_t hash = prng_mix(EVAL_VERSION);
    for (size_t i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        hash = prng_mix(hash ^ (uint32_t)weights_at(i));
    }
    return hash;
}
