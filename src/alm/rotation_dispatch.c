/* See rotation_dispatch.h. */
#include "alm/rotation_dispatch.h"

#include "base/isa_table.h"

#define KERNEL_TABLE(isa, length, count)                                                           \
    void armilla_kernel_rotation_##isa(const armilla_rotation_sums *, double *);                   \
    static const armilla_rotation_kernels kernels_##isa = {(length), (count),                      \
                                                           armilla_kernel_rotation_##isa};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_rotation_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_rotation_kernels *armilla_rotation_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
