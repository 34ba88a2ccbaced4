/* Bilinear interpolation between rings; HEALPix has the library's own. */
#include "pixel_four.h"

#include "message.h"

#include <math.h>

typedef struct four {
    int64_t count, *pixels;
    double *weights, *axes;
} four;

/* Pixels k and k + 1 of direction i: to the west and to the east of phi on a ring. */
static void add_pair(const armilla_ring *ring, double phi, double weight, int64_t i, int64_t k,
                     const four *self)
{
    const double n = (double)ring->nphi, turns = (phi - ring->phi0) / (2 * M_PI);
    const double place = (turns - floor(turns)) * n;
    const double east = place - floor(place);
    for (int64_t side = 0; side < 2; side++) {
        const int64_t pixel = ((int64_t)place + side) % ring->nphi,
                      at = (k + side) * self->count + i;
        self->pixels[at] = ring->offset + pixel;
        self->weights[at] = weight * (side ? east : 1 - east);
        if (!self->axes) continue;
        self->axes[at] = ring->theta;
        self->axes[FOUR * self->count + at] = ring->phi0 + 2 * M_PI * (double)pixel / n;
    }
}

/* Along the meridian through a pole: near, far  from it, where the ring is and the direction. */
static void add_across(const armilla_ring *ring, double far, double near, double phi, int64_t i,
                       const four *self)
{
    const double share = far > 0 ? near / (2 * far) : 0.5;
    add_pair(ring, phi, 0.5 + share, i, 0, self);
    add_pair(ring, phi + M_PI, 0.5 - share, i, 2, self);
}

static armilla_status find(const pixel_grid *on, double theta, double phi, int64_t i,
                           const four *self)
{
    int64_t low = -1, high = armilla_grid_nrings(on->grid); /* low is above theta, high is not */
    armilla_ring above = {.nphi = 0}, below = {.nphi = 0}, ring;
    const int64_t nrings = high;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        const armilla_status status = armilla_grid_ring(on->grid, middle, &ring);
        if (status) return status;
        if (ring.theta <= theta)
            low = middle, above = ring;
        else
            high = middle, below = ring;
    }
    if (low < 0) {
        add_across(&below, below.theta, theta, phi, i, self);
    } else if (high == nrings) {
        add_across(&above, M_PI - above.theta, M_PI - theta, phi, i, self);
    } else {
        const double down = (theta - above.theta) / (below.theta - above.theta);
        add_pair(&above, phi, 1 - down, i, 0, self);
        add_pair(&below, phi, down, i, 2, self);
    }
    return ARMILLA_OK;
}

armilla_status pixel_four_find(const pixel_grid *on, int64_t count, const double *theta,
                               const double *phi, int64_t *pixels, double *weights, double *axes,
                               int nthreads)
{
    const four self = {count, pixels, weights, axes};
    armilla_status status = ARMILLA_OK;
    if (on->nside) {
        status = armilla_healpix_interpolation_weights(on->nside, 0, count, theta, phi, pixels,
                                                       weights, nthreads);
        if (status || !axes) return status;
        return armilla_healpix_pixels_to_ang(on->nside, 0, FOUR * count, pixels, axes,
                                             axes + FOUR * count, nthreads);
    }
    for (int64_t i = 0; i < count && !status; i++) status = find(on, theta[i], phi[i], i, &self);
    return status;
}

/* Between a ring and the next one to the south; of the poles, -1 and nrings - 1, twice what is
 * between the pole and the ring, as if there were one beyond. The rings exist. */
static double gap_below(const armilla_grid *grid, int64_t number)
{
    const int64_t last = armilla_grid_nrings(grid) - 1;
    armilla_ring north = {.theta = 0}, south = {.theta = 0};
    armilla_grid_ring(grid, number < 0 ? 0 : number, &north);
    armilla_grid_ring(grid, number < last ? number + 1 : last, &south);
    if (number < 0) return 2 * north.theta;
    return number < last ? south.theta - north.theta : 2 * (M_PI - south.theta);
}

int pixel_four_check(const pixel_grid *on, const char *what)
{
    const double most = 3; /* of the wider neighbour; at a pole Gauss' first ring has 1.6 */
    const int64_t nrings = armilla_grid_nrings(on->grid);
    if (nrings < 2) return usage_error("%s: %s has one ring", what, on->text);
    for (int64_t r = -1; r < nrings; r++) {
        const double gap = gap_below(on->grid, r);
        const double north = r < 0 ? 0 : gap_below(on->grid, r - 1);
        const double south = r == nrings - 1 ? 0 : gap_below(on->grid, r + 1);
        const int at_pole = r < 0 || r == nrings - 1;
        if (gap <= 0 && !at_pole)
            return usage_error("%s: the rings of %s do not go from north to south", what, on->text);
        if (gap > most * fmax(north, south))
            return usage_error(at_pole ? "%s: the rings of %s leave out a pole"
                                       : "%s: the rings of %s leave out a zone",
                               what, on->text);
    }
    return CLI_OK;
}
