/* What the library asks of the operating system, and what POSIX does not say or not every system
 * has: one answer for each system (platform_linux.c, platform_macos.c, platform_other.c), so that
 * nothing else asks which system this is. docs/platforms.md tells how far each of them is known to
 * work. */
#ifndef ARMILLA_BASE_PLATFORM_H
#define ARMILLA_BASE_PLATFORM_H

#include "base/compiler.h"

#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

/* Returned: processors that this process may use, at least 1. */
int armilla_platform_processors(void);

/* Returned: to how many processors the container of this process is limited; 0: to no number. */
int armilla_platform_quota(void);

/* Returned: bytes of memory of this machine; 0: unknown. */
ARMILLA_FOR_FILES double armilla_platform_memory(void);

/* Bytes of the processor's caches; 0: unknown. third_level_share: of the third level, what there is
 * for each core that shares it. */
int64_t armilla_platform_second_level(void);
int64_t armilla_platform_third_level(void);
int64_t armilla_platform_third_level_share(void);

/* Large arrays would better lie on large pages: a wish. The array begins at a multiple of 2 MB. */
void armilla_platform_wish_large_pages(void *memory, size_t bytes);

/* Makes a file of so many bytes and takes the room for them on the disk, where the file's system
 * can do that. Returned: 0, or errno's value; ENOSPC: the disk is full. */
ARMILLA_FOR_FILES int armilla_platform_take_room(int descriptor, int64_t bytes);

/* Starts a thread that nobody will join, with a stack of 8 MB, which is what the main thread of a
 * process has. Returned: whether it runs. */
int armilla_platform_start_thread(pthread_t *thread, void *(*function)(void *), void *argument);

/* The processors on which a thread may run. All zero: not known. */
typedef struct armilla_affinity {
    uint64_t mask[16];
} armilla_affinity;

/* Returned: whether the system says where this thread may run. */
int armilla_platform_affinity(armilla_affinity *mine);

/* Returned: whether the thread runs only there from now on. */
int armilla_platform_bind(pthread_t thread, const armilla_affinity *to);

/* Between enter and leave, numbers in text are read and written by this thread as in C's own
 * locale. */
typedef struct armilla_c_locale {
    locale_t own, previous;
} armilla_c_locale;

ARMILLA_FOR_FILES void armilla_c_locale_enter(armilla_c_locale *scope);
ARMILLA_FOR_FILES void armilla_c_locale_leave(const armilla_c_locale *scope);

#endif
