#define _GNU_SOURCE 1

#include "os/cpus.h"

#include "base/check.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_BYTES_MAX = 2048,      /* longer paths are not looked at */
    AFFINITY_CPUS_MAX = 65536,  /* end of the search for a mask that is large enough */
    MILLI = 1000,               /* quotas are compared in thousandths of a processor */
    NO_QUOTA_MILLI = INT32_MAX, /* more than any machine has */
};

typedef enum { GROUP_V1, GROUP_V2 } GroupVersion;

/* One line of mountinfo, as far as it concerns us. */
typedef struct {
    char root[PATH_BYTES_MAX];    /* the group that the mount shows as its top */
    char point[PATH_BYTES_MAX];   /* where it is mounted */
    char type[32];                /* "cgroup2", "cgroup" or something else */
    char options[PATH_BYTES_MAX]; /* of the file system; version 1 names its controllers here */
} Mount;

static FILE *open_under(const char *root, const char *path)
{
    char full_path[2 * PATH_BYTES_MAX];
    const int length = snprintf(full_path, sizeof full_path, "%s%s", root, path);
    return length < (int)sizeof full_path ? fopen(full_path, "re") : NULL;
}

static int64_t smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Is `word` one of the comma-separated words of `list`? */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static int64_t quota_milli(int64_t quota_us, int64_t period_us)
{
    const bool is_limit = quota_us > 0 && period_us > 0 && quota_us <= INT64_MAX / MILLI;
    return is_limit ? quota_us * MILLI / period_us : NO_QUOTA_MILLI;
}

/* Reads one number, or two; "max" is no number. Returns how many were read. */
static int read_numbers(const char *root, const char *directory, const char *name, int64_t *first,
                        int64_t *second)
{
    char path[PATH_BYTES_MAX];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) {
        return 0;
    }
    FILE *file = open_under(root, path);
    if (file == NULL) {
        return 0;
    }
    const int count = fscanf(file, "%" SCNd64 " %" SCNd64, first, second);
    (void)fclose(file);
    return count;
}

static int64_t group_quota_milli(const char *root, const char *directory, GroupVersion version)
{
    int64_t quota_us = 0;
    int64_t period_us = 0;
    int64_t unused = 0;
    bool is_read;
    if (version == GROUP_V2) {
        is_read = read_numbers(root, directory, "cpu.max", &quota_us, &period_us) == 2;
    } else {
        is_read = read_numbers(root, directory, "cpu.cfs_quota_us", &quota_us, &unused) >= 1 &&
                  read_numbers(root, directory, "cpu.cfs_period_us", &period_us, &unused) >= 1;
    }
    return is_read ? quota_milli(quota_us, period_us) : NO_QUOTA_MILLI;
}

/*
 * The part of `group` below the group that the mount shows. A group outside of it (the process was
 * moved, or sees another namespace) counts as the mount's top, the nearest one that can be seen.
 */
static const char *group_below(const char *mount_root, const char *group)
{
    const size_t length = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
    const bool is_inside = strncmp(mount_root, group, length) == 0 &&
                           (group[length] == '/' || group[length] == '\0') &&
                           strstr(group, "/..") == NULL;
    return is_inside ? group + length : "";
}

/* The smallest quota on the way from the group up to the top of its mount. */
static int64_t branch_quota_milli(const char *root, const Mount *mount, const char *group,
                                  GroupVersion version)
{
    char directory[PATH_BYTES_MAX];
    const int length = snprintf(directory, sizeof directory, "%s%s", mount->point,
                                group_below(mount->root, group));
    if (length >= (int)sizeof directory) {
        return NO_QUOTA_MILLI;
    }
    const size_t top = strlen(mount->point);
    int64_t quota = group_quota_milli(root, directory, version);
    while (strlen(directory) > top) {
        *strrchr(directory, '/') = '\0';
        quota = smaller(quota, group_quota_milli(root, directory, version));
    }
    return quota;
}

static bool parse_mount(const char *line, Mount *mount)
{
    const char *rest = strstr(line, " - ");
    return rest != NULL &&
           sscanf(line, "%*s %*s %*s %2047s %2047s", mount->root, mount->point) == 2 &&
           sscanf(rest, " - %31s %*s %2047s", mount->type, mount->options) == 2;
}

/* Finds the mount that shows the groups of this version which have the processor controller. */
static bool find_mount(const char *root, GroupVersion version, Mount *mount)
{
    FILE *file = open_under(root, "/proc/self/mountinfo");
    if (file == NULL) {
        return false;
    }
    char *line = NULL;
    size_t line_bytes = 0;
    bool is_found = false;
    while (!is_found && getline(&line, &line_bytes, file) >= 0) {
        if (parse_mount(line, mount)) {
            is_found = version == GROUP_V2
                           ? strcmp(mount->type, "cgroup2") == 0
                           : strcmp(mount->type, "cgroup") == 0 && has_word(mount->options, "cpu");
        }
    }
    free(line);
    (void)fclose(file);
    return is_found;
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 names no controllers. */
static int64_t line_quota_milli(const char *root, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL) {
        return NO_QUOTA_MILLI;
    }
    controllers++;
    *group++ = '\0';

    const GroupVersion version = *controllers == '\0' ? GROUP_V2 : GROUP_V1;
    if (version == GROUP_V1 && !has_word(controllers, "cpu")) {
        return NO_QUOTA_MILLI;
    }
    Mount mount;
    if (!find_mount(root, version, &mount)) {
        return NO_QUOTA_MILLI;
    }
    return branch_quota_milli(root, &mount, group, version);
}

int cpus_quota(const char *root)
{
    FILE *file = open_under(root, "/proc/self/cgroup");
    if (file == NULL) {
        return 0;
    }
    char *line = NULL;
    size_t line_bytes = 0;
    int64_t quota = NO_QUOTA_MILLI;
    while (getline(&line, &line_bytes, file) >= 0) {
        quota = smaller(quota, line_quota_milli(root, line));
    }
    free(line);
    (void)fclose(file);
    if (quota == NO_QUOTA_MILLI) {
        return 0;
    }
    return quota < MILLI ? 1 : (int)(quota / MILLI);
}

int cpus_affinity(void)
{
    /* The kernel refuses a mask smaller than its own; grow ours until it fits. */
    for (int cpus = CPU_SETSIZE; cpus <= AFFINITY_CPUS_MAX; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        CHECK(set != NULL);
        const size_t bytes = CPU_ALLOC_SIZE((size_t)cpus);
        const int result = sched_getaffinity(0, bytes, set);
        const int error = errno;
        const int count = result == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0) {
            return count;
        }
        if (error != EINVAL) {
            break;
        }
    }
    return 1;
}

int cpus_usable(void)
{
    const int affinity = cpus_affinity();
    const int quota = cpus_quota("");
    return quota > 0 && quota < affinity ? quota : affinity;
}
