/* How many processors a control group of Linux lets its processes use (containers). */
#ifndef ARMILLA_BASE_CPU_QUOTA_H
#define ARMILLA_BASE_CPU_QUOTA_H

/* Given:    path of a file as /sys/fs/cgroup/cpu.max: "QUOTA PERIOD", microseconds of processor
 *           time per microseconds of time, or "max PERIOD".
 * Returned: QUOTA / PERIOD rounded up, at least 1; 0 where there is no limit or no such file. */
int armilla_cpu_quota(const char *path);

#endif
