/*
 * Files: reading a small file whole.
 */
#ifndef ROOKERY_OS_FILES_H
#define ROOKERY_OS_FILES_H

#include "base/status.h"

/*
 * Reads the file at `path` into a new buffer and puts a NUL behind it (the text may hold others).
 * On success the caller owns *text (free) and *length is its size in bytes without that NUL; on
 * failure *text is NULL. Any thread.
 * Errors: STATUS_NOT_FOUND (no such file), STATUS_INVALID (more than bytes_max bytes),
 * STATUS_NO_MEMORY, STATUS_IO (the rest: a directory, no permission).
 */
Status files_read(const char *path, int bytes_max, char **text, int *length);

#endif
