/* HEALPix pixels around a pixel; docs/mathematics.md (12.5).
 *
 * On its face a pixel's neighbours are one step in x, in y, or in both away. A step off the face
 * ends on the face there, whose coordinates run the same way but where both faces touch one pole:
 * those meet at a meridian, and the next one to the east is turned by a quarter.
 *
 *      \  /\  /\  /\  /\        faces 0 .. 3
 *       \/  \/  \/  \/  \       4 .. 7: face 4 + k lies to the south-west of k, to the north-west
 *       /\  /\  /\  /\  /       of 8 + k
 *      /  \/  \/  \/  \/        8 .. 11
 *
 * Reference: Gorski et al. 2005, ApJ 622, 759, figures 3 and 4; the faces across each edge follow
 * from the columns and rows of (12.1), (12.2). */
#include "grid/healpix_blocks.h"

enum { NONE = -1 };

/* The face across an edge or a corner: its row (face / 4; NONE where three faces meet and there is
 * no fourth), how many faces further east in that row, and how many quarters its coordinates are
 * turned: each takes (x, y) to (y, nside - 1 - x). */
typedef struct crossing {
    int row, east, turns;
} crossing;

/* Row: the face that is left; then side of x: -1 (south-west), 0, 1 (north-east); then side of y:
 * -1 (south-east), 0, 1 (north-west). The middle is the face itself. */
static const crossing CROSSINGS[3][3][3] = {
    {{{2, 0, 0}, {1, 0, 0}, {NONE, 0, 0}},
     {{1, 1, 0}, {0, 0, 0}, {0, 3, 3}},
     {{NONE, 0, 0}, {0, 1, 1}, {0, 2, 2}}},
    {{{NONE, 0, 0}, {2, 3, 0}, {1, 3, 0}},
     {{2, 0, 0}, {1, 0, 0}, {0, 3, 0}},
     {{1, 1, 0}, {0, 0, 0}, {NONE, 0, 0}}},
    {{{2, 2, 2}, {2, 3, 1}, {NONE, 0, 0}},
     {{2, 1, 3}, {2, 0, 0}, {1, 0, 0}},
     {{NONE, 0, 0}, {1, 1, 0}, {0, 0, 0}}},
};

/* -1, 0 or 1: below, on or above 0 .. nside - 1. */
static int side_of(int64_t nside, int64_t x)
{
    return x < 0 ? -1 : x >= nside;
}

/* Carries a place that is at most nside off its face to the face where it lies.
 * Returned: 0 if there is none. */
static int settle(int64_t nside, armilla_face_position *at)
{
    int i = side_of(nside, at->x), j = side_of(nside, at->y);
    if (i == 0 && j == 0) return 1;
    crossing to = CROSSINGS[at->face / 4][i + 1][j + 1];
    if (to.row == NONE) return 0;
    int64_t x = at->x - i * nside, y = at->y - j * nside;
    for (int k = 0; k < to.turns; k++) {
        int64_t turned = nside - 1 - x;
        x = y;
        y = turned;
    }
    *at = (armilla_face_position){4 * to.row + (at->face + to.east) % 4, x, y};
    return 1;
}

typedef struct surroundings {
    armilla_scheme scheme;
    const int64_t *pixels;
    int64_t *neighbours;
    int64_t along, across; /* distance of pixels, and of the neighbours of one */
} surroundings;

static void around(const armilla_scheme *scheme, armilla_face_position centre, int64_t *neighbours)
{
    static const int steps[8][2] = {{-1, 0}, {-1, 1}, {0, 1},  {1, 1},
                                    {1, 0},  {1, -1}, {0, -1}, {-1, -1}};
    for (int k = 0; k < 8; k++) {
        armilla_face_position at = centre;
        at.x += steps[k][0];
        at.y += steps[k][1];
        neighbours[k] = settle(scheme->nside, &at) ? armilla_scheme_number(scheme, &at) : -1;
    }
}

/* Away from the edges of the face, in NESTED order: each coordinate gives its bits to three pixels.
 */
static void around_inside(const armilla_scheme *scheme, const armilla_face_position *at,
                          int64_t *neighbours)
{
    int64_t base = at->face << (2 * scheme->order), x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = base + armilla_spread_bits(at->x + k - 1);
        y[k] = 2 * armilla_spread_bits(at->y + k - 1);
    }
    const int64_t made[8] = {x[0] + y[1], x[0] + y[2], x[1] + y[2], x[2] + y[2],
                             x[2] + y[1], x[2] + y[0], x[1] + y[0], x[0] + y[0]};
    for (int k = 0; k < 8; k++) neighbours[k] = made[k];
}

static void look_around(const void *context, int64_t first, int64_t end)
{
    const surroundings *all = context;
    int64_t last = all->scheme.nside - 1;
    for (int64_t i = first; i < end; i++) {
        armilla_face_position at = armilla_scheme_locate(&all->scheme, all->pixels[i]);
        int inside = (at.x > 0) & (at.y > 0) & (at.x < last) & (at.y < last);
        int64_t found[8], *to = all->neighbours + i * all->along;
        if (inside && all->scheme.nested)
            around_inside(&all->scheme, &at, found);
        else
            around(&all->scheme, at, found);
        for (int k = 0; k < 8; k++) to[k * all->across] = found[k];
    }
}

armilla_status armilla_healpix_neighbours_with(int64_t nside, int nested, int64_t npixels,
                                               const int64_t *pixels, int planar,
                                               int64_t *neighbours, int nthreads)
{
    static const char *const names[] = {"pixels", "neighbours"};
    const void *const arrays[] = {pixels, neighbours};
    surroundings all = {.pixels = pixels, .neighbours = neighbours};
    all.along = planar ? 1 : 8;
    all.across = planar ? npixels : 1;
    armilla_status status = armilla_scheme_make(nside, nested, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 2, names, arrays);
    if (!status) status = armilla_check_pixels(&all.scheme, npixels, pixels, nthreads);
    if (!status) armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK / 2, look_around, &all);
    return status;
}

armilla_status armilla_healpix_neighbours(int64_t nside, int nested, int64_t npixels,
                                          const int64_t *pixels, int64_t *neighbours)
{
    return armilla_healpix_neighbours_with(nside, nested, npixels, pixels, 0, neighbours, 0);
}
