/* The kernels of one instruction set. */
#include "fft/kernels/kernels.h"

ARMILLA_KERNEL_FAMILY(armilla_rough_kernels) = {
    ARMILLA_ROUGH_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_rough)};
