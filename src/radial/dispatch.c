/* See dispatch.h. */
#include "radial/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_radial_kernels)
