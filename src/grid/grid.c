/* Life of a grid, its getters, and arithmetic that its families share. */
#include "grid/grid.h"
#include "base/memory.h"

#include <string.h>

#include <math.h>

armilla_status armilla_grid_check_count(const char *name, int64_t value, int64_t minimum)
{
    if (value < minimum)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = %lld: must be at least %lld", name,
                            (long long)value, (long long)minimum);
    if (value > ARMILLA_GRID_COUNT_LIMIT)
        return armilla_fail_argument(name, value, "must be at most 2^30");
    return ARMILLA_OK;
}

armilla_status armilla_grid_allocate(armilla_grid_kind kind, int64_t nrings, armilla_grid **grid)
{
    armilla_grid *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    status = armilla_allocate_zero(&made->rings, nrings, sizeof *made->rings);
    if (status) {
        armilla_release(made);
        return status;
    }
    made->kind = kind;
    made->nrings = nrings;
    made->exact_lmax = -1;
    *grid = made;
    return ARMILLA_OK;
}

void armilla_grid_free(armilla_grid *grid)
{
    if (!grid) return;
    armilla_release(grid->rings);
    armilla_release(grid);
}

armilla_status armilla_grid_copy(const armilla_grid *grid, armilla_grid **copy)
{
    armilla_grid *result;
    armilla_status status = armilla_grid_allocate(grid->kind, grid->nrings, &result);
    if (status) return status;
    armilla_ring *rings = result->rings;
    *result = *grid;
    result->rings = rings;
    memcpy(rings, grid->rings, (size_t)grid->nrings * sizeof *rings);
    *copy = result;
    return ARMILLA_OK;
}

int armilla_grid_has_equal_rings(const armilla_grid *grid)
{
    for (int64_t r = 1; r < grid->nrings; r++)
        if (grid->rings[r].nphi != grid->rings[0].nphi) return 0;
    return 1;
}

int64_t armilla_grid_samples(const armilla_grid *grid)
{
    int64_t samples = 0;
    for (int64_t r = 0; r < grid->nrings; r++) samples += grid->rings[r].nphi;
    return samples;
}

int armilla_grid_has_weights(const armilla_grid *grid)
{
    for (int64_t r = 0; r < grid->nrings; r++)
        if (grid->rings[r].weight != 0) return 1;
    return 0;
}

armilla_status armilla_grid_copy_theta(const armilla_grid *grid, double **theta)
{
    armilla_status status = armilla_allocate(theta, grid->nrings, sizeof **theta);
    for (int64_t i = 0; i < grid->nrings && !status; i++) (*theta)[i] = grid->rings[i].theta;
    return status;
}

armilla_status armilla_grid_number_pixels(armilla_grid *grid)
{
    int64_t npix = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        armilla_ring *ring = &grid->rings[r];
        ring->offset = npix;
        ring->stride = 1;
        if (ring->nphi > INT64_MAX - npix)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "ring %lld: the number of pixels does not fit in 64 bits",
                                (long long)r);
        npix += ring->nphi;
    }
    grid->npix = npix;
    grid->has_layout = 1;
    armilla_grid_layout_init(&grid->layout);
    grid->layout.ring_stride = armilla_grid_has_equal_rings(grid) ? grid->rings[0].nphi : 0;
    grid->layout.pixel_stride = 1;
    return ARMILLA_OK;
}

int64_t armilla_grid_nested(const armilla_grid *grid)
{
    return grid->has_layout && grid->layout.nested ? grid->nside : 0;
}

static int is_same_ring(const armilla_ring *a, const armilla_ring *b, int stored)
{
    return a->theta == b->theta && a->phi0 == b->phi0 && a->nphi == b->nphi &&
           (!stored ||
            (a->weight == b->weight && a->offset == b->offset && a->stride == b->stride));
}

int armilla_grid_is_same(const armilla_grid *a, const armilla_grid *b, int stored)
{
    if (a->nrings != b->nrings || a->npix != b->npix) return 0;
    if (stored && armilla_grid_nested(a) != armilla_grid_nested(b)) return 0;
    for (int64_t r = 0; r < a->nrings; r++)
        if (!is_same_ring(&a->rings[r], &b->rings[r], stored)) return 0;
    return 1;
}

armilla_status armilla_grid_refuse_nested(const armilla_grid *grid, const char *what)
{
    if (!armilla_grid_nested(grid)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "grid: is in NESTED order, which %s does not take; "
                        "armilla_healpix_reorder brings maps to RING order",
                        what);
}

armilla_status armilla_grid_finish(armilla_status status, armilla_grid *made, armilla_grid **grid)
{
    if (!status) status = armilla_grid_number_pixels(made);
    if (status) {
        armilla_grid_free(made);
        return status;
    }
    for (int64_t r = 0; r < made->nrings; r++)
        made->rings[r].weight *= 2 * M_PI / (double)made->rings[r].nphi;
    *grid = made;
    return ARMILLA_OK;
}

/* pi = M_PI + low; the product and the quotient are corrected by their exact remainders. */
double armilla_grid_pi_fraction(int64_t p, int64_t q)
{
    static const double low = 1.2246467991473532e-16;
    double numerator = (double)p, denominator = (double)q;
    double product = numerator * M_PI;
    double rest = fma(numerator, M_PI, -product) + numerator * low;
    double quotient = product / denominator;
    return quotient + (fma(-quotient, denominator, product) + rest) / denominator;
}

armilla_grid_kind armilla_grid_get_kind(const armilla_grid *grid)
{
    return grid ? grid->kind : ARMILLA_GRID_CUSTOM;
}

const char *armilla_grid_kind_name(armilla_grid_kind kind)
{
    static const char *const names[] = {"custom",
                                        "HEALPix",
                                        "Gauss-Legendre",
                                        "reduced Gauss-Legendre",
                                        "Clenshaw-Curtis",
                                        "Fejer 1",
                                        "Fejer 2",
                                        "Driscoll-Healy",
                                        "McEwen-Wiaux",
                                        "McEwen-Wiaux symmetric",
                                        "McEwen-Wiaux flipped"};
    size_t index = (size_t)kind;
    return index < sizeof names / sizeof *names ? names[index] : "unknown grid";
}

int64_t armilla_grid_npix(const armilla_grid *grid)
{
    return grid ? grid->npix : -1;
}

int64_t armilla_grid_nrings(const armilla_grid *grid)
{
    return grid ? grid->nrings : -1;
}

armilla_status armilla_grid_ring(const armilla_grid *grid, int64_t index, armilla_ring *ring)
{
    armilla_status status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("ring", ring);
    if (status) return status;
    if (index < 0 || index >= grid->nrings)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "ring index = %lld: must be 0 to %lld",
                            (long long)index, (long long)grid->nrings - 1);
    *ring = grid->rings[index];
    ring->offset = armilla_grid_place(grid, index, 0);
    return ARMILLA_OK;
}
