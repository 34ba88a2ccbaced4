/* See dispatch.h. */
#include "legendre/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_kernels)
