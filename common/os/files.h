/*
 * Files: reading a file whole, and what to know of one before it is written.
 */
#ifndef ROOKERY_OS_FILES_H
#define ROOKERY_OS_FILES_H

#include "base/status.h"

/*
 * Reads the file at `path` into a new buffer and puts a NUL behind it (the text may hold others).
 * On success the caller owns *text (free) and *length is its size in bytes without that NUL; on
 * failure *text is NULL. Any thread.
 * `bytes_max` is 1 to INT_MAX - 1.
 * Errors: STATUS_NOT_FOUND (no such file), STATUS_INVALID (more than bytes_max bytes),
 * STATUS_NO_MEMORY, STATUS_IO (the rest: a directory, no permission).
 */
Status files_read(const char *path, int bytes_max, char **text, int *length);

/*
 * Whether `path` can be written to, for what will be known in hours only; an empty file is there
 * afterwards if there was none. Any thread. Errors: STATUS_IO.
 */
__attribute__((warn_unused_result)) Status files_try_write(const char *path);

/* Whether both paths name one file that is there. Any thread. */
bool files_are_same(const char *left, const char *right);

#endif
