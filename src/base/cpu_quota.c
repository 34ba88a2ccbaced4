/* Reads how many processors a control group of Linux allows its processes from the group's file
 * cpu.max. Reference: the kernel's Documentation/admin-guide/cgroup-v2.rst. */
#include "base/cpu_quota.h"

#include <limits.h>
#include <stdio.h>

int armilla_cpu_quota(const char *path)
{
    long long quota, period;
    FILE *file = fopen(path, "re"); /* e: programs started in the meantime do not inherit it */
    if (!file) return 0;
    int found = fscanf(file, "%18lld %18lld", &quota, &period);
    fclose(file);
    if (found != 2 || quota <= 0 || period <= 0) return 0;
    long long processors = quota / period + (quota % period > 0);
    return processors < INT_MAX ? (int)processors : 0;
}
