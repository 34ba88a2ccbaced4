/* See dispatch.h. */
#include "ringfft/dispatch.h"

#define KERNEL_TABLE(isa)                                                                          \
    void armilla_ring_spread_##isa(const armilla_ring_modes *, const double *, double *);          \
    void armilla_ring_gather_##isa(const armilla_ring_modes *, const double *, const double *,     \
                                   double *);                                                      \
    void armilla_ring_split_##isa(int64_t, const double *, const double *, double *, double *);    \
    void armilla_ring_join_##isa(int64_t, const double *, const double *, double *);               \
    static const armilla_ring_kernels kernels_##isa = {                                            \
        armilla_ring_spread_##isa, armilla_ring_gather_##isa, armilla_ring_split_##isa,            \
        armilla_ring_join_##isa};

KERNEL_TABLE(scalar)
#ifdef ARMILLA_BUILD_SSE2
KERNEL_TABLE(sse2)
#endif
#ifdef ARMILLA_BUILD_AVX2
KERNEL_TABLE(avx2)
#endif
#ifdef ARMILLA_BUILD_AVX512
KERNEL_TABLE(avx512)
#endif
#ifdef ARMILLA_BUILD_NEON
KERNEL_TABLE(neon)
#endif

const armilla_ring_kernels *armilla_ring_kernels_find(armilla_isa isa)
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
