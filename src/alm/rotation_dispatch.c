/* Defines the function that finds the rotation kernels compiled for an instruction set. */
#include "alm/rotation_dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_rotation_kernels)
