/*
 * Memory: how much of it this process may still take before somebody has to go.
 *
 * Linux grants more memory than there is; what is missing then is found out when it is written to,
 * and the process that does so is killed. So a large table is not asked for, but measured first.
 *
 * Source: proc(5) on MemAvailable, the kernel's documents on memory.max and memory.limit_in_bytes.
 */
#ifndef ROOKERY_OS_MEMORY_H
#define ROOKERY_OS_MEMORY_H

#include <stdint.h>

/*
 * Bytes that can be had without swapping: what the machine has left, or the control groups of this
 * process (cgroups.h) if that is less; files in the cache count as free. INT64_MAX if nothing is
 * known. `root` as in cgroups.h. Any thread.
 */
int64_t memory_available(const char *root);

#endif
