/* The number that distinguishes grids: ranks whose rings differ would make other sums, or wait for
 * other messages. */
#include "ranks/digest.h"

#include "grid/grid.h"

int64_t armilla_digest_grid(const armilla_grid *grid)
{
    uint64_t digest = armilla_digest_start;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        const int64_t number[] = {ring->nphi,
                                  ring->offset,
                                  ring->stride,
                                  armilla_digest_double(ring->theta),
                                  armilla_digest_double(ring->phi0),
                                  armilla_digest_double(ring->weight)};
        for (size_t i = 0; i < sizeof number / sizeof *number; i++)
            digest = armilla_digest_add(digest, number[i]);
    }
    return armilla_digest_end(digest);
}
