/*
 * LineReader: lines from a descriptor, of any length up to a bound.
 */
#ifndef ROOKERY_UCI_BRIDGE_LINE_READER_H
#define ROOKERY_UCI_BRIDGE_LINE_READER_H

#include <stdbool.h>

#include "uci_bridge/core/uci_text.h"

/* A `position` with 100,000 moves fits; a longer line is dropped whole. */
enum { LINE_READER_BYTES_MAX = 1 << 20 };

typedef struct {
    int descriptor;   /* read when it is readable; not owned */
    int start;        /* first byte that belongs to no line yet taken */
    int scanned;      /* bytes from here on have not been searched for a newline */
    int end;          /* behind the last byte read */
    bool is_over;     /* end of input */
    bool is_skipping; /* within a line that is too long */
    int skipped;      /* such lines so far; may be set to 0 */
    char bytes[LINE_READER_BYTES_MAX];
} LineReader;

/* Begins to read from `descriptor`. */
void line_reader_init(LineReader *reader, int descriptor);

/*
 * Reads once what the descriptor has; blocks if that is nothing, so poll before. A closed or
 * broken descriptor is the end of the input.
 */
void line_reader_fill(LineReader *reader);

/*
 * Takes the next whole line, without its newline and a carriage return before that; the text is
 * good until the next fill. At the end of input a last line without newline counts as one.
 */
bool line_reader_next(LineReader *reader, UciText *line);

/* Whether a fill can read without giving up what has not been taken. */
bool line_reader_has_room(const LineReader *reader);

/* Bytes that were read and not taken. */
int line_reader_waiting(const LineReader *reader);

/*
 * The whole line `*offset` bytes behind what was taken, which is not taken by that; moves `*offset`
 * behind it. False at the last.
 */
bool line_reader_peek(const LineReader *reader, int *offset, UciText *line);

#endif
