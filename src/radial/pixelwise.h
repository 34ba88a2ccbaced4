/* What is done to maps pixel by pixel, before or behind their sums: divisors, weights, means. */
#ifndef ARMILLA_RADIAL_PIXELWISE_H
#define ARMILLA_RADIAL_PIXELWISE_H

#include "base/array.h"
#include "base/compiler.h"
#include "grid/grid.h"

/* A pixel's new value. */
typedef double armilla_radial_change(const void *context, int64_t pixel, double value);

/* Changes the pixels of the grid's rings; the maps read and written may be the same. */
ARMILLA_ALWAYS_INLINE void armilla_radial_each_pixel(const armilla_grid *grid, int64_t nmaps,
                                                     const armilla_maps *maps,
                                                     armilla_radial_change *change,
                                                     const void *context)
{
    for (int64_t t = 0; t < nmaps; t++) {
        const armilla_maps one = armilla_maps_from(maps, t);
        for (int64_t r = 0; r < grid->nrings; r++) {
            const armilla_ring *ring = &grid->rings[r];
            for (int64_t j = 0; j < ring->nphi; j++) {
                const int64_t at = armilla_grid_place(grid, r, j);
                armilla_array_put(one.out, at, change(context, at, armilla_array_get(one.in, at)));
            }
        }
    }
}

#endif
