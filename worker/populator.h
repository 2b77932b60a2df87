/*
 * Populator: has the memory of a table brought in by a thread of its own.
 *
 * A large table takes seconds, in which jobs may come and the program may be ended. Nothing depends
 * on it: memory that is not there yet comes when it is used.
 */
#ifndef ROOKERY_WORKER_POPULATOR_H
#define ROOKERY_WORKER_POPULATOR_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "worker/search/tt.h"

/* All zeros: never started. Not to be moved while it runs. */
typedef struct {
    Tt *tt;
    int hash_mb;
    int descriptor;  /* an eventfd that is told of the end */
    bool is_started; /* its thread, which is detached: nobody need join it when it is done */
    atomic_bool must_end;
    atomic_bool is_done; /* all is there that can be */
    sem_t has_ended;     /* posted once, by the thread's last step */
} Populator;

/* Begins with a table of so many MB; without a thread for it nothing happens. */
void populator_start(Populator *populator, Tt *tt, int hash_mb, int descriptor);

/* Whether nothing is to be waited for any more. Any thread. */
bool populator_is_done(const Populator *populator);

/* Ends it soon, if it was started, and returns when it does not use the table any more. */
void populator_end(Populator *populator);

#endif
