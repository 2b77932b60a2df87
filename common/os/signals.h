/*
 * Signals: SIGTERM, SIGINT and SIGHUP as something to read in a poll loop.
 *
 * The signals are blocked and arrive through a signalfd, so no handler interrupts anything and no
 * mutable global is needed. A signal that was ignored when the program started (nohup, a shell's
 * background job) stays ignored. SIGPIPE is ignored: a closed socket or pipe is an error of the
 * write.
 *
 * Invariant: signals_open is called before the program makes a thread; later threads inherit the
 * blocked mask, and the signals always reach the descriptor.
 */
#ifndef ROOKERY_OS_SIGNALS_H
#define ROOKERY_OS_SIGNALS_H

#include <stdbool.h>

#include "base/status.h"

typedef enum {
    SIGNALS_NONE,      /* nothing is waiting */
    SIGNALS_TERMINATE, /* SIGTERM: finish politely */
    SIGNALS_INTERRUPT, /* SIGINT: the user wants it to end */
    SIGNALS_HANGUP,    /* SIGHUP: the terminal is gone */
} SignalsEvent;

typedef struct {
    int descriptor; /* readable when a signal waits: poll for POLLIN; -1 when closed */
} Signals;

/* Whether this process has the signal ignored. */
bool signals_is_ignored(int number);

/*
 * Blocks the three signals in the calling thread, but those that are ignored, and opens the
 * descriptor. Errors: STATUS_IO.
 */
Status signals_open(Signals *signals);

/* Takes the next waiting signal, SIGNALS_NONE when there is none. Never blocks. One thread. */
SignalsEvent signals_take(const Signals *signals);

/* Closes the descriptor; the signals stay blocked. A second call does nothing. */
void signals_close(Signals *signals);

#endif
