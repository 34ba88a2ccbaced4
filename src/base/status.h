/* Recording errors inside the library. */
#ifndef ARMILLA_BASE_STATUS_H
#define ARMILLA_BASE_STATUS_H

#include "armilla/status.h"
#include "base/compiler.h"

/* Records a printf-style message for the calling thread and returns status, so that
 * `return armilla_fail(ARMILLA_ERROR_ARGUMENT, "nside = %lld: must be at least 1", ...)` reads
 * well. */
ARMILLA_FOR_FILES armilla_status armilla_fail(armilla_status status, const char *format, ...)
    ARMILLA_PRINTF(2, 3);

/* Records errno behind the message of armilla_fail, for armilla_status_errno; returns status. */
ARMILLA_FOR_FILES armilla_status armilla_fail_as(int error, armilla_status status);

/* "412 GB", "96 bytes": three digits, units of 1000. Returned: text. */
enum { ARMILLA_SIZE_TEXT = 32 };
ARMILLA_FOR_FILES const char *armilla_size_text(double bytes, char text[ARMILLA_SIZE_TEXT]);

/* ARMILLA_ERROR_MEMORY with the size of the request that failed. */
armilla_status armilla_fail_memory(double bytes);

/* "name = value: must be ..." for an integer argument. */
ARMILLA_FOR_FILES armilla_status armilla_fail_argument(const char *name, int64_t value,
                                                       const char *rule);

/* ARMILLA_ERROR_ARGUMENT "name = NULL: must be given" where the pointer is NULL. */
ARMILLA_FOR_FILES armilla_status armilla_check_given(const char *name, const void *pointer);

/* ARMILLA_ERROR_ARGUMENT unless 0 <= mmax <= lmax and lmax is below the limit that keeps every
 * index in int64_t; says which of the two is wrong. */
ARMILLA_FOR_FILES armilla_status armilla_check_band_limit(int64_t lmax, int64_t mmax);

#endif
