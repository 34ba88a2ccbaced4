/* Finds the pixel of a grid that a direction belongs to. HEALPix pixels are those of its own
 * geometry. On all other grids a pixel is a rectangle in colatitude and longitude: rings meet in
 * the middle between their colatitudes, pixels of a ring in the middle between their longitudes.
 * The first and the last ring reach as far outwards as inwards; or to the pole, if that is not
 * farther than the next ring: so grids of the whole sphere have no holes, and those of a part end
 * where their rings do. */
#include "grid/locate.h"

#include "base/memory.h"
#include "base/point.h"
#include <math.h>
#include <stdlib.h>

typedef struct band {
    double theta;   /* of the ring */
    double end;     /* colatitude at which the band ends in the south */
    int64_t number; /* of the ring */
} band;

struct armilla_locator {
    const armilla_grid *grid;
    double begin; /* colatitude at which the first band begins */
    double shift; /* HEALPix: what its longitudes were moved by */
    band *bands;  /* north to south */
};

static int is_southern(const void *a, const void *b)
{
    const double first = ((const band *)a)->theta, second = ((const band *)b)->theta;
    return (first > second) - (first < second);
}

/* Where the outermost ring ends: `distance` to the next one, `room` to the pole. */
static double reach(double distance, double room)
{
    return room <= distance * (1.0 + 1e-9) ? room + 1.0 : 0.5 * distance;
}

static void divide(armilla_locator *self)
{
    const int64_t n = self->grid->nrings;
    band *b = self->bands;
    for (int64_t r = 0; r < n; r++) {
        b[r].theta = self->grid->rings[r].theta;
        b[r].number = r;
    }
    qsort(b, (size_t)n, sizeof *b, is_southern);
    for (int64_t r = 0; r + 1 < n; r++) b[r].end = 0.5 * (b[r].theta + b[r + 1].theta);
    const double alone = 2.0 * M_PI / (double)self->grid->rings[0].nphi;
    const double north = n > 1 ? b[1].theta - b[0].theta : alone;
    const double south = n > 1 ? b[n - 1].theta - b[n - 2].theta : alone;
    self->begin = b[0].theta - reach(north, b[0].theta);
    b[n - 1].end = b[n - 1].theta + reach(south, M_PI - b[n - 1].theta);
}

armilla_status armilla_locator_new(const armilla_grid *grid, armilla_locator **locator)
{
    armilla_locator *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    made->grid = grid;
    if (grid->kind == ARMILLA_GRID_HEALPIX) made->shift = grid->rings[0].phi0 - M_PI_4;
    status = armilla_allocate(&made->bands, grid->nrings, sizeof *made->bands);
    if (status) {
        armilla_release(made);
        return status;
    }
    divide(made);
    *locator = made;
    return ARMILLA_OK;
}

void armilla_locator_free(armilla_locator *locator)
{
    if (!locator) return;
    armilla_release(locator->bands);
    armilla_release(locator);
}

/* The first pixel of a ring, counted from the north. */
static int64_t healpix_start(int64_t nside, int64_t ring)
{
    const int64_t caps = 2 * nside * (nside - 1), south = 4 * nside - 1 - ring;
    if (ring < nside) return 2 * ring * (ring + 1);
    if (ring < 3 * nside) return caps + 4 * nside * (ring - nside + 1);
    return 12 * nside * nside - 2 * south * (south + 1);
}

/* Rings are found by bisection: at most 30 steps, without the rounding of a square root. */
static int64_t find_healpix(const armilla_locator *self, double theta, double phi)
{
    const int64_t nside = self->grid->nside;
    const int64_t pixel = armilla_healpix_ang_to_ring(nside, theta, phi - self->shift);
    if (armilla_grid_nested(self->grid)) return armilla_healpix_ring_to_nest(nside, pixel);
    if (self->grid->layout.ring_stride == 0 && !self->grid->layout.west_first &&
        !self->grid->layout.south_first && self->grid->layout.pixel_stride == 1)
        return pixel;
    int64_t low = 0, high = self->grid->nrings - 1;
    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (healpix_start(nside, middle) <= pixel)
            low = middle;
        else
            high = middle - 1;
    }
    const armilla_ring *ring = &self->grid->rings[low];
    return ring->offset + (pixel - healpix_start(nside, low)) * ring->stride;
}

int64_t armilla_locator_find(const armilla_locator *self, double theta, double phi)
{
    if (!armilla_point_is_good(theta, phi)) return -1;
    if (self->grid->kind == ARMILLA_GRID_HEALPIX) return find_healpix(self, theta, phi);
    theta = armilla_colatitude_taken(theta);
    int64_t low = 0, high = self->grid->nrings - 1;
    if (theta < self->begin || theta > self->bands[high].end) return -1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (theta <= self->bands[middle].end)
            high = middle;
        else
            low = middle + 1;
    }
    const armilla_ring *ring = &self->grid->rings[self->bands[low].number];
    const double turns = (phi - ring->phi0) / (2.0 * M_PI);
    const double part = turns - floor(turns); /* 0 to 1, 1 where rounding says so */
    const int64_t j = (int64_t)floor(part * (double)ring->nphi + 0.5) % ring->nphi;
    return ring->offset + j * ring->stride;
}

armilla_status armilla_grid_pixels_at(const armilla_grid *grid, int64_t n, const double *theta,
                                      const double *phi, int64_t *pixels)
{
    armilla_locator *locator;
    armilla_status status = armilla_check_given("grid", grid);
    if (!status && n < 0) status = armilla_fail_argument("n", n, "must be 0 or more");
    if (!status && n > 0) status = armilla_check_given("theta", theta);
    if (!status && n > 0) status = armilla_check_given("phi", phi);
    if (!status && n > 0) status = armilla_check_given("pixels", pixels);
    if (!status) status = armilla_locator_new(grid, &locator);
    if (status) return status;
    for (int64_t i = 0; i < n; i++) pixels[i] = armilla_locator_find(locator, theta[i], phi[i]);
    armilla_locator_free(locator);
    return ARMILLA_OK;
}
