/*
 * Data files: the public test data (perft counts, rules cases) that lies outside the project.
 *
 * Its folder is the environment variable ROOKERY_TEST_DATA, or else the compile definition of
 * that name. Tests skip, with a message, what they do not find there.
 */
#ifndef ROOKERY_TESTS_DATA_FILE_H
#define ROOKERY_TESTS_DATA_FILE_H

#include <stdio.h>

/*
 * Opens `name`, such as "perft/standard.epd", for reading; NULL when it is not there, after saying
 * so on stderr. `folder_default` is the caller's ROOKERY_TEST_DATA. The caller closes it.
 */
FILE *data_file_open(const char *folder_default, const char *name);

#endif
