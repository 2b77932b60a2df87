#define _GNU_SOURCE 1

#include "tools/match/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

/* Symbolic links stay as they are: a program may go by the name it is called by. */
static bool make_absolute(const char *name, char path[PROGRAMS_PATH_BYTES_MAX])
{
    char folder[PROGRAMS_PATH_BYTES_MAX] = "";
    if (name[0] != '/' && getcwd(folder, sizeof folder) == NULL) {
        return false;
    }
    const char *separator = name[0] == '/' ? "" : "/";
    const int length = snprintf(path, PROGRAMS_PATH_BYTES_MAX, "%s%s%s", folder, separator, name);
    return length < PROGRAMS_PATH_BYTES_MAX;
}

/* Tries FOLDER/NAME for each folder of PATH; an empty one is the current folder. */
static bool find_on_path(const char *name, char path[PROGRAMS_PATH_BYTES_MAX])
{
    const char *folder = getenv("PATH");
    while (folder != NULL) {
        const char *end = strchrnul(folder, ':');
        const char *separator = end > folder ? "/" : "";
        char candidate[PROGRAMS_PATH_BYTES_MAX];
        const int length = snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)(end - folder),
                                    folder, separator, name);
        if (length < (int)sizeof candidate && is_program(candidate)) {
            return make_absolute(candidate, path);
        }
        folder = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

Status programs_find(const char *name, char path[PROGRAMS_PATH_BYTES_MAX])
{
    if (strchr(name, '/') == NULL) {
        return find_on_path(name, path)
                   ? status_ok()
                   : status_error(STATUS_NOT_FOUND, "no program %s on PATH", name);
    }
    if (!is_program(name) || !make_absolute(name, path)) {
        return status_error(STATUS_NOT_FOUND, "%s is no program", name);
    }
    return status_ok();
}
