/* Pixels of a region, RING numbers, ring by ring; docs/mathematics.md (12.10).
 *
 * On a ring at (z, s), s the sine of its colatitude, a circle of radius r around (zc, sc, phi_c)
 * covers the longitudes phi_c - h .. phi_c + h with
 *
 *     sin^2(h / 2) = (4 sin^2(r / 2) - (s - sc)^2 - (z - zc)^2) / (4 s sc)
 *
 * (squares of chords), which keeps its digits for the smallest circles and at the poles.
 *
 * Pixels that overlap: those of a circle that is larger by the radius of a pixel, from whose ends
 * on each ring pixels are dropped as long as none of their fact^2 parts comes close enough. Of the
 * parts on one finer ring the nearer of the two at the pixel's edge speaks for all. */
#include "grid/healpix_region.h"

#include "base/integer.h"
#include "base/memory.h"

armilla_direction armilla_direction_of(const double *v)
{
    double across = sqrt(v[0] * v[0] + v[1] * v[1]), phi = atan2(v[1], v[0]);
    return (armilla_direction){.vector = {v[0], v[1], v[2]},
                               .sine = across,
                               .theta = atan2(across, v[2]),
                               .phi = phi < 0 ? phi + 2 * M_PI : phi};
}

double armilla_chord_square(double angle)
{
    double chord = 2 * sin(angle / 2);
    return angle < 0 ? -1 : angle >= M_PI ? 5 : chord * chord;
}

double armilla_largest_pixel_radius(int64_t nside)
{
    double n = (double)nside, part = 1 - 1 / n, gap = part * part / 3, phi = M_PI / (4 * n);
    double corner_sine = sqrt(gap * (2 - gap)), sine = sqrt(5.0) / 3, half = sin(phi / 2);
    double up = 1 - gap - 2.0 / 3, out = corner_sine - sine;
    double square = up * up + out * out + 4 * sine * corner_sine * half * half;
    return 2 * asin(sqrt(square) / 2);
}

/* --- Arcs of one circle ------------------------------------------------------------------------
 */

/* A ring, as far as arcs need it. */
typedef struct ring_line {
    int64_t ring, length, first;
    double z, sine, shift;
} ring_line;

/* Pixels low .. high of a ring, modulo its length, -length <= low < 2 length; none for low > high.
 */
typedef struct arc {
    int64_t low, high;
} arc;

/* How the overlap of pixels with a circle is judged. */
typedef struct judge {
    const armilla_scheme *scheme;
    armilla_scheme fine;
    armilla_circle circle;
    double inside, wide, close; /* squares of chords: of the radius, with that of a pixel, a part */
    double widest;              /* radius and that of a pixel */
    int64_t fact, middle;       /* middle: RING number of the pixel that the centre is in */
} judge;

static ring_line line_of(const armilla_scheme *s, int64_t ring)
{
    ring_line line = {.ring = ring,
                      .length = 4 * armilla_ring_quarter(s, ring),
                      .first = armilla_ring_first(s, ring),
                      .shift = armilla_ring_shift(s, ring) ? 0.5 : 0};
    armilla_ring_height(s, ring, &line.z, &line.sine);
    return line;
}

static arc arc_on(const ring_line *line, const armilla_direction *centre, double chord_square)
{
    double out = line->sine - centre->sine, up = line->z - centre->vector[2];
    double left = chord_square - out * out - up * up, most = 4 * line->sine * centre->sine;
    if (!(left >= 0)) return (arc){0, -1};
    double half = left < most ? 2 * asin(sqrt(left / most)) : M_PI;
    double scale = (double)line->length * (0.5 / M_PI);
    arc made = {armilla_floor((centre->phi - half) * scale - line->shift) + 1,
                armilla_floor((centre->phi + half) * scale - line->shift)};
    if (left >= most || made.high - made.low >= line->length) /* all, from opposite the centre */
        made.high = made.low + line->length - 1;
    return made;
}

/* Whether the nearer of two parts on one finer ring, at p_west and p_east eighths of its pixels, is
 * close to the centre. */
