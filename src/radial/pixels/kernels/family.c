/* The kernels of one instruction set. */
#include "legendre/simd/simd.h"
#include "radial/pixels/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_radial_kernels) = {
    .vector_length = VLEN, ARMILLA_RADIAL_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_radial_kernel)};
