#include "tools/sim/agenda.h"

#include <stdlib.h>

#include "base/check.h"

enum { CAPACITY_FIRST = 64 };

void agenda_init(Agenda *agenda)
{
    *agenda = (Agenda){.count = 0};
}

void agenda_free(Agenda *agenda)
{
    free(agenda->places);
    agenda_init(agenda);
}

static bool is_before(const AgendaPlace *left, const AgendaPlace *right)
{
    return left->entry.time_ns != right->entry.time_ns ? left->entry.time_ns < right->entry.time_ns
                                                       : left->order < right->order;
}

static void grow(Agenda *agenda)
{
    agenda->capacity = agenda->capacity == 0 ? CAPACITY_FIRST : 2 * agenda->capacity;
    agenda->places = realloc(agenda->places, (size_t)agenda->capacity * sizeof *agenda->places);
    CHECK(agenda->places != NULL);
}

void agenda_add(Agenda *agenda, int64_t time_ns, int kind, void *subject)
{
    const AgendaPlace added = {
        .entry = {.time_ns = time_ns, .kind = kind, .subject = subject},
        .order = agenda->next_order++,
    };
    if (agenda->count == agenda->capacity) {
        grow(agenda);
    }
    int at = agenda->count++;
    while (at > 0 && is_before(&added, &agenda->places[(at - 1) / 2])) {
        agenda->places[at] = agenda->places[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    agenda->places[at] = added;
}

/* Lets `moved` sink from the top to its place. */
static void sink(Agenda *agenda, const AgendaPlace *moved)
{
    int at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child + 1 < agenda->count &&
            is_before(&agenda->places[child + 1], &agenda->places[child])) {
            child++;
        }
        if (child >= agenda->count || !is_before(&agenda->places[child], moved)) {
            break;
        }
        agenda->places[at] = agenda->places[child];
        at = child;
    }
    agenda->places[at] = *moved;
}

bool agenda_take(Agenda *agenda, AgendaEntry *entry)
{
    if (agenda->count == 0) {
        return false;
    }
    *entry = agenda->places[0].entry;
    const AgendaPlace last = agenda->places[--agenda->count];
    if (agenda->count > 0) {
        sink(agenda, &last);
    }
    return true;
}

void agenda_free_with_subjects(Agenda *agenda)
{
    for (int i = 0; i < agenda->count; i++) {
        free(agenda->places[i].entry.subject);
    }
    agenda_free(agenda);
}
