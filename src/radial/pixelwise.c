/* Divides, multiplies and finishes maps pixel by pixel: divisors of the normalization SUM, weights
 * of pixels, and means over these where sums of weights are maps of their own. */
#include "radial/pixelwise.h"

#include "base/compiler.h"
#include "grid/grid.h"

typedef double change(const void *context, int64_t pixel, double value);

ARMILLA_ALWAYS_INLINE void change_pixels(const armilla_grid *grid, int64_t nmaps,
                                         const armilla_maps *maps, change *make,
                                         const void *context)
{
    for (int64_t t = 0; t < nmaps; t++) {
        const armilla_maps one = armilla_maps_from(maps, t);
        for (int64_t r = 0; r < grid->nrings; r++) {
            const armilla_ring *ring = &grid->rings[r];
            for (int64_t j = 0; j < ring->nphi; j++) {
                const int64_t pixel = ring->offset + j * ring->stride;
                armilla_array_put(one.out, pixel,
                                  make(context, pixel, armilla_array_get(one.in, pixel)));
            }
        }
    }
}

static double divided(const void *context, int64_t pixel, double value)
{
    return value / ((const double *)context)[pixel];
}

static double multiplied(const void *context, int64_t pixel, double value)
{
    const double by = ((const double *)context)[pixel];
    return by == 0 ? 0 : value * by;
}

static double finished(const void *context, int64_t pixel, double value)
{
    const armilla_radial_mean *mean = context;
    const double sum = mean->sums[pixel];
    return sum > 0 && sum >= mean->least * mean->norm[pixel] ? value / sum : mean->fill;
}

void armilla_radial_divide(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                           const double *by)
{
    change_pixels(grid, nmaps, maps, divided, by);
}

void armilla_radial_multiply(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                             const double *by)
{
    change_pixels(grid, nmaps, maps, multiplied, by);
}

void armilla_radial_finish(const armilla_grid *grid, int64_t nmaps, const armilla_maps *maps,
                           const armilla_radial_mean *mean)
{
    change_pixels(grid, nmaps, maps, finished, mean);
}
