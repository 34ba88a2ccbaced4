/* Plans of the mode STANDARD on a GPU: two rings of one length make a pair of a leg, which has the
 * orders of their own polynomials and no others, and is read and written by the ring stage at
 * either length. */
#include "radial/device_standard.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/radial_standard.h"
#include "grid/grid.h"

#include <stdlib.h>

/* --- Pairs ------------------------------------------------------------------------------------ */

typedef struct {
    int64_t n, number;
    double phi0;
} place;

/* By length, so that limits rise, then by longitude: pairs of one phase have simpler kernels. */
static int compare(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    if (a->phi0 != b->phi0) return a->phi0 < b->phi0 ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void fill_pairs(int64_t nrings, const place *places, armilla_ring_pairs *pairs)
{
    pairs->count = 0;
    for (int64_t i = 0; i < nrings; pairs->count++) {
        const int64_t p = pairs->count, n = places[i].n;
        const int two = i + 1 < nrings && places[i + 1].n == n;
        pairs->north[p] = places[i].number, pairs->south[p] = two ? places[i + 1].number : -1;
        pairs->theta[p] = pairs->south_theta[p] = 0, pairs->limit[p] = n / 2;
        i += 1 + two;
    }
}

static armilla_status make_pairs(const armilla_grid *grid, armilla_ring_pairs *pairs)
{
    place *places;
    armilla_status status = armilla_allocate(&places, grid->nrings, sizeof *places);
    if (status) return status;
    for (int64_t r = 0; r < grid->nrings; r++)
        places[r] = (place){grid->rings[r].nphi, r, grid->rings[r].phi0};
    qsort(places, (size_t)grid->nrings, sizeof *places, compare);
    if (!(status = armilla_ring_pairs_allocate(grid->nrings, pairs)))
        fill_pairs(grid->nrings, places, pairs);
    armilla_release(places);
    return status;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* Rings whose weights are 1 over their number of pixels, in RING order. */
static armilla_status copy_rings(const armilla_grid *grid, armilla_ring **rings)
{
    const armilla_status status = armilla_allocate(rings, grid->nrings, sizeof **rings);
    for (int64_t r = 0; r < grid->nrings && !status; r++) {
        (*rings)[r] = grid->rings[r];
        if (armilla_grid_nested(grid)) (*rings)[r].stride = 1;
        (*rings)[r].weight = 1 / (double)grid->rings[r].nphi;
    }
    return status;
}

/* Room for a call's ring stage, as transforms have it by default. */
static int64_t ring_bytes(int64_t npix)
{
    return armilla_larger(INT64_C(512) << 20, 16 * npix);
}

armilla_status armilla_radial_make_device_standard(armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid, *wide_grid = radial->inner->grid;
    const armilla_radial *scalar = radial->inner->scalar;
    armilla_ring_pairs pairs = {.count = 0};
    armilla_ring *own = NULL, *wide = NULL;
    armilla_status status = make_pairs(grid, &pairs);
    if (!status) status = copy_rings(grid, &own);
    if (!status) status = copy_rings(wide_grid, &wide);
    armilla_cuda_standard_problem problem = {.pairs = &pairs,
                                             .own = own,
                                             .wide = wide,
                                             .npix = grid->npix,
                                             .nside = armilla_grid_nested(grid),
                                             .wide_npix = wide_grid->npix,
                                             .ncomp = armilla_radial_ncomp(radial),
                                             .ring_bytes = ring_bytes(wide_grid->npix),
                                             .device_bytes = radial->options.device_bytes,
                                             .inside = radial->inner->cuda,
                                             .scalar = scalar ? scalar->cuda : NULL};
    for (int64_t r = 0; r < grid->nrings; r++) problem.samples += grid->rings[r].nphi;
    if (!status) status = armilla_cuda()->radial->standard(&problem, &radial->cuda);
    armilla_release(own), armilla_release(wide);
    armilla_ring_pairs_clear(&pairs);
    return status;
}
