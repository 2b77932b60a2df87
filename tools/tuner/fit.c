#include "tools/tuner/fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/prng.h"

enum { BATCH = 4096, SHUFFLE_SEED = 1 };

/* Adam, as published but for the rate: centipawns a step, falling to 0 by a half cosine. */
static const double rate_start = 0.3;
static const double decay_mean = 0.9;
static const double decay_square = 0.999;
static const double tiny = 1e-12;

/* Where the scale of the sigmoid is looked for, per centipawn. */
static const double scale_min = 0.0005;
static const double scale_max = 0.02;
enum { SCALE_STEPS = 30 };

/* Which points an error is of. */
typedef enum { POINTS_LEARNED, POINTS_HELD_OUT, POINTS_ALL } Points;

typedef struct {
    const Dataset *dataset;
    const FitSettings *settings;
    FitResult *result;
    ModelWeights start;
    ModelWeights weights;
    ModelWeights gradient; /* of the error, by each weight */
    ModelWeights mean;     /* of past gradients */
    ModelWeights square;   /* of past gradients' squares */
    double pull;           /* of the error, times a weight's squared distance from its start */
    size_t *order;         /* of the points learned from, anew in each epoch */
    size_t order_count;
    int steps; /* of Adam so far */
} Fit;

static double sigmoid(double scale, double score)
{
    return 1 / (1 + exp(-scale * score));
}

/* ---- the error ---- */

static double target_of(const FitSettings *settings, const FitResult *result,
                        const DataPoint *point)
{
    const double share = settings->score_share;
    return (1 - share) * point->result + share * sigmoid(result->score_scale, point->score);
}

static bool is_among(const DataPoint *point, Points points)
{
    return points == POINTS_ALL || point->is_held_out == (points == POINTS_HELD_OUT);
}

