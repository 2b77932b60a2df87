#include "tools/tuner/dataset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/tuner/sample.h"

enum { LINE_BYTES_MAX = 512, HOLD_OUT_GAMES = 10, CAPACITY_START = 1024 };

/* Makes room for `wanted` elements in all. */
static bool grow(void **elements, size_t *capacity, size_t wanted, size_t element_bytes)
{
    size_t larger = *capacity > 0 ? *capacity : CAPACITY_START;
    while (larger < wanted) {
        larger *= 2;
    }
    if (larger == *capacity) {
        return true;
    }
    void *moved = realloc(*elements, larger * element_bytes);
    if (moved != NULL) {
        *elements = moved;
        *capacity = larger;
    }
    return moved != NULL;
}

static bool make_room(Dataset *dataset, size_t features)
{
    void *points = dataset->points;
    void *all_features = dataset->features;
    const bool has_room =
        grow(&points, &dataset->capacity, dataset->count + 1, sizeof(DataPoint)) &&
        grow(&all_features, &dataset->feature_capacity, dataset->feature_count + features,
             sizeof(ModelFeature));
    dataset->points = points;
    dataset->features = all_features;
    return has_room;
}

/* The most that the model may be off is what the evaluation rounds. */
static void note_error(Dataset *dataset, const ModelWeights *weights, const DataPoint *point,
                       int score)
{
    const double modelled =
        model_score(weights, &point->position, dataset->features + point->features);
    const int error = (int)ceil(fabs(modelled - score));
    dataset->error_max = error > dataset->error_max ? error : dataset->error_max;
}

static Status add(Dataset *dataset, const ModelWeights *weights, const Sample *sample)
{
    ModelFeature features[MODEL_FEATURES_MAX];
    DataPoint point;
    int score;
    const int count = model_reduce(&sample->position, &point.position, features, &score);
    if (!make_room(dataset, (size_t)count)) {
        return status_error(STATUS_NO_MEMORY, "not enough memory for all positions");
    }
    point.features = dataset->feature_count;
    point.result = (float)sample->halves / 2;
    point.score = (float)sample->score;
    point.is_held_out = dataset->games % HOLD_OUT_GAMES == HOLD_OUT_GAMES - 1;
    memcpy(dataset->features + dataset->feature_count, features, (size_t)count * sizeof *features);
    dataset->feature_count += (size_t)count;
    dataset->held_out += point.is_held_out;
    dataset->points[dataset->count++] = point;
    note_error(dataset, weights, &point, score);
    return status_ok();
}

static Status read_line(Dataset *dataset, const ModelWeights *weights, const char *line)
{
    Sample sample;
    if (line[0] == '#') {
        dataset->games += dataset->count > 0;
        return status_ok();
    }
    const Status status = sample_parse(line, &sample);
    return status_is_ok(&status) ? add(dataset, weights, &sample) : status;
}

static Status read_lines(Dataset *dataset, FILE *file, const char *path)
{
    ModelWeights weights;
    char line[LINE_BYTES_MAX];
    model_start_weights(&weights);
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const Status status = read_line(dataset, &weights, line);
        if (!status_is_ok(&status)) {
            return status_error(status.code, "%.80s:%d: %.120s", path, number, status.message);
        }
    }
    return ferror(file) ? status_error(STATUS_IO, "%s: %s", path, strerror(errno)) : status_ok();
}

static Status check(const Dataset *dataset, const char *path)
{
    if (dataset->held_out == 0) {
        return status_error(STATUS_INVALID, "%s holds fewer than %d games", path, HOLD_OUT_GAMES);
    }
    if (dataset->error_max > MODEL_ROUNDING_MAX) {
        return status_error(STATUS_INVALID, "the model is off from the evaluation by %d cp",
                            dataset->error_max);
    }
    return status_ok();
}

Status dataset_read(const char *path, Dataset *dataset)
{
    *dataset = (Dataset){.points = NULL};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return status_error(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO, "%s: %s", path,
                            strerror(errno));
    }
    Status status = read_lines(dataset, file, path);
    (void)fclose(file);
    if (status_is_ok(&status)) {
        status = check(dataset, path);
    }
    if (!status_is_ok(&status)) {
        dataset_free(dataset);
    }
    return status;
}

void dataset_free(Dataset *dataset)
{
    free(dataset->points);
    free(dataset->features);
    *dataset = (Dataset){.points = NULL};
}
