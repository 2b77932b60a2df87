/*
 * RootTree: a made-up tree of files that stands for "/", for what reads /proc and /sys.
 */
#ifndef ROOKERY_TESTS_SUPPORT_ROOT_TREE_H
#define ROOKERY_TESTS_SUPPORT_ROOT_TREE_H

/* A mountinfo with control groups of version 2 alone. */
extern const char root_tree_mounts_v2[];

/* cmocka's setup and teardown: *state is the path of an empty folder, which goes with all in it. */
int root_tree_make(void **state);
int root_tree_remove(void **state);

/* Writes a file below `root`, and the folders on its way. */
void root_tree_put(const char *root, const char *path, const char *text);

#endif
