/* See cache.h. */
#include "base/cache.h"

#include "base/compiler.h"
#include "base/integer.h"

#include <unistd.h>

int64_t armilla_cache_bytes(void)
{
    if (ARMILLA_CPU_IS_AMD()) return ARMILLA_CACHE_LARGEST;
#ifdef _SC_LEVEL2_CACHE_SIZE
    const int64_t bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); /* -1 or 0: unknown */
    return armilla_smaller(armilla_larger(bytes, ARMILLA_CACHE_LEAST), ARMILLA_CACHE_LARGEST);
#else
    return ARMILLA_CACHE_LEAST;
#endif
}
