/* Finds the kernels of the theta stage that were compiled for a given instruction set. */
#include "theta/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_theta_kernels)
