/* The kernels of one instruction set. */
#include "legendre/simd/simd.h"
#include "ringfft/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_ring_kernels) = {
    .lanes = VLEN, ARMILLA_RING_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_ring)};