static double mean_square(const Dataset *dataset, const FitSettings *settings,
                          const FitResult *result, const ModelWeights *weights, Points points)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < dataset->count; i++) {
        const DataPoint *point = &dataset->points[i];
        if (is_among(point, points)) {
            const double score =
                model_score(weights, &point->position, dataset->features + point->features);
            const double error = sigmoid(result->scale, score) - target_of(settings, result, point);
            sum += error * error;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

double fit_held_out_error(const Dataset *dataset, const FitSettings *settings,
                          const FitResult *result, const ModelWeights *weights)
{
    return mean_square(dataset, settings, result, weights, POINTS_HELD_OUT);
}

/* ---- the scale of the sigmoid ---- */

static double scale_error(const Dataset *dataset, const float *scores, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < dataset->count; i++) {
        const double error = sigmoid(scale, scores[i]) - dataset->points[i].result;
        sum += error * error;
    }
    return sum;
}

/* The scale with which these scores predict the results best, by a ternary search. */
static double find_scale(const Dataset *dataset, const float *scores)
{
    double low = scale_min;
    double high = scale_max;
    for (int i = 0; i < SCALE_STEPS; i++) {
        const double third = (high - low) / 3;
        if (scale_error(dataset, scores, low + third) <
            scale_error(dataset, scores, high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    return (low + high) / 2;
}

static Status find_scales(Fit *fit)
{
    const Dataset *dataset = fit->dataset;
    float *scores = calloc(dataset->count, sizeof *scores);
    if (scores == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for the scores");
    }
    for (size_t i = 0; i < dataset->count; i++) {
        const DataPoint *point = &dataset->points[i];
        scores[i] =
            (float)model_score(&fit->start, &point->position, dataset->features + point->features);
    }
    fit->result->scale = find_scale(dataset, scores);
    for (size_t i = 0; i < dataset->count; i++) {
        scores[i] = dataset->points[i].score;
    }
    fit->result->score_scale = find_scale(dataset, scores);
    free(scores);
    return status_ok();
}

/* ---- learning ---- */

static Status make_order(Fit *fit)
{
    const Dataset *dataset = fit->dataset;
    fit->order = calloc(dataset->count, sizeof *fit->order);
    if (fit->order == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for the order");
    }
    for (size_t i = 0; i < dataset->count; i++) {
        if (!dataset->points[i].is_held_out) {
            fit->order[fit->order_count++] = i;
        }
    }
    return status_ok();
}

static void shuffle(Fit *fit, Prng *prng)
{
    for (size_t i = fit->order_count; i > 1; i--) {
        const size_t other = prng_below(prng, i);
        const size_t swapped = fit->order[other];
        fit->order[other] = fit->order[i - 1];
        fit->order[i - 1] = swapped;
    }
}

/* Adds the gradient of one point's share in the error. */
static void learn_point(Fit *fit, const DataPoint *point, double share)
{
    const FitResult *result = fit->result;
    const ModelFeature *features = fit->dataset->features + point->features;
    const double score = model_score(&fit->weights, &point->position, features);
    const double chance = sigmoid(result->scale, score);
    const double error = chance - target_of(fit->settings, result, point);
    const double slope = 2 * error * chance * (1 - chance) * result->scale * share;
    model_add_gradient(&fit->weights, &point->position, features, slope, &fit->gradient);
}

static double step_value(double gradient, double *mean, double *square, double rate)
{
    *mean = decay_mean * *mean + (1 - decay_mean) * gradient;
    *square = decay_square * *square + (1 - decay_square) * gradient * gradient;
    return rate * *mean / (sqrt(*square) + tiny);
}

/* One step of Adam; the corrections of both means for their start at 0 are in the rate. */
static void step(Fit *fit, double rate)
{
    fit->steps++;
    const double corrected =
        rate * sqrt(1 - pow(decay_square, fit->steps)) / (1 - pow(decay_mean, fit->steps));
    for (int i = 0; i < EVAL_WEIGHT_COUNT; i++) {
        ModelPair *weight = &fit->weights.pairs[i];
        const ModelPair *start = &fit->start.pairs[i];
        const ModelPair *gradient = &fit->gradient.pairs[i];
        const double mg = gradient->mg + 2 * fit->pull * (weight->mg - start->mg);
        const double eg = gradient->eg + 2 * fit->pull * (weight->eg - start->eg);
        ModelPair *mean = &fit->mean.pairs[i];
        ModelPair *square = &fit->square.pairs[i];
        weight->mg -= step_value(mg, &mean->mg, &square->mg, corrected);
        weight->eg -= step_value(eg, &mean->eg, &square->eg, corrected);
    }
}

static void learn_epoch(Fit *fit, double rate)
{
    for (size_t first = 0; first < fit->order_count; first += BATCH) {
        const size_t rest = fit->order_count - first;
        const size_t count = rest < BATCH ? rest : BATCH;
        fit->gradient = (ModelWeights){0};
        for (size_t i = first; i < first + count; i++) {
            learn_point(fit, &fit->dataset->points[fit->order[i]], 1.0 / (double)count);
        }
        step(fit, rate);
    }
}

static void learn(Fit *fit, FitProgress *progress)
{
    const FitSettings *settings = fit->settings;
    FitResult *result = fit->result;
    Prng prng;
    prng_init(&prng, SHUFFLE_SEED);
    for (int epoch = 1; epoch <= settings->epochs; epoch++) {
        shuffle(fit, &prng);
        learn_epoch(fit, rate_start * (1 + cos(M_PI * (epoch - 1) / settings->epochs)) / 2);
        const double learned =
            mean_square(fit->dataset, settings, result, &fit->weights, POINTS_LEARNED);
        const double held_out =
            mean_square(fit->dataset, settings, result, &fit->weights, POINTS_HELD_OUT);
        if (held_out < result->best_error) {
            result->best_error = held_out;
            result->best_epoch = epoch;
            result->weights = fit->weights;
        }
        if (progress != NULL) {
            progress(epoch, learned, held_out);
        }
    }
}

/* The error with the start values, and from it the strength of the pull. */
static void begin(Fit *fit, FitProgress *progress)
{
    FitResult *result = fit->result;
    const Dataset *dataset = fit->dataset;
    const double spread = fit->settings->spread;
    const double noise = mean_square(dataset, fit->settings, result, &fit->start, POINTS_LEARNED);
    fit->pull = noise / (dataset->games * spread * spread);
    fit->weights = fit->start;
    result->weights = fit->start;
    result->start_error = fit_held_out_error(dataset, fit->settings, result, &fit->start);
    result->best_error = result->start_error;
    if (progress != NULL) {
        progress(0, noise, result->start_error);
    }
}

Status fit_run(const Dataset *dataset, const FitSettings *settings, FitProgress *progress,
               FitResult *result)
{
    *result = (FitResult){.best_epoch = 0};
    Fit *fit = calloc(1, sizeof *fit);
    if (fit == NULL) {
        return status_error(STATUS_NO_MEMORY, "not enough memory to fit");
    }
    fit->dataset = dataset;
    fit->settings = settings;
    fit->result = result;
    model_start_weights(&fit->start);
    Status status = find_scales(fit);
    if (status_is_ok(&status)) {
        status = make_order(fit);
    }
    if (status_is_ok(&status)) {
        begin(fit, progress);
        learn(fit, progress);
    }
    free(fit->order);
    free(fit);
    return status;
}
