/*
 * Scouts: searches of the root beside a session's own.
 *
 * Splitting alone leaves slots idle: a modern search is a thin tree with a long spine. So a session
 * has several searches of its root at once, each with an equal part of the slots and a state
 * machine of its own, which share nothing but what their workers' tables tell each other: the
 * session's own search, the lead, which is never closed, and scouts, which leave out every second
 * iteration in one rhythm or another. Whoever completes an iteration first, with all its lines
 * where several are wanted, has done it for all: the lead adopts what a scout found (results.c),
 * and a scout that is done with its own iteration, or with a line of it, goes on where the lead is.
 * So searches are out of step on purpose; each finds in its table what another has found out
 * already, and a search that is unlucky with its tree holds nobody up.
 *
 * To the workers the jobs of a scout are like all others. Source: Lazy SMP,
 * chessprogramming.org/Lazy_SMP; here each of its searchers may be several slots that split nodes.
 */
#ifndef ROOKERY_MASTER_CORE_SCOUTS_H
#define ROOKERY_MASTER_CORE_SCOUTS_H

#include "master/core/session.h"

enum { SCOUTS_MAX = MASTER_SEARCHES_MAX - 1 }; /* of all sessions */

typedef struct {
    const Session *session; /* NULL: free */
    int number;             /* from 1, unique within the session */
    uint32_t opening;       /* counts the openings of all: with it names of jobs never repeat */
    Root root;              /* the state of its search */
} Scout;

typedef struct {
    Scout list[SCOUTS_MAX]; /* each scout stays at its place */
    uint32_t openings;      /* so far */
} Scouts;

void scouts_init(Scouts *scouts);

/* Begins one more search of what the session searches, or returns NULL when there are too many. */
Scout *scouts_open(Scouts *scouts, const Session *session);

/*
 * The session's scout that can best be spared, or NULL when it has none: one without a job before
 * others, then the one with the highest number.
 */
Scout *scouts_least(Scouts *scouts, const Session *session);

/* Forgets the scout. None of its jobs may be on record any more. */
void scouts_close(Scout *scout);

/* How many the session has. */
int scouts_count(const Scouts *scouts, const Session *session);

/*
 * The next piece of the scout's work for one of its `slot_count` slots, or false when there is none
 * now. It goes on where its session's search is if that has overtaken it.
 */
bool scouts_next_job(Scout *scout, int slot_count, RootJob *job);

#endif
