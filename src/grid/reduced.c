/* Reduced Gauss-Legendre grids: rings at the nodes of the Gauss rule that differ in their numbers
 * of pixels.
 *
 * docs/mathematics.md (5.3) says how many pixels a ring needs. Orders above armilla_polar_limit are
 * below rounding there; those up to it, and up to spin 4 beyond, are kept apart by 2 m + 1 pixels.
 * What is above is too small to alias visibly. Weather models have other rules: 20 pixels next to
 * the poles and 4 more on each ring towards the equator (octahedral), or published tables. */
#include "fft/fft.h"
#include "grid/classic.h"
#include "grid/grid.h"
#include "base/memory.h"
#include "base/polar_limit.h"

enum { SPIN_MARGIN = 4, OCTAHEDRAL_FIRST = 20, OCTAHEDRAL_STEP = 4 };

static int64_t ring_length(double theta, int64_t lmax)
{
    int64_t bound = armilla_polar_limit(lmax, theta) + SPIN_MARGIN;
    return armilla_fft_smooth_length(2 * (bound < lmax ? bound : lmax) + 1);
}

armilla_status armilla_grid_new_reduced_gauss_legendre(int64_t nrings, int64_t lmax,
                                                       armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nrings", nrings, 1);
    if (!status) status = armilla_grid_check_count("lmax", lmax, 0);
    if (!status && lmax > ARMILLA_GRID_COUNT_LIMIT / 4)
        status = armilla_fail_argument("lmax", lmax, "must be at most 2^28");
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, nrings, &made);
    if (status) return status;
    status = armilla_grid_fill_gauss_legendre(made);
    for (int64_t r = 0; r < (nrings + 1) / 2; r++)
        made->rings[r].nphi = made->rings[nrings - 1 - r].nphi =
            ring_length(made->rings[r].theta, lmax);
    made->exact_lmax = nrings - 1 < lmax ? nrings - 1 : lmax;
    return armilla_grid_finish(status, made, grid);
}

/* --- Any numbers of pixels -------------------------------------------------------------------- */

static armilla_status check_lengths(int64_t nrings, const int64_t *nphi)
{
    for (int64_t r = 0; r < nrings; r++)
        if (nphi[r] < 1 || nphi[r] > ARMILLA_GRID_COUNT_LIMIT)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "nphi[%lld] = %lld: must be 1 to 2^30",
                                (long long)r, (long long)nphi[r]);
    return ARMILLA_OK;
}

armilla_status armilla_grid_new_reduced(int64_t nrings, const int64_t *nphi, armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nrings", nrings, 1);
    if (!status) status = armilla_check_given("nphi", nphi);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = check_lengths(nrings, nphi);
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, nrings, &made);
    if (status) return status;
    for (int64_t r = 0; r < nrings; r++) made->rings[r].nphi = nphi[r];
    made->exact_lmax = nrings - 1;
    status = armilla_grid_fill_gauss_legendre(made);
    return armilla_grid_finish(status, made, grid);
}

/* --- Grids of weather models ------------------------------------------------------------------ */

int64_t armilla_octahedral_length(int64_t ring)
{
    return OCTAHEDRAL_FIRST + OCTAHEDRAL_STEP * ring;
}

armilla_status armilla_grid_new_octahedral(int64_t n, armilla_grid **grid)
{
    int64_t *nphi;
    armilla_status status = armilla_grid_check_count("n", n, 1);
    if (!status && n > ARMILLA_OCTAHEDRAL_MOST)
        status = armilla_fail_argument("n", n, "must be at most 2^28 - 4");
    if (!status) status = armilla_check_given("grid", grid);
    if (status || (status = armilla_allocate(&nphi, 2 * n, sizeof *nphi))) return status;
    for (int64_t r = 0; r < n; r++) nphi[r] = nphi[2 * n - 1 - r] = armilla_octahedral_length(r);
    status = armilla_grid_new_reduced(2 * n, nphi, grid);
    armilla_release(nphi);
    return status;
}

armilla_status armilla_grid_new_classic(int64_t n, armilla_grid **grid)
{
    int64_t *nphi;
    const armilla_classic_grid *classic = armilla_classic_find(n);
    if (!classic)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "n = %lld: has no published table; the nearest that has is N%lld",
                            (long long)n, (long long)armilla_classic_nearest(n));
    armilla_status status = armilla_check_given("grid", grid);
    if (status || (status = armilla_allocate(&nphi, 2 * n, sizeof *nphi))) return status;
    armilla_classic_fill(classic, nphi);
    status = armilla_grid_new_reduced(2 * n, nphi, grid);
    armilla_release(nphi);
    return status;
}
