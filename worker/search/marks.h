/*
 * Marks: which moves the searches of one machine are at work on, so that each can take another
 * move first.
 *
 * Searches of the same root meet at the same nodes. One that comes to a move which is being
 * searched already, from the same position and to the same depth, puts it off: by the time nothing
 * else is left there, the table often knows what came of it. Whoever comes back too early searches
 * it as well, so that nobody ever waits, and one search alone finds no marks but its own.
 *
 * A set of marks that is full takes no more of them: then the work is done twice, as without marks.
 * A mark stands as often as it is set, and two threads that unset it at once take two of them away,
 * for one that stayed would put its move off in every search to come. All accesses are relaxed
 * atomics.
 * Sources: Weill, "The ABDADA distributed minimax search algorithm", 1996; Kerrigan, "Simplified
 * ABDADA", chessprogramming.org/ABDADA.
 */
#ifndef ROOKERY_SEARCH_MARKS_H
#define ROOKERY_SEARCH_MARKS_H

#include <stdatomic.h>

#include "chess/types.h"

enum { MARKS_SETS = 1024, MARKS_WAYS = 4 };

typedef struct {
    _Atomic uint64_t sets[MARKS_SETS][MARKS_WAYS]; /* 0: free */
} Marks;

/* The mark of a move of the position with this key, searched with so many plies left there. */
static inline uint64_t marks_name(uint64_t key, Move move, int depth)
{
    const uint64_t mixed = key ^ (((uint64_t)move << 8 | (uint64_t)depth) * 0x9E3779B97F4A7C15U);
    return mixed | 1; /* never that of a free place */
}

/* A search begins with it. Any thread. */
void marks_set(Marks *marks, uint64_t mark);

/* That search is done with it, or has given it up. Any thread. */
void marks_unset(Marks *marks, uint64_t mark);

/* Forgets all marks. No search may be at work meanwhile. */
void marks_clear(Marks *marks);

/* Whether a search is at work on it. Any thread. */
bool marks_has(const Marks *marks, uint64_t mark);

#endif
