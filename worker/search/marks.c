#include "worker/search/marks.h"

/* The lowest bit is the same in all marks. */
static unsigned set_of(uint64_t mark)
{
    return (unsigned)(mark >> 1) % MARKS_SETS;
}

/* The way of the mark's set that holds `what`, or -1. */
static int find(const Marks *marks, uint64_t mark, uint64_t what)
{
    const _Atomic uint64_t *set = marks->sets[set_of(mark)];
    for (int i = 0; i < MARKS_WAYS; i++) {
        if (atomic_load_explicit(&set[i], memory_order_relaxed) == what) {
            return i;
        }
    }
    return -1;
}

/* Writes `to` where the mark's set holds `from`, if it does. */
static void replace(Marks *marks, uint64_t mark, uint64_t from, uint64_t to)
{
    const int way = find(marks, mark, from);
    if (way >= 0) {
        atomic_store_explicit(&marks->sets[set_of(mark)][way], to, memory_order_relaxed);
    }
}

void marks_set(Marks *marks, uint64_t mark)
{
    replace(marks, mark, 0, mark);
}

void marks_unset(Marks *marks, uint64_t mark)
{
    replace(marks, mark, mark, 0);
}

bool marks_has(const Marks *marks, uint64_t mark)
{
    return find(marks, mark, mark) >= 0;
}
