/*
 * WorkWatch: whether work that blocks the prompt, a count or a bench, must end.
 *
 * It ends by a signal, by `stop`, when nobody reads the output any more, and by `quit` or the end
 * of the input. But a script may write `go perft 6`, `quit` and no more, and wants the count: a
 * quit and an end that come with the command, or within a second of it, are for later. No line is
 * taken: what is read stays in the reader.
 */
#ifndef ROOKERY_UCI_BRIDGE_WORK_WATCH_H
#define ROOKERY_UCI_BRIDGE_WORK_WATCH_H

#include "base/duration.h"
#include "uci_bridge/line_reader.h"

typedef struct {
    LineReader *input; /* borrowed */
    int signals;       /* readable when one has come */
    Instant began;
    bool is_settled;    /* the second is over: what came with the command is known */
    int bytes_with;     /* so many bytes of input did, ... */
    bool end_came_with; /* ... and its end */
} WorkWatch;

/* Begins as the work does. `input` and the descriptor must outlive it. */
WorkWatch work_watch_begin(LineReader *input, int signals);

/* A SearcherInterrupt and PerftInterrupt; the context is the WorkWatch. Takes microseconds. */
bool work_watch_must_end(void *context);

#endif
