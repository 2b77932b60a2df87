/*
 * WeightsFile: the source text of the weights, with other numbers in it.
 *
 * The text is worker/eval/weights.c as it stands: every pair of numbers in braces behind
 * "eval_weights = {" is a weight, in the order of EvalWeights. All else is kept.
 */
#ifndef ROOKERY_TOOLS_TUNER_WEIGHTS_FILE_H
#define ROOKERY_TOOLS_TUNER_WEIGHTS_FILE_H

#include <stdio.h>

#include "base/status.h"
#include "worker/eval/weights.h"

/*
 * Writes `text` to `file` with `weights` in place of its own, which must be the ones that this
 * program was built with. Errors: STATUS_INVALID (something has been written then).
 */
__attribute__((warn_unused_result)) Status
weights_file_rewrite(const char *text, const EvalWeights *weights, FILE *file);

#endif
