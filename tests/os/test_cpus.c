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
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/root_tree.h"

static const char mountinfo_hybrid[] =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "35 31 0:32 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

static void no_tree_is_no_quota(void **state)
{
    assert_int_equal(cpus_quota(*state), 0);
    root_tree_put(*state, "/proc/self/cgroup", "0::/a\n");
    assert_int_equal(cpus_quota(*state), 0);
    root_tree_put(*state, "/proc/self/mountinfo", root_tree_mounts_v2);
    assert_int_equal(cpus_quota(*state), 0);
}

static void version_2_is_read(void **state)
{
    root_tree_put(*state, "/proc/self/cgroup", "0::/system.slice/rookery.service\n");
    root_tree_put(*state, "/proc/self/mountinfo", root_tree_mounts_v2);
    const char *path = "/sys/fs/cgroup/system.slice/rookery.service/cpu.max";
    root_tree_put(*state, path, "max 100000\n");
    assert_int_equal(cpus_quota(*state), 0);
    root_tree_put(*state, path, "300000 100000\n");
    assert_int_equal(cpus_quota(*state), 3);
    root_tree_put(*state, path, "299000 100000\n");
    assert_int_equal(cpus_quota(*state), 2);
    root_tree_put(*state, path, "20000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
}

static void the_tightest_ancestor_counts(void **state)
{
    root_tree_put(*state, "/proc/self/cgroup", "0::/a/b/c\n");
    root_tree_put(*state, "/proc/self/mountinfo", root_tree_mounts_v2);
    root_tree_put(*state, "/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/a/cpu.max", "100000 50000\n");
    assert_int_equal(cpus_quota(*state), 2);
    root_tree_put(*state, "/sys/fs/cgroup/cpu.max", "100000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
}

static void version_1_is_read(void **state)
{
    root_tree_put(*state, "/proc/self/cgroup",
                  "3:cpuset:/other\n2:cpu,cpuacct:/lab\n1:name=systemd:/\n");
    root_tree_put(*state, "/proc/self/mountinfo", mountinfo_hybrid);
    root_tree_put(*state, "/sys/fs/cgroup/cpuset/other/cpu.cfs_quota_us", "100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpuset/other/cpu.cfs_period_us", "100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "-1\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_quota(*state), 0);
    root_tree_put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "450000\n");
    assert_int_equal(cpus_quota(*state), 4);
}

static void both_versions_are_compared(void **state)
{
    root_tree_put(*state, "/proc/self/cgroup", "2:cpu,cpuacct:/lab\n0::/lab\n");
    root_tree_put(*state, "/proc/self/mountinfo", mountinfo_hybrid);
    root_tree_put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_quota_us", "400000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu,cpuacct/lab/cpu.cfs_period_us", "100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/unified/lab/cpu.max", "300000 100000\n");
    assert_int_equal(cpus_quota(*state), 3);
    root_tree_put(*state, "/sys/fs/cgroup/unified/lab/cpu.max", "500000 100000\n");
    assert_int_equal(cpus_quota(*state), 4);
}

/* A container sees its own group as the top of the mount, under another name. */
static void a_mount_of_a_part_is_understood(void **state)
{
    root_tree_put(*state, "/proc/self/cgroup", "4:cpu:/docker/0123/inner\n");
    root_tree_put(*state, "/proc/self/mountinfo",
                  "9 8 0:29 /docker/0123 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "500000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "200000\n");
    root_tree_put(*state, "/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cpus_quota(*state), 2);
    root_tree_put(*state, "/proc/self/cgroup", "4:cpu:/docker/01234\n");
    assert_int_equal(cpus_quota(*state), 5);
    root_tree_put(*state, "/proc/self/cgroup", "4:cpu:/docker/0123/../inner\n");
    assert_int_equal(cpus_quota(*state), 5);
}

static void junk_is_no_quota(void **state)
{
    root_tree_put(*state, "/proc/self/mountinfo", root_tree_mounts_v2);
    static const char *const groups[] = {"", "\n", "0\n", "0:\n", ":::::\n", "0::\n", "x::y\n"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        root_tree_put(*state, "/proc/self/cgroup", groups[i]);
        assert_int_equal(cpus_quota(*state), 0);
    }
    static const char *const quotas[] = {
        "",           "\n",         "lots\n",      "100000\n",
        "100000 0\n", "0 100000\n", "-5 100000\n", "9223372036854775807 1\n",
    };
    root_tree_put(*state, "/proc/self/cgroup", "0::/a\n");
    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        root_tree_put(*state, "/sys/fs/cgroup/a/cpu.max", quotas[i]);
        assert_int_equal(cpus_quota(*state), 0);
    }
    root_tree_put(*state, "/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    assert_int_equal(cpus_quota(*state), 1);
    root_tree_put(*state, "/proc/self/mountinfo", "- - -\n / / - cgroup2\n\n");
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
        cmocka_unit_test_setup_teardown(no_tree_is_no_quota, root_tree_make, root_tree_remove),
        cmocka_unit_test_setup_teardown(version_2_is_read, root_tree_make, root_tree_remove),
        cmocka_unit_test_setup_teardown(the_tightest_ancestor_counts, root_tree_make,
                                        root_tree_remove),
        cmocka_unit_test_setup_teardown(version_1_is_read, root_tree_make, root_tree_remove),
        cmocka_unit_test_setup_teardown(both_versions_are_compared, root_tree_make,
                                        root_tree_remove),
        cmocka_unit_test_setup_teardown(a_mount_of_a_part_is_understood, root_tree_make,
                                        root_tree_remove),
        cmocka_unit_test_setup_teardown(junk_is_no_quota, root_tree_make, root_tree_remove),
        cmocka_unit_test(affinity_limits_the_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
