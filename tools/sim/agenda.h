/*
 * Agenda: what is to happen, in the order of virtual time.
 *
 * Entries of the same time come out in the order in which they were added, so that a simulation
 * has one outcome. A binary heap; times are nanoseconds since the simulation began.
 */
#ifndef ROOKERY_TOOLS_SIM_AGENDA_H
#define ROOKERY_TOOLS_SIM_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t time_ns; /* when it happens */
    int kind;        /* what happens, in the user's terms */
    void *subject;   /* to whom or with what; the user's */
} AgendaEntry;

typedef struct {
    AgendaEntry entry;
    uint64_t order; /* counts the entries */
} AgendaPlace;

typedef struct {
    AgendaPlace *places; /* the heap */
    int count;
    int capacity;
    uint64_t next_order;
} Agenda;

/* An empty one; owns nothing yet. */
void agenda_init(Agenda *agenda);

/* Frees what it holds, but not the subjects. */
void agenda_free(Agenda *agenda);

/* Frees what it holds and the subjects, which are of malloc or NULL. */
void agenda_free_with_subjects(Agenda *agenda);

/* Ends the process when memory is short. */
void agenda_add(Agenda *agenda, int64_t time_ns, int kind, void *subject);

/* Takes the first entry; false when there is none. */
bool agenda_take(Agenda *agenda, AgendaEntry *entry);

/* The time of the first entry; INT64_MAX when there is none. */
static inline int64_t agenda_next_ns(const Agenda *agenda)
{
    return agenda->count > 0 ? agenda->places[0].entry.time_ns : INT64_MAX;
}

#endif
