/* See dispatch.h. */
#include "points/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_points_kernels)
