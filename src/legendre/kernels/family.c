/* The kernels of one instruction set. */
#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_kernel)

ARMILLA_KERNEL_FAMILY(armilla_kernels) = {
    .vector_length = VLEN,
    .vectors = GROUP_VECTORS,
    .sets_least = SETS_LEAST,
    ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_kernel)};
