/* See theta_kernel_table.h. The numbers repeat VLEN of legendre/simd/<isa>.h. */
#include "sht/theta_kernel_table.h"

#define KERNEL_TABLE(isa, length)                                                                  \
    ARMILLA_THETA_DECLARE(isa)                                                                     \
    static const armilla_theta_kernels kernels_##isa = {                                           \
        .vector_length = (length),                                                                 \
        .extend = armilla_theta_extend_##isa,                                                      \
        .fold = armilla_theta_fold_##isa,                                                          \
        .transform = armilla_theta_transform_##isa,                                                \
        .interpolate = armilla_theta_interpolate_##isa,                                            \
        .spread = armilla_theta_spread_##isa};

KERNEL_TABLE(scalar, 1)
#ifdef ARMILLA_BUILD_SSE2
KERNEL_TABLE(sse2, 2)
#endif
#ifdef ARMILLA_BUILD_AVX2
KERNEL_TABLE(avx2, 4)
#endif
#ifdef ARMILLA_BUILD_AVX512
KERNEL_TABLE(avx512, 8)
#endif
#ifdef ARMILLA_BUILD_NEON
KERNEL_TABLE(neon, 2)
#endif

const armilla_theta_kernels *armilla_theta_kernels_find(armilla_isa isa)
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
