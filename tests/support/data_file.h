/*
 * Data files: the public test data (perft counts, rules cases) that lies outside the project.
 *
 * Its folder is the environment variable ROOKERY_TEST_DATA, or else the compile definition of
 * that name. Tests skip, with a message, what they do not find there; with the environment variable
 * ROOKERY_TEST_DATA_REQUIRED they fail instead, so that nobody takes skipped tests for passed ones.
 */
#ifndef ROOKERY_TESTS_DATA_FILE_H
#define ROOKERY_TESTS_DATA_FILE_H

#include <stdio.h>

enum { DATA_FILE_PATH_MAX = 4096 };

/*
 * Where `name`, such as "perft/standard.epd", is. `folder_default` is the caller's
 * ROOKERY_TEST_DATA.
 */
void data_file_path(const char *folder_default, const char *name, char path[DATA_FILE_PATH_MAX]);

/*
 * Opens it for reading; NULL when it is not there, after data_file_is_missing. The caller closes
 * it.
 */
FILE *data_file_open(const char *folder_default, const char *name);

/* Says on stderr what the test needs and does not find, for it to skip; or fails it, see above. */
void data_file_is_missing(const char *path);

#endif
