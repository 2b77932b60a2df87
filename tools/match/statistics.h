/*
 * Statistics: what the results of a match say about the strength of its two sides.
 *
 * Games are sampled in pairs: both games of a pair start from the same opening with colours
 * reversed, so their results hang together, and only the pair is an independent observation. The
 * mean of its two points is one of five scores; hence the pentanomial model. Single games fit in
 * as samples with one of three of these scores.
 *
 * With n samples, n_i of them with the score a_i:
 *
 *     score      s = sum(n_i a_i) / n           variance  v = sum(n_i (a_i - s)^2) / n
 *     Elo        elo(s) = 400 log10(s / (1 - s))
 *     interval   elo(s - 1.96 sqrt(v / n)) to elo(s + 1.96 sqrt(v / n)), 95%
 *     error      half of that interval's width
 *     LOS        Phi((s - 1/2) / sqrt(v / n)), the likelihood of being the stronger side
 *     nElo       800 / ln 10 * (s - 1/2) / sqrt(g v), g games to a sample: an Elo that does not
 *                depend on how many games are drawn; error 800 / ln 10 * 1.96 / sqrt(g n)
 *     LLR        log-likelihood ratio of the hypotheses s = s1 and s = s0, each with the likeliest
 *                distribution of that mean: p_i = q_i / (1 + t (a_i - s)) with the frequencies q_i
 *                and the t that makes sum(q_i (a_i - s) / (1 + t (a_i - s))) zero; frequencies of 0
 *                count as a thousandth of a sample. sum(n_i log(p1_i / p0_i))
 *
 * Sources: chessprogramming wiki, "Match Statistics" and "Sequential Probability Ratio Test"; the
 * pentanomial model and LLR as Stockfish's test framework fishtest documents them.
 */
#ifndef ROOKERY_TOOLS_MATCH_STATISTICS_H
#define ROOKERY_TOOLS_MATCH_STATISTICS_H

#include <stdbool.h>

enum { SAMPLES_SCORES = 5 };

typedef struct {
    int counts[SAMPLES_SCORES]; /* how many samples have the score 0, 1/4, 1/2, 3/4, 1 */
    int games;                  /* in one sample: 2 for pairs, 1 for single games */
} Samples;

typedef struct {
    int count;         /* samples */
    double score;      /* mean, from 0 to 1; 1/2 without samples */
    double elo;        /* of the score; infinite for 0 and 1 */
    double elo_low;    /* 95% interval; its ends may be infinite */
    double elo_high;   /* likewise */
    double elo_error;  /* half its width; infinite if unknown, see has_error */
    double nelo;       /* normalized Elo; 0 if there is no variance */
    double nelo_error; /* 95% */
    bool has_los;      /* the scores differ, so that chance can be judged */
    double los;        /* likelihood of superiority, from 0 to 1; 0.5 without has_los */
    bool has_error;    /* the samples differ and the interval's ends are finite */
} Estimate;

/* The Elo difference of a mean score; -infinity for 0 or less, infinity for 1 or more. */
double statistics_elo(double score);

/* The score expected at an Elo difference, between 0 and 1. */
double statistics_score(double elo);

/* What the samples say; nothing is certain without any. */
Estimate statistics_estimate(const Samples *samples);

/* Positive when elo1 is likelier than elo0; 0 without samples. */
double statistics_llr(const Samples *samples, double elo0, double elo1);

/* The test accepts elo1 at an LLR of this, elo0 at its negative; alpha = beta = 0.05. */
double statistics_llr_bound(void);

typedef struct {
    double ratio; /* gain by other gain */
    double error; /* 95%, by propagation of both errors as independent */
} GainRatio;

/*
 * The ratio of two gains in Elo, as for "what N machines gain by what N times the time gains".
 * Both must have errors and the second must not be 0.
 */
GainRatio statistics_gain_ratio(const Estimate *gain, const Estimate *other);

#endif
