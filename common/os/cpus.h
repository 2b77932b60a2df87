/*
 * Cpus: how many search slots this machine can feed.
 *
 * The smaller of the affinity mask and the processor quota of the control groups that this process
 * is in (versions 1 and 2 and the hybrid of both), every ancestor group included. A quota is
 * rounded down: a slot more than the quota would have all of them throttled at once, in the
 * middle of a job.
 *
 * Source: the kernel's sched-bwc document; cgroups.h.
 */
#ifndef ROOKERY_OS_CPUS_H
#define ROOKERY_OS_CPUS_H

/* Processors that this process can keep busy, at least 1. Any thread. */
int cpus_usable(void);

/* Processors in the affinity mask of the calling thread, at least 1. */
int cpus_affinity(void);

/*
 * The quota in whole processors, rounded down but at least 1; 0 when there is no quota or it
 * cannot be read. `root` as in cgroups.h.
 */
int cpus_quota(const char *root);

#endif