static int part_is_close(const judge *by, int64_t ring, int64_t p_west, int64_t p_east)
{
    const armilla_direction *centre = &by->circle.centre;
    double z, sine, unit = M_PI / (double)(4 * armilla_ring_quarter(&by->fine, ring));
    armilla_ring_height(&by->fine, ring, &z, &sine);
    double west = fabs((double)p_west * unit - centre->phi);
    double east = fabs((double)p_east * unit - centre->phi);
    if (west > M_PI) west = fabs(2 * M_PI - west);
    if (east > M_PI) east = fabs(2 * M_PI - east);
    double half = sin((west < east ? west : east) / 2);
    double out = sine - centre->sine, up = z - centre->vector[2];
    return out * out + up * up + 4 * sine * centre->sine * half * half <= by->close;
}

/* Parts on the finer ring that is `along` rings above (below, if negative) the pixel's middle. */
static int ring_of_parts_is_close(const judge *by, const armilla_face_position *pixel,
                                  int64_t along)
{
    int64_t half_width = by->fact - 1 - (along < 0 ? -along : along);
    armilla_face_position south = {pixel->face, pixel->x * by->fact, pixel->y * by->fact};
    int64_t ring = armilla_face_ring(&by->fine, &south) - (by->fact - 1) - along;
    int64_t p = armilla_face_column(pixel->face) * armilla_ring_quarter(&by->fine, ring) + south.x -
                south.y;
    return part_is_close(by, ring, p - half_width, p + half_width);
}

static int overlaps(const judge *by, const ring_line *line, int64_t j)
{
    j = j < 0 ? j + line->length : j >= line->length ? j - line->length : j;
    if (line->first + j == by->middle) return 1;
    armilla_face_position at = armilla_ring_place(by->scheme, line->ring, j);
    if (ring_of_parts_is_close(by, &at, 0)) return 1;
    for (int64_t along = 1; along < by->fact; along++)
        if (ring_of_parts_is_close(by, &at, along) || ring_of_parts_is_close(by, &at, -along))
            return 1;
    return 0;
}

/* Pixels of a ring that belong to a circle. */
static arc pixels_on(const judge *by, const ring_line *line)
{
    arc inside = arc_on(line, &by->circle.centre, by->inside);
    if (by->fact == 0) return inside;
    arc wide = arc_on(line, &by->circle.centre, by->wide);
    if (inside.high - inside.low + 1 == line->length) return wide;
    int some = inside.low <= inside.high;
    while (wide.low <= wide.high && !(some && wide.low >= inside.low) &&
           !overlaps(by, line, wide.low))
        wide.low++;
    while (wide.high >= wide.low && !(some && wide.high <= inside.high) &&
           !overlaps(by, line, wide.high))
        wide.high--;
    return wide;
}

static void judge_circle(const armilla_scheme *scheme, const armilla_circle *circle, int64_t fact,
                         judge *made)
{
    *made = (judge){.scheme = scheme, .circle = *circle, .fact = fact, .widest = circle->radius};
    made->inside = armilla_chord_square(circle->radius);
    if (fact == 0) return;
    double fine_radius = armilla_largest_pixel_radius(scheme->nside * fact);
    made->fine = *scheme;
    made->fine.nside *= fact;
    made->fine.npix *= fact * fact;
    made->widest += armilla_largest_pixel_radius(scheme->nside) + ARMILLA_RADIUS_SLACK;
    made->wide = armilla_chord_square(made->widest);
    made->close = armilla_chord_square(circle->radius + fine_radius);
    made->middle =
        armilla_healpix_ang_to_ring(scheme->nside, circle->centre.theta, circle->centre.phi);
}

/* --- Several circles ---------------------------------------------------------------------------
 */

/* Runs of pixels of one ring, 0 .. length - 1, in rising order. */
typedef struct row_runs {
    int64_t count;
    arc *runs; /* room for one more than twice the circles */
} row_runs;

/* An arc as one run or two. */
static int64_t split(arc given, int64_t length, arc *parts)
{
    int64_t count = given.high - given.low + 1;
    if (count <= 0) return 0;
    if (count >= length) {
        parts[0] = (arc){0, length - 1};
        return 1;
    }
    int64_t low = given.low < 0 ? given.low + length : given.low;
    if (low >= length) low -= length;
    int64_t high = low + count - 1;
    if (high < length) {
        parts[0] = (arc){low, high};
        return 1;
    }
    parts[0] = (arc){0, high - length};
    parts[1] = (arc){low, length - 1};
    return 2;
}

