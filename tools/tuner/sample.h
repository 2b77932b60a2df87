/*
 * Sample: a position of a finished game, as one line of the tuner's data.
 *
 *     FEN;RESULT;SCORE
 *
 * RESULT is the game's outcome for White (1, 0.5 or 0), SCORE what a search thought of the position
 * in centipawns, White's view. Lines that begin with '#' are comments.
 */
#ifndef ROOKERY_TOOLS_TUNER_SAMPLE_H
#define ROOKERY_TOOLS_TUNER_SAMPLE_H

#include "base/status.h"
#include "chess/fen.h"
#include "chess/score.h"

enum { SAMPLE_BYTES_MAX = FEN_BYTES_MAX + 16 };

typedef struct {
    Position position;
    int halves; /* of a point for White: 0 lost, 1 drawn, 2 won */
    int score;  /* of a search, centipawns, White's view; sample_takes it */
} Sample;

/* Whether a search's score can be a sample's: not of a mate, nor of one that the 50-move rule bars.
 */
static inline bool sample_takes(int score)
{
    return -SCORE_EVAL_MAX <= score && score <= SCORE_EVAL_MAX;
}

/* Writes the line, with its newline and a NUL; returns its length without the NUL. */
int sample_write(const Sample *sample, char text[SAMPLE_BYTES_MAX]);

/* Reads a line (a newline at its end is allowed). Errors: STATUS_INVALID. */
__attribute__((warn_unused_result)) Status sample_parse(const char *text, Sample *sample);

#endif
