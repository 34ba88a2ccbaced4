/* Checks the pixels around a HEALPix pixel, and the points on its boundary. The two are made by
 * separate code, so that each judges the other: neighbours share corners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

enum { SW, W, NW, N, NE, E, SE, S, DIRECTIONS };

static const int64_t SMALL[] = {1, 2, 3, 4, 5, 8, 12, 16};
enum { SMALL_COUNT = 8 };

typedef struct pixel_set {
    int64_t nside, count;
    int nested;
    int64_t *pixels, *neighbours; /* neighbours[count][8] */
    double *corners;              /* [count][4][3]: N, W, S, E */
} pixel_set;

static void look_around(pixel_set *set)
{
    set->neighbours = checked_malloc(set->count * DIRECTIONS, sizeof(int64_t));
    set->corners = checked_malloc(set->count * 12, sizeof(double));
    check_ok(armilla_healpix_neighbours(set->nside, set->nested, set->count, set->pixels,
                                        set->neighbours));
    check_ok(armilla_healpix_boundaries(set->nside, set->nested, set->count, set->pixels, 1,
                                        set->corners));
}

static pixel_set all_pixels(int64_t nside, int nested)
{
    pixel_set set = {.nside = nside, .count = armilla_healpix_npix(nside), .nested = nested};
    set.pixels = checked_malloc(set.count, sizeof(int64_t));
    for (int64_t i = 0; i < set.count; i++) set.pixels[i] = i;
    look_around(&set);
    return set;
}

/* The first and last 60, and others from everywhere. */
static pixel_set some_pixels(int64_t nside, int nested)
{
    int64_t npix = armilla_healpix_npix(nside);
    uint64_t stream = 7;
    pixel_set set = {.nside = nside, .count = 5000, .nested = nested};
    set.pixels = checked_malloc(set.count, sizeof(int64_t));
    for (int64_t i = 0; i < set.count; i++) {
        int64_t any = (int64_t)((random_next(&stream) + 1) / 2 * (double)(npix - 1));
        set.pixels[i] = i < 60 ? i : i < 120 ? npix - 1 - (i - 60) : any;
    }
    look_around(&set);
    return set;
}

static void forget(pixel_set *set)
{
    free(set->pixels);
    free(set->neighbours);
    free(set->corners);
}

