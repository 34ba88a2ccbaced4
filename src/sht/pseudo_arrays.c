/* See pseudo_arrays.h. Component c of transform t begins at (t * n + c) * distance, n being the
 * number of components. */
#include "sht/pseudo_arrays.h"

#include "base/status.h"
#include <math.h>

static double map_value(const armilla_pseudo_arrays *arrays, int64_t index)
{
    return arrays->single ? ((const float *)arrays->map)[index]
                          : ((const double *)arrays->map)[index];
}

/* Ring r of the grid; it exists, so there is nothing to report. */
static armilla_ring ring_of(const armilla_grid *grid, int64_t r)
{
    armilla_ring ring = {0};
    armilla_grid_ring(grid, r, &ring);
    return ring;
}

static armilla_status check_component(const armilla_pseudo_arrays *arrays, int64_t component)
{
    int64_t begin = component * arrays->map_distance;
    for (int64_t r = 0; r < armilla_grid_nrings(arrays->grid); r++) {
        armilla_ring ring = ring_of(arrays->grid, r);
        for (int64_t j = 0; j < ring.nphi; j++) {
            int64_t pixel = ring.offset + j * ring.stride;
            double value = map_value(arrays, begin + pixel);
            if (!isfinite(value))
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "map[%lld] = %g: must be finite (pixel %lld of component %lld)",
                                    (long long)(begin + pixel), value, (long long)pixel,
                                    (long long)component);
        }
    }
    return ARMILLA_OK;
}

armilla_status armilla_pseudo_check_map(const armilla_pseudo_arrays *arrays, int64_t ntrans)
{
    for (int64_t component = 0; component < ntrans * arrays->nmap; component++) {
        armilla_status status = check_component(arrays, component);
        if (status) return status;
    }
    return ARMILLA_OK;
}

/* Copies factor * map; returns the largest magnitude before the factor. */
static double copy_scaled(const armilla_pseudo_arrays *arrays, int64_t transform, double factor,
                          double *map)
{
    double largest = 0;
    for (int64_t c = 0; c < arrays->nmap; c++) {
        int64_t begin = (transform * arrays->nmap + c) * arrays->map_distance;
        for (int64_t r = 0; r < armilla_grid_nrings(arrays->grid); r++) {
            armilla_ring ring = ring_of(arrays->grid, r);
            for (int64_t j = 0; j < ring.nphi; j++) {
                int64_t pixel = ring.offset + j * ring.stride;
                double value = map_value(arrays, begin + pixel);
                largest = fmax(largest, fabs(value));
                map[c * arrays->npix + pixel] = factor * value;
            }
        }
    }
    return largest;
}

double armilla_pseudo_load_map(const armilla_pseudo_arrays *arrays, int64_t transform, double *map)
{
    double largest = copy_scaled(arrays, transform, 1, map);
    if (largest == 0) return 0;
    int exponent;
    frexp(largest, &exponent);
    if (exponent > -100 && exponent < 100) return 1; /* the usual case: no second pass */
    /* The scale and its reciprocal must be finite, and no subnormal number: some processors and
     * compilers are told to take those as 0. */
    if (exponent < -1000) exponent = -1000;
    if (exponent > 1000) exponent = 1000;
    copy_scaled(arrays, transform, ldexp(1, -exponent), map);
    return ldexp(1, exponent);
}

static void store_value(const armilla_pseudo_arrays *arrays, int64_t index, double value)
{
    if (arrays->single)
        ((float *)arrays->alm)[index] = (float)value;
    else
        ((double *)arrays->alm)[index] = value;
}

void armilla_pseudo_store_alm(const armilla_pseudo_arrays *arrays, int64_t transform, double scale,
                              const double *alm)
{
    const armilla_alm_layout *layout = arrays->layout;
    for (int64_t c = 0; c < arrays->nalm; c++, alm += 2 * layout->size) {
        int64_t begin = (transform * arrays->nalm + c) * arrays->alm_distance;
        for (int64_t m = 0; m <= layout->mmax; m++)
            for (int64_t l = m; l <= layout->lmax; l++) {
                int64_t index = layout->mstart[m] + l * layout->stride;
                store_value(arrays, 2 * (begin + index), scale * alm[2 * index]);
                store_value(arrays, 2 * (begin + index) + 1, scale * alm[2 * index + 1]);
            }
    }
}
