/*
 * Backoff: how long to wait before trying again.
 *
 * The mean pause doubles from first to last; each pause is drawn between half and one and a half
 * of it, so that many peers that lost the same master do not return in the same instant.
 */
#ifndef ROOKERY_BASE_BACKOFF_H
#define ROOKERY_BASE_BACKOFF_H

#include "base/duration.h"
#include "base/prng.h"

typedef struct {
    Duration first; /* mean of the first pause, positive */
    Duration last;  /* the mean never grows beyond this */
    Duration mean;  /* of the next pause */
    Prng prng;      /* draws the jitter */
} Backoff;

void backoff_init(Backoff *backoff, Duration first, Duration last, uint64_t seed);

/* The next pause; the one after it has twice the mean. */
Duration backoff_next(Backoff *backoff);

/* It worked: the next pause is a first one again. */
void backoff_reset(Backoff *backoff);

#endif
