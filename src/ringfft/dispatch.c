/* See dispatch.h. */
#include "ringfft/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_ring_kernels)
