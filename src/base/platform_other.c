/* What a system answers (platform.h) by POSIX alone: what neither macOS nor others know, and then
 * all that a system that is neither Linux nor macOS says. */
#include "base/platform.h"

#if !defined(__linux__)

int armilla_platform_quota(void)
{
    return 0;
}

int64_t armilla_platform_third_level_share(void)
{
    return 0;
}

void armilla_platform_wish_large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

int armilla_platform_affinity(armilla_affinity *mine)
{
    *mine = (armilla_affinity){{0}};
    return 0;
}

int armilla_platform_bind(pthread_t thread, const armilla_affinity *to)
{
    (void)thread;
    (void)to;
    return 0;
}

#endif

#if !defined(__linux__) && !defined(__APPLE__)

#include <errno.h>
#include <unistd.h>

int armilla_platform_processors(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
#else
    return 1;
#endif
}

double armilla_platform_memory(void)
{
    return 0;
}

int64_t armilla_platform_second_level(void)
{
    return 0;
}

int64_t armilla_platform_third_level(void)
{
    return 0;
}

/* Without taking the room: a disk that is full is then found while the file is written. */
int armilla_platform_take_room(int descriptor, int64_t bytes)
{
    return ftruncate(descriptor, (off_t)bytes) ? errno : 0;
}

#endif
