/* The kernels of one instruction set. */
#include "legendre/simd/simd.h"
#include "solid/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_solid_kernels) = {
    .vector_length = VLEN, ARMILLA_SOLID_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_solid_kernel)};
