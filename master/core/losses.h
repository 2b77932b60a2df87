/*
 * Losses: how many workers have died while they worked at something, which may be to blame.
 */
#ifndef ROOKERY_MASTER_CORE_LOSSES_H
#define ROOKERY_MASTER_CORE_LOSSES_H

#include "messages/names.h"

/*
 * Distinct workers that died while they had a part of something; one with several parts counts
 * once. All zeros: none.
 */
typedef struct {
    int count;     /* how many */
    WorkerId last; /* the newest; enough to count each once, for its losses follow each other */
} Losses;

/* The worker has died with a part of it, perhaps not its first. */
void losses_note(Losses *losses, WorkerId worker);

#endif
