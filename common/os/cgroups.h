/*
 * Cgroups: the limits that control groups set to this process, versions 1 and 2 and the hybrid of
 * both, every ancestor group included.
 *
 * Everywhere `root` stands for "/" ("" is the real one), so that tests can bring a tree of their
 * own with proc/self/cgroup, proc/self/mountinfo and the mounts that these name.
 *
 * Source: cgroups(7), proc(5), the kernel's documents on cgroup-v1 and cgroup-v2.
 */
#ifndef ROOKERY_OS_CGROUPS_H
#define ROOKERY_OS_CGROUPS_H

#include <stdint.h>
#include <stdio.h>

#define CGROUPS_NO_LIMIT INT64_MAX

typedef enum { CGROUPS_V1, CGROUPS_V2 } CgroupsVersion;

/* A limit that one group sets, by its directory below `root`; CGROUPS_NO_LIMIT for none. */
typedef int64_t CgroupsLimit(const char *root, const char *directory, CgroupsVersion version);

/*
 * The smallest limit among the groups that this process is in, which version 1 has under
 * `controller`. CGROUPS_NO_LIMIT if there is none, or nothing can be read. Any thread.
 */
int64_t cgroups_smallest(const char *root, const char *controller, CgroupsLimit *limit);

/* Opens a file of a group for reading, NULL if there is none; the caller closes it. */
FILE *cgroups_open(const char *root, const char *directory, const char *name);

/* Reads one number, or two, from a group's file; "max" is no number. How many were read. */
int cgroups_read(const char *root, const char *directory, const char *name, int64_t *first,
                 int64_t *second);

#endif
