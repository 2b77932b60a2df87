/*
 * Programs: where the file of a program is.
 */
#ifndef ROOKERY_TOOLS_MATCH_PROGRAMS_H
#define ROOKERY_TOOLS_MATCH_PROGRAMS_H

#include "base/status.h"

enum { PROGRAMS_PATH_BYTES_MAX = 4096 };

/*
 * Finds a program as a shell would: a name with a slash is a path, any other is looked for in the
 * folders of PATH. `path` gets the absolute path. Errors: STATUS_NOT_FOUND.
 */
Status programs_find(const char *name, char path[PROGRAMS_PATH_BYTES_MAX]);

#endif
