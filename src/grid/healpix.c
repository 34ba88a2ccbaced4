/* HEALPix rings; docs/mathematics.md (5.9). With n = nside and ring number i = 1 .. 4 n - 1:
 *
 *   polar cap    i < n        sin^2(theta/2) = i^2 / (6 n^2), 4 i pixels, phi0 = pi / (4 i)
 *   equatorial   n <= i <= 3n cos(theta) = 2 (2 n - i) / (3 n), 4 n pixels, phi0 = pi / (4 n)
 *                             where i - n is even, else 0
 *   south cap    mirror of the north cap
 *
 * The half-angle form keeps all digits of theta at the poles, where acos(z) would lose half.
 * Reference: Gorski et al. 2005, ApJ 622, 759, eqs. 4-9. */
#include "grid/grid.h"

#include <math.h>

static double northern_theta(int64_t nside, int64_t i)
{
    if (i == 2 * nside) return M_PI / 2;
    if (i >= nside) return acos((double)(2 * (2 * nside - i)) / (double)(3 * nside));
    return 2 * asin(sqrt((double)(i * i) / (6.0 * (double)nside * (double)nside)));
}

static void fill_ring(int64_t nside, int64_t i, armilla_ring *ring)
{
    int64_t north = i <= 2 * nside ? i : 4 * nside - i;
    double theta = northern_theta(nside, north);
    ring->theta = i == north ? theta : M_PI - theta;
    ring->nphi = 4 * (north < nside ? north : nside);
    int shifted = north < nside || (i - nside) % 2 == 0;
    ring->phi0 = shifted ? armilla_grid_pi_fraction(1, ring->nphi) : 0;
    ring->weight = M_PI / (3.0 * (double)nside * (double)nside);
}

armilla_status armilla_grid_new_healpix(int64_t nside, armilla_grid **grid)
{
    armilla_grid *made = NULL;
    armilla_status status = armilla_grid_check_count("nside", nside, 1);
    if (!status && nside > ARMILLA_GRID_COUNT_LIMIT / 4)
        status = armilla_fail_argument("nside", nside, "must be at most 2^28");
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_grid_allocate(ARMILLA_GRID_HEALPIX, 4 * nside - 1, &made);
    if (status) return status;
    for (int64_t r = 0; r < made->nrings; r++) fill_ring(nside, r + 1, &made->rings[r]);
    made->nside = nside;
    status = armilla_grid_number_pixels(made);
    if (status)
        armilla_grid_free(made);
    else
        *grid = made;
    return status;
}
