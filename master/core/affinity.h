/*
 * Affinity: which worker had which subtree last.
 *
 * What a search learns stays in the table of its worker, but for the little that is told to others.
 * So a job goes by preference to the worker that searched its leading move in the last iteration:
 * its table has that subtree. Subtrees are named by the moves that lead to them; two that share a
 * place in the table push each other out, which costs no more than the preference.
 *
 * Source: hash affinity as in the ZUGZWANG tradition, Feldmann 1993; here it guides, never binds.
 */
#ifndef ROOKERY_MASTER_CORE_AFFINITY_H
#define ROOKERY_MASTER_CORE_AFFINITY_H

#include "messages/messages.h"

enum { AFFINITY_PLACES = 8192 }; /* a power of two */

typedef struct {
    uint64_t key;    /* 0: nothing is known here */
    WorkerId worker; /* who searched that subtree last */
} AffinityPlace;

typedef struct {
    AffinityPlace places[AFFINITY_PLACES]; /* by key, modulo their number */
} Affinity;

void affinity_init(Affinity *affinity);

/* The name of the subtree behind `move`, after a path of `length` moves from the root. Never 0. */
uint64_t affinity_key(SessionId session, const Move *path, int length, Move move);

/* The worker searches that subtree now. */
void affinity_note(Affinity *affinity, uint64_t key, WorkerId worker);

/* Who searched it last; 0 when that is not known. */
WorkerId affinity_worker(const Affinity *affinity, uint64_t key);

#endif
