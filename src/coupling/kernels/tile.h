/* How large a tile is: its sums stay in registers, two vectors for each row. */
#ifndef ARMILLA_COUPLING_KERNELS_TILE_H
#define ARMILLA_COUPLING_KERNELS_TILE_H

#include "coupling/kernels/kernels.h"
#include "legendre/simd/simd.h"

enum { ROWS = REGISTERS >= 32 ? 12 : REGISTERS >= 16 ? 6 : 2, COLUMNS = 2 * VLEN };

ARMILLA_COUPLING_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_coupling_kernel)

#endif
