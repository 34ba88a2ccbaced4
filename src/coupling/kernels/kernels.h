/* The inner loop of whole coupling matrices: a tile of sums of products over nodes. Kernels do not
 * allocate, fail, or keep state. */
#ifndef ARMILLA_COUPLING_KERNELS_KERNELS_H
#define ARMILLA_COUPLING_KERNELS_KERNELS_H

#include "base/isa_table.h"

#include <stdint.h>

/* Most rows and columns of a tile. */
enum { ARMILLA_TILE_ROWS = 12, ARMILLA_TILE_COLUMNS = 16 };

#define ARMILLA_COUPLING_KERNEL_LIST(F, x)                                                         \
    /* c[i][j] += sum over k of a[k][i] b[k][j], where a[count][rows], b[count][columns], aligned  \
     * to 64 bytes, and rows of c are `stride` doubles apart. */                                   \
    F(x, tile, (int64_t count, const double *a, const double *b, double *c, int64_t stride))

typedef struct armilla_coupling_kernels {
    int rows, columns; /* of a tile */
    ARMILLA_COUPLING_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_coupling_kernels;

#endif
