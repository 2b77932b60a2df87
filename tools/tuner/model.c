#include "tools/tuner/model.h"

#include <math.h>
#include <stddef.h>

#include "worker/eval/endgame.h"

/* Places of weights in the flat array. */
enum {
    SQUARES_FIRST = offsetof(EvalWeights, piece_square) / sizeof(Weight),
    SQUARES_END = SQUARES_FIRST + PIECE_TYPE_COUNT * SQUARE_COUNT,
    WINNABLE_FIRST = offsetof(EvalWeights, winnable_pawn) / sizeof(Weight),
    DANGER_FIRST = offsetof(EvalWeights, danger_attacker) / sizeof(Weight),
};

enum { PHASE_MAX = 24, DAMPING_PLIES = 220, DAMPING_PLIES_MAX = 100 };

/* What the weights make of a position's features. */
typedef struct {
    ModelPair sum;                /* all terms, White minus Black */
    int winnable_sign;            /* of what is winnable in the endgame; 0: it is at its bounds */
    double winnable_slope;        /* of the endgame by what it would be otherwise */
    ModelPair units[COLOR_COUNT]; /* attack units against that king */
    double factor;                /* of the tapered sum */
} Outcome;

/* The weight that stands for the one at `index`: a mirrored square's is that of the left half. */
static int shared_weight(int index)
{
    if (index < SQUARES_FIRST || index >= SQUARES_END) {
        return index;
    }
    const int square = (index - SQUARES_FIRST) % SQUARE_COUNT;
    return square_file((Square)square) < FILE_COUNT / 2 ? index : index - square + (square ^ 7);
}

void model_start_weights(ModelWeights *weights)
{
    const Weight *start = (const Weight *)&eval_weights;
    for (int i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        weights->pairs[i] = (ModelPair){start[i].mg, start[i].eg};
    }
}

void model_round(const ModelWeights *weights, EvalWeights *rounded)
{
    Weight *to = (Weight *)rounded;
    for (int i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        const ModelPair *from = &weights->pairs[shared_weight(i)];
        to[i] = (Weight){(int16_t)lround(from->mg), (int16_t)lround(from->eg)};
    }
}

/* ---- from position to features ---- */

static void set_factors(const Position *position, const EvalTrace *trace, ModelPosition *reduced)
{
    const int plies = position->rule50 < DAMPING_PLIES_MAX ? position->rule50 : DAMPING_PLIES_MAX;
    const float damping = (float)(DAMPING_PLIES - plies) / DAMPING_PLIES;
    for (int color = WHITE; color <= BLACK; color++) {
        const int scale = endgame_scale(position, (Color)color, trace->phase);
        reduced->factor[color] = damping * (float)scale / ENDGAME_SCALE_FULL;
    }
    reduced->middlegame = (float)trace->phase / PHASE_MAX;
    reduced->mop_up = (float)(score_eg(trace->terms[TERM_MOP_UP][WHITE]) -
                              score_eg(trace->terms[TERM_MOP_UP][BLACK]));
}

/* Appends the counts that are not 0, from `first` up to `end`, and returns how many they were. */
static int append(const int *counts, int first, int end, ModelFeature *features)
{
    int appended = 0;
    for (int i = first; i < end; i++) {
        if (counts[i] != 0) {
            features[appended++] = (ModelFeature){(uint16_t)i, (int16_t)counts[i]};
        }
    }
    return appended;
}

static int append_linear(const EvalTrace *trace, ModelFeature *features)
{
    int counts[EVAL_WEIGHT_COUNT] = {0};
    for (int i = 0; i < WINNABLE_FIRST; i++) {
        counts[shared_weight(i)] += trace->counts[i][WHITE] - trace->counts[i][BLACK];
    }
    return append(counts, 0, WINNABLE_FIRST, features);
}

/* What is counted for one colour, not as a difference. */
static int append_of_colour(const EvalTrace *trace, Color color, int first, int end,
                            ModelFeature *features)
{
    int counts[EVAL_WEIGHT_COUNT] = {0};
    for (int i = first; i < end; i++) {
        counts[i] = trace->counts[i][color];
    }
    return append(counts, first, end, features);
}

static int append_danger(const EvalTrace *trace, Color color, ModelFeature *features)
{
    return trace->danger_counts[color]
               ? append_of_colour(trace, color, DANGER_FIRST, EVAL_WEIGHT_COUNT, features)
               : 0;
}

int model_reduce(const Position *position, ModelPosition *reduced,
                 ModelFeature features[MODEL_FEATURES_MAX], int *score)
{
    EvalTrace trace;
    eval_trace_fill(position, &trace);
    set_factors(position, &trace, reduced);
    const int linear = append_linear(&trace, features);
    const int white = append_danger(&trace, WHITE, features + linear);
    const int black = append_danger(&trace, BLACK, features + linear + white);
    const int winnable = append_of_colour(&trace, WHITE, WINNABLE_FIRST, DANGER_FIRST,
                                          features + linear + white + black);
    reduced->linear_count = (uint16_t)linear;
    reduced->winnable_count = (uint16_t)winnable;
    reduced->danger[WHITE] = (uint16_t)white;
    reduced->danger[BLACK] = (uint16_t)black;
    *score = trace.score;
    return linear + white + black + winnable;
}

