#define _GNU_SOURCE 1

#include "support/root_tree.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATH_BYTES = 512 };

const char root_tree_mounts_v2[] =
    "22 1 0:20 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "31 22 0:28 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

int root_tree_make(void **state)
{
    char *root = strdup("/tmp/rookery-root-XXXXXX");
    *state = root;
    return root == NULL || mkdtemp(root) == NULL ? -1 : 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

int root_tree_remove(void **state)
{
    const int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}

void root_tree_put(const char *root, const char *path, const char *text)
{
    char full_path[PATH_BYTES];
    (void)snprintf(full_path, sizeof full_path, "%s%s", root, path);
    for (char *slash = full_path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        (void)mkdir(full_path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full_path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
