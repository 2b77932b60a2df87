/*
 * Dataset: the samples of a data file, reduced to what the model needs.
 *
 * Every tenth game is held out: its positions are not learned from but tell how well what was
 * learned holds elsewhere. Whole games are, as the positions of one game share its result.
 */
#ifndef ROOKERY_TOOLS_TUNER_DATASET_H
#define ROOKERY_TOOLS_TUNER_DATASET_H

#include "base/status.h"
#include "tools/tuner/model.h"

typedef struct {
    ModelPosition position;
    size_t features;  /* where they begin among the dataset's */
    float result;     /* of the game for White, 0 to 1 */
    float score;      /* of the search, centipawns, White's view */
    bool is_held_out; /* not to be learned from */
} DataPoint;

typedef struct {
    DataPoint *points;
    ModelFeature *features; /* of all points */
    size_t count;           /* points */
    size_t capacity;
    size_t feature_count;
    size_t feature_capacity;
    size_t held_out; /* points that are */
    int games;       /* comment lines end games */
    int error_max; /* the most that the model was off from the evaluation, centipawns, rounded up */
} Dataset;

/*
 * Reads a file of samples; to be freed if this succeeds.
 * Errors: STATUS_NOT_FOUND, STATUS_INVALID (a bad line, fewer than ten games, or a model that is
 * not the evaluation), STATUS_NO_MEMORY, STATUS_IO.
 */
__attribute__((warn_unused_result)) Status dataset_read(const char *path, Dataset *dataset);

/* Frees what it holds. */
void dataset_free(Dataset *dataset);

#endif