static void intersect(const row_runs *all, const arc *parts, int64_t nparts, row_runs *made)
{
    made->count = 0;
    for (int64_t i = 0, k = 0; i < all->count && k < nparts;) {
        arc common = {armilla_larger(all->runs[i].low, parts[k].low),
                      armilla_smaller(all->runs[i].high, parts[k].high)};
        if (common.low <= common.high) made->runs[made->count++] = common;
        if (all->runs[i].high < parts[k].high)
            i++;
        else
            k++;
    }
}

static void add_ring(const judge *judges, int64_t ncircles, const ring_line *line,
                     row_runs *buffers, armilla_healpix_ranges *ranges)
{
    row_runs *now = buffers, *next = buffers + 1;
    now->count = split(pixels_on(judges, line), line->length, now->runs);
    for (int64_t c = 1; c < ncircles && now->count > 0; c++) {
        arc parts[2];
        int64_t nparts = split(pixels_on(judges + c, line), line->length, parts);
        intersect(now, parts, nparts, next);
        row_runs *swapped = now;
        now = next;
        next = swapped;
    }
    for (int64_t i = 0; i < now->count; i++)
        armilla_ranges_add(ranges, line->first + now->runs[i].low,
                           line->first + now->runs[i].high + 1);
}

/* --- All rings ---------------------------------------------------------------------------------
 */

/* Rings that are wholly in one circle around a pole are done at once: those before *first and after
 * *last. One ring is left to the arcs, for the sake of rounding. */
static void skip_caps(const armilla_scheme *s, const armilla_circle *circle, int64_t *first,
                      int64_t *last)
{
    double north = circle->radius - circle->centre.theta;
    double south = circle->radius - (M_PI - circle->centre.theta);
    if (north > 0) *first = armilla_larger(*first, armilla_ring_above(s, north) - 1);
    if (south > 0) *last = armilla_smaller(*last, 4 * s->nside - armilla_ring_above(s, south) + 1);
}

static void add_rings(const armilla_scheme *s, const armilla_region *region, const judge *judges,
                      row_runs *buffers, armilla_healpix_ranges *ranges)
{
    const armilla_direction *centre = &region->bound->centre;
    int64_t end = 4 * s->nside - 1, first = 1, last = end;
    double reach = region->bound->radius + (judges->widest - judges->circle.radius) + 1e-12;
    if (centre->theta - reach > 0)
        first = armilla_larger(1, armilla_ring_above(s, centre->theta - reach));
    if (centre->theta + reach < M_PI)
        last = armilla_smaller(end, armilla_ring_above(s, centre->theta + reach) + 1);
    int64_t low = first, high = last;
    if (region->ncircles == 1) skip_caps(s, region->circles, &low, &high);
    if (high < low) high = low - 1; /* all are */
    if (low > first)
        armilla_ranges_add(ranges, armilla_ring_first(s, first), armilla_ring_first(s, low));
    for (int64_t ring = low; ring <= high && !ranges->status; ring++) {
        ring_line line = line_of(s, ring);
        add_ring(judges, region->ncircles, &line, buffers, ranges);
    }
    if (high < last)
        armilla_ranges_add(ranges, armilla_ring_first(s, high + 1),
                           last == end ? s->npix : armilla_ring_first(s, last + 1));
}

armilla_status armilla_region_rings(const armilla_scheme *scheme, const armilla_region *region,
                                    armilla_healpix_ranges *ranges)
{
    judge one, *judges = &one, *many = NULL;
    arc few[2][3], *runs = few[0], *more = NULL;
    int64_t n = region->ncircles, room = 2 * n + 1;
    armilla_status status = ARMILLA_OK;
    if (n > 1) {
        status = armilla_allocate(&many, n, sizeof *many);
        if (!status) status = armilla_allocate(&more, 2 * room, sizeof *more);
        judges = many;
        runs = more;
    }
    if (!status) {
        row_runs buffers[2] = {{0, runs}, {0, runs + room}};
        for (int64_t c = 0; c < n; c++)
            judge_circle(scheme, region->circles + c, region->fact, judges + c);
        add_rings(scheme, region, judges, buffers, ranges);
        status = ranges->status;
    }
    armilla_release(many);
    armilla_release(more);
    return status;
}
