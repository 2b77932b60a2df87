#include "tools/tuner/weights_file.h"

#include <stdlib.h>
#include <string.h>

static const char table_start[] = "eval_weights = {";
static const char table_end[] = "\n};";

enum { NUMBER_BASE = 10 };

/* Reads a number that `end` must follow, with spaces around it; NULL if there is none. */
static const char *read_number(const char *text, char end, long *number)
{
    char *behind;
    *number = strtol(text, &behind, NUMBER_BASE);
    if (behind == text) {
        return NULL;
    }
    behind += strspn(behind, " ");
    return *behind == end ? behind + 1 : NULL;
}

/* Reads "{mg, eg}" and returns what follows it; NULL if there is no such pair. */
static const char *read_pair(const char *text, long *mg, long *eg)
{
    const char *second = *text == '{' ? read_number(text + 1, ',', mg) : NULL;
    return second != NULL ? read_number(second, '}', eg) : NULL;
}

/* Diagrams of squares have columns. */
static bool is_in_diagram(size_t index)
{
    const size_t first = offsetof(EvalWeights, piece_square) / sizeof(Weight);
    return index >= first && index < first + sizeof eval_weights.piece_square / sizeof(Weight);
}

static void write_pair(size_t index, const Weight *weight, FILE *file)
{
    const char *format = is_in_diagram(index) ? "{%3d,%3d}" : "{%d, %d}";
    (void)fprintf(file, format, weight->mg, weight->eg);
}

Status weights_file_rewrite(const char *text, const EvalWeights *weights, FILE *file)
{
    const Weight *old = (const Weight *)&eval_weights;
    const Weight *fresh = (const Weight *)weights;
    size_t index = 0;
    const char *at = strstr(text, table_start);
    const char *end = at != NULL ? strstr(at, table_end) : NULL;
    if (end == NULL) {
        return status_error(STATUS_INVALID, "no \"%s\" in the weights", table_start);
    }
    at += sizeof table_start - 1;
    (void)fwrite(text, 1, (size_t)(at - text), file);
    while (at < end) {
        long mg = 0;
        long eg = 0;
        const char *behind = read_pair(at, &mg, &eg);
        if (behind == NULL) {
            (void)fputc(*at++, file);
            continue;
        }
        if (index >= EVAL_WEIGHT_COUNT || old[index].mg != mg || old[index].eg != eg) {
            return status_error(STATUS_INVALID,
                                "weight %zu, {%ld, %ld}, is not what this program was built with",
                                index, mg, eg);
        }
        write_pair(index, &fresh[index], file);
        index++;
        at = behind;
    }
    (void)fputs(end, file);
    if (index != EVAL_WEIGHT_COUNT) {
        return status_error(STATUS_INVALID, "%zu weights where there should be %zu", index,
                            (size_t)EVAL_WEIGHT_COUNT);
    }
    return status_ok();
}
