/* The groups of a Legendre stage on a GPU, cut into tiles: what a block of threads works on. Host
 * only, nothing of the device. */
#ifndef ARMILLA_CUDA_STAGES_LEGENDRE_TILES_H
#define ARMILLA_CUDA_STAGES_LEGENDRE_TILES_H

#include "cuda/arithmetic.h"
#include "cuda/kernels/legendre_view.h"
#include "cuda/stages/shape.h"
#include "legendre/legendre.h"

typedef struct armilla_cuda_tiles {
    const armilla_legendre *legendre; /* must outlive the tiles */
    armilla_cuda_precision precision;
    armilla_cuda_tile *tiles; /* with functions of spin s first, then scalar ones */
    int64_t count, functions;
    int64_t runs;           /* of scalar tiles, as armilla_cuda_tiles_run says */
    int32_t warps, vectors; /* of the largest tile, of the largest group */
    /* Calls in halves make the first `in_double` scalar tiles in doubles, and have groups of one
     * vector each, and tiles of them, for the others. */
    int64_t in_double;
    armilla_kernel_group *halves_groups;
    armilla_cuda_tile *halves_tiles;
    int64_t nhalves_groups, halves_count;
} armilla_cuda_tiles;

/* Errors: MEMORY; *tiles can be cleared then. */
armilla_status armilla_cuda_tiles_make(const armilla_legendre *legendre,
                                       const armilla_cuda_shape *shape,
                                       armilla_cuda_precision precision, armilla_cuda_tiles *tiles);
void armilla_cuda_tiles_clear(armilla_cuda_tiles *tiles);

/* The first tile from this pair on, and the first one of halves. */
int64_t armilla_cuda_tiles_find(const armilla_cuda_tiles *tiles, int64_t pair);
int64_t armilla_cuda_tiles_find_halves(const armilla_cuda_tiles *tiles, int64_t pair);

/* So many neighbouring tiles, from number `tile` on and before `end`, are made in one arithmetic by
 * calls in two floats. *in_double: that is double precision. */
int64_t armilla_cuda_tiles_run(const armilla_cuda_tiles *tiles, int64_t tile, int64_t end,
                               int *in_double);

#endif
