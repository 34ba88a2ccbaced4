/* The kernels of one instruction set. */
#include "legendre/simd/simd.h"
#include "theta/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_theta_kernels) = {
    .vector_length = VLEN, ARMILLA_THETA_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_theta_kernel)};
