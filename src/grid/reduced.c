/* Reduced Gauss-Legendre grid: a ring holds only as many pixels as its orders need. Order m of
 * degree l <= lmax is below rounding on a ring where (docs/mathematics.md (2.16))
 *
 *     sqrt(m^2 + s^2 - 2 m s cos(theta)) - lmax sin(theta) > max(100, 0.01 lmax).
 *
 * Solved for m with |s| <= 4, where the root is at least m - |s|, this gives (5.3): orders up to
 * that m are kept apart by 2 m + 1 pixels; what is above is too small to alias visibly. */
#include "grid/grid.h"
#include "fft/fft.h"

#include <math.h>

static const double SPIN_MARGIN = 4;

static int64_t ring_length(double theta, int64_t lmax)
{
    double margin = fmax(100, 0.01 * (double)lmax) + SPIN_MARGIN;
    double bound = ceil((double)lmax * sin(theta) + margin);
    int64_t mmax = bound < (double)lmax ? (int64_t)bound : lmax;
    return armilla_fft_smooth_length(2 * mmax + 1);
}

armilla_status armilla_grid_new_reduced_gauss_legendre(int64_t nrings, int64_t lmax,
                                                       armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nrings", nrings, 1);
    if (!status) status = armilla_grid_check_count("lmax", lmax, 0);
    if (!status && lmax > ARMILLA_GRID_COUNT_LIMIT / 4)
        status = armilla_fail_argument("lmax", lmax, "must be at most 2^28");
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
