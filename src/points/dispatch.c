/* Finds the kernels that work between samples and points for an instruction set: the macro makes a
 * table of those that were compiled, one entry for each set. */
#include "points/dispatch.h"

#include "base/isa_table.h"

ARMILLA_KERNEL_FIND(armilla_points_kernels)
