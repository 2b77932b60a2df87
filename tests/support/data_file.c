#include "support/data_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

void data_file_path(const char *folder_default, const char *name, char path[DATA_FILE_PATH_MAX])
{
    const char *folder = getenv("ROOKERY_TEST_DATA");
    if (folder == NULL || *folder == '\0') {
        folder = folder_default;
    }
    (void)snprintf(path, DATA_FILE_PATH_MAX, "%s/%s", folder, name);
}

FILE *data_file_open(const char *folder_default, const char *name)
{
    char path[DATA_FILE_PATH_MAX];
    data_file_path(folder_default, name, path);
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        data_file_is_missing(path);
    }
    return file;
}

void data_file_is_missing(const char *path)
{
    const char *required = getenv("ROOKERY_TEST_DATA_REQUIRED");
    if (required != NULL && *required != '\0') {
        fail_msg("%s is not there, and ROOKERY_TEST_DATA_REQUIRED is set", path);
    }
    (void)fprintf(stderr, "%s is not there (set ROOKERY_TEST_DATA): skipped\n", path);
}
