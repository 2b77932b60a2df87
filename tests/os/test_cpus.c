/*
 * Processor quotas read from made-up trees of control groups, and the affinity mask of this
 * process.
 */
#define _GNU_SOURCE 1

#include "os/cpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 512 };

static const char mountinfo_v2[] =
    "22 1 0:20 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "31 22 0:28 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

static const char mountinfo_hybrid[] =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "35 31 0:32 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

static int make_root(void **state)
{
    char *root = strdup("/tmp/rookery-cpus-XXXXXX");
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

static int remove_root(void **state)
{
    const int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}

/* Writes a file below the root, and the directories on its way. */
static void put(const char *root, const char *path, const char *text)
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

static void no_tree_is_no_quota(void **state)
{
    assert_int_equal(cpus_quota(*state), 0);
    put(*state, "/proc/self/cgroup", "0::/a\n");
    assert_int_equal(cpus_quota(*state), 0);
    put(*state, "/proc/self/mountinfo", mountinfo_v2);
    assert_int_equal(cpus_quota(*state), 0);
}

static void version_2_is_read(void **state)
{
    put(*state, "/proc/self/cgroup", "0::/system.slice/rookery.service\n");
    put(*state, "/proc/self/mountinfo", mountinfo_v2);
    const char *path = "/sys/fs/cgroup/system.slice/rookery.service/cpu.max";
    put(*state, path, "max 100000\n");
    assert_int_equal(cpus_quota(*state), 0);
    put(*state, path, "300000 100000\n");
    assert_int_equal(cpus_quota(*state), 3);
    put(*state, path, "299000 100000\n");
    assert_int_equal(cpus_quota(*state), 2);
    put(*state, path, "20000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
}

static void the_tightest_ancestor_counts(void **state)
{
    put(*state, "/proc/self/cgroup", "0::/a/b/c\n");
    put(*state, "/proc/self/mountinfo", mountinfo_v2);
    put(*state, "/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    put(*state, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put(*state, "/sys/fs/cgroup/a/cpu.max", "100000 50000\n");
    assert_int_equal(cpus_quota(*state), 2);
    put(*state, "/sys/fs/cgroup/cpu.max", "100000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
}

static void version_1_is_read(void **state)
{
    put(*state, "/proc/self/cgroup", "3:cpuset:/other\n2:cpu,cpuacct:/lab\n1:name=systemd:/\n");
    put(*state, "/proc/self/mountinfo", mountinfo_hybrid);
    put(*state, "/sys/fs/cgroup/cpuset/other/cpu.cfs_quota_us", "100000\n");
    put(*state, "/sys/fs/cgroup/cpuset/other/cpu.cfs_period_us", "100000\n");
    put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "-1\n");
    put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_quota(*state), 0);
    put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "450000\n");
    assert_int_equal(cpus_quota(*state), 4);
}

static void both_versions_are_compared(void **state)
{
    put(*state, "/proc/self/cgroup", "2:cpu,cpuacct:/lab\n0::/lab\n");
    put(*state, "/proc/self/mountinfo", mountinfo_hybrid);
    put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "400000\n");
    put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_period_us", "100000\n");
    put(*state, "/sys/fs/cgroup/unified/lab/cpu.max", "300000 100000\n");
    assert_int_equal(cpus_quota(*state), 3);
    put(*state, "/sys/fs/cgroup/unified/lab/cpu.max", "500000 100000\n");
    assert_int_equal(cpus_quota(*state), 4);
}

/* A container sees its own group as the top of the mount, under another name. */
static void a_mount_of_a_part_is_understood(void **state)
{
    put(*state, "/proc/self/cgroup", "4:cpu:/docker/0123/inner\n");
    put(*state, "/proc/self/mountinfo",
        "9 8 0:29 /docker/0123 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    put(*state, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "500000\n");
    put(*state, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put(*state, "/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "200000\n");
    put(*state, "/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_quota(*state), 2);
    put(*state, "/proc/self/cgroup", "4:cpu:/docker/01234\n");
    assert_int_equal(cpus_quota(*state), 5);
    put(*state, "/proc/self/cgroup", "4:cpu:/docker/0123/../inner\n");
    assert_int_equal(cpus_quota(*state), 5);
}

static void junk_is_no_quota(void **state)
{
    put(*state, "/proc/self/mountinfo", mountinfo_v2);
    static const char *const groups[] = {"", "\n", "0\n", "0:\n", ":::::\n", "0::\n", "x::y\n"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        put(*state, "/proc/self/cgroup", groups[i]);
        assert_int_equal(cpus_quota(*state), 0);
    }
    static const char *const quotas[] = {
        "",           "\n",         "lots\n",      "100000\n",
        "100000 0\n", "0 100000\n", "-5 100000\n", "9223372036854775807 1\n",
    };
    put(*state, "/proc/self/cgroup", "0::/a\n");
    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        put(*state, "/sys/fs/cgroup/a/cpu.max", quotas[i]);
        assert_int_equal(cpus_quota(*state), 0);
    }
    put(*state, "/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
    put(*state, "/proc/self/mountinfo", "- - -\n / / - cgroup2\n\n");
    assert_int_equal(cpus_quota(*state), 0);
}

static void affinity_limits_the_processors(void **state)
{
    (void)state;
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(cpus_affinity(), CPU_COUNT(&all));

    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++) {
        if (CPU_ISSET(cpu, &all)) {
            CPU_SET(cpu, &one);
        }
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cpus_affinity(), 1);
    assert_int_equal(cpus_usable(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_in_range(cpus_usable(), 1, CPU_COUNT(&all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_tree_is_no_quota, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_2_is_read, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_tightest_ancestor_counts, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_1_is_read, make_root, remove_root),
        cmocka_unit_test_setup_teardown(both_versions_are_compared, make_root, remove_root),
        cmocka_unit_test_setup_teardown(a_mount_of_a_part_is_understood, make_root, remove_root),
        cmocka_unit_test_setup_teardown(junk_is_no_quota, make_root, remove_root),
        cmocka_unit_test(affinity_limits_the_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
