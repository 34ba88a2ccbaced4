/* Lays out the rings of a grid as rows for the method PIXELS: sorts them by colatitude, finds
 * mirror images, cuts them into arcs, and finds for each row which other rows the kernel's support
 * reaches, and how far along them. */
#include "radial/pixels/rows.h"

#include "base/angle.h"
#include "base/memory.h"
#include "grid/grid.h"

#include <math.h>
#include <stdlib.h>

static const double TWO_PI = 6.283185307179586;

/* Angles that differ by less, relatively, count as equal where that only decides which pixels are
 * looked at: the kernel's own argument decides what counts. */
static const double SLACK = 1e-9;

static const double LITTLE = 1e-6; /* parts of a square: differences below lose too many digits */
static const double ROUNDING = 1e-15; /* of angles up to pi, and of their sines */

/* --- Rows of rings ---------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
    const armilla_radial_row *x = a, *y = b;
    if (x->theta != y->theta) return x->theta < y->theta ? -1 : 1;
    return x->ring[0] < y->ring[0] ? -1 : x->ring[0] > y->ring[0];
}

/* Shift and first pixel. A shift that is 0 or 1/2 but for the rounding of phi0 is made so. */
static void place_row(const armilla_ring *ring, armilla_radial_row *row)
{
    const double turns = armilla_angle_reduce(ring->phi0, NULL) / TWO_PI;
    double pixels = (turns - floor(turns)) * (double)ring->nphi;
    const double halves = nearbyint(2 * pixels) / 2;
    const double rounding = 1e-15 * (1 + fabs(turns)) * (double)ring->nphi;
    if (fabs(pixels - halves) <= rounding) pixels = halves;
    const int64_t whole = (int64_t)floor(pixels);
    row->shift = pixels - (double)whole;
    row->base[0] = (ring->nphi - whole % ring->nphi) % ring->nphi;
}

static armilla_radial_role find_role(int64_t ring, int64_t nsources)
{
    if (!nsources) return ARMILLA_RADIAL_BOTH;
    return ring < nsources ? ARMILLA_RADIAL_SOURCE : ARMILLA_RADIAL_TARGET;
}

static void fill_rows(const armilla_grid *grid, int64_t nsources, armilla_radial_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) {
        const armilla_ring *ring = &grid->rings[i];
        armilla_radial_row *row = &rows->row[i];
        *row = (armilla_radial_row){
            .theta = ring->theta, .sine = sin(ring->theta), .n = ring->nphi, .ring = {i, -1}};
        row->half[0] = cos(ring->theta / 2), row->half[1] = sin(ring->theta / 2);
        row->role = find_role(i, nsources);
        if (ring->theta == M_PI) row->sine = 0;
        place_row(ring, row);
    }
    qsort(rows->row, (size_t)rows->count, sizeof *rows->row, compare_rows);
}

/* --- Symmetries ------------------------------------------------------------------------------- */

/* Colatitudes of mirror images add up to pi but for their rounding. */
static int is_image(const armilla_grid *grid, const armilla_radial_row *a,
                    const armilla_radial_row *b)
{
    return fabs(a->theta - (M_PI - b->theta)) <= 8e-16 && a->n == b->n && a->shift == b->shift &&
           a->role == b->role &&
           (a->role == ARMILLA_RADIAL_TARGET ||
            grid->rings[a->ring[0]].weight == grid->rings[b->ring[0]].weight);
}

static void find_images(const armilla_grid *grid, armilla_radial_rows *rows)
{
    const int64_t last = rows->count - 1;
    rows->mirrored = 1;
    for (int64_t i = 0; i <= last && rows->mirrored; i++)
        rows->mirrored = is_image(grid, &rows->row[i], &rows->row[last - i]);
    rows->nout = rows->mirrored ? (rows->count + 1) / 2 : rows->count;
    for (int64_t i = 0; i <= last && rows->mirrored; i++) {
        rows->row[i].ring[1] = rows->row[last - i].ring[0];
        rows->row[i].base[1] = rows->row[last - i].base[0];
    }
}

/* Arcs: as many as fill the lanes and divide every ring; rings that are all alike may be cut with
 * a last arc that runs over into the first one. */
static void choose_arcs(armilla_radial_rows *rows)
{
    int64_t all = 0;
    int alike = 1;
    rows->reflects = 1;
    for (int64_t i = 0; i < rows->count; i++) {
        const armilla_radial_row *row = &rows->row[i];
        all |= row->n;
        alike = alike && row->n == rows->row[0].n;
        rows->reflects = rows->reflects && (row->shift == 0 || row->shift == 0.5);
    }
    rows->arcs = rows->mirrored ? 4 : 8;
    while (!alike && all % rows->arcs) rows->arcs /= 2;
    for (int64_t i = 0; i < rows->count; i++)
        rows->row[i].arc = (rows->row[i].n + rows->arcs - 1) / rows->arcs;
}

/* --- Who reaches whom ------------------------------------------------------------------------- */

/* sin^2(support / 2) - sin^2(d / 2), d the distance of the rows: what is left for longitudes. Where
 * little is, between rings next to opposite poles most of all, the difference becomes a product,
 * whose factors may be as much too large as angles are rounded. */
