/*
 * Cache: results on disk, so that a long run that was interrupted goes on where it was.
 *
 * A text file of lines "key TAB numbers", only ever appended to, each line by one write: several
 * processes may share it. The key names everything that a result depends on, the build included;
 * so lines of older builds lie there without doing harm, and the last line of a key counts.
 */
#ifndef ROOKERY_TOOLS_SIM_CACHE_H
#define ROOKERY_TOOLS_SIM_CACHE_H

#include "base/status.h"

#include <stdint.h>

enum { CACHE_NUMBERS_MAX = 512 }; /* of one line */

typedef struct Cache Cache;

/*
 * The cache in the file at `path`, made if it is not there; NULL: in memory, shared with processes
 * that are forked while it is open. Errors: STATUS_IO, STATUS_NO_MEMORY.
 */
__attribute__((warn_unused_result)) Status cache_open(const char *path, Cache **cache);

/* Frees it and nulls the pointer; NULL is allowed. */
void cache_close(Cache **cache);

/* Reads again what others have appended. Errors: STATUS_IO, STATUS_NO_MEMORY. */
__attribute__((warn_unused_result)) Status cache_refresh(Cache *cache);

/* The numbers of a key: false unless there is a line with all `count` of them. */
bool cache_find(const Cache *cache, const char *key, int64_t *numbers, int count);

/* Appends a line. Errors: STATUS_IO. */
__attribute__((warn_unused_result)) Status cache_add(Cache *cache, const char *key,
                                                     const int64_t *numbers, int count);

#endif
