/* The kernels of one instruction set. */
#include "legendre/simd/simd.h"
#include "points/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_points_kernels) = {
    .vector_length = VLEN, ARMILLA_POINTS_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_points_kernel)};
