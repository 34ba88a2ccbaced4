/* Largest orders of rings as ECMWF's ecTrans has them (setup_geom_mod.F90, Apache License 2.0: the
 * rule, whose truncated divisions are part of it). */
#include "base/integer.h"
#include "grid/grid.h"

#include <math.h>

/* One ring takes (n - 1) / (2 + squares sin^2 theta) - below orders. */
typedef struct {
    int64_t lmax, squares, below;
    int rises; /* from a pole to the equator, whatever the ring has */
} rule;

static rule choose_rule(const armilla_grid *grid, int64_t lmax)
{
    const int64_t nrings = grid->nrings, linear = nrings - 1;
    if (lmax >= linear || armilla_grid_has_equal_rings(grid)) return (rule){.lmax = lmax};
    if (lmax >= 2 * nrings / 3 - 1)
        return (rule){.lmax = lmax, .squares = 3 * (linear - lmax) / nrings, .rises = 1};
    return (rule){.lmax = lmax, .squares = 1, .below = 1, .rises = 1};
}

static int64_t limit_of(const rule *by, const armilla_ring *ring, int64_t before)
{
    const double sine = sin(ring->theta), divisor = 2 + (double)by->squares * sine * sine;
    int64_t limit = (int64_t)((double)(ring->nphi - 1) / divisor) - by->below;
    if (by->rises) limit = armilla_larger(limit, before);
    return armilla_larger(armilla_smaller(limit, by->lmax), 0);
}

armilla_status armilla_grid_ectrans_limits(const armilla_grid *grid, int64_t lmax, int64_t *limits)
{
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("limits", limits);
    if (!status) status = armilla_grid_check_count("lmax", lmax, 0);
    if (status) return status;
    const rule by = choose_rule(grid, lmax);
    const int64_t n = grid->nrings, half = (n + 1) / 2;
    for (int64_t r = 0; r < half; r++)
        limits[r] = limit_of(&by, &grid->rings[r], r ? limits[r - 1] : 0);
    for (int64_t r = n - 1; r >= half; r--)
        limits[r] = limit_of(&by, &grid->rings[r], r < n - 1 ? limits[r + 1] : 0);
    return ARMILLA_OK;
}
