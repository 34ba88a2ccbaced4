/* See dispatch.h. The numbers repeat VLEN and VECTORS of simd/<isa>.h. */
#include "legendre/dispatch.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_kernel_synthesis_##isa(const armilla_kernel_order *,                              \
                                        const armilla_kernel_group *, double *);                   \
    void armilla_kernel_analysis_start_##isa(const armilla_kernel_order *,                         \
                                             const armilla_kernel_group *, int64_t,                \
                                             const double *, const armilla_kernel_state *);        \
    void armilla_kernel_analysis_steps_##isa(                                                      \
        const armilla_kernel_order *, const armilla_kernel_group *, int64_t, int64_t, int64_t,     \
        const armilla_kernel_state *, double *, int);                                              \
    void armilla_kernel_analysis_reduce_##isa(int64_t, const double *, double *);                  \
    void armilla_kernel_recurrence_##isa(int64_t, int64_t, const double *, const double *,         \
                                         double *, double *, double *, double *);                  \
    void armilla_kernel_fine_equator_##isa(int64_t, int64_t, const double *, const double *,       \
                                           double *);                                              \
    void armilla_kernel_fine_pole_##isa(int64_t, int64_t, const double *, const double *,          \
                                        double *);                                                 \
    void armilla_kernel_coefficients_##isa(int64_t, int64_t, const double *, const double *,       \
                                           const double *, const double *, double *);              \
    void armilla_kernel_degrees_##isa(int64_t, int64_t, const double *, const double *,            \
                                      const double *, const double *, double *);                   \
    static const armilla_kernels kernels_##isa = {                                                 \
        .vector_length = (length),                                                                 \
        .vectors = (count),                                                                        \
        .synthesis = armilla_kernel_synthesis_##isa,                                               \
        .analysis_start = armilla_kernel_analysis_start_##isa,                                     \
        .analysis_steps = armilla_kernel_analysis_steps_##isa,                                     \
        .analysis_reduce = armilla_kernel_analysis_reduce_##isa,                                   \
        .recurrence = armilla_kernel_recurrence_##isa,                                             \
        .fine_equator = armilla_kernel_fine_equator_##isa,                                         \
        .fine_pole = armilla_kernel_fine_pole_##isa,                                               \
        .coefficients = armilla_kernel_coefficients_##isa,                                         \
        .degrees = armilla_kernel_degrees_##isa};

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

const armilla_kernels *armilla_kernels_find(armilla_isa isa)
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
