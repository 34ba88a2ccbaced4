/* What macOS answers (platform.h): by sysctlbyname and fcntl. Compiled by tools/macos_compile.sh,
 * and never run so far. Threads cannot be bound to processors there, and large pages cannot be
 * asked for. References: the manual pages sysctlbyname(3), fcntl(2). */
#include "base/platform.h"

#if defined(__APPLE__)

#include <errno.h>
#include <fcntl.h>
#include <sys/sysctl.h>
#include <unistd.h>

/* A number that the system has under a name; 0: it has none. Some are of 4 bytes and some of 8. */
static int64_t system_number(const char *name)
{
    union {
        int32_t small;
        int64_t large;
    } value = {.large = 0};
    size_t bytes = sizeof value;
    if (sysctlbyname(name, &value, &bytes, NULL, 0)) return 0;
    const int64_t number = bytes == sizeof value.small ? value.small : value.large;
    return number > 0 ? number : 0;
}

int armilla_platform_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

double armilla_platform_memory(void)
{
    return (double)system_number("hw.memsize");
}

/* The fast cores' cache, where there are two kinds of core. */
int64_t armilla_platform_second_level(void)
{
    const int64_t fast = system_number("hw.perflevel0.l2cachesize");
    return fast ? fast : system_number("hw.l2cachesize");
}

int64_t armilla_platform_third_level(void)
{
    return system_number("hw.l3cachesize");
}

/* Room in one piece if there is such, else in several; the length of the file is set afterwards. A
 * file's system that cannot take room answers ENOTSUP. */
int armilla_platform_take_room(int descriptor, int64_t bytes)
{
    fstore_t room = {F_ALLOCATECONTIG, F_PEOFPOSMODE, 0, (off_t)bytes, 0};
    if (fcntl(descriptor, F_PREALLOCATE, &room) == -1) {
        room.fst_flags = F_ALLOCATEALL;
        if (fcntl(descriptor, F_PREALLOCATE, &room) == -1 && errno == ENOSPC) return ENOSPC;
    }
    return ftruncate(descriptor, (off_t)bytes) ? errno : 0;
}

#endif
