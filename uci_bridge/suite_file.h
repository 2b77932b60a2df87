/*
 * SuiteFile: a file of test positions, one a line. Blank lines and lines that begin with '#' say
 * nothing.
 */
#ifndef ROOKERY_UCI_BRIDGE_SUITE_FILE_H
#define ROOKERY_UCI_BRIDGE_SUITE_FILE_H

#include "base/status.h"

typedef struct {
    char *text;     /* the whole file, owned; line ends become NULs as they are passed */
    char *next;     /* the line to read next */
    int line;       /* number of the line read last, from 1 */
    int line_count; /* of the whole file */
} SuiteFile;

/* Reads the file at `path`; to be closed if this succeeds. Errors: those of files_read. */
__attribute__((warn_unused_result)) Status suite_file_open(const char *path, SuiteFile *file);

/* The next line that says something, without its end; NULL at the end of the file. */
const char *suite_file_next(SuiteFile *file);

/* Frees the text, and with it all lines. */
void suite_file_close(SuiteFile *file);

#endif
