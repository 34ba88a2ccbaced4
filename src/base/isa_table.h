/* One entry per instruction set that is built in, for the tables of kernels.
 *
 * ARMILLA_EACH_ISA(X) is X(scalar, 1, 2) X(sse2, 2, 2) ...: name, lanes, vectors kept in registers
 * (VLEN and VECTORS of legendre/simd/<isa>.h).
 *
 * ARMILLA_ISA_TABLE initialises an array over armilla_isa of pointers to kernels_<isa>, static
 * objects of the file that uses it.
 *
 * CMake defines ARMILLA_BUILD_<ISA> for every set whose kernels are compiled in. */
#ifndef ARMILLA_BASE_ISA_TABLE_H
#define ARMILLA_BASE_ISA_TABLE_H

#include "base/cpu.h"

#ifdef ARMILLA_BUILD_SSE2
#define ARMILLA_WITH_SSE2(X) X(sse2, 2, 2)
#else
#define ARMILLA_WITH_SSE2(X)
#endif
#ifdef ARMILLA_BUILD_AVX2
#define ARMILLA_WITH_AVX2(X) X(avx2, 4, 3)
#else
#define ARMILLA_WITH_AVX2(X)
#endif
#ifdef ARMILLA_BUILD_AVX512
#define ARMILLA_WITH_AVX512(X) X(avx512, 8, 4)
#else
#define ARMILLA_WITH_AVX512(X)
#endif
#ifdef ARMILLA_BUILD_NEON
#define ARMILLA_WITH_NEON(X) X(neon, 2, 4)
#else
#define ARMILLA_WITH_NEON(X)
#endif

#define ARMILLA_EACH_ISA(X)                                                                        \
    X(scalar, 1, 2)                                                                                \
    ARMILLA_WITH_SSE2(X) ARMILLA_WITH_AVX2(X) ARMILLA_WITH_AVX512(X) ARMILLA_WITH_NEON(X)

#define ARMILLA_ISA_INDEX_scalar ARMILLA_ISA_SCALAR
#define ARMILLA_ISA_INDEX_sse2   ARMILLA_ISA_SSE2
#define ARMILLA_ISA_INDEX_avx2   ARMILLA_ISA_AVX2
#define ARMILLA_ISA_INDEX_avx512 ARMILLA_ISA_AVX512
#define ARMILLA_ISA_INDEX_neon   ARMILLA_ISA_NEON

#define ARMILLA_ISA_ENTRY(isa, length, count) [ARMILLA_ISA_INDEX_##isa] = &kernels_##isa,
#define ARMILLA_ISA_TABLE                                                                          \
    {                                                                                              \
        ARMILLA_EACH_ISA(ARMILLA_ISA_ENTRY)                                                        \
    }

#endif
