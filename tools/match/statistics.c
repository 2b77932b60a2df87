#include "tools/match/statistics.h"

#include <math.h>

#include "base/check.h"

static const double scores[SAMPLES_SCORES] = {0, 0.25, 0.5, 0.75, 1};
static const double z95 = 1.959964; /* half width of the 95% interval in standard deviations */
static const double error_rate = 0.05;

double statistics_elo(double score)
{
    if (score <= 0) {
        return -INFINITY;
    }
    return score >= 1 ? INFINITY : 400 * log10(score / (1 - score));
}

double statistics_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

static int count_samples(const Samples *samples)
{
    int count = 0;
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        count += samples->counts[i];
    }
    return count;
}

/* Elo per unit of the normalized score: the slope of the Elo curve at 1/2. */
static double elo_per_sigma(void)
{
    return 800 / log(10);
}

/* What follows from the score and how uncertain it is. */
static void add_elo(Estimate *estimate, double deviation)
{
    const double distance = estimate->score - 0.5;
    estimate->elo = statistics_elo(estimate->score);
    estimate->elo_low = statistics_elo(estimate->score - z95 * deviation);
    estimate->elo_high = statistics_elo(estimate->score + z95 * deviation);
    estimate->has_error =
        deviation > 0 && isfinite(estimate->elo_low) && isfinite(estimate->elo_high);
    estimate->elo_error =
        estimate->has_error ? (estimate->elo_high - estimate->elo_low) / 2 : INFINITY;
    estimate->has_los = deviation > 0;
    if (estimate->has_los) {
        estimate->los = erfc(-distance / deviation / sqrt(2)) / 2;
    }
}

Estimate statistics_estimate(const Samples *samples)
{
    Estimate estimate = {.count = count_samples(samples),
                         .score = 0.5,
                         .elo_low = -INFINITY,
                         .elo_high = INFINITY,
                         .elo_error = INFINITY,
                         .nelo_error = INFINITY,
                         .los = 0.5};
    if (estimate.count == 0) {
        return estimate;
    }
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        sum += samples->counts[i] * scores[i];
    }
    estimate.score = sum / estimate.count;
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        squares += samples->counts[i] * pow(scores[i] - estimate.score, 2);
    }
    const double variance = squares / estimate.count;
    add_elo(&estimate, sqrt(variance / estimate.count));
    if (variance > 0) {
        estimate.nelo = elo_per_sigma() * (estimate.score - 0.5) / sqrt(samples->games * variance);
    }
    estimate.nelo_error = elo_per_sigma() * z95 / sqrt((double)samples->games * estimate.count);
    return estimate;
}

/* The samples as frequencies, none of them 0; returns how many they count as. */
static double regularize(const Samples *samples, double frequencies[SAMPLES_SCORES])
{
    static const double least = 1e-3;
    double total = 0;
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        frequencies[i] = samples->counts[i] > 0 ? samples->counts[i] : least;
        total += frequencies[i];
    }
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        frequencies[i] /= total;
    }
    return total;
}

/*
 * The t of the likeliest distribution with this mean. The sum falls from +infinity to -infinity
 * between the ends of the interval, so halving finds its only zero.
 */
static double find_tilt(const double frequencies[SAMPLES_SCORES], double mean)
{
    enum { HALVINGS = 100 };
    double low = -1 / (1 - mean);
    double high = 1 / mean;
    for (int step = 0; step < HALVINGS; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (int i = 0; i < SAMPLES_SCORES; i++) {
            const double distance = scores[i] - mean;
            sum += frequencies[i] * distance / (1 + middle * distance);
        }
        if (sum > 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

double statistics_llr(const Samples *samples, double elo0, double elo1)
{
    if (count_samples(samples) == 0) {
        return 0;
    }
    double frequencies[SAMPLES_SCORES];
    const double total = regularize(samples, frequencies);
    const double score0 = statistics_score(elo0);
    const double score1 = statistics_score(elo1);
    const double tilt0 = find_tilt(frequencies, score0);
    const double tilt1 = find_tilt(frequencies, score1);
    double sum = 0;
    for (int i = 0; i < SAMPLES_SCORES; i++) {
        sum += frequencies[i] *
               log((1 + tilt0 * (scores[i] - score0)) / (1 + tilt1 * (scores[i] - score1)));
    }
    return total * sum;
}

double statistics_llr_bound(void)
{
    return log((1 - error_rate) / error_rate);
}

GainRatio statistics_gain_ratio(const Estimate *gain, const Estimate *other)
{
    CHECK(gain->has_error && other->has_error && other->elo != 0);
    const double ratio = gain->elo / other->elo;
    return (GainRatio){
        .ratio = ratio,
        .error = hypot(gain->elo_error, ratio * other->elo_error) / fabs(other->elo),
    };
}
