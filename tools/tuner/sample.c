#include "tools/tuner/sample.h"

#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/check.h"

static const char *const results[] = {"0", "0.5", "1"}; /* by halves */

enum { RESULT_COUNT = 3, SCORE_BYTES_MAX = 8 };

int sample_write(const Sample *sample, char text[SAMPLE_BYTES_MAX])
{
    CHECK(sample_takes(sample->score));
    char fen[FEN_BYTES_MAX];
    fen_write(&sample->position, fen);
    return snprintf(text, SAMPLE_BYTES_MAX, "%s;%s;%d\n", fen, results[sample->halves],
                    sample->score);
}

/* The halves that the `length` bytes at `text` name, or -1. */
static int parse_result(const char *text, size_t length)
{
    for (int halves = 0; halves < RESULT_COUNT; halves++) {
        if (strlen(results[halves]) == length && memcmp(results[halves], text, length) == 0) {
            return halves;
        }
    }
    return -1;
}

static Status parse_score(const char *text, size_t length, int *score)
{
    char word[SCORE_BYTES_MAX];
    int64_t number = 0;
    if (length >= sizeof word) {
        return status_error(STATUS_INVALID, "the score is too long");
    }
    memcpy(word, text, length);
    word[length] = '\0';
    const Status status =
        arguments_number("the score", word, -SCORE_EVAL_MAX, SCORE_EVAL_MAX, &number);
    *score = (int)number;
    return status;
}

Status sample_parse(const char *text, Sample *sample)
{
    const size_t length = strcspn(text, "\r\n");
    const char *result = memchr(text, ';', length);
    const char *score =
        result ? memchr(result + 1, ';', length - (size_t)(result + 1 - text)) : NULL;
    if (score == NULL) {
        return status_error(STATUS_INVALID, "a line must be FEN;RESULT;SCORE");
    }
    Sample read;
    read.halves = parse_result(result + 1, (size_t)(score - result - 1));
    if (read.halves < 0) {
        return status_error(STATUS_INVALID, "the result must be 1, 0.5 or 0");
    }
    Status status = parse_score(score + 1, length - (size_t)(score + 1 - text), &read.score);
    if (status_is_ok(&status)) {
        status = fen_parse(text, (int)(result - text), false, &read.position);
    }
    if (status_is_ok(&status)) {
        *sample = read;
    }
    return status;
}
