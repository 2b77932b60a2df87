#define _GNU_SOURCE 1

#include "os/cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "os/cgroups.h"

enum {
    AFFINITY_CPUS_MAX = 65536, /* end of the search for a mask that is large enough */
    MILLI = 1000,              /* quotas are compared in thousandths of a processor */
};

static int64_t quota_milli(int64_t quota_us, int64_t period_us)
{
    const bool is_limit = quota_us > 0 && period_us > 0 && quota_us <= INT64_MAX / MILLI;
    return is_limit ? quota_us * MILLI / period_us : CGROUPS_NO_LIMIT;
}

static int64_t group_quota_milli(const char *root, const char *directory, CgroupsVersion version)
{
    int64_t quota_us = 0;
    int64_t period_us = 0;
    int64_t unused = 0;
    bool is_read;
    if (version == CGROUPS_V2) {
        is_read = cgroups_read(root, directory, "cpu.max", &quota_us, &period_us) == 2;
    } else {
        is_read = cgroups_read(root, directory, "cpu.cfs_quota_us", &quota_us, &unused) >= 1 &&
                  cgroups_read(root, directory, "cpu.cfs_period_us", &period_us, &unused) >= 1;
    }
    return is_read ? quota_milli(quota_us, period_us) : CGROUPS_NO_LIMIT;
}

int cpus_quota(const char *root)
{
    const int64_t quota = cgroups_smallest(root, "cpu", group_quota_milli);
    if (quota / MILLI >= INT32_MAX) {
        return 0; /* none, or more than any machine has */
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
