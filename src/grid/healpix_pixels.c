/* HEALPix pixel numbers one by one, and the faces of many; docs/mathematics.md (12.1), (12.2).
 *
 * Longitudes are counted in units of pi / (4 n_r), n_r = pixels of the ring / 4: a pixel's centre
 * lies at p = 2 j + s, j its place in the ring and s = 1 on rings that start half a pixel off. On
 * face f, with x growing to the north-east and y to the north-west,
 *
 *     ring = (2 + f / 4) nside - x - y - 1,    p = column(f) n_r + x - y,
 *
 * column = 1 3 5 7, 0 2 4 6, 1 3 5 7 for the faces 0 .. 11. A nested number is f nside^2 + the bits
 * of x and y interleaved. The functions themselves are in healpix_scheme.h.
 * Reference: Gorski et al. 2005, ApJ 622, 759, section 4 and eqs. 4-14. */
#include "grid/healpix_blocks.h"

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

static int order_of(int64_t nside)
{
    int order = 0;
    if ((nside & (nside - 1)) != 0) return -1;
    while ((int64_t)1 << order < nside) order++;
    return order;
}

armilla_status armilla_scheme_make(int64_t nside, int nested, armilla_scheme *scheme)
{
    if (armilla_healpix_npix(nside) < 0)
        return armilla_fail_argument("nside", nside, "must be 1 to 876706528");
    *scheme = (armilla_scheme){.nside = nside,
                               .npix = 12 * nside * nside,
                               .cap = 2 * nside * (nside - 1),
                               .order = order_of(nside),
                               .nested = nested != 0};
    if (nested && scheme->order < 0)
        return armilla_fail_argument("nside", nside, "must be a power of two, in nested order");
    return ARMILLA_OK;
}

static int64_t renumbered(int64_t nside, int from_nested, int64_t pixel)
{
    int64_t npix = armilla_healpix_npix(nside);
    if (npix < 0 || (nside & (nside - 1)) != 0 || pixel < 0 || pixel >= npix) return -1;
    armilla_scheme scheme = {
        .nside = nside, .npix = npix, .cap = 2 * nside * (nside - 1), .order = order_of(nside)};
    armilla_face_position at =
        from_nested ? armilla_nest_to_face(&scheme, pixel) : armilla_ring_to_face(&scheme, pixel);
    return from_nested ? armilla_face_to_ring(&scheme, &at) : armilla_face_to_nest(&scheme, &at);
}

int64_t armilla_healpix_nest_to_ring(int64_t nside, int64_t pixel)
{
    return renumbered(nside, 1, pixel);
}

int64_t armilla_healpix_ring_to_nest(int64_t nside, int64_t pixel)
{
    return renumbered(nside, 0, pixel);
}

/* --- Faces of many -----------------------------------------------------------------------------
 */

typedef struct faces {
    armilla_scheme scheme;
    const int64_t *numbers, *places[3]; /* places: x, y, face */
    int64_t *pixels, *x, *y, *face;
} faces;

static void find_places(const void *context, int64_t first, int64_t end)
{
    const faces *all = context;
    for (int64_t i = first; i < end; i++) {
        armilla_face_position at = armilla_scheme_locate(&all->scheme, all->numbers[i]);
        all->x[i] = at.x;
        all->y[i] = at.y;
        all->face[i] = at.face;
    }
}

armilla_status armilla_healpix_pixels_to_faces(int64_t nside, int nested, int64_t npixels,
                                               const int64_t *pixels, int64_t *x, int64_t *y,
                                               int64_t *face, int nthreads)
{
    static const char *const names[] = {"pixels", "x", "y", "face"};
    const void *const arrays[] = {pixels, x, y, face};
    faces all = {.numbers = pixels, .x = x, .y = y, .face = face};
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 4, names, arrays);
    if (!status) status = armilla_check_pixels(&all.scheme, npixels, pixels, nthreads);
    if (!status) armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, find_places, &all);
    return status;
}

/* Negative if one of x, y, face is below 0 or too large. */
static int64_t misplaced(const faces *all, int64_t i)
{
    int64_t last = all->scheme.nside - 1, x = all->places[0][i], y = all->places[1][i];
    int64_t face = all->places[2][i];
    return x | y | face | (last - (x < 0 ? 0 : x)) | (last - (y < 0 ? 0 : y)) |
           (11 - (face < 0 ? 0 : face));
}

static int64_t first_wrong_place(const void *context, int64_t first, int64_t end)
{
    const faces *all = context;
    int64_t signs = 0;
    for (int64_t i = first; i < end; i++) signs |= misplaced(all, i);
    if (signs >= 0) return end;
    while (misplaced(all, first) >= 0) first++;
    return first;
}

static void number_places(const void *context, int64_t first, int64_t end)
{
    const faces *all = context;
    for (int64_t i = first; i < end; i++) {
        armilla_face_position at = {
            .x = all->places[0][i], .y = all->places[1][i], .face = all->places[2][i]};
        all->pixels[i] = armilla_scheme_number(&all->scheme, &at);
    }
}

armilla_status armilla_healpix_faces_to_pixels(int64_t nside, int nested, int64_t npixels,
                                               const int64_t *x, const int64_t *y,
                                               const int64_t *face, int64_t *pixels, int nthreads)
{
    static const char *const names[] = {"x", "y", "face", "pixels"};
    const void *const arrays[] = {x, y, face, pixels};
    faces all = {.places = {x, y, face}, .pixels = pixels};
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 4, names, arrays);
    if (status) return status;
    int64_t i = armilla_blocks_check(nthreads, npixels, first_wrong_place, &all);
    if (i < npixels)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "x, y, face [%lld] = %lld, %lld, %lld: must be 0 to %lld, and 0 to 11",
                            (long long)i, (long long)x[i], (long long)y[i], (long long)face[i],
                            (long long)(nside - 1));
    armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK, number_places, &all);
    return ARMILLA_OK;
}
