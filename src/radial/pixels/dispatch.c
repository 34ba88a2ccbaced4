/* Finds the kernels of the method PIXELS for an instruction set: the macro makes a table of those
 * that were compiled, one entry for each set. */
#include "radial/pixels/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_radial_kernels)
