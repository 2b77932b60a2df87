/*
 * Program: runs one of the built programs and keeps what it prints.
 */
#ifndef ROOKERY_TESTS_PROGRAM_H
#define ROOKERY_TESTS_PROGRAM_H

enum { PROGRAM_OUTPUT_BYTES_MAX = 1 << 16 };

typedef struct {
    int exit_code;                         /* -1 if a signal ended it */
    char output[PROGRAM_OUTPUT_BYTES_MAX]; /* standard output, cut if longer, NUL-terminated */
} ProgramResult;

/*
 * Runs a shell command to its end; "2>&1" in it brings standard error too. `command` is formatted
 * as by printf. Fails the test if no shell can be started.
 */
__attribute__((format(printf, 2, 3))) void program_run(ProgramResult *result, const char *command,
                                                       ...);

/* Fails the test unless the output holds `text`. */
void program_expect_output(const ProgramResult *result, const char *text);

#endif
