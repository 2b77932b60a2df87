#include "worker/search/marks.h"

#include <stddef.h>

/* The lowest bit is the same in all marks. */
static unsigned set_of(uint64_t mark)
{
    return (unsigned)(mark >> 1) % MARKS_SETS;
}

/* The way of the mark's set that holds `what`, or NULL. */
static _Atomic uint64_t *find(Marks *marks, uint64_t mark, uint64_t what)
{
    _Atomic uint64_t *set = marks->sets[set_of(mark)];
    for (int i = 0; i < MARKS_WAYS; i++) {
        if (atomic_load_explicit(&set[i], memory_order_relaxed) == what) {
            return &set[i];
        }
    }
    return NULL;
}

void marks_set(Marks *marks, uint64_t mark)
{
    _Atomic uint64_t *way = find(marks, mark, 0);
    if (way != NULL) {
        atomic_store_explicit(way, mark, memory_order_relaxed);
    }
}

void marks_unset(Marks *marks, uint64_t mark)
{
    _Atomic uint64_t *way = find(marks, mark, mark);
    if (way != NULL) {
        atomic_store_explicit(way, 0, memory_order_relaxed);
    }
}

bool marks_has(const Marks *marks, uint64_t mark)
{
    const _Atomic uint64_t *set = marks->sets[set_of(mark)];
    for (int i = 0; i < MARKS_WAYS; i++) {
        if (atomic_load_explicit(&set[i], memory_order_relaxed) == mark) {
            return true;
        }
    }
    return false;
}