static double left_along(const armilla_radial_rows *rows, const armilla_radial_row *r,
                         const armilla_radial_row *e)
{
    const double across = r->half[1] * e->half[0] - r->half[0] * e->half[1];
    const double left = rows->half * rows->half - across * across;
    if (left > LITTLE * rows->half * rows->half) return left;
    const double distance = fabs(r->theta - e->theta);
    const double inner = fmax(0, sin((rows->support - distance) / 2));
    return (inner + ROUNDING) * (sin((rows->support + distance) / 2) + ROUNDING);
}

armilla_radial_reach armilla_radial_rows_reach(const armilla_radial_rows *rows,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e)
{
    const double left = left_along(rows, r, e), slope = r->sine * e->sine;
    armilla_radial_reach found = {.largest = M_PI};
    const double pixels = (double)e->n / TWO_PI;
    if (left < slope * (1 - SLACK)) found.largest = 2 * asin(sqrt(left / slope)) * (1 + SLACK);
    found.reach = (int64_t)(found.largest * pixels + 0.5 + SLACK);
    found.whole = found.largest >= M_PI || 2 * found.reach + 1 >= e->n;
    return found;
}

/* A source's margin: the most that any row reaches on it. */
static int64_t find_margin(const armilla_radial_rows *rows, const armilla_radial_row *row)
{
    const int64_t whole = row->n / 2 + 3;
    if (rows->support >= M_PI / 2 || sin(rows->support) >= row->sine * (1 - SLACK)) return whole;
    const double largest = asin(sin(rows->support) / row->sine);
    const int64_t reach = (int64_t)(largest / TWO_PI * (double)row->n * (1 + SLACK)) + 3;
    return reach < whole ? reach : whole;
}

static void find_sources(armilla_radial_rows *rows)
{
    const double support = rows->support * (1 + SLACK);
    int64_t from = 0, to = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        armilla_radial_row *row = &rows->row[i];
        while (rows->row[from].theta < row->theta - support) from++;
        while (to < rows->count && rows->row[to].theta <= row->theta + support) to++;
        row->from = from, row->to = to;
        row->uniform = 1;
        for (int64_t e = from; e < to; e++)
            row->uniform = row->uniform && (rows->row[e].n == row->n ||
                                            !armilla_radial_row_reads(row, &rows->row[e]));
        if (to - from > rows->window) rows->window = to - from;
    }
}

/* Neighbouring rows must not begin at the same place modulo 4096 bytes: a position of all sources
 * would compete for the same lines of the first-level cache. */
static int64_t pad_slot(int64_t doubles)
{
    const int64_t page = 512, wanted = 27 * ARMILLA_OCTET;
    return doubles + (wanted - doubles % page + page) % page;
}

static void find_sizes(armilla_radial_rows *rows)
{
    int64_t total = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        armilla_radial_row *row = &rows->row[i];
        row->margin = find_margin(rows, row);
        row->slot = total;
        total += pad_slot((row->arc + 2 * row->margin + ARMILLA_RADIAL_BLOCK) * ARMILLA_OCTET);
        const int64_t taps = 2 * row->margin + 1 < row->n ? 2 * row->margin + 1 : row->n;
        if (taps > rows->most_taps) rows->most_taps = taps;
    }
    rows->row[rows->count].slot = total;
}

/* --- Products --------------------------------------------------------------------------------- */

/* Pairs of rows looked at for counting products: 2 ms. A fortieth of all with supports of 16
 * degrees at nside 512; all of them with narrow ones. */
static const int64_t MOST_PAIRS = 50000;

static double count_taps(const armilla_radial_rows *rows, const armilla_radial_row *r)
{
    double taps = 0;
    for (int64_t e = r->from; e < r->to; e++) {
        if (!armilla_radial_row_reads(r, &rows->row[e])) continue;
        const armilla_radial_reach reach = armilla_radial_rows_reach(rows, r, &rows->row[e]);
        taps += (double)(reach.whole ? rows->row[e].n : 2 * reach.reach + 1);
    }
    return taps;
}

/* With very many rings in the support every step-th row stands for its neighbours. */
static void find_taps(armilla_radial_rows *rows)
{
    const int64_t step = 1 + rows->nout * rows->window / MOST_PAIRS;
    for (int64_t i = 0; i < rows->nout; i++) {
        armilla_radial_row *row = &rows->row[i];
        row->taps = i % step ? row[-1].taps : count_taps(rows, row);
        if (rows->mirrored) rows->row[rows->count - 1 - i].taps = row->taps;
    }
}

double armilla_radial_rows_products(const armilla_radial_rows *rows)
{
    double products = 0;
    for (int64_t i = 0; i < rows->count; i++)
        if (armilla_radial_row_is_made(&rows->row[i], 0))
            products += (double)rows->row[i].n * rows->row[i].taps;
    return products;
}

armilla_status armilla_radial_rows_make(const armilla_grid *grid, double support, int64_t nsources,
                                        armilla_radial_rows *rows)
{
    *rows =
        (armilla_radial_rows){.count = grid->nrings, .support = support, .half = sin(support / 2)};
    armilla_status status = armilla_allocate_zero(&rows->row, rows->count + 1, sizeof *rows->row);
    if (status) return status;
    fill_rows(grid, nsources, rows);
    find_images(grid, rows);
    choose_arcs(rows);
    find_sources(rows);
    find_sizes(rows);
    find_taps(rows);
    return ARMILLA_OK;
}

void armilla_radial_rows_free(armilla_radial_rows *rows)
{
    armilla_release(rows->row);
    *rows = (armilla_radial_rows){0};
}
