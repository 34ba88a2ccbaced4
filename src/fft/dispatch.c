/* See dispatch.h. */
#include "fft/dispatch.h"

#include "base/isa_table.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_rough_spectrum_##isa(const armilla_rough *, double *);                            \
    void armilla_rough_bluestein_##isa(const armilla_rough_rows *, int64_t, double *);             \
    void armilla_rough_direct_##isa(const armilla_rough_rows *, int64_t, double *);                \
    void armilla_rough_collect_##isa(int64_t, int64_t, const double *, double *);                  \
    static const armilla_rough_kernels kernels_##isa = {                                           \
        armilla_rough_spectrum_##isa, armilla_rough_bluestein_##isa, armilla_rough_direct_##isa,   \
        armilla_rough_collect_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_rough_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_rough_kernels *armilla_rough_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
