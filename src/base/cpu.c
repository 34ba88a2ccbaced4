/* See cpu.h. ARMILLA_BUILD_<ISA> is defined by CMake for every set whose kernels are compiled in.
 */
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#ifndef ARMILLA_VERSION
#define ARMILLA_VERSION "unknown"
#endif

static const char *const labels[ARMILLA_ISA_COUNT] = {"scalar", "sse2", "avx2", "avx512", "neon"};

const char *armilla_version(void)
{
    return ARMILLA_VERSION;
}

const char *armilla_isa_label(armilla_isa isa)
{
    return labels[isa];
}

int armilla_isa_usable(armilla_isa isa)
{
    switch (isa) {
    case ARMILLA_ISA_SCALAR:
        return 1;
#ifdef ARMILLA_BUILD_SSE2
    case ARMILLA_ISA_SSE2:
        return ARMILLA_CPU_HAS("sse2");
#endif
#ifdef ARMILLA_BUILD_AVX2
    case ARMILLA_ISA_AVX2:
        return ARMILLA_CPU_HAS("avx2") && ARMILLA_CPU_HAS("fma");
#endif
#ifdef ARMILLA_BUILD_AVX512
    case ARMILLA_ISA_AVX512:
        return ARMILLA_CPU_HAS("avx512f") && ARMILLA_CPU_HAS("avx512dq") &&
               ARMILLA_CPU_HAS("avx512vl");
#endif
#ifdef ARMILLA_BUILD_NEON
    case ARMILLA_ISA_NEON:
        return 1;
#endif
    default:
        return 0;
    }
}

armilla_status armilla_isa_choose(const char *name, armilla_isa *isa)
{
    const char *origin = "isa";
    if (!name || !*name) name = getenv("ARMILLA_ISA"), origin = "environment variable ARMILLA_ISA";
    if (!name || !*name) {
        for (int i = 0; i < ARMILLA_ISA_COUNT; i++)
            if (armilla_isa_usable((armilla_isa)i)) *isa = (armilla_isa)i;
        return ARMILLA_OK;
    }
    for (int i = 0; i < ARMILLA_ISA_COUNT; i++) {
        if (strcmp(name, labels[i]) != 0) continue;
        if (!armilla_isa_usable((armilla_isa)i))
            return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                                "%s = \"%s\": not available in this build on this machine", origin,
                                name);
        *isa = (armilla_isa)i;
        return ARMILLA_OK;
    }
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s = \"%s\": must be scalar, sse2, avx2, avx512 or neon", origin, name);
}

const char *armilla_isa_name(void)
{
    armilla_isa isa = ARMILLA_ISA_SCALAR;
    if (armilla_isa_choose(NULL, &isa)) armilla_isa_choose("scalar", &isa);
    return labels[isa];
}

const char *armilla_isa_available(int index)
{
    for (int i = 0, found = 0; i < ARMILLA_ISA_COUNT; i++)
        if (armilla_isa_usable((armilla_isa)i) && found++ == index) return labels[i];
    return NULL;
}