/* ---- the score and its derivative ---- */

static ModelPair add_up(const ModelWeights *weights, const ModelFeature *features, int count)
{
    ModelPair sum = {0, 0};
    for (int i = 0; i < count; i++) {
        const ModelPair *weight = &weights->pairs[features[i].weight];
        sum.mg += features[i].count * weight->mg;
        sum.eg += features[i].count * weight->eg;
    }
    return sum;
}

static ModelPair danger_of(ModelPair units)
{
    const double mg = fmin(fmax(units.mg, 0), DANGER_MG_MAX);
    return (ModelPair){mg * mg / DANGER_MG_DIVISOR, fmax(units.eg, 0) / DANGER_EG_DIVISOR};
}

/* The derivative of the danger by its units; 0 where it is held by its bounds. */
static ModelPair danger_slope(ModelPair units)
{
    const bool grows = units.mg > 0 && units.mg < DANGER_MG_MAX;
    return (ModelPair){grows ? 2 * units.mg / DANGER_MG_DIVISOR : 0,
                       units.eg > 0 ? 1.0 / DANGER_EG_DIVISOR : 0};
}

/* Adds what is winnable to the endgame's score, of which it takes all or doubles it at most. */
static void add_winnable(const ModelWeights *weights, const ModelPosition *position,
                         const ModelFeature *features, Outcome *outcome)
{
    const double winnable = add_up(weights, features, position->winnable_count).eg;
    const double eg = outcome->sum.eg;
    const double gain = fmin(fmax(winnable, -fabs(eg)), fabs(eg));
    const bool is_bound = gain != winnable;
    outcome->winnable_sign = is_bound ? 0 : eg < 0 ? -1 : 1;
    outcome->winnable_slope = !is_bound ? 1 : winnable < 0 ? 0 : 2;
    outcome->sum.eg += eg < 0 ? -gain : gain;
}

static double taper(const ModelPosition *position, ModelPair sum)
{
    return sum.mg * position->middlegame + sum.eg * (1 - position->middlegame);
}

static Outcome compute(const ModelWeights *weights, const ModelPosition *position,
                       const ModelFeature *features)
{
    Outcome outcome;
    const ModelFeature *next = features + position->linear_count;
    outcome.sum = add_up(weights, features, position->linear_count);
    outcome.sum.eg += position->mop_up;
    for (int color = WHITE; color <= BLACK; color++) {
        const int sign = color == WHITE ? -1 : 1;
        outcome.units[color] = add_up(weights, next, position->danger[color]);
        const ModelPair danger = danger_of(outcome.units[color]);
        outcome.sum.mg += sign * danger.mg;
        outcome.sum.eg += sign * danger.eg;
        next += position->danger[color];
    }
    add_winnable(weights, position, next, &outcome);
    outcome.factor = position->factor[taper(position, outcome.sum) > 0 ? WHITE : BLACK];
    return outcome;
}

double model_score(const ModelWeights *weights, const ModelPosition *position,
                   const ModelFeature *features)
{
    const Outcome outcome = compute(weights, position, features);
    return taper(position, outcome.sum) * outcome.factor;
}

static void add_scaled(const ModelFeature *features, int count, ModelPair slope,
                       ModelWeights *gradient)
{
    for (int i = 0; i < count; i++) {
        ModelPair *to = &gradient->pairs[features[i].weight];
        to->mg += features[i].count * slope.mg;
        to->eg += features[i].count * slope.eg;
    }
}

void model_add_gradient(const ModelWeights *weights, const ModelPosition *position,
                        const ModelFeature *features, double slope, ModelWeights *gradient)
{
    const Outcome outcome = compute(weights, position, features);
    const ModelFeature *next = features + position->linear_count;
    const double by_eg = slope * outcome.factor * (1 - position->middlegame);
    const ModelPair by_sum = {slope * outcome.factor * position->middlegame,
                              by_eg * outcome.winnable_slope};
    add_scaled(features, position->linear_count, by_sum, gradient);
    for (int color = WHITE; color <= BLACK; color++) {
        const int sign = color == WHITE ? -1 : 1;
        const ModelPair by_units = danger_slope(outcome.units[color]);
        const ModelPair by_weight = {sign * by_sum.mg * by_units.mg,
                                     sign * by_sum.eg * by_units.eg};
        add_scaled(next, position->danger[color], by_weight, gradient);
        next += position->danger[color];
    }
    add_scaled(next, position->winnable_count, (ModelPair){.eg = outcome.winnable_sign * by_eg},
               gradient);
}
