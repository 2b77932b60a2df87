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

/* Writes `to` where the mark's set holds `from`, if it does; looks again when another was first. */
static void replace(Marks *marks, uint64_t mark, uint64_t from, uint64_t to)
{
    _Atomic uint64_t *set = marks->sets[set_of(mark)];
    for (int way = find(marks, mark, from); way >= 0; way = find(marks, mark, from)) {
        uint64_t held = from;
        if (atomic_compare_exchange_strong_explicit(&set[way], &held, to, memory_order_relaxed,
                                                    memory_order_relaxed)) {
            return;
        }
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

void marks_clear(Marks *marks)
{
    for (int i = 0; i < MARKS_SETS; i++) {
        for (int j = 0; j < MARKS_WAYS; j++) {
            atomic_store_explicit(&marks->sets[i][j], 0, memory_order_relaxed);
        }
    }
}

bool marks_has(const Marks *marks, uint64_t mark)
{
    return find(marks, mark, mark) >= 0;
}
