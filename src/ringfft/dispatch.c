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
    void armilla_ring_lanes_synthesis_##isa(const armilla_ring_lanes *, const double *, double *); \
    void armilla_ring_lanes_analysis_##isa(const armilla_ring_lanes *, double *, double *);        \
    static const armilla_ring_kernels kernels_##isa = {                                            \
        .lanes = (length),                                                                         \
        .spread = armilla_ring_spread_##isa,                                                       \
        .gather = armilla_ring_gather_##isa,                                                       \
        .exchange = armilla_ring_exchange_##isa,                                                   \
        .split = armilla_ring_split_##isa,                                                         \
        .join = armilla_ring_join_##isa,                                                           \
        .fold_eighths = armilla_ring_fold_eighths_##isa,                                           \
        .fold_quarters = armilla_ring_fold_quarters_##isa,                                         \
        .fold_fours = armilla_ring_fold_fours_##isa,                                               \
        .unfold_fours = armilla_ring_unfold_fours_##isa,                                           \
        .lanes_synthesis = armilla_ring_lanes_synthesis_##isa,                                     \
        .lanes_analysis = armilla_ring_lanes_analysis_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_ring_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_ring_kernels *armilla_ring_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
