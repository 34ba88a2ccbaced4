/* Up to which band limits analysis inverts synthesis, and where a custom grid has given that away.
 *
 * Colatitudes limit lmax (exact_lmax of a family), pixels limit orders: on a ring of n pixels the
 * orders m and m - n look alike, which matters where both have functions above rounding there. For
 * spin 0 those are -limit .. limit, for spin s they lie as far around s or -s: as many. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/polar_limit.h"
#include "grid/equidistant.h"
#include "grid/grid.h"

#include <math.h>
#include <stdlib.h>

/* Two orders that look alike add the product of their functions; below exp(-2 DECAY) = 4e-18 it is
 * lost in rounding. */
static const double DECAY = 20;

/* What counts as a colatitude of a family, in distances of neighbouring rings; and as its weight,
 * relative to the largest. */
static const double NEAR = 1e-6, NEAR_WEIGHT = 1e-10;

int64_t armilla_grid_exact_lmax(const armilla_grid *grid)
{
    return grid ? grid->exact_lmax : -1;
}

int armilla_grid_resolves(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t mres)
{
    if (lmax > grid->exact_lmax) return 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        if (ring->nphi > 2 * mmax) continue;
        const int64_t limit = armilla_polar_limit_of_decay(lmax, ring->theta, DECAY) / mres;
        if (ring->nphi <= 2 * armilla_smaller(limit, mmax)) return 0;
    }
    return 1;
}

int64_t armilla_grid_exact_lmax_for(const armilla_grid *grid, int64_t mmax)
{
    if (!grid || mmax < -1 || mmax > grid->exact_lmax) return -1;
    if (mmax == 0) return grid->exact_lmax; /* of every ring */
    int64_t low = mmax < 0 ? -1 : mmax - 1, high = grid->exact_lmax;
    while (low < high) { /* what holds for lmax does so for smaller ones */
        const int64_t middle = high - (high - low) / 2;
        if (armilla_grid_resolves(grid, middle, mmax < 0 ? middle : mmax, 1))
            low = middle;
        else
            high = middle - 1;
    }
    return low < mmax ? -1 : low;
}

/* --- Custom grids ----------------------------------------------------------------------------- */

static int compare_rings(const void *a, const void *b)
{
    const double x = ((const armilla_ring *)a)->theta, y = ((const armilla_ring *)b)->theta;
    return (x > y) - (x < y);
}

/* The largest lmax for which a weight for each ring, that of the family, is exact. */
static int64_t exact_by_weights(const armilla_grid *family)
{
    const armilla_circle circle = armilla_grid_circle(family->kind, family->nrings);
    if (circle.length == 0) return family->exact_lmax;
    const int64_t resolved = (circle.length - circle.half_shifted) / 2; /* frequencies */
    return armilla_smaller(resolved / 2, family->exact_lmax);
}

static int has_rings_of(const armilla_grid *grid, const armilla_grid *family)
{
    const double most = NEAR * M_PI / (double)grid->nrings;
    for (int64_t r = 0; r < grid->nrings; r++)
        if (!(fabs(grid->rings[r].theta - family->rings[r].theta) <= most)) return 0;
    return 1;
}

static int has_weights_of(const armilla_grid *grid, const armilla_grid *family)
{
    double largest = 0;
    for (int64_t r = 0; r < family->nrings; r++)
        largest = fmax(largest, fabs(family->rings[r].weight));
    for (int64_t r = 0; r < grid->nrings; r++)
        if (!(fabs(grid->rings[r].weight - family->rings[r].weight) <= NEAR_WEIGHT * largest))
            return 0;
    return 1;
}

static int is_lost(const armilla_grid *grid, const armilla_grid *family, int64_t lmax, int64_t mmax)
{
    if (!has_rings_of(grid, family) || !armilla_grid_resolves(family, lmax, mmax, 1)) return 0;
    return lmax > exact_by_weights(family) || !has_weights_of(grid, family);
}

/* Does the first ring lie where that of an equidistant family does? Most are ruled out by it. */
static int may_have_rings_of(const armilla_grid *grid, armilla_grid_kind kind)
{
    const armilla_circle circle = armilla_grid_circle(kind, grid->nrings);
    if (circle.length == 0) return 1;
    const double first =
        M_PI * (double)(2 * circle.first + circle.half_shifted) / (double)circle.length;
    return fabs(grid->rings[0].theta - first) <= NEAR * M_PI / (double)grid->nrings;
}

/* The family of this kind with as many rings and pixels; NULL: there is none, or no memory. */
static armilla_grid *new_family(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
{
    armilla_grid *family;
    const armilla_status status = kind == ARMILLA_GRID_GAUSS_LEGENDRE
                                      ? armilla_grid_new_gauss_legendre(nrings, nphi, &family)
                                      : armilla_grid_new_equidistant(kind, nrings, nphi, &family);
    return status ? NULL : family;
}

armilla_grid_kind armilla_grid_lost_rule(const armilla_grid *grid, int64_t lmax, int64_t mmax)
{
    armilla_grid *sorted;
    armilla_grid_kind found = ARMILLA_GRID_CUSTOM;
    if (!grid || grid->kind != ARMILLA_GRID_CUSTOM || mmax < 0 || mmax > lmax ||
        lmax >= grid->nrings || !armilla_grid_has_equal_rings(grid) ||
        armilla_grid_copy(grid, &sorted))
        return found;
    qsort(sorted->rings, (size_t)sorted->nrings, sizeof *sorted->rings, compare_rings);
    armilla_grid_kind kind = ARMILLA_GRID_GAUSS_LEGENDRE;
    for (int64_t i = 0; kind != ARMILLA_GRID_CUSTOM && found == ARMILLA_GRID_CUSTOM;
         kind = armilla_grid_equidistant_kind(i++)) {
        if (!may_have_rings_of(sorted, kind)) continue;
        armilla_grid *family = new_family(kind, sorted->nrings, sorted->rings[0].nphi);
        if (family && is_lost(sorted, family, lmax, mmax)) found = kind;
        armilla_grid_free(family);
    }
    armilla_grid_free(sorted);
    return found;
}
