/*
 * What memory is left, read from made-up machines and control groups, and from this one.
 */
#include "os/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/root_tree.h"

#define MEMINFO "MemTotal: 8000000 kB\nMemFree: 100000 kB\nMemAvailable: 4000000 kB\n"

static const int64_t machine_bytes = INT64_C(4000000) * 1024;

static void nothing_known_is_no_limit(void **state)
{
    assert_int_equal(memory_available(*state), INT64_MAX);
}

static void the_machine_counts_without_groups(void **state)
{
    root_tree_put(*state, "/proc/meminfo", MEMINFO);
    assert_int_equal(memory_available(*state), machine_bytes);
}

static void the_smallest_group_counts(void **state)
{
    root_tree_put(*state, "/proc/meminfo", MEMINFO);
    root_tree_put(*state, "/proc/self/cgroup", "0::/user/rookery\n");
    root_tree_put(*state, "/proc/self/mountinfo", root_tree_mounts_v2);
    root_tree_put(*state, "/sys/fs/cgroup/user/rookery/memory.max", "max\n");
    root_tree_put(*state, "/sys/fs/cgroup/user/rookery/memory.current", "1000\n");
    assert_int_equal(memory_available(*state), machine_bytes);
    root_tree_put(*state, "/sys/fs/cgroup/user/memory.max", "400000000\n");
    root_tree_put(*state, "/sys/fs/cgroup/user/memory.current", "300000000\n");
    assert_int_equal(memory_available(*state), 100000000);
    /* Files in the cache make room. */
    root_tree_put(*state, "/sys/fs/cgroup/user/memory.stat",
                  "anon 200000000\ninactive_file 30000000\nactive_file 20000000\n");
    assert_int_equal(memory_available(*state), 150000000);
    root_tree_put(*state, "/sys/fs/cgroup/user/memory.current", "500000000\n");
    assert_int_equal(memory_available(*state), 0);
}

static void version_1_counts_alike(void **state)
{
    root_tree_put(*state, "/proc/meminfo", MEMINFO);
    root_tree_put(*state, "/proc/self/cgroup", "5:cpu:/a\n4:memory:/a\n");
    root_tree_put(*state, "/proc/self/mountinfo",
                  "36 31 0:33 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    root_tree_put(*state, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000000000\n");
    root_tree_put(*state, "/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "700000000\n");
    root_tree_put(*state, "/sys/fs/cgroup/memory/a/memory.stat",
                  "cache 9\ntotal_inactive_file 100000000\ntotal_active_file 50000000\n");
    assert_int_equal(memory_available(*state), 450000000);
    /* No limit is a number larger than any memory. */
    root_tree_put(*state, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(memory_available(*state), machine_bytes);
}

static void this_machine_has_some(void **state)
{
    (void)state;
    assert_true(memory_available("") > 0);
    assert_true(memory_available("") < INT64_MAX);
}

#define ON_A_TREE(test) cmocka_unit_test_setup_teardown(test, root_tree_make, root_tree_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_A_TREE(nothing_known_is_no_limit),    ON_A_TREE(the_machine_counts_without_groups),
        ON_A_TREE(the_smallest_group_counts),    ON_A_TREE(version_1_counts_alike),
        cmocka_unit_test(this_machine_has_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
