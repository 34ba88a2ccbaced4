/* Finds the kernels of the Legendre stage for an instruction set: the macro makes a table of those
 * that were compiled, one entry for each set. */
#include "legendre/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_kernels)
