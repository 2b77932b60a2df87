#include "os/cgroups.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES_MAX = 2048 }; /* longer paths are not looked at */

/* One line of mountinfo, as far as it concerns us. */
typedef struct {
    char root[PATH_BYTES_MAX];    /* the group that the mount shows as its top */
    char point[PATH_BYTES_MAX];   /* where it is mounted */
    char type[32];                /* "cgroup2", "cgroup" or something else */
    char options[PATH_BYTES_MAX]; /* of the file system; version 1 names its controllers here */
} Mount;

/* What is looked for. */
typedef struct {
    const char *root;       /* stands for "/" */
    const char *controller; /* in version 1 */
    CgroupsLimit *limit;    /* of one group */
} Query;

static FILE *open_under(const char *root, const char *path)
{
    char full_path[2 * PATH_BYTES_MAX];
    const int length = snprintf(full_path, sizeof full_path, "%s%s", root, path);
    return length < (int)sizeof full_path ? fopen(full_path, "re") : NULL;
}

FILE *cgroups_open(const char *root, const char *directory, const char *name)
{
    char path[PATH_BYTES_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    return length < (int)sizeof path ? open_under(root, path) : NULL;
}

int cgroups_read(const char *root, const char *directory, const char *name, int64_t *first,
                 int64_t *second)
{
    FILE *file = cgroups_open(root, directory, name);
    if (file == NULL) {
        return 0;
    }
    const int count = fscanf(file, "%" SCNd64 " %" SCNd64, first, second);
    (void)fclose(file);
    return count < 0 ? 0 : count;
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

/* The smallest limit on the way from the group up to the top of its mount. */
static int64_t smallest_of_branch(const Query *query, const Mount *mount, const char *group,
                                  CgroupsVersion version)
{
    char directory[PATH_BYTES_MAX];
    const int length = snprintf(directory, sizeof directory, "%s%s", mount->point,
                                group_below(mount->root, group));
    if (length >= (int)sizeof directory) {
        return CGROUPS_NO_LIMIT;
    }
    const size_t top = strlen(mount->point);
    int64_t limit = query->limit(query->root, directory, version);
    while (strlen(directory) > top) {
        *strrchr(directory, '/') = '\0';
        limit = smaller(limit, query->limit(query->root, directory, version));
    }
    return limit;
}

static bool parse_mount(const char *line, Mount *mount)
{
    const char *rest = strstr(line, " - ");
    return rest != NULL &&
           sscanf(line, "%*s %*s %*s %2047s %2047s", mount->root, mount->point) == 2 &&
           sscanf(rest, " - %31s %*s %2047s", mount->type, mount->options) == 2;
}

/* Finds the mount that shows the groups of this version which have the controller. */
static bool find_mount(const Query *query, CgroupsVersion version, Mount *mount)
{
    FILE *file = open_under(query->root, "/proc/self/mountinfo");
    if (file == NULL) {
        return false;
    }
    char *line = NULL;
    size_t line_bytes = 0;
    bool is_found = false;
    while (!is_found && getline(&line, &line_bytes, file) >= 0) {
        if (parse_mount(line, mount)) {
            is_found = version == CGROUPS_V2 ? strcmp(mount->type, "cgroup2") == 0
                                             : strcmp(mount->type, "cgroup") == 0 &&
                                                   has_word(mount->options, query->controller);
        }
    }
    free(line);
    (void)fclose(file);
    return is_found;
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 names no controllers. */
static int64_t limit_of_line(const Query *query, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL) {
        return CGROUPS_NO_LIMIT;
    }
    controllers++;
    *group++ = '\0';

    const CgroupsVersion version = *controllers == '\0' ? CGROUPS_V2 : CGROUPS_V1;
    if (version == CGROUPS_V1 && !has_word(controllers, query->controller)) {
        return CGROUPS_NO_LIMIT;
    }
    Mount mount;
    return find_mount(query, version, &mount) ? smallest_of_branch(query, &mount, group, version)
                                              : CGROUPS_NO_LIMIT;
}

int64_t cgroups_smallest(const char *root, const char *controller, CgroupsLimit *limit)
{
    const Query query = {.root = root, .controller = controller, .limit = limit};
    FILE *file = open_under(root, "/proc/self/cgroup");
    if (file == NULL) {
        return CGROUPS_NO_LIMIT;
    }
    char *line = NULL;
    size_t line_bytes = 0;
    int64_t smallest = CGROUPS_NO_LIMIT;
    while (getline(&line, &line_bytes, file) >= 0) {
        smallest = smaller(smallest, limit_of_line(&query, line));
    }
    free(line);
    (void)fclose(file);
    return smallest;
}
