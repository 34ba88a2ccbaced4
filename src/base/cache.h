/* Caches of the processor. */
#ifndef ARMILLA_BASE_CACHE_H
#define ARMILLA_BASE_CACHE_H

#include <stdint.h>

/* Bytes that a kernel may read again and again at several doubles a cycle: the second-level cache
 * or, where the third level is shared by few cores and as close (AMD), what that has for each core,
 * NEAR or more. Other processors read their third level at one double a cycle (a Xeon of 480 MB,
 * 2026).
 * Returned: LEAST to LARGEST, also where the system does not say. */
enum {
    ARMILLA_CACHE_LEAST = 1024 * 1024,
    ARMILLA_CACHE_NEAR = 8 * 1024 * 1024,
    ARMILLA_CACHE_LARGEST = 16 * 1024 * 1024
};
int64_t armilla_cache_bytes(void);

/* Are so many bytes faster written past the caches (non-temporal stores), whose lines would be read
 * from memory only to be overwritten, and pushed out before anybody reads them? read_again: they
 * are input of the next stage. Measured on Zen 4 (16 MB of third-level cache for a core): maps from
 * 4 MB on, 3 to 7 % of a synthesis, though who reads them next, all at once, waits; leg from 16 MB
 * on. Other processors: what their third level does not hold, not measured. */
int armilla_cache_is_passed(int64_t bytes, int read_again);

/* How many numbers a list such as "0-7,64-71" has; 0: it is none. */
int64_t armilla_cpu_list_count(const char *list);

#endif
