/* See dispatch.h. */
#include "ringfft/dispatch.h"

#include "base/isa_table.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_ring_spread_##isa(const armilla_ring_run *, const double *, double *, double *);  \
    void armilla_ring_gather_##isa(const armilla_ring_run *, const double *, const double *,       \
                                   const double *, double *);                                      \
    void armilla_ring_exchange_##isa(int64_t, int64_t, const double *, double *);                  \
    void armilla_ring_split_##isa(int64_t, const double *, const double *, double *, double *);    \
    void armilla_ring_join_##isa(int64_t, const double *, const double *, double *);               \
    void armilla_ring_fold_eighths_##isa(const armilla_ring_fold *, const double *,                \
                                         const double *, double *, double *, double *);            \
    void armilla_ring_fold_quarters_##isa(const armilla_ring_fold *, const double *,               \
                                          const double *, double *, double *);                     \
    void armilla_ring_fold_fours_##isa(const armilla_ring_fold *, const double *, const double *,  \
                                       int64_t, double *);                                         \
    void armilla_ring_unfold_fours_##isa(const armilla_ring_fold *, int64_t, const double *,       \
                                         const double *, double *, double *);                      \
    static const armilla_ring_kernels kernels_##isa = {                                            \
        armilla_ring_spread_##isa,        armilla_ring_gather_##isa,                               \
        armilla_ring_exchange_##isa,      armilla_ring_split_##isa,                                \
        armilla_ring_join_##isa,          armilla_ring_fold_eighths_##isa,                         \
        armilla_ring_fold_quarters_##isa, armilla_ring_fold_fours_##isa,                           \
        armilla_ring_unfold_fours_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_ring_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_ring_kernels *armilla_ring_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
