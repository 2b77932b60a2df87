/*
 * Model: the evaluation as a smooth function of its weights, with its exact derivative.
 *
 * A position is reduced to how often each weight counts in it (White minus Black), its phase, and
 * the factors that scale its score. What follows is the evaluation without its roundings: linear
 * terms, the danger of both kings (quadratic in its attack units in the middlegame), how winnable
 * the endgame is, the taper, the scale of the ending and the damping of the 50-move rule. Mop-up
 * and scales are no weights and stay as they are.
 *
 * Squares that mirror each other from left to right share one weight of the piece-square tables:
 * the data would else tell them apart by chance.
 */
#ifndef ROOKERY_TOOLS_TUNER_MODEL_H
#define ROOKERY_TOOLS_TUNER_MODEL_H

#include "worker/eval/eval.h"

/* The roundings of the evaluation stay below this, centipawns. */
enum { MODEL_ROUNDING_MAX = 4 };

/* A weight, or a derivative by it, in both phases. */
typedef struct {
    double mg;
    double eg;
} ModelPair;

/* All weights, by their place in EvalWeights; those of right-hand squares are not used. */
typedef struct {
    ModelPair pairs[EVAL_WEIGHT_COUNT];
} ModelWeights;

/* How often a weight counts. */
typedef struct {
    uint16_t weight; /* its place in ModelWeights */
    int16_t count;
} ModelFeature;

/* The most features that a position can have. */
enum { MODEL_FEATURES_MAX = 3 * EVAL_WEIGHT_COUNT };

/* A position as the model sees it; its features lie elsewhere, in the order of the counts. */
typedef struct {
    float middlegame;             /* the part of the middlegame, 0 to 1 */
    float factor[COLOR_COUNT];    /* of the score, when this colour is ahead */
    float mop_up;                 /* of the endgame, White minus Black, centipawns */
    uint16_t linear_count;        /* features that are counted White minus Black */
    uint16_t danger[COLOR_COUNT]; /* attack units against that colour's king; 0: no danger */
    uint16_t winnable_count;      /* features for the side that is ahead in the endgame */
} ModelPosition;

/* The weights that the evaluation uses now. */
void model_start_weights(ModelWeights *weights);

/* Rounds to whole centipawns and gives right-hand squares the weights of their mirrors. */
void model_round(const ModelWeights *weights, EvalWeights *rounded);

/*
 * Reduces a position and returns the number of its features; `score` gets the evaluation's own
 * centipawns, White's view.
 */
int model_reduce(const Position *position, ModelPosition *reduced,
                 ModelFeature features[MODEL_FEATURES_MAX], int *score);

/* The score of a position, centipawns, White's view. */
double model_score(const ModelWeights *weights, const ModelPosition *position,
                   const ModelFeature *features);

/* Adds `slope` times the derivative of the score by each weight to `gradient`. */
void model_add_gradient(const ModelWeights *weights, const ModelPosition *position,
                        const ModelFeature *features, double slope, ModelWeights *gradient);

#endif
