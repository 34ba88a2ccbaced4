/* Up to which band limits analysis inverts synthesis, and where a custom grid has given that away.
 *
 * Colatitudes limit lmax (exact_lmax of a family), pixels limit orders: on a ring of n pixels the
 * orders m and m - n look alike, and the analysis of one has, from this ring,
 *
 *     w n lambda_lm(theta) lambda_l'(n - m)(theta)                         w: weight of one pixel
 *
 * of the other. That is largest for m = n / 2 and l = l' = lmax. Inside the polar cap of this
 * order, sin(theta) < m / L with L = lmax + 1/2, the functions are (docs/mathematics.md (2.16))
 *
 *     lambda = exp(-E) / (2 pi (m^2 / L^2 - sin^2 theta)^(1/4))
 *
 * which is right to some percent. For spin s the orders lie around s or -s: as many, as far apart.
 */
#include "base/integer.h"
#include "base/memory.h"
#include "base/polar_limit.h"
#include "grid/equidistant.h"
#include "grid/grid.h"

#include <math.h>
#include <stdlib.h>

/* What rings of one length may give away in all. Octahedral grids with n = 100 to 200, lmax = n -
 * 1, have most of all that are called exact, 1.05e-12; the error of coefficients with power at all
 * degrees is 1e-13 of their rms there. */
static const double LEAK = 1.2e-12;

/* What counts as a colatitude of a family, in distances of neighbouring rings; and as its weight,
 * relative to the largest. */
static const double NEAR = 1e-6, NEAR_WEIGHT = 1e-10;

int64_t armilla_grid_exact_lmax(const armilla_grid *grid)
{
    return grid ? grid->exact_lmax : -1;
}

/* What one ring makes of a function of order m, see above; 1: far too much. */
static double leak(const armilla_ring *ring, int64_t lmax, double m)
{
    const double big_l = (double)lmax + 0.5, ratio = m / big_l, sine = sin(ring->theta);
    if (ratio <= sine) return 1;
    const double decay = armilla_polar_decay(m, lmax, ring->theta);
    const double whole = fabs(ring->weight) * (double)ring->nphi;
    return whole * exp(-2 * decay) / (4 * M_PI * M_PI * sqrt((ratio - sine) * (ratio + sine)));
}

/* The largest sum over rings of one length, where lengths rise and then fall from north to south:
 * both hemispheres may have as much. Elsewhere the sum over all rings, which is no less. */
static double largest_leak(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t mres)
{
    double run = 0, most = 0, all = 0;
    int falls = 0, regular = 1;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        const int64_t before = r ? grid->rings[r - 1].nphi : 0;
        const double one =
            ring->nphi > 2 * mmax ? 0 : leak(ring, lmax, 0.5 * (double)(ring->nphi * mres));
        run = ring->nphi == before ? run + one : one;
        most = fmax(most, run);
        all += one;
        if (ring->nphi > before && falls) regular = 0;
        if (ring->nphi < before) falls = 1;
    }
    return regular ? 2 * most : all;
}

int armilla_grid_resolves(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t mres)
{
    if (lmax > grid->exact_lmax) return 0;
    if (armilla_grid_has_equal_rings(grid)) return grid->rings[0].nphi > 2 * mmax;
    return largest_leak(grid, lmax, mmax, mres) <= LEAK;
}

int armilla_grid_misses_orders(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const int64_t *limits)
{
    double all = 0;
    for (int64_t r = 0; r < grid->nrings; r++)
        if (limits[r] < mmax) all += leak(&grid->rings[r], lmax, (double)limits[r] + 1);
    return all > LEAK;
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
