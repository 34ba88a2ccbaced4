/* See theta_kernel_table.h. */
#include "sht/theta_kernel_table.h"

#include "base/isa_table.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    ARMILLA_THETA_DECLARE(isa)                                                                     \
    static const armilla_theta_kernels kernels_##isa = {                                           \
        .vector_length = (length),                                                                 \
        .extend = armilla_theta_extend_##isa,                                                      \
        .fold = armilla_theta_fold_##isa,                                                          \
        .transform = armilla_theta_transform_##isa,                                                \
        .interpolate = armilla_theta_interpolate_##isa,                                            \
        .spread = armilla_theta_spread_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_theta_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_theta_kernels *armilla_theta_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
