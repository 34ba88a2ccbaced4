/* Caches of the processor. */
#ifndef ARMILLA_BASE_CACHE_H
#define ARMILLA_BASE_CACHE_H

#include <stdint.h>

/* Bytes that a kernel may read again and again at several doubles a cycle: the second-level cache
 * and, where its third level is shared by few cores and as close (AMD), LARGEST. Other processors
 * read their third level at one double a cycle (a Xeon of 480 MB, 2026).
 * Returned: at least LEAST, also where the system does not say. */
enum { ARMILLA_CACHE_LEAST = 1024 * 1024, ARMILLA_CACHE_LARGEST = 8 * 1024 * 1024 };
int64_t armilla_cache_bytes(void);

#endif
