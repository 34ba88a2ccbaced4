/* Bilinear interpolation in the pixels of HEALPix; docs/mathematics.md (12.8).
 *
 * A direction lies between two rings. On each of them two pixels are next to it in longitude: their
 * weights are linear in phi, and those of the rings linear in theta:
 *
 *     north of the first ring and south of the last one the mean of the four pixels of that ring
 *     stands at the pole, as the other ring.
 */
#include "base/point.h"
#include "grid/healpix_blocks.h"

/* Four pixels, RING numbers, and their weights. */
typedef struct stencil {
    int64_t pixels[4];
    double weights[4];
} stencil;

/* Two pixels of a ring, weights that add up to `share`. */
static void on_ring(const armilla_scheme *s, int64_t ring, double phi, double share,
                    int64_t *pixels, double *weights)
{
    int64_t length = 4 * armilla_ring_quarter(s, ring), first = armilla_ring_first(s, ring);
    double place = phi * ((double)length * (0.5 / M_PI)) - (armilla_ring_shift(s, ring) ? 0.5 : 0);
    int64_t left = armilla_floor(place);
    double part = place - (double)left;
    left += left < 0 ? length : left >= length ? -length : 0;
    pixels[0] = first + left;
    pixels[1] = first + (left + 1 < length ? left + 1 : 0);
    weights[0] = (1 - part) * share;
    weights[1] = part * share;
}

/* Beyond the first or last ring: each of its four pixels has a quarter of what the pole has, and
 * two of them what they have on the ring. */
static void at_pole(int64_t base, int first_pair, double share, stencil *made)
{
    int64_t *given = made->pixels + (first_pair ? 0 : 2),
            *other = made->pixels + (first_pair ? 2 : 0);
    double *missing = made->weights + (first_pair ? 2 : 0);
    for (int k = 0; k < 2; k++) {
        other[k] = base + ((given[k] - base + 2) & 3);
        missing[k] = 0;
    }
    for (int k = 0; k < 4; k++) made->weights[k] += share / 4;
}

static void interpolate_at(const armilla_scheme *s, double theta, double phi, stencil *made)
{
    int64_t above = armilla_ring_above(s, theta), last = 4 * s->nside - 1;
    if (!(phi >= 0 && phi < 2 * M_PI)) {
        phi = fmod(phi, 2 * M_PI);
        if (phi < 0) phi += 2 * M_PI;
    }
    double north = above > 0 ? armilla_ring_theta(s, above) : 0;
    double south = above < last ? armilla_ring_theta(s, above + 1) : M_PI;
    double part = (theta - north) / (south - north);
    if (above > 0) on_ring(s, above, phi, 1 - part, made->pixels, made->weights);
    if (above < last) on_ring(s, above + 1, phi, part, made->pixels + 2, made->weights + 2);
    if (above == 0) at_pole(0, 0, 1 - part, made);
    if (above == last) at_pole(s->npix - 4, 1, part, made);
}

/* --- Weights -----------------------------------------------------------------------------------
 */

typedef struct points {
    armilla_scheme scheme;
    int64_t count;
    const double *theta, *phi;
    int64_t *pixels;
    double *weights, *values;
    const armilla_healpix_map *map;
} points;

static int64_t number_of(const armilla_scheme *s, int64_t ring_number)
{
    if (!s->nested) return ring_number;
    armilla_face_position at = armilla_ring_to_face(s, ring_number);
    return armilla_face_to_nest(s, &at);
}

static void find_weights(const void *context, int64_t first, int64_t end)
{
    const points *all = context;
    for (int64_t i = first; i < end; i++) {
        stencil made;
        interpolate_at(&all->scheme, armilla_colatitude_taken(all->theta[i]), all->phi[i], &made);
        for (int k = 0; k < 4; k++) {
            all->pixels[k * all->count + i] = number_of(&all->scheme, made.pixels[k]);
            all->weights[k * all->count + i] = made.weights[k];
        }
    }
}

armilla_status armilla_healpix_interpolation_weights(int64_t nside, int nested, int64_t npoints,
                                                     const double *theta, const double *phi,
                                                     int64_t *pixels, double *weights, int nthreads)
{
    static const char *const names[] = {"theta", "phi", "pixels", "weights"};
    const void *const arrays[] = {theta, phi, pixels, weights};
    points all = {
        .count = npoints, .theta = theta, .phi = phi, .pixels = pixels, .weights = weights};
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npoints", npoints, 4, names, arrays);
    if (!status) status = armilla_check_directions(npoints, theta, phi, nthreads);
    if (!status) armilla_blocks_run(nthreads, npoints, ARMILLA_BLOCK / 4, find_weights, &all);
    return status;
}

/* --- Values ------------------------------------------------------------------------------------
 */

static void find_values(const void *context, int64_t first, int64_t end)
{
    const points *all = context;
    const double *doubles = all->map->values;
    const float *floats = all->map->values;
    for (int64_t i = first; i < end; i++) {
        stencil made;
        double sum = 0;
        interpolate_at(&all->scheme, armilla_colatitude_taken(all->theta[i]), all->phi[i], &made);
        for (int k = 0; k < 4; k++) {
            int64_t pixel = number_of(&all->scheme, made.pixels[k]);
            sum += made.weights[k] * (all->map->is_float ? (double)floats[pixel] : doubles[pixel]);
        }
        all->values[i] = sum;
    }
}

armilla_status armilla_healpix_interpolate(const armilla_healpix_map *map, int64_t npoints,
                                           const double *theta, const double *phi, double *values,
                                           int nthreads)
{
    static const char *const names[] = {"theta", "phi", "values", "map->values"};
    armilla_status status = armilla_check_given("map", map);
    if (status) return status;
    const void *const arrays[] = {theta, phi, values, map->values};
    points all = {.count = npoints, .theta = theta, .phi = phi, .values = values, .map = map};
    status = armilla_scheme_make(map->nside, map->nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npoints", npoints, 4, names, arrays);
    if (!status) status = armilla_check_directions(npoints, theta, phi, nthreads);
    if (!status) armilla_blocks_run(nthreads, npoints, ARMILLA_BLOCK / 4, find_values, &all);
    return status;
}
