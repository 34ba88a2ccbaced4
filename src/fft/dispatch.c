/* See dispatch.h. */
#include "fft/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_rough_kernels)