static double distance(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Whether two pixels share the corner c (0 .. 3: N, W, S, E) of the first: to 1e-6 of a pixel,
 * which is well above rounding (4e-16 of 1) up to nside 2^29 where a pixel is 2e-9. */
static int shares_corner(const double *corners, int c, const double *others, int64_t nside)
{
    for (int k = 0; k < 4; k++)
        if (distance(corners + 3 * (int64_t)c, others + 3 * (int64_t)k) < 1e-6 / (double)nside)
            return 1;
    return 0;
}

/* The corners that a pixel shares with each neighbour, as bits N = 1, W = 2, S = 4, E = 8, in the
 * order SW, W, NW, N, NE, E, SE, S. */
static const int SHARED[DIRECTIONS] = {6, 2, 3, 1, 9, 8, 12, 4};

static int corners_shared(const pixel_set *set, int64_t i, const double *others)
{
    int shared = 0;
    for (int c = 0; c < 4; c++)
        if (shares_corner(set->corners + 12 * i, c, others, set->nside)) shared |= 1 << c;
    return shared;
}

static void check_shared_corners(const pixel_set *set)
{
    for (int64_t i = 0; i < set->count; i++)
        for (int k = 0; k < DIRECTIONS; k++) {
            int64_t other = set->neighbours[DIRECTIONS * i + k];
            double others[12];
            if (other < 0) continue;
            check_ok(armilla_healpix_boundaries(set->nside, set->nested, 1, &other, 1, others));
            int shared = corners_shared(set, i, others);
            if (shared != SHARED[k])
                fail_msg("nside %lld nested %d pixel %lld direction %d: shares corners %d, not %d",
                         (long long)set->nside, set->nested, (long long)set->pixels[i], k, shared,
                         SHARED[k]);
        }
}

static void neighbours_share_the_corners_of_their_direction(void **state)
{
    (void)state;
    for (int s = 0; s < SMALL_COUNT; s++) {
        pixel_set set = all_pixels(SMALL[s], 0);
        check_shared_corners(&set);
        forget(&set);
    }
    for (int nested = 0; nested <= 1; nested++)
        for (int64_t nside = (int64_t)1 << 20; nside <= (int64_t)1 << 29; nside <<= 9) {
            pixel_set set = some_pixels(nside, nested);
            check_shared_corners(&set);
            forget(&set);
        }
}

/* Every pixel against every other: whoever shares a corner is a neighbour, so -1 is said only
 * where nobody is. */
static void nobody_else_shares_a_corner(void **state)
{
    (void)state;
    for (int s = 0; s < 6; s++) {
        pixel_set set = all_pixels(SMALL[s], 0);
        for (int64_t i = 0; i < set.count; i++)
            for (int64_t other = 0; other < set.count; other++) {
                int shared = corners_shared(&set, i, set.corners + 12 * other), listed = 0;
                for (int k = 0; k < DIRECTIONS; k++)
                    listed += set.neighbours[DIRECTIONS * i + k] == other;
                if (other != i) assert_int_equal(listed, shared != 0);
            }
        forget(&set);
    }
}

static void pixels_are_neighbours_of_their_neighbours(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= (int64_t)1 << 29; nside <<= nside < 16 ? 1 : 25)
        for (int nested = 0; nested <= 1; nested++) {
            pixel_set set = nside <= 16 ? all_pixels(nside, nested) : some_pixels(nside, nested);
            for (int64_t i = 0; i < DIRECTIONS * set.count; i++) {
                int64_t back[DIRECTIONS], found = 0;
                if (set.neighbours[i] < 0) continue;
                check_ok(armilla_healpix_neighbours(nside, nested, 1, &set.neighbours[i], back));
                for (int k = 0; k < DIRECTIONS; k++) found += back[k] == set.pixels[i / DIRECTIONS];
                assert_int_equal(found, 1);
            }
            forget(&set);
        }
}

static void both_orders_name_the_same_pixels(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 16; nside *= 2) {
        pixel_set ring = all_pixels(nside, 0), nest = all_pixels(nside, 1);
        for (int64_t i = 0; i < DIRECTIONS * nest.count; i++) {
            int64_t same = armilla_healpix_nest_to_ring(nside, i / DIRECTIONS);
            int64_t expected = ring.neighbours[DIRECTIONS * same + i % DIRECTIONS];
            int64_t made = nest.neighbours[i];
            assert_int_equal(made < 0 ? -1 : armilla_healpix_nest_to_ring(nside, made), expected);
        }
        forget(&ring);
        forget(&nest);
    }
}

static void both_layouts_hold_the_same(void **state)
{
    (void)state;
    for (int nested = 0; nested <= 1; nested++) {
        pixel_set set = all_pixels(64, nested); /* several blocks */
        int64_t *planar = checked_malloc(DIRECTIONS * set.count, sizeof(int64_t));
        for (int threads = 1; threads <= 3; threads++) {
            check_ok(armilla_healpix_neighbours_with(64, nested, set.count, set.pixels, 1, planar,
                                                     threads));
            for (int64_t i = 0; i < DIRECTIONS * set.count; i++)
                assert_int_equal(planar[i % DIRECTIONS * set.count + i / DIRECTIONS],
                                 set.neighbours[i]);
        }
        free(planar);
        forget(&set);
    }
}

static void only_24_pixels_miss_a_neighbour(void **state)
{
    (void)state;
    for (int s = 0; s < SMALL_COUNT; s++) {
        pixel_set set = all_pixels(SMALL[s], 0);
        int64_t missing = 0;
        for (int64_t i = 0; i < DIRECTIONS * set.count; i++) missing += set.neighbours[i] == -1;
        assert_int_equal(missing, 24);
        forget(&set);
    }
}

/* Points next to a boundary, pulled towards the middle by a tenth, lie in the pixel: the judge is
 * armilla_healpix_ang_to_ring, which knows edges as lines in z and phi. Sides are bent in the caps,
 * and the middle of a pixel at a pole is far from that of its corners at small nside: hence a
 * tenth. */
