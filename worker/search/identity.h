/*
 * Identity: what makes two builds search alike.
 *
 * Scores of different evaluations or searches must not be mixed in one tree, so a master refuses
 * workers of another identity. It is found by doing, not by declaring: a hash over the weights
 * (eval_identity) and over what fixed searches of four positions visit and find. The same on every
 * architecture.
 */
#ifndef ROOKERY_SEARCH_IDENTITY_H
#define ROOKERY_SEARCH_IDENTITY_H

#include <stdint.h>

#include "base/status.h"

typedef struct {
    uint64_t value; /* equal values: the same evaluation and search */
    uint64_t nodes; /* that the search visited; a caller with a clock gets its speed from them */
} Identity;

/*
 * Runs the searches, some 20 ms of work, on the calling thread. After attacks_init and eval_init.
 * Errors: STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status identity_measure(Identity *identity);

#endif
