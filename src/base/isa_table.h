/* One entry per instruction set that is built in, for the tables of kernels.
 *
 * ARMILLA_EACH_ISA(X) is X(scalar, lanes, vectors) X(sse2, lanes, vectors) ...: the lanes of a
 * vector and the vectors kept in registers. They are VLEN and VECTORS of legendre/simd/<isa>.h,
 * which are seen only where that set's kernels are compiled; legendre/kernels/groups.h asserts
 * there that they agree with this table.
 *
 * ARMILLA_ISA_TABLE initialises an array over armilla_isa of pointers to kernels_<isa>, static
 * objects of the file that uses it.
 *
 * CMake defines ARMILLA_BUILD_<ISA> for every set whose kernels are compiled in. */
#ifndef ARMILLA_BASE_ISA_TABLE_H
#define ARMILLA_BASE_ISA_TABLE_H

#include "base/cpu.h"

enum {
    ARMILLA_LANES_scalar = 1,
    ARMILLA_LANES_sse2 = 2,
    ARMILLA_LANES_avx2 = 4,
    ARMILLA_LANES_avx512 = 8,
    ARMILLA_LANES_neon = 2,
    ARMILLA_VECTORS_scalar = 2,
    ARMILLA_VECTORS_sse2 = 2,
    ARMILLA_VECTORS_avx2 = 3,
    ARMILLA_VECTORS_avx512 = 4,
    ARMILLA_VECTORS_neon = 4
};

#ifdef ARMILLA_BUILD_SSE2
#define ARMILLA_WITH_SSE2(X) X(sse2, ARMILLA_LANES_sse2, ARMILLA_VECTORS_sse2)
#else
#define ARMILLA_WITH_SSE2(X)
#endif
#ifdef ARMILLA_BUILD_AVX2
#define ARMILLA_WITH_AVX2(X) X(avx2, ARMILLA_LANES_avx2, ARMILLA_VECTORS_avx2)
#else
#define ARMILLA_WITH_AVX2(X)
#endif
#ifdef ARMILLA_BUILD_AVX512
#define ARMILLA_WITH_AVX512(X) X(avx512, ARMILLA_LANES_avx512, ARMILLA_VECTORS_avx512)
#else
#define ARMILLA_WITH_AVX512(X)
#endif
#ifdef ARMILLA_BUILD_NEON
#define ARMILLA_WITH_NEON(X) X(neon, ARMILLA_LANES_neon, ARMILLA_VECTORS_neon)
#else
#define ARMILLA_WITH_NEON(X)
#endif

#define ARMILLA_EACH_ISA(X)                                                                        \
    X(scalar, ARMILLA_LANES_scalar, ARMILLA_VECTORS_scalar)                                        \
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
