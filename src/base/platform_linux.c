/* What Linux answers (platform.h): by the C library, by /sys, and by the process's control group.
 */
#define _GNU_SOURCE
#include "base/platform.h"

#if defined(__linux__)

#include "base/cpu_quota.h"
#include "base/integer.h"
#include "base/machine.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(cpu_set_t) <= sizeof(armilla_affinity), "the mask of sched_getaffinity");

int armilla_platform_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

int armilla_platform_quota(void)
{
    return armilla_cpu_quota("/sys/fs/cgroup/cpu.max"); /* the container's, from inside */
}

double armilla_platform_memory(void)
{
    const double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? bytes : 0;
}

int64_t armilla_platform_second_level(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    return armilla_larger(sysconf(_SC_LEVEL2_CACHE_SIZE), 0); /* -1 or 0: unknown */
#else
    return 0;
#endif
}

int64_t armilla_platform_third_level(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    return armilla_larger(sysconf(_SC_LEVEL3_CACHE_SIZE), 0);
#else
    return 0;
#endif
}

/* The first line of a file of the system's; empty where there is none. */
static void read_line(const char *path, char line[static 256])
{
    FILE *file = fopen(path, "re"); /* see cpu_quota.c */
    line[0] = '\0';
    if (!file) return;
    if (!fgets(line, 256, file)) line[0] = '\0';
    fclose(file);
}

int64_t armilla_platform_third_level_share(void)
{
    char size[256], sharing[256], siblings[256], *unit;
    read_line("/sys/devices/system/cpu/cpu0/cache/index3/size", size);
    read_line("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", sharing);
    read_line("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", siblings);
    const int64_t number = strtoll(size, &unit, 10), threads = armilla_cpu_list_count(sharing),
                  per_core = armilla_cpu_list_count(siblings);
    if (number <= 0 || *unit != 'K' || per_core < 1 || threads < per_core) return 0;
    return number * 1024 / (threads / per_core);
}

void armilla_platform_wish_large_pages(void *memory, size_t bytes)
{
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
}

int armilla_platform_take_room(int descriptor, int64_t bytes)
{
    const int error = posix_fallocate(descriptor, 0, (off_t)bytes);
    if (error == EINVAL || error == EOPNOTSUPP || error == ENOSYS) /* this filesystem cannot */
        return ftruncate(descriptor, (off_t)bytes) ? errno : 0;
    return error;
}

int armilla_platform_affinity(armilla_affinity *mine)
{
    cpu_set_t set;
    *mine = (armilla_affinity){{0}};
    if (sched_getaffinity(0, sizeof set, &set)) return 0;
    memcpy(mine, &set, sizeof set);
    return 1;
}

int armilla_platform_bind(pthread_t thread, const armilla_affinity *to)
{
    cpu_set_t set;
    memcpy(&set, to, sizeof set);
    return !pthread_setaffinity_np(thread, sizeof set, &set);
}

#endif
