/* See dispatch.h. */
#include "ringfft/dispatch.h"

#include "base/isa_table.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_ring_spread_##isa(const armilla_ring_modes *, const double *, double *);          \
    void armilla_ring_gather_##isa(const armilla_ring_modes *, const double *, const double *,     \
                                   double *);                                                      \
    void armilla_ring_split_##isa(int64_t, const double *, const double *, double *, double *);    \
    void armilla_ring_join_##isa(int64_t, const double *, const double *, double *);               \
    static const armilla_ring_kernels kernels_##isa = {                                            \
        armilla_ring_spread_##isa, armilla_ring_gather_##isa, armilla_ring_split_##isa,            \
        armilla_ring_join_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_ring_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_ring_kernels *armilla_ring_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
