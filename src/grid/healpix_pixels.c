/* HEALPix pixel numbers; docs/mathematics.md (12.1), (12.2).
 *
 * Longitudes are counted in units of pi / (4 n_r), n_r = pixels of the ring / 4: a pixel's centre
 * lies at p = 2 j + s, j its place in the ring and s = 1 on rings that start half a pixel off. On
 * face f, with x growing to the north-east and y to the north-west,
 *
 *     ring = (2 + f / 4) nside - x - y - 1,    p = column(f) n_r + x - y,
 *
 * column = 1 3 5 7, 0 2 4 6, 1 3 5 7 for the faces 0 .. 11. A nested number is f nside^2 + the bits
 * of x and y interleaved.
 * Reference: Gorski et al. 2005, ApJ 622, 759, section 4 and eqs. 4-14. */
#include "grid/healpix_face.h"

#include "base/status.h"
#include <math.h>

/* Largest nside whose 12 nside^2 fits in 63 bits. */
static const int64_t NSIDE_LIMIT = 876706528;

int64_t armilla_healpix_npix(int64_t nside)
{
    return nside < 1 || nside > NSIDE_LIMIT ? -1 : 12 * nside * nside;
}

int64_t armilla_healpix_nside(int64_t npix)
{
    if (npix < 12) return -1;
    int64_t nside = (int64_t)llround(sqrt((double)npix / 12));
    return armilla_healpix_npix(nside) == npix ? nside : -1;
}

static int is_power_of_two(int64_t nside)
{
    return nside >= 1 && nside <= NSIDE_LIMIT && (nside & (nside - 1)) == 0;
}

/* Puts the bits 0, 1, 2, ... of v at the places 0, 2, 4, ... */
static uint64_t spread_bits(uint64_t v)
{
    v = (v | v << 16) & 0x0000ffff0000ffffu;
    v = (v | v << 8) & 0x00ff00ff00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
}

static uint64_t gather_bits(uint64_t v)
{
    v &= 0x5555555555555555u;
    v = (v | v >> 1) & 0x3333333333333333u;
    v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v >> 4) & 0x00ff00ff00ff00ffu;
    v = (v | v >> 8) & 0x0000ffff0000ffffu;
    return (v | v >> 16) & 0x00000000ffffffffu;
}

int64_t armilla_healpix_face_column(int64_t face)
{
    return 2 * (face % 4) + (face / 4 != 1);
}

/* n_r, number of the ring's first pixel, and s, for ring 1 .. 4 nside - 1. */
static int64_t ring_quarter(int64_t nside, int64_t ring)
{
    int64_t mirrored = 4 * nside - ring;
    int64_t quarter = ring < mirrored ? ring : mirrored;
    return quarter < nside ? quarter : nside;
}

static int64_t ring_first(int64_t nside, int64_t ring)
{
    if (ring <= nside) return 2 * ring * (ring - 1);
    if (ring <= 3 * nside) return 2 * nside * (nside - 1) + (ring - nside) * 4 * nside;
    int64_t quarter = 4 * nside - ring;
    return 12 * nside * nside - 2 * quarter * (quarter + 1);
}

static int64_t ring_shift(int64_t nside, int64_t ring)
{
    return ring <= nside || ring >= 3 * nside || (ring - nside) % 2 == 0;
}

static int64_t position_to_ring(int64_t nside, const armilla_face_position *at)
{
    int64_t ring = (2 + at->face / 4) * nside - at->x - at->y - 1;
    int64_t quarter = ring_quarter(nside, ring);
    int64_t p = armilla_healpix_face_column(at->face) * quarter + at->x - at->y;
    int64_t j = (p - ring_shift(nside, ring)) / 2; /* even: exact; -nside / 2 .. 4 quarter - 1 */
    return ring_first(nside, ring) + (j < 0 ? j + 4 * quarter : j);
}

/* floor(sqrt(v)) in integers: the rounded square root may be one off for large v. */
static int64_t integer_sqrt(int64_t v)
{
    int64_t root = (int64_t)sqrt((double)v);
    while (root * root > v) root--;
    while ((root + 1) * (root + 1) <= v) root++;
    return root;
}

static int64_t ring_of_pixel(int64_t nside, int64_t pixel)
{
    int64_t cap = 2 * nside * (nside - 1), npix = 12 * nside * nside;
    if (pixel < cap) return (1 + integer_sqrt(1 + 2 * pixel)) / 2;
    if (pixel < npix - cap) return nside + (pixel - cap) / (4 * nside);
    return 4 * nside - (1 + integer_sqrt(1 + 2 * (npix - 1 - pixel))) / 2;
}

/* Inverse of position_to_ring. In the caps the face is the quarter of the ring. In the belt
 * 2 x = p - ring - 1 + (row - column) nside and 2 y = -p - ring - 1 + (row + column) nside with
 * 0 <= x, y < nside and odd row +- column, so that one floor division each gives
 * a = (column - row + 1) / 2 and b = (1 - column - row) / 2. */
