/*
 * WorkWatch: whether work that blocks the prompt, a count or a bench, must end.
 *
 * It ends by a signal, by `stop`, when nobody reads the output any more, and by `quit` or the end
 * of the input. But a script may write `go perft 6`, `quit` and no more, and wants the count: a
 * quit and an end that come with the command, or within a second of it, are for later, and so is a
 * stop behind another `go` or `bench`. No line is taken: what is read stays in the reader.
 */
#ifndef ROOKERY_UCI_BRIDGE_WORK_WATCH_H
#define ROOKERY_UCI_BRIDGE_WORK_WATCH_H

#include "base/duration.h"
#include "uci_bridge/line_reader.h"

typedef struct {
    LineReader *input; /* borrowed */
    int signals;       /* readable when one has come */
    Instant began;
    bool has_looked;
    int bytes_with;     /* so much of the input had come at the last look within the second ... */
    bool end_came_with; /* ... and so had its end */
    int scanned;        /* bytes of the lines that have been looked at */
    bool more_waits;    /* among them is another search or count, which a stop behind it is for */
    bool is_told;       /* one of them ends the work */
} WorkWatch;

/* Begins as the work does. `input` and the descriptor must outlive it. */
WorkWatch work_watch_begin(LineReader *input, int signals);

/* A SearcherInterrupt and PerftInterrupt; the context is the WorkWatch. Takes microseconds. */
bool work_watch_must_end(void *context);

#endif