static void check_inside(int64_t nside, int64_t pixel, int64_t step)
{
    double *points = checked_malloc(12 * step, sizeof(double)), middle[3] = {0, 0, 0};
    check_ok(armilla_healpix_boundaries(nside, 0, 1, &pixel, step, points));
    for (int64_t i = 0; i < 12 * step; i++) middle[i % 3] += points[i] / (double)(4 * step);
    for (int64_t i = 0; i < 4 * step; i++) {
        double at[3], *point = points + 3 * i;
        check_at_most(fabs(hypot(hypot(point[0], point[1]), point[2]) - 1), 5e-16, "length");
        for (int k = 0; k < 3; k++) at[k] = 0.9 * point[k] + 0.1 * middle[k];
        double theta = atan2(hypot(at[0], at[1]), at[2]);
        assert_int_equal(armilla_healpix_ang_to_ring(nside, theta, atan2(at[1], at[0])), pixel);
    }
    free(points);
}

static void boundaries_enclose_their_pixels(void **state)
{
    (void)state;
    for (int s = 0; s < SMALL_COUNT; s++)
        for (int64_t pixel = 0; pixel < armilla_healpix_npix(SMALL[s]); pixel++)
            check_inside(SMALL[s], pixel, 6);
    pixel_set set = some_pixels(1000003, 0);
    for (int64_t i = 0; i < set.count; i++) check_inside(set.nside, set.pixels[i], 3);
    forget(&set);
}

/* Area of the spherical triangle a, b, c: tan(area / 2) = a . (b x c) / (1 + a.b + b.c + c.a)
 * (van Oosterom & Strackee 1983). */
static double triangle(const double *a, const double *b, const double *c)
{
    double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0]);
    double sum = 1;
    for (int k = 0; k < 3; k++) sum += a[k] * b[k] + b[k] * c[k] + c[k] * a[k];
    return 2 * atan2(volume, sum);
}

/* Largest relative difference of the area of the polygons from 4 pi / npix. */
static double area_error(int64_t nside, int64_t step)
{
    double *points = checked_malloc(12 * step, sizeof(double)), worst = 0;
    int64_t npix = armilla_healpix_npix(nside);
    for (int64_t pixel = 0; pixel < npix; pixel++) {
        double area = 0;
        check_ok(armilla_healpix_boundaries(nside, 0, 1, &pixel, step, points));
        for (int64_t i = 2; i < 4 * step; i++)
            area += triangle(points, points + 3 * (i - 1), points + 3 * i);
        double error = fabs(area * (double)npix / (4 * M_PI) - 1);
        if (!(error <= worst)) worst = error;
    }
    free(points);
    return worst;
}

/* Chords of sides that are bent once: the error falls as step^-2. Measured: step^2 times the error
 * is 0.199 at most (nside 1, step 1). */
static void areas_of_polygons_become_equal(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 5; nside++)
        for (int64_t step = 1; step <= 256; step *= 4)
            check_at_most(area_error(nside, step) * (double)(step * step), 0.25,
                          "step^2 * error of the area, nside %lld, step %lld", (long long)nside,
                          (long long)step);
}

static void points_lie_in_order_on_the_sides(void **state)
{
    (void)state;
    double points[48], corners[12];
    for (int64_t pixel = 0; pixel < armilla_healpix_npix(3); pixel++) {
        check_ok(armilla_healpix_boundaries(3, 0, 1, &pixel, 4, points));
        check_ok(armilla_healpix_boundaries(3, 0, 1, &pixel, 1, corners));
        for (int side = 0; side < 4; side++)
            assert_memory_equal(points + 12 * (int64_t)side, corners + 3 * (int64_t)side,
                                3 * sizeof(double));
        assert_true(corners[2] > corners[8]); /* N above S */
        double across = corners[3] * corners[10] - corners[4] * corners[9];
        assert_true(across > 0); /* E to the east of W */
    }
}

enum { STEP = 5 };