static armilla_face_position ring_to_position(int64_t nside, int64_t pixel)
{
    int64_t ring = ring_of_pixel(nside, pixel), quarter = ring_quarter(nside, ring);
    int64_t j = pixel - ring_first(nside, ring), p = 2 * j + ring_shift(nside, ring);
    int64_t row, column, face;
    if (quarter < nside) {
        face = j / quarter + (ring < nside ? 0 : 8);
        row = 2 + face / 4;
        column = armilla_healpix_face_column(face);
    } else {
        int64_t bias = 16 * nside; /* keeps the dividends positive */
        int64_t a = (p - ring - 1 + nside + bias) / (2 * nside) - 8;
        int64_t b = (-p - ring - 1 + nside + bias) / (2 * nside) - 8;
        row = 1 - a - b;
        column = a - b;
        face = 4 * (row - 2) + column % 8 / 2;
    }
    int64_t difference = p - column * quarter, sum = row * nside - 1 - ring;
    return (armilla_face_position){face, (sum + difference) / 2, (sum - difference) / 2};
}

armilla_face_position armilla_healpix_locate(int64_t nside, int nested, int64_t pixel)
{
    if (!nested) return ring_to_position(nside, pixel);
    uint64_t inside = (uint64_t)(pixel % (nside * nside));
    return (armilla_face_position){.face = pixel / (nside * nside),
                                   .x = (int64_t)gather_bits(inside),
                                   .y = (int64_t)gather_bits(inside >> 1)};
}

int64_t armilla_healpix_number(int64_t nside, int nested, const armilla_face_position *at)
{
    if (!nested) return position_to_ring(nside, at);
    uint64_t inside = spread_bits((uint64_t)at->x) | spread_bits((uint64_t)at->y) << 1;
    return at->face * nside * nside + (int64_t)inside;
}

armilla_status armilla_healpix_check_pixels(int64_t nside, int nested, int64_t npixels,
                                            const int64_t *pixels)
{
    int64_t npix = armilla_healpix_npix(nside);
    if (npix < 0) return armilla_fail_argument("nside", nside, "must be 1 to 876706528");
    if (nested && !is_power_of_two(nside))
        return armilla_fail_argument("nside", nside, "must be a power of two, in nested order");
    if (npixels < 0) return armilla_fail_argument("npixels", npixels, "must be at least 0");
    if (npixels > 0 && !pixels)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "pixels = NULL: must be an array");
    for (int64_t i = 0; i < npixels; i++)
        if (pixels[i] < 0 || pixels[i] >= npix)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "pixels[%lld] = %lld: must be 0 to %lld",
                                (long long)i, (long long)pixels[i], (long long)(npix - 1));
    return ARMILLA_OK;
}

static int64_t renumbered(int64_t nside, int from_nested, int64_t pixel)
{
    if (!is_power_of_two(nside) || pixel < 0 || pixel >= 12 * nside * nside) return -1;
    armilla_face_position at = armilla_healpix_locate(nside, from_nested, pixel);
    return armilla_healpix_number(nside, !from_nested, &at);
}

int64_t armilla_healpix_nest_to_ring(int64_t nside, int64_t pixel)
{
    return renumbered(nside, 1, pixel);
}

int64_t armilla_healpix_ring_to_nest(int64_t nside, int64_t pixel)
{
    return renumbered(nside, 0, pixel);
}

/* In the belt the pixel's edges are lines of constant u + v and u - v, with u = 2 phi / pi and
 * v = 3 z / 4: counting the lines below the point on either side gives ring and place. */
static int64_t belt_pixel(int64_t nside, double quadrant, double z)
{
    double u = (double)nside * (0.5 + quadrant), v = (double)nside * 0.75 * z;
    int64_t falling = (int64_t)floor(u - v), rising = (int64_t)floor(u + v);
    int64_t ring = 2 * nside + falling - rising;
    int64_t shift = ring_shift(nside, ring);
    int64_t j = (falling + rising - nside + 2 - shift + 8 * nside) / 2 % (4 * nside);
    return ring_first(nside, ring) + j;
}

/* In a cap the edges are u t = const and (1 - u) t = const, u the place within the quadrant and
 * t = nside sqrt(3 (1 - |z|)) = nside sqrt(6) sin(distance from the pole / 2). */
static int64_t cap_pixel(int64_t nside, double quadrant, double pole_distance, int south)
{
    double number = floor(quadrant), u = quadrant - number;
    double t = (double)nside * sqrt(6.0) * sin(pole_distance / 2);
    int64_t rising = (int64_t)(u * t), falling = (int64_t)((1 - u) * t);
    int64_t quarter = rising + falling + 1;
    if (quarter > nside) quarter = nside; /* rounding at the cap's edge */
    int64_t ring = south ? 4 * nside - quarter : quarter;
    int64_t j = (int64_t)(quadrant * (double)quarter);
    return ring_first(nside, ring) + (j < 4 * quarter ? j : 4 * quarter - 1);
}

int64_t armilla_healpix_ang_to_ring(int64_t nside, double theta, double phi)
{
    if (armilla_healpix_npix(nside) < 0 || !(theta >= 0 && theta <= M_PI) || !isfinite(phi))
        return -1;
    double quadrant = fmod(phi * (2 / M_PI), 4);
    if (quadrant < 0) quadrant += 4;
    if (quadrant >= 4) quadrant = 0; /* -tiny + 4 */
    double z = cos(theta);
    if (fabs(z) <= 2.0 / 3) return belt_pixel(nside, quadrant, z);
    int south = z < 0;
    return cap_pixel(nside, quadrant, south ? M_PI - theta : theta, south);
}
