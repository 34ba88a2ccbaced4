/* Finds the kernels of solid harmonics for an instruction set: the macro makes a table of those
 * that were compiled, one entry for each set. */
#include "solid/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_solid_kernels)
