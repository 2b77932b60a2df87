/*
 * Fit: weights under which the evaluation predicts the results of games best.
 *
 * Texel's method by gradient: a sigmoid makes a winning chance of a score, and the mean square of
 * what it misses of the results is brought down by Adam on small batches. A pull towards the start
 * values keeps weights in place of which the data say little: it has the strength of a belief that
 * a weight is right to within `spread` centipawns, in which each game counts as one observation.
 * The sigmoid's scale is found first and then kept, so that a centipawn stays a centipawn.
 * Sources: chessprogramming.org/Texel's_Tuning_Method; Kingma and Ba, "Adam", 2015.
 */
#ifndef ROOKERY_TOOLS_TUNER_FIT_H
#define ROOKERY_TOOLS_TUNER_FIT_H

#include "tools/tuner/dataset.h"

typedef struct {
    int epochs;         /* passes over the data, at least 1 */
    double spread;      /* how far off the start values may well be, centipawns; above 0 */
    double score_share; /* 0 to 1: how far targets are the search's score instead of the result */
} FitSettings;

/* What was found. */
typedef struct {
    ModelWeights weights; /* of the epoch with the smallest error on the positions held out */
    double scale;         /* of the sigmoid, per centipawn */
    double score_scale;   /* likewise for the search's scores */
    double start_error;   /* mean square on the positions held out, with the start values */
    double best_error;    /* the same, with `weights` */
    int best_epoch;       /* from 1; 0 when the start values were best */
} FitResult;

/* After each epoch: both errors, of the positions learned from and of those held out. */
typedef void FitProgress(int epoch, double learned, double held_out);

/* Fits; `progress` may be NULL. Errors: STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status fit_run(const Dataset *dataset,
                                                   const FitSettings *settings,
                                                   FitProgress *progress, FitResult *result);

/* The mean square error on the positions held out, of any weights. */
double fit_held_out_error(const Dataset *dataset, const FitSettings *settings,
                          const FitResult *result, const ModelWeights *weights);

#endif
