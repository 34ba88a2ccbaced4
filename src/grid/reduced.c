/* Reduced Gauss-Legendre grid, docs/mathematics.md (5.3): a ring holds only as many pixels as its
 * orders need. Orders above
 * armilla_polar_limit are below rounding there; those up to it, and up to spin 4 beyond, are kept
 * apart by 2 m + 1 pixels. What is above is too small to alias visibly. */
#include "fft/fft.h"
#include "grid/grid.h"
#include "base/polar_limit.h"

enum { SPIN_MARGIN = 4 };

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
    if (!status) status = armilla_grid_number_pixels(made);
    if (status) {
        armilla_grid_free(made);
        return status;
    }
    made->exact_lmax = nrings - 1 < lmax ? nrings - 1 : lmax;
    armilla_grid_weights_per_pixel(made);
    *grid = made;
    return ARMILLA_OK;
}
