/* HEALPix pixels and directions; docs/mathematics.md (12.7).
 *
 * With u = 2 phi / pi the edges of pixels are lines of constant
 *
 *     belt  |z| <= 2/3   u + v and u - v, v = 3 z / 4, in steps of 1 / nside;
 *     caps               w t and (1 - w) t in steps of 1, w = u - floor(u) the place within the
 *                        quadrant, t = nside sqrt(3 (1 - |z|)) = nside sqrt(6) sin(d / 2),
 *                        d the distance from the pole.
 *
 * Counting the lines to the west and to the east of a point gives its pixel. d keeps all digits
 * next to the poles, where z loses half of them.
 * Reference: Gorski et al. 2005, ApJ 622, 759, eqs. 4-9 and section 5. */
#include "base/point.h"
#include "grid/healpix_blocks.h"

static const double SQRT6 = 2.449489742783178;

/* u, 0 <= u < 4. Longitudes of many turns are taken modulo 2 pi first: 2 / pi is rounded. */
static inline double quadrant_of(double phi)
{
    double u = phi * (2 / M_PI);
    if (u >= 0 && u < 4) return u;
    if (fabs(phi) > 1000) u = fmod(phi, 2 * M_PI) * (2 / M_PI);
    u -= 4 * (double)armilla_floor(u / 4);
    return u < 4 ? u : 0; /* -tiny + 4 */
}

static inline int64_t belt_pixel(const armilla_scheme *s, double quadrant, double z)
{
    double n = (double)s->nside, u = n * (0.5 + quadrant), v = n * 0.75 * z;
    int64_t falling = (int64_t)(u - v), rising = (int64_t)(u + v); /* both are positive */
    if (s->nested) {
        armilla_face_position at = armilla_belt_position(s, falling, rising);
        return armilla_face_to_nest(s, &at);
    }
    int64_t ring = 2 * s->nside + falling - rising, shift = armilla_ring_shift(s, ring);
    int64_t j = (falling + rising - s->nside + 2 - shift) / 2;
    return armilla_ring_first(s, ring) + (j < 4 * s->nside ? j : j - 4 * s->nside);
}

static inline int64_t cap_pixel(const armilla_scheme *s, double quadrant, double t, int south)
{
    int64_t turn = (int64_t)quadrant;
    double w = quadrant - (double)turn;
    int64_t quarter = (int64_t)(w * t) + (int64_t)((1 - w) * t) + 1;
    if (quarter > s->nside) quarter = s->nside; /* rounding at the cap's edge */
    int64_t j = (int64_t)(quadrant * (double)quarter);
    if (j >= 4 * quarter) j = 4 * quarter - 1;
    if (!s->nested) return armilla_ring_first(s, south ? 4 * s->nside - quarter : quarter) + j;
    turn = (j >= quarter) + (j >= 2 * quarter) + (j >= 3 * quarter);
    int64_t rising = j - turn * quarter, falling = quarter - 1 - rising, top = s->nside - 1;
    armilla_face_position at = {turn, top - falling, top - rising};
    if (south) at = (armilla_face_position){8 + turn, rising, falling};
    return armilla_face_to_nest(s, &at);
}

static inline int64_t pixel_at(const armilla_scheme *s, double theta, double phi)
{
    double quadrant = quadrant_of(phi), z = cos(theta);
    if (fabs(z) <= 2.0 / 3) return belt_pixel(s, quadrant, z);
    int south = z < 0;
    double t = (double)s->nside * SQRT6 * sin((south ? M_PI - theta : theta) / 2);
    return cap_pixel(s, quadrant, t, south);
}

int64_t armilla_healpix_ang_to_ring(int64_t nside, double theta, double phi)
{
    armilla_scheme scheme;
    if (armilla_healpix_npix(nside) < 0 || !armilla_point_is_good(theta, phi)) return -1;
    return armilla_scheme_make(nside, 0, &scheme)
               ? -1
               : pixel_at(&scheme, armilla_colatitude_taken(theta), phi);
}

/* --- Angles ------------------------------------------------------------------------------------
 */

typedef struct angles {
    armilla_scheme scheme;
    const double *theta, *phi;
    int64_t *pixels;
} angles;

static void find_pixels(const void *context, int64_t first, int64_t end)
{
    const angles *all = context;
    for (int64_t i = first; i < end; i++)
        all->pixels[i] =
            pixel_at(&all->scheme, armilla_colatitude_taken(all->theta[i]), all->phi[i]);
}

armilla_status armilla_healpix_ang_to_pixels(int64_t nside, int nested, int64_t npixels,
                                             const double *theta, const double *phi,
                                             int64_t *pixels, int nthreads)
{
    static const char *const names[] = {"theta", "phi", "pixels"};
    const void *const arrays[] = {theta, phi, pixels};
    angles all = {.theta = theta, .phi = phi, .pixels = pixels};
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 3, names, arrays);
    if (!status) status = armilla_check_directions(npixels, theta, phi, nthreads);
    if (!status) armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, find_pixels, &all);
    return status;
}

/* --- Centres -----------------------------------------------------------------------------------
 */

typedef struct centres {
    armilla_scheme scheme;
    const int64_t *pixels;
    double *theta, *phi, *vectors;
    int64_t along, across; /* of vectors: distance of pixels, of coordinates */
} centres;

/* A pixel's ring and its longitude. Pixels that follow each other are mostly on one ring, in RING
 * order; then the ring need not be looked for. */
typedef struct row {
    int64_t ring, first, end;
} row;

