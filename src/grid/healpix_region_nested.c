/* Pixels of a region, NESTED numbers, from the 12 faces to their quarters, and so on: a pixel that
 * is wholly inside is one run of numbers, one that is wholly outside is left, and only those at the
 * edge are looked into. As many are looked at as the edge is long, in pixels.
 *
 * Pixels that overlap: below the pixel itself, its parts are looked at in the same way, down to
 * fact^2 of them; it counts if one of these comes close enough. */
#include "grid/healpix_region.h"

#include "base/integer.h"
#include "base/memory.h"

enum { OUTSIDE, TOUCHED, CENTRE_INSIDE, WHOLLY_INSIDE };

/* Squares of chords, for one circle and pixels of one size. */
typedef struct bounds {
    double touched, centre, wholly;
} bounds;

typedef struct walk {
    const armilla_region *region;
    int order, deepest;
    const bounds *bounds; /* [deepest + 1][ncircles] */
    armilla_healpix_ranges *ranges;
} walk;

static void middle_of(int order, const armilla_face_position *at, double *vector)
{
    armilla_scheme s = {.nside = (int64_t)1 << order};
    int64_t ring = armilla_face_ring(&s, at), quarter = armilla_ring_quarter(&s, ring);
    double sine, p = (double)(armilla_face_column(at->face) * quarter + at->x - at->y);
    armilla_ring_height(&s, ring, &vector[2], &sine);
    double phi = p * (M_PI / (double)(4 * quarter));
    vector[0] = sine * cos(phi);
    vector[1] = sine * sin(phi);
}

static int zone_of(const walk *way, int order, const armilla_face_position *at)
{
    int zone = WHOLLY_INSIDE;
    double v[3];
    middle_of(order, at, v);
    const bounds *bound = way->bounds + order * way->region->ncircles;
    for (int64_t c = 0; c < way->region->ncircles; c++, bound++) {
        const double *to = way->region->circles[c].centre.vector;
        double x = v[0] - to[0], y = v[1] - to[1], z = v[2] - to[2];
        double square = x * x + y * y + z * z;
        if (square > bound->touched) return OUTSIDE;
        int here = square > bound->centre   ? TOUCHED
                   : square > bound->wholly ? CENTRE_INSIDE
                                            : WHOLLY_INSIDE;
        if (here < zone) zone = here;
    }
    return zone;
}

static armilla_face_position quarter_of(const armilla_face_position *at, int which)
{
    return (armilla_face_position){at->face, 2 * at->x + (which & 1), 2 * at->y + (which >> 1)};
}

/* Whether one of the parts comes close enough, of a pixel that does itself. */
static int parts_touch(const walk *way, int order, const armilla_face_position *at)
{
    if (order == way->deepest) return 1;
    for (int which = 0; which < 4; which++) {
        armilla_face_position part = quarter_of(at, which);
        int zone = zone_of(way, order + 1, &part);
        if (zone >= CENTRE_INSIDE) return 1;
        if (zone == TOUCHED && parts_touch(way, order + 1, &part)) return 1;
    }
    return 0;
}

/* pixel: its NESTED number at this order. Recursion ends at order 29. */
static void look_into(const walk *way, int order, int64_t pixel, const armilla_face_position *at)
{
    int zone = zone_of(way, order, at);
    if (zone == OUTSIDE) return;
    int left = 2 * (way->order - order), is_in = zone == WHOLLY_INSIDE;
    if (left == 0 && !is_in)
        is_in = zone == CENTRE_INSIDE || (way->region->fact > 0 && parts_touch(way, order, at));
    if (is_in) armilla_ranges_add(way->ranges, pixel << left, (pixel + 1) << left);
    if (is_in || left == 0) return;
    for (int which = 0; which < 4; which++) {
        armilla_face_position part = quarter_of(at, which);
        look_into(way, order + 1, 4 * pixel + which, &part);
    }
}

static void set_bounds(const armilla_region *region, int deepest, bounds *made)
{
    for (int order = 0; order <= deepest; order++) {
        double size = armilla_largest_pixel_radius((int64_t)1 << order);
        for (int64_t c = 0; c < region->ncircles; c++, made++) {
            double radius = region->circles[c].radius;
            made->touched = armilla_chord_square(radius + size);
            made->centre = armilla_chord_square(radius);
            made->wholly = armilla_chord_square(radius - size);
        }
    }
}

armilla_status armilla_region_nested(const armilla_scheme *scheme, const armilla_region *region,
                                     armilla_healpix_ranges *ranges)
{
    bounds few[30], *made = few, *many = NULL;
    walk way = {.region = region, .order = scheme->order, .deepest = scheme->order};
    for (int64_t fact = region->fact; fact > 1; fact /= 2) way.deepest++;
    armilla_status status = ARMILLA_OK;
    if (region->ncircles > 1)
        status = armilla_allocate(&many, (way.deepest + 1) * region->ncircles, sizeof *many);
    if (status) return status;
    if (many) made = many;
    set_bounds(region, way.deepest, made);
    way.bounds = made;
    way.ranges = ranges;
    for (int64_t face = 0; face < 12; face++)
        look_into(&way, 0, face, &(armilla_face_position){face, 0, 0});
    armilla_release(many);
    return ranges->status;
}

/* --- Strips ------------------------------------------------------------------------------------
 */

typedef struct strips {
    const armilla_scheme *scheme;
    const int64_t *rings;
    armilla_healpix_ranges *ranges;
} strips;

/* A pixel of a lower order holds pixels of consecutive rings. */
static void look_for_rings(const strips *all, int left, int64_t pixel,
                           const armilla_face_position *at)
{
    int64_t size = (int64_t)1 << left, shift = 2 * left;
    armilla_face_position south = {at->face, at->x << left, at->y << left};
    int64_t low = armilla_face_ring(all->scheme, &south) - 2 * (size - 1);
    int64_t high = low + 2 * (size - 1);
    int touched = 0;
    for (int k = 0; k < 4; k += 2) {
        if (all->rings[k] <= low && high <= all->rings[k + 1]) {
            armilla_ranges_add(all->ranges, pixel << shift, (pixel + 1) << shift);
            return;
        }
        touched |= all->rings[k] <= high && low <= all->rings[k + 1];
    }
    for (int which = 0; touched && left > 0 && which < 4; which++) {
        armilla_face_position part = quarter_of(at, which);
        look_for_rings(all, left - 1, 4 * pixel + which, &part);
    }
}

void armilla_rings_nested(const armilla_scheme *scheme, const int64_t *rings,
                          armilla_healpix_ranges *ranges)
{
    strips all = {scheme, rings, ranges};
    for (int64_t face = 0; face < 12; face++)
        look_for_rings(&all, scheme->order, face, &(armilla_face_position){face, 0, 0});
}
