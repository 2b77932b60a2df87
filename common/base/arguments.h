/*
 * Arguments: a command line, read strictly.
 *
 * The options of a command are a table of names and destinations. Everything that the table does
 * not explain is refused with a message for one line on stderr: an unknown option, a value that is
 * missing, a number with anything behind it or out of its range. Words that are not options are
 * joined by single spaces, so that a FEN may be given with quotes or without.
 */
#ifndef ROOKERY_BASE_ARGUMENTS_H
#define ROOKERY_BASE_ARGUMENTS_H

#include "base/status.h"

#include <stdint.h>

enum { ARGUMENTS_TEXT_BYTES_MAX = 512 };

/* Exit codes of all programs. */
enum { EXIT_CODE_OK = 0, EXIT_CODE_FAILURE = 1, EXIT_CODE_USAGE = 2 };

/* One option; exactly one of the three destinations is not NULL. */
typedef struct {
    const char *name;  /* with its dashes: "--depth" */
    bool *flag;        /* set to true when the option is there */
    const char **text; /* gets the value, which lives as long as the command line */
    int64_t *number;   /* gets the value, a decimal number in [minimum, maximum] */
    int64_t minimum;
    int64_t maximum;
} Argument;

/*
 * Reads `count` words. Values are written as "--name VALUE" or "--name=VALUE"; destinations of
 * absent options are untouched; of an option given twice the last one counts. `rest` gets the other
 * words, NUL-terminated; "--" makes all words behind it such. Any thread.
 * Errors: STATUS_INVALID; what came before the bad word has been stored.
 */
__attribute__((warn_unused_result)) Status arguments_parse(char *const *words, int count,
                                                           const Argument *options,
                                                           int option_count,
                                                           char rest[ARGUMENTS_TEXT_BYTES_MAX]);

/*
 * Reads all of `text` as a decimal number in [minimum, maximum]: digits behind an optional minus.
 * `name` stands in the message. Errors: STATUS_INVALID, *number is untouched.
 */
__attribute__((warn_unused_result)) Status arguments_number(const char *name, const char *text,
                                                            int64_t minimum, int64_t maximum,
                                                            int64_t *number);

#endif
