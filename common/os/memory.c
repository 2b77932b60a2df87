#include "os/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "os/cgroups.h"

/* The sum of the values of all lines "name value" that begin with one of two names; 0 for none. */
static int64_t sum_of_lines(FILE *file, const char *first_name, const char *second_name)
{
    char *line = NULL;
    size_t line_bytes = 0;
    int64_t sum = 0;
    while (getline(&line, &line_bytes, file) >= 0) {
        char name[64];
        int64_t value = 0;
        if (sscanf(line, "%63s %" SCNd64, name, &value) == 2 &&
            (strcmp(name, first_name) == 0 || strcmp(name, second_name) == 0)) {
            sum += value;
        }
    }
    free(line);
    return sum;
}

/* What a group's files in the cache take, which are given up when memory is wanted. */
static int64_t reclaimable(const char *root, const char *directory, CgroupsVersion version)
{
    FILE *file = cgroups_open(root, directory, "memory.stat");
    if (file == NULL) {
        return 0;
    }
    const int64_t bytes = version == CGROUPS_V2
                              ? sum_of_lines(file, "inactive_file", "active_file")
                              : sum_of_lines(file, "total_inactive_file", "total_active_file");
    (void)fclose(file);
    return bytes;
}

/* What the group's limit leaves. */
static int64_t left_in_group(const char *root, const char *directory, CgroupsVersion version)
{
    const int is_v2 = version == CGROUPS_V2;
    int64_t limit = 0;
    int64_t used = 0;
    int64_t unused = 0;
    if (cgroups_read(root, directory, is_v2 ? "memory.max" : "memory.limit_in_bytes", &limit,
                     &unused) < 1 ||
        cgroups_read(root, directory, is_v2 ? "memory.current" : "memory.usage_in_bytes", &used,
                     &unused) < 1) {
        return CGROUPS_NO_LIMIT;
    }
    used -= reclaimable(root, directory, version);
    return used > limit ? 0 : limit - (used > 0 ? used : 0);
}

/* MemAvailable of the machine. */
static int64_t left_on_machine(const char *root)
{
    enum { KIB = 1024 };
    FILE *file = cgroups_open(root, "/proc", "meminfo");
    if (file == NULL) {
        return INT64_MAX;
    }
    const int64_t kib = sum_of_lines(file, "MemAvailable:", "");
    (void)fclose(file);
    return kib > 0 ? kib * KIB : INT64_MAX;
}

int64_t memory_available(const char *root)
{
    const int64_t machine = left_on_machine(root);
    const int64_t groups = cgroups_smallest(root, "memory", left_in_group);
    return groups < machine ? groups : machine;
}
