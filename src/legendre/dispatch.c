/* See dispatch.h. */
#include "legendre/dispatch.h"

#include "base/isa_table.h"

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

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_kernels *armilla_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
