/*
 * Tell depth: from which depth on a machine tells the others what its table stores.
 *
 * It follows the work and the way: as many entries as fit a message, no more, for a flood would
 * push the receivers' own entries out of their tables; and fewer in each when the master cannot
 * pass them all on, for what is left out then by chance is worth more than what is shallow.
 */
#ifndef ROOKERY_WORKER_CORE_TELL_DEPTH_H
#define ROOKERY_WORKER_CORE_TELL_DEPTH_H

#include <stdbool.h>

#include "messages/messages.h"

enum {
    TELL_DEPTH_FIRST = 6,                        /* plies */
    TELL_MOST_FIRST = MESSAGE_TABLE_ENTRIES_MAX, /* entries of a message */
};

/*
 * The next depth after one from which so many entries were noted for one message:
 * MESSAGE_TABLE_ENTRIES_MAX of them where more would have been, or where none may be sent.
 */
int tell_depth_next(int depth, int noted);

/*
 * How many entries the next messages may have, the deepest of those noted, after `most` and word
 * of whether the master's line is crowded. It falls by a part and grows by little, so that many
 * machines come to share a line evenly (Chiu and Jain, "Analysis of the increase and decrease
 * algorithms for congestion avoidance", 1989).
 */
int tell_most_next(int most, bool is_crowded);

#endif
