/* RING and NESTED: numbers of many pixels, and whole maps.
 *
 * A map is turned square by square: 32 x 32 pixels of a face are one run of NESTED numbers, and at
 * most 63 pieces of rings, each of consecutive RING numbers. On one ring the RING number grows by
 * one where x - y grows by two; what is left to do for a pixel is an addition:
 *
 *              /\
 *             /\/\            square of 4 x 4: 7 pieces of 1, 2, 3, 4, 3, 2, 1 pixels
 *            /\/\/\
 *           /\/\/\/\
 *           \/\/\/\/
 *            \/\/\/
 *             \/\/
 *              \/
 *
 * Reference: Gorski et al. 2005, ApJ 622, 759, section 4. */
#include "grid/healpix_blocks.h"

#include "base/integer.h"
#include <string.h>

/* --- Numbers -----------------------------------------------------------------------------------
 */

typedef struct numbers {
    armilla_scheme scheme;
    const int64_t *from;
    int64_t *to;
} numbers;

static void number_rings(const void *context, int64_t first, int64_t end)
{
    const numbers *all = context;
    for (int64_t i = first; i < end; i++) {
        armilla_face_position at = armilla_nest_to_face(&all->scheme, all->from[i]);
        all->to[i] = armilla_face_to_ring(&all->scheme, &at);
    }
}

/* Numbers that follow each other are mostly on one ring. */
static void number_nests(const void *context, int64_t first, int64_t end)
{
    const numbers *all = context;
    const armilla_scheme *s = &all->scheme;
    int64_t ring = 0, start = 0, after = 0;
    for (int64_t i = first; i < end; i++) {
        int64_t pixel = all->from[i];
        if (pixel < start || pixel >= after) {
            ring = armilla_ring_of(s, pixel);
            start = armilla_ring_first(s, ring);
            after = start + 4 * armilla_ring_quarter(s, ring);
        }
        armilla_face_position at = armilla_ring_place(s, ring, pixel - start);
        all->to[i] = armilla_face_to_nest(s, &at);
    }
}

armilla_status armilla_healpix_renumber(int64_t nside, int to_nested, int64_t npixels,
                                        const int64_t *pixels, int64_t *numbers_made, int nthreads)
{
    static const char *const names[] = {"pixels", "numbers"};
    const void *const arrays[] = {pixels, numbers_made};
    numbers all = {.from = pixels, .to = numbers_made};
    armilla_status status = armilla_scheme_make(nside, 1, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "npixels", npixels, 2, names, arrays);
    if (!status) status = armilla_check_pixels(&all.scheme, npixels, pixels, nthreads);
    if (!status)
        armilla_blocks_run(nthreads, npixels, ARMILLA_BLOCK,
                           to_nested ? number_nests : number_rings, &all);
    return status;
}

/* --- Maps --------------------------------------------------------------------------------------
 */

enum { SIDE = 32, SQUARE = SIDE * SIDE };

typedef struct turning {
    armilla_scheme scheme;
    int64_t side;         /* of a square: SIDE, or nside if that is less */
    int to_nested, width; /* bytes of a value */
    const char *from;
    char *to;
} turning;

/* x + y and x - y of the pixels of a square in NESTED order. */
typedef struct square_shape {
    int8_t sum[SQUARE], apart[SQUARE];
} square_shape;

static void shape_square(int64_t size, square_shape *shape)
{
    for (int64_t i = 0; i < size; i++) {
        int64_t x = armilla_gather_bits(i), y = armilla_gather_bits(i >> 1);
        shape->sum[i] = (int8_t)(x + y);
        shape->apart[i] = (int8_t)(x - y);
    }
}

/* Finds the RING numbers of a square's pixels in NESTED order. The pieces of rings, from that of
 * the south corner northwards, are numbered by x + y; before[k]: RING number of the pixel of piece
 * k that x = y would have, were it there (twice, so that halves are whole). */
static void number_square(const turning *all, int64_t square, const square_shape *shape,
                          int64_t *ring_numbers)
{
    const armilla_scheme *s = &all->scheme;
    int64_t size = all->side * all->side, before[2 * SIDE];
    armilla_face_position corner = armilla_nest_to_face(s, square * size);
    int64_t column = armilla_face_column(corner.face);
    for (int64_t k = 0; k < 2 * all->side - 1; k++) {
        int64_t ring = armilla_face_ring(s, &corner) - k;
        int64_t p = column * armilla_ring_quarter(s, ring) + corner.x - corner.y;
        before[k] = 2 * armilla_ring_first(s, ring) + p - armilla_ring_shift(s, ring);
    }
    for (int64_t i = 0; i < size; i++)
        ring_numbers[i] = (before[shape->sum[i]] + shape->apart[i]) >> 1;
    if (corner.face != 4) return;
    for (int64_t i = 0; i < size; i++) /* the only face with pixels west of longitude 0 */
        if (corner.x - corner.y + shape->apart[i] < 0)
            ring_numbers[i] +=
                4 * armilla_ring_quarter(s, armilla_face_ring(s, &corner) - shape->sum[i]);
}

/* One body for each width, so that the compiler knows it. */
#define TURN_SQUARE(width)                                                                         \
    do {                                                                                           \
        for (int64_t i = 0; i < size; i++) {                                                       \
            int64_t nest = start + i, ring = places[i];                                            \
            int64_t from = all->to_nested ? ring : nest, to = all->to_nested ? nest : ring;        \
            memcpy(all->to + to * (width), all->from + from * (width), (width));                   \
        }                                                                                          \
    } while (0)

static void turn_squares(const void *context, int64_t first, int64_t end)
{
    const turning *all = context;
    int64_t size = all->side * all->side, places[SQUARE];
    square_shape shape;
    shape_square(size, &shape);
    for (int64_t square = first; square < end; square++) {
        int64_t start = square * size;
        number_square(all, square, &shape, places);
        switch (all->width) {
        case 1:
            TURN_SQUARE(1);
            break;
        case 2:
            TURN_SQUARE(2);
            break;
        case 4:
            TURN_SQUARE(4);
            break;
        case 8:
            TURN_SQUARE(8);
            break;
        default:
            TURN_SQUARE(16);
        }
    }
}

armilla_status armilla_healpix_reorder(int64_t nside, int to_nested, int width, const void *map,
                                       void *reordered, int nthreads)
{
    static const char *const names[] = {"map", "reordered"};
    const void *const arrays[] = {map, reordered};
    turning all = {.to_nested = to_nested, .width = width, .from = map, .to = reordered};
    armilla_status status = armilla_scheme_make(nside, 1, &all.scheme);
    if (!status) status = armilla_check_arrays(nthreads, "", 1, 2, names, arrays);
    if (status) return status;
    if (width < 1 || width > 16 || (width & (width - 1)) != 0)
        return armilla_fail_argument("width", width, "must be 1, 2, 4, 8 or 16 bytes");
    all.side = armilla_smaller(SIDE, nside);
    armilla_blocks_run(nthreads, all.scheme.npix / (all.side * all.side), 64, turn_squares, &all);
    return ARMILLA_OK;
}
