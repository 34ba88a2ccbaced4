/* The kernels of one instruction set. */
#include "coupling/kernels/tile.h"

ARMILLA_KERNEL_FAMILY(armilla_coupling_kernels) = {
    .rows = ROWS,
    .columns = COLUMNS,
    ARMILLA_COUPLING_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_coupling_kernel)};
