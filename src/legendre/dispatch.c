/* See dispatch.h. */
#include "legendre/dispatch.h"

#include "base/isa_table.h"

#define DECLARE_KERNEL(isa, name, arguments) void armilla_kernel_##name##_##isa arguments;
#define NAME_KERNEL(isa, name, arguments)    .name = armilla_kernel_##name##_##isa,

#define KERNEL_TABLE(isa, length, count)                                                           \
    ARMILLA_KERNEL_LIST(DECLARE_KERNEL, isa)                                                       \
    static const armilla_kernels kernels_##isa = {                                                 \
        .vector_length = (length), .vectors = (count), ARMILLA_KERNEL_LIST(NAME_KERNEL, isa)};

ARMILLA_EACH_ISA(KERNEL_TABLE)

static const armilla_kernels *const tables[ARMILLA_ISA_COUNT] = ARMILLA_ISA_TABLE;

const armilla_kernels *armilla_kernels_find(armilla_isa isa)
{
    return tables[isa];
}
