/* Finds the kernels of whole coupling matrices for an instruction set. */
#include "coupling/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_coupling_kernels)
