#include "tests/oracle/data_file.h"

#include <stdlib.h>

FILE *data_file_open(const char *folder_default, const char *name)
{
    const char *folder = getenv("ROOKERY_TEST_DATA");
    if (folder == NULL || *folder == '\0') {
        folder = folder_default;
    }
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        (void)fprintf(stderr, "%s is not there (set ROOKERY_TEST_DATA): skipped\n", path);
    }
    return file;
}
