/* See dispatch.h. */
#include "theta/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_theta_kernels)
