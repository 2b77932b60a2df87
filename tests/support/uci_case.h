/*
 * UciCase: the collected UCI sessions by which other engines crashed, hung or lost, read one by one
 * from cases/uci-cases.tsv of the test data. Input lines in pointed brackets are directions, not
 * input. Comments of tests name a case by its id (U001 and on) where they hold it in another way.
 */
#ifndef ROOKERY_TESTS_UCI_CASE_H
#define ROOKERY_TESTS_UCI_CASE_H

#include <stdbool.h>
#include <stdio.h>

enum { UCI_CASE_BYTES_MAX = 64 * 1024 };

typedef struct {
    char row[UCI_CASE_BYTES_MAX]; /* what the pointers point into */
    const char *id;
    const char *area; /* stop, time, options, ... */
    char *input;      /* what uci_case_next_line has not taken yet; NULL at the end */
} UciCase;

/* Opens the file that stands below `folder`, and skips its titles; NULL if it is missing. */
FILE *uci_case_open(const char *folder);

/* The next case with an input; false at the end of the file. */
bool uci_case_next(FILE *file, UciCase *it);

/* The next line of its input, which may be empty; NULL at the end. */
char *uci_case_next_line(UciCase *it);

/* Whether the line's first word is `word`. */
bool uci_case_is_command(const char *line, const char *word);

#endif