/* How many of the pixels around pixel i have this point on their outline. */
static int sharers(const pixel_set *set, const double *outlines, int64_t i, const double *point)
{
    int found = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        int64_t other = set->neighbours[DIRECTIONS * i + k];
        for (int j = 0; other >= 0 && j < 4 * STEP; j++)
            if (distance(outlines + 12 * STEP * other + 3 * j, point) < 1e-14) {
                found++;
                break;
            }
    }
    return found;
}

/* A point inside a side belongs to one other pixel, a corner to three (two where three meet). */
static void pixels_share_the_points_of_their_sides(void **state)
{
    (void)state;
    for (int s = 0; s < SMALL_COUNT; s++) {
        pixel_set set = all_pixels(SMALL[s], 0);
        double *outlines = checked_malloc(12 * STEP * set.count, sizeof(double));
        check_ok(armilla_healpix_boundaries(set.nside, 0, set.count, set.pixels, STEP, outlines));
        for (int64_t i = 0; i < set.count; i++)
            for (int j = 0; j < 4 * STEP; j++) {
                int found = sharers(&set, outlines, i, outlines + 12 * STEP * i + 3 * j);
                assert_true(j % STEP ? found == 1 : found == 2 || found == 3);
            }
        free(outlines);
        forget(&set);
    }
}

static void wrong_arguments_leave_outputs_alone(void **state)
{
    (void)state;
    const int64_t good[2] = {0, 11}, bad[2] = {0, 12};
    int64_t out[16] = {77};
    double vectors[24] = {77};
    check_error(armilla_healpix_neighbours(1, 0, 2, bad, out), ARMILLA_ERROR_ARGUMENT,
                "pixels[1] = 12: must be 0 to 11");
    check_error(armilla_healpix_neighbours(0, 0, 2, good, out), ARMILLA_ERROR_ARGUMENT,
                "nside = 0");
    check_error(armilla_healpix_neighbours(876706529, 0, 2, good, out), ARMILLA_ERROR_ARGUMENT,
                "nside = 876706529");
    check_error(armilla_healpix_neighbours(3, 1, 2, good, out), ARMILLA_ERROR_ARGUMENT,
                "nside = 3: must be a power of two");
    check_error(armilla_healpix_neighbours(1, 0, -1, good, out), ARMILLA_ERROR_ARGUMENT,
                "npixels = -1");
    check_error(armilla_healpix_neighbours(1, 0, 2, NULL, out), ARMILLA_ERROR_ARGUMENT, "pixels");
    check_error(armilla_healpix_neighbours(1, 0, 2, good, NULL), ARMILLA_ERROR_ARGUMENT,
                "neighbours");
    check_error(armilla_healpix_boundaries(1, 0, 2, bad, 1, vectors), ARMILLA_ERROR_ARGUMENT,
                "pixels[1] = 12");
    check_error(armilla_healpix_boundaries(1, 0, 2, good, 0, vectors), ARMILLA_ERROR_ARGUMENT,
                "step = 0");
    check_error(armilla_healpix_boundaries(1, 0, 2, good, ((int64_t)1 << 24) + 1, vectors),
                ARMILLA_ERROR_ARGUMENT, "step = 16777217");
    check_error(armilla_healpix_boundaries(1, 0, 2, good, 1, NULL), ARMILLA_ERROR_ARGUMENT,
                "vectors");
    assert_int_equal(out[0], 77);
    assert_true(vectors[0] == 77);
    check_ok(armilla_healpix_neighbours(1, 0, 0, NULL, NULL));
    check_ok(armilla_healpix_boundaries(1, 0, 0, NULL, 1, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_the_corners_of_their_direction),
        cmocka_unit_test(nobody_else_shares_a_corner),
        cmocka_unit_test(pixels_are_neighbours_of_their_neighbours),
        cmocka_unit_test(both_orders_name_the_same_pixels),
        cmocka_unit_test(both_layouts_hold_the_same),
        cmocka_unit_test(only_24_pixels_miss_a_neighbour),
        cmocka_unit_test(boundaries_enclose_their_pixels),
        cmocka_unit_test(areas_of_polygons_become_equal),
        cmocka_unit_test(points_lie_in_order_on_the_sides),
        cmocka_unit_test(pixels_share_the_points_of_their_sides),
        cmocka_unit_test(wrong_arguments_leave_outputs_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
