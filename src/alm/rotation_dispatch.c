/* See rotation_dispatch.h. The numbers repeat VLEN and VECTORS of simd/<isa>.h. */
#include "alm/rotation_dispatch.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_kernel_rotation_##isa(const armilla_rotation_sums *, double *);                   \
    static const armilla_rotation_kernels kernels_##isa = {(length), (count),                      \
                                                           armilla_kernel_rotation_##isa};

KERNEL_TABLE(scalar, 1, 2)
#ifdef ARMILLA_BUILD_SSE2
KERNEL_TABLE(sse2, 2, 2)
#endif
#ifdef ARMILLA_BUILD_AVX2
KERNEL_TABLE(avx2, 4, 2)
#endif
#ifdef ARMILLA_BUILD_AVX512
KERNEL_TABLE(avx512, 8, 4)
#endif
#ifdef ARMILLA_BUILD_NEON
KERNEL_TABLE(neon, 2, 4)
#endif

const armilla_rotation_kernels *armilla_rotation_kernels_find(armilla_isa isa)
{
    switch (isa) {
#ifdef ARMILLA_BUILD_SSE2
    case ARMILLA_ISA_SSE2:
        return &kernels_sse2;
#endif
#ifdef ARMILLA_BUILD_AVX2
    case ARMILLA_ISA_AVX2:
        return &kernels_avx2;
#endif
#ifdef ARMILLA_BUILD_AVX512
    case ARMILLA_ISA_AVX512:
        return &kernels_avx512;
#endif
#ifdef ARMILLA_BUILD_NEON
    case ARMILLA_ISA_NEON:
        return &kernels_neon;
#endif
    default:
        return &kernels_scalar;
    }
}