static inline double longitude_of(const armilla_scheme *s, int64_t pixel, row *here)
{
    if (s->nested) {
        armilla_face_position at = armilla_nest_to_face(s, pixel);
        here->ring = armilla_face_ring(s, &at);
        int64_t quarter = armilla_ring_quarter(s, here->ring);
        int64_t p = armilla_face_column(at.face) * quarter + at.x - at.y;
        return (double)(p < 0 ? p + 8 * quarter : p) * (M_PI / (double)(4 * quarter));
    }
    if (pixel < here->first || pixel >= here->end) {
        here->ring = armilla_ring_of(s, pixel);
        here->first = armilla_ring_first(s, here->ring);
        here->end = here->first + 4 * armilla_ring_quarter(s, here->ring);
    }
    return armilla_ring_longitude(s, here->ring, pixel - here->first);
}

static void find_angles(const void *context, int64_t first, int64_t end)
{
    const centres *all = context;
    row here = {0, 0, 0};
    int64_t ring = 0;
    double theta = 0;
    for (int64_t i = first; i < end; i++) {
        all->phi[i] = longitude_of(&all->scheme, all->pixels[i], &here);
        if (here.ring != ring) theta = armilla_ring_theta(&all->scheme, ring = here.ring);
        all->theta[i] = theta;
    }
}

static void find_vectors(const void *context, int64_t first, int64_t end)
{
    const centres *all = context;
    row here = {0, 0, 0};
    int64_t ring = 0;
    double z = 0, sine = 0;
    for (int64_t i = first; i < end; i++) {
        double phi = longitude_of(&all->scheme, all->pixels[i], &here);
        double *vector = all->vectors + i * all->along;
        if (here.ring != ring) armilla_ring_height(&all->scheme, ring = here.ring, &z, &sine);
        vector[0] = sine * cos(phi);
        vector[all->across] = sine * sin(phi);
        vector[2 * all->across] = z;
    }
}

armilla_status armilla_healpix_pixels_to_ang(int64_t nside, int nested, int64_t npixels,
                                             const int64_t *pixels, double *theta, double *phi,
                                             int nthreads)
{
    static const char *const names[] = {"pixels", "theta", "phi"};
    const void *const arrays[] = {pixels, theta, phi};
    centres all = {.pixels = pixels, .theta = theta, .phi = phi};
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 3, names, arrays);
    if (!status) status = armilla_check_pixels(&all.scheme, npixels, pixels, nthreads);
    if (!status) armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, find_angles, &all);
    return status;
}

armilla_status armilla_healpix_pixels_to_vec(int64_t nside, int nested, int64_t npixels,
                                             const int64_t *pixels, int planar, double *vectors,
                                             int nthreads)
{
    static const char *const names[] = {"pixels", "vectors"};
    const void *const arrays[] = {pixels, vectors};
    centres all = {.pixels = pixels, .vectors = vectors};
    all.along = planar ? 1 : 3;
    all.across = planar ? npixels : 1;
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 2, names, arrays);
    if (!status) status = armilla_check_pixels(&all.scheme, npixels, pixels, nthreads);
    if (!status) armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, find_vectors, &all);
    return status;
}

/* --- Vectors -----------------------------------------------------------------------------------
 */

typedef struct directions {
    armilla_scheme scheme;
    const double *vectors;
    int64_t along, across;
    int64_t *pixels;
} directions;

/* Largest of the coordinates without sign; NaN where one is. */
static inline double largest(double x, double y, double z)
{
    double a = fabs(x), b = fabs(y), c = fabs(z);
    double most = a > b ? a : b;
    most = most > c ? most : c;
    return x + y + z == x + y + z ? most : x + y + z;
}

static int64_t first_wrong_vector(const void *context, int64_t first, int64_t end)
{
    const directions *all = context;
    for (int64_t i = first; i < end; i++) {
        const double *v = all->vectors + i * all->along;
        double most = largest(v[0], v[all->across], v[2 * all->across]);
        if (!(most > 0 && most <= 1e300)) return i;
    }
    return end;
}

static void find_pixels_of_vectors(const void *context, int64_t first, int64_t end)
{
    const directions *all = context;
    const armilla_scheme *s = &all->scheme;
    for (int64_t i = first; i < end; i++) {
        const double *v = all->vectors + i * all->along;
        double x = v[0], y = v[all->across], z = v[2 * all->across];
        double across = x * x + y * y, square = across + z * z;
        if (!(square > 1e-280 && square < 1e280)) { /* squares leave the range of doubles */
            double most = largest(x, y, z);
            x /= most;
            y /= most;
            z /= most;
            across = x * x + y * y;
            square = across + z * z;
        }
        double quadrant = quadrant_of(atan2(y, x)), length = sqrt(square),
               height = fabs(z) / length;
        if (height <= 2.0 / 3) {
            all->pixels[i] = belt_pixel(s, quadrant, z / length);
            continue;
        }
        double gap = across / (square * (1 + height)); /* 1 - height */
        all->pixels[i] = cap_pixel(s, quadrant, (double)s->nside * sqrt(3 * gap), z < 0);
    }
}

armilla_status armilla_healpix_vec_to_pixels(int64_t nside, int nested, int64_t npixels,
                                             const double *vectors, int planar, int64_t *pixels,
                                             int nthreads)
{
    static const char *const names[] = {"vectors", "pixels"};
    const void *const arrays[] = {vectors, pixels};
    directions all = {.vectors = vectors, .pixels = pixels};
    all.along = planar ? 1 : 3;
    all.across = planar ? npixels : 1;
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 2, names, arrays);
    if (status) return status;
    int64_t i = armilla_blocks_check(nthreads, npixels, first_wrong_vector, &all);
    if (i < npixels)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "vectors[%lld]: must be finite (at most 1e300), and not 0",
                            (long long)i);
    armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, find_pixels_of_vectors, &all);
    return ARMILLA_OK;
}
