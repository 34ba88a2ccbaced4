/* Checks which HEALPix pixels lie in discs, polygons and strips. The judge is every pixel of small
 * maps by its distance, from vectors in long double; pixels at the edge to 1e-13 may go either
 * way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUT, EDGE, IN };

typedef struct map_sky {
    int64_t nside, npix;
    int nested;
    double *vectors;
    unsigned char *found;
} map_sky;

static map_sky sky_of(int64_t nside, int nested)
{
    map_sky made = {.nside = nside, .npix = 12 * nside * nside, .nested = nested};
    int64_t *pixels = checked_malloc(made.npix, sizeof(int64_t));
    made.vectors = checked_malloc(3 * made.npix, sizeof(double));
    made.found = checked_malloc(made.npix, 1);
    for (int64_t i = 0; i < made.npix; i++) pixels[i] = i;
    check_ok(armilla_healpix_pixels_to_vec(nside, nested, made.npix, pixels, 0, made.vectors, 0));
    free(pixels);
    return made;
}

static void forget(map_sky *sky)
{
    free(sky->vectors);
    free(sky->found);
}

/* Marks the pixels of a set and frees it. Runs rise, are not empty and do not touch. */
static void take(map_sky *sky, armilla_healpix_ranges *ranges)
{
    int64_t count = armilla_healpix_ranges_count(ranges), before = -1, sum = 0;
    int64_t npixels = armilla_healpix_ranges_npixels(ranges);
    int64_t *runs = checked_malloc(2 * count + 1, sizeof(int64_t));
    int64_t *pixels = checked_malloc(npixels + 1, sizeof(int64_t));
    check_ok(armilla_healpix_ranges_get(ranges, runs));
    check_ok(armilla_healpix_ranges_pixels(ranges, pixels));
    memset(sky->found, 0, (size_t)sky->npix);
    for (int64_t i = 0; i < count; i++) {
        assert_true(runs[2 * i] > before && runs[2 * i + 1] > runs[2 * i]);
        before = runs[2 * i + 1];
        for (int64_t pixel = runs[2 * i]; pixel < before; pixel++, sum++) {
            assert_int_equal(pixels[sum], pixel);
            sky->found[pixel] = 1;
        }
    }
    assert_true(before <= sky->npix && sum == npixels);
    free(runs);
    free(pixels);
    armilla_healpix_ranges_free(ranges);
}

static long double angle(const double *a, const double *b)
{
    long double cross[3], sum = 0, dot = 0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cross[k] = (long double)a[i] * b[j] - (long double)a[j] * b[i];
        sum += cross[k] * cross[k];
        dot += (long double)a[k] * b[k];
    }
    return atan2l(sqrtl(sum), dot);
}

static int side_of(long double distance, long double radius)
{
    return fabsl(distance - radius) < 1e-13L ? EDGE : distance < radius ? IN : OUT;
}

static void draw_vector(uint64_t *stream, double *vector)
{
    double kind = random_next(stream), length = 0;
    for (int k = 0; k < 3; k++) {
        vector[k] = random_next(stream);
        if (kind > 0.8) vector[k] = k == 2 ? 1 : 0;
        if (kind < -0.8) vector[k] = k == 2 ? -2 : 0;
        length += fabs(vector[k]);
    }
    if (length < 0.1) vector[0] = 1;
}

static double draw_radius(uint64_t *stream)
{
    double kind = random_next(stream), part = (random_next(stream) + 1) / 2;
    return kind < 0 ? M_PI * part : kind < 0.6 ? 0.3 * part : pow(10, -8 * part);
}

static void draw_sizes(uint64_t *stream, int64_t *nside, int *nested)
{
    static const int64_t nsides[] = {1, 2, 3, 4, 5, 8, 12, 16, 31, 32};
    *nside = nsides[(int)((random_next(stream) + 1) * 4.9999)];
    *nested = random_next(stream) > 0 && (*nside & (*nside - 1)) == 0;
}

static void discs_hold_the_centres_within_their_radius(void **state)
{
    (void)state;
    uint64_t stream = 1;
    for (int trial = 0; trial < 700; trial++) {
        int64_t nside;
        int nested;
        double centre[3], radius = draw_radius(&stream);
        draw_sizes(&stream, &nside, &nested);
        draw_vector(&stream, centre);
        map_sky sky = sky_of(nside, nested);
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_disc(nside, nested, centre, radius, 0, &ranges));
        take(&sky, ranges);
        for (int64_t i = 0; i < sky.npix; i++) {
            int side = side_of(angle(centre, sky.vectors + 3 * i), radius);
            if (side != EDGE && sky.found[i] != (side == IN))
                fail_msg("trial %d: nside %lld nested %d radius %.17g pixel %lld: found %d", trial,
                         (long long)nside, nested, radius, (long long)i, sky.found[i]);
        }
        forget(&sky);
    }
}

/* Largest distance of a centre from the corners, over all pixels. */
static long double pixel_radius(const map_sky *sky)
{
    long double most = 0;
    for (int64_t i = 0; i < sky->npix; i++) {
        double corners[12];
        check_ok(armilla_healpix_boundaries(sky->nside, sky->nested, 1, &i, 1, corners));
        for (int k = 0; k < 4; k++)
            most = fmaxl(most, angle(corners + 3 * k, sky->vectors + 3 * i));
    }
    return most;
}

/* A pixel of an inclusive disc has a part that comes close enough. */
static void check_parts(const map_sky *sky, const map_sky *fine, const double *centre,
                        double radius, int64_t fact)
{
    long double reach = radius + pixel_radius(fine);
    for (int64_t i = 0; i < sky->npix; i++) {
        int side = OUT;
        for (int64_t k = 0; k < fact * fact; k++) {
            int here = side_of(angle(centre, fine->vectors + 3 * (i * fact * fact + k)), reach);
            if (here > side) side = here;
        }
        if (sky->found[i]) assert_true(side != OUT);
    }
}

static void nested_discs_hold_only_pixels_with_a_part_that_is_close(void **state)
{
    (void)state;
    uint64_t stream = 2;
    for (int trial = 0; trial < 300; trial++) {
        int64_t nside = (int64_t)1 << trial % 5, fact = (int64_t)1 << trial / 5 % 4;
        double centre[3], radius = draw_radius(&stream);
        draw_vector(&stream, centre);
        map_sky sky = sky_of(nside, 1), fine = sky_of(nside * fact, 1);
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_disc(nside, 1, centre, radius, fact, &ranges));
        take(&sky, ranges);
        check_parts(&sky, &fine, centre, radius, fact);
        forget(&sky);
        forget(&fine);
    }
}

/* Every pixel that has a point in the disc: points are drawn in it, most at its edge. */
static void check_points_of_disc(const map_sky *sky, const double *centre, double radius,
                                 uint64_t *stream)
{
    double axis[3], side[3], length = 0, across = 0;
    for (int k = 0; k < 3; k++) length += centre[k] * centre[k];
    for (int k = 0; k < 3; k++) axis[k] = centre[k] / sqrt(length);
    int least = fabs(axis[0]) < 0.6 ? 0 : 1;
    for (int k = 0; k < 3; k++) {
        side[k] = (k == least) - axis[k] * axis[least];
        across += side[k] * side[k];
    }
    for (int k = 0; k < 3; k++) side[k] /= sqrt(across);
    double third[3] = {axis[1] * side[2] - axis[2] * side[1], axis[2] * side[0] - axis[0] * side[2],
                       axis[0] * side[1] - axis[1] * side[0]};
    for (int trial = 0; trial < 500; trial++) {
        double turn = M_PI * random_next(stream), out = (random_next(stream) + 1) / 2, point[3];
        double away = radius * (trial % 2 ? sqrt(out) : 1 - 1e-9 * out);
        int64_t pixel;
        for (int k = 0; k < 3; k++)
            point[k] =
                cos(away) * axis[k] + sin(away) * (cos(turn) * side[k] + sin(turn) * third[k]);
        check_ok(armilla_healpix_vec_to_pixels(sky->nside, sky->nested, 1, point, 0, &pixel, 1));
        assert_true(sky->found[pixel]);
    }
}

static void inclusive_discs_hold_all_that_overlap_and_little_more(void **state)
{
    (void)state;
    uint64_t stream = 3;
    for (int trial = 0; trial < 400; trial++) {
        int64_t nside, fact = trial % 8 + 1;
        int nested;
        double centre[3], radius = fmin(3.1, draw_radius(&stream));
        draw_sizes(&stream, &nside, &nested);
        draw_vector(&stream, centre);
        if (nested) fact = (int64_t)1 << trial % 4;
        map_sky sky = sky_of(nside, nested);
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_disc(nside, nested, centre, radius, fact, &ranges));
        take(&sky, ranges);
        check_points_of_disc(&sky, centre, radius, &stream);
        long double reach = radius + pixel_radius(&sky) * (1 + 2.0L / fact) + 1e-12L;
        for (int64_t i = 0; i < sky.npix; i++)
            if (sky.found[i]) assert_true(angle(centre, sky.vectors + 3 * i) <= reach);
        forget(&sky);
    }
}

/* A disc of 3 pixels' radius on a map of 10^16: the pixels are neighbours of each other. */
static void small_discs_at_large_nside_cost_little(void **state)
{
    (void)state;
    uint64_t stream = 4;
    for (int64_t nside = (int64_t)1 << 20; nside <= (int64_t)1 << 29; nside *= 2)
        for (int trial = 0; trial < 40; trial++) {
            double centre[3], size = 1.0233 / (double)nside; /* side of a pixel */
            armilla_healpix_ranges *ranges[4] = {NULL};
            draw_vector(&stream, centre);
            armilla_memory_fail_after(-1);
            for (int k = 0; k < 4; k++) /* RING and NESTED; those that overlap as well */
                check_ok(
                    armilla_healpix_query_disc(nside, k & 1, centre, 3 * size, k / 2, &ranges[k]));
            assert_true(armilla_memory_fail_after(-1) < 20);
            int64_t npixels = armilla_healpix_ranges_npixels(ranges[0]);
            assert_true(npixels > 15 && npixels < 45); /* 9 pi = 28 */
            assert_int_equal(armilla_healpix_ranges_npixels(ranges[1]), npixels);
            for (int k = 2; k < 4; k++)
                assert_true(armilla_healpix_ranges_npixels(ranges[k]) > npixels &&
                            armilla_healpix_ranges_npixels(ranges[k]) < 100);
            for (int k = 0; k < 4; k++) armilla_healpix_ranges_free(ranges[k]);
        }
}

static void whole_spheres_and_nothing(void **state)
{
    (void)state;
    const double centre[3] = {1, 2, 3};
    for (int nested = 0; nested <= 1; nested++)
        for (int64_t fact = 0; fact <= 1; fact++) {
            armilla_healpix_ranges *all = NULL, *none = NULL;
            check_ok(armilla_healpix_query_disc(1 << 29, nested, centre, M_PI, fact, &all));
            check_ok(armilla_healpix_query_disc(1 << 29, nested, centre, -1e-9, fact, &none));
            assert_int_equal(armilla_healpix_ranges_count(all), 1);
            assert_int_equal(armilla_healpix_ranges_npixels(all), armilla_healpix_npix(1 << 29));
            assert_int_equal(armilla_healpix_ranges_count(none), 0);
            armilla_healpix_ranges_free(all);
            armilla_healpix_ranges_free(none);
        }
}

/* --- Polygons ----------------------------------------------------------------------------------
 */

enum { MOST_CORNERS = 6 };

/* Corners on a circle, in order. Returned: how many. */
static int64_t draw_polygon(uint64_t *stream, double (*corners)[3], double *centre)
{
    int64_t n = 3 + (int64_t)((random_next(stream) + 1) * 1.9999);
    double radius = 0.02 + 0.7 * (random_next(stream) + 1), phase = random_next(stream);
    double theta = acos(random_next(stream)), phi = 4 * random_next(stream);
    centre[0] = sin(theta) * cos(phi);
    centre[1] = sin(theta) * sin(phi);
    centre[2] = cos(theta);
    double side[3] = {cos(theta) * cos(phi), cos(theta) * sin(phi), -sin(theta)};
    double third[3] = {-sin(phi), cos(phi), 0};
    int backwards = random_next(stream) > 0;
    for (int64_t i = 0; i < n; i++) {
        double turn = phase + 2 * M_PI / (double)n * ((double)i + 0.2 * random_next(stream));
        for (int k = 0; k < 3; k++)
            corners[backwards ? n - 1 - i : i][k] =
                2 * (cos(radius) * centre[k] +
                     sin(radius) * (cos(turn) * side[k] + sin(turn) * third[k]));
    }
    return n;
}

static int side_of_polygon(int64_t n, const double (*corners)[3], const double *centre,
                           const double *point)
{
    int side = IN;
    for (int64_t i = 0; i < n; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % n];
        double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
        double length = 0, inner = 0, here = 0;
        for (int k = 0; k < 3; k++) {
            length += normal[k] * normal[k];
            inner += normal[k] * centre[k];
            here += normal[k] * point[k];
        }
        here *= (inner > 0 ? 1 : -1) / sqrt(length);
        int of_it = fabs(here) < 1e-12 ? EDGE : here > 0 ? IN : OUT;
        if (of_it < side) side = of_it;
    }
    return side;
}

static void check_points_of_polygon(const map_sky *sky, int64_t n, const double (*corners)[3],
                                    uint64_t *stream)
{
    for (int trial = 0; trial < 400; trial++) {
        double point[3] = {0, 0, 0};
        int64_t pixel;
        for (int64_t i = 0; i < n; i++) {
            double weight = pow((random_next(stream) + 1) / 2, trial % 2 ? 6 : 1) + 1e-12;
            for (int k = 0; k < 3; k++) point[k] += weight * corners[i][k];
        }
        check_ok(armilla_healpix_vec_to_pixels(sky->nside, sky->nested, 1, point, 0, &pixel, 1));
        assert_true(sky->found[pixel]);
    }
}

static void polygons_hold_the_centres_inside(void **state)
{
    (void)state;
    uint64_t stream = 5;
    for (int trial = 0; trial < 400; trial++) {
        int64_t nside;
        int nested;
        double corners[MOST_CORNERS][3], centre[3];
        int64_t n = draw_polygon(&stream, corners, centre);
        draw_sizes(&stream, &nside, &nested);
        map_sky sky = sky_of(nside, nested);
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_polygon(nside, nested, n, corners[0], 0, &ranges));
        take(&sky, ranges);
        for (int64_t i = 0; i < sky.npix; i++) {
            int side = side_of_polygon(n, (const double(*)[3])corners, centre, sky.vectors + 3 * i);
            if (side != EDGE) assert_int_equal(sky.found[i], side == IN);
        }
        check_ok(
            armilla_healpix_query_polygon(nside, nested, n, corners[0], 1 << trial % 3, &ranges));
        take(&sky, ranges);
        check_points_of_polygon(&sky, n, (const double(*)[3])corners, &stream);
        forget(&sky);
    }
}

/* --- Strips ------------------------------------------------------------------------------------
 */

static int in_strip(double theta, double theta1, double theta2)
{
    return theta1 <= theta2 ? theta >= theta1 && theta <= theta2
                            : theta >= theta1 || theta <= theta2;
}

static void strips_hold_their_rings(void **state)
{
    (void)state;
    uint64_t stream = 6;
    for (int trial = 0; trial < 400; trial++) {
        int64_t nside;
        int nested;
        armilla_healpix_ranges *ranges = NULL;
        draw_sizes(&stream, &nside, &nested);
        map_sky sky = sky_of(nside, nested);
        double theta1 = 1.6 + 1.8 * random_next(&stream), theta2 = 1.6 + 1.8 * random_next(&stream);
        if (trial % 3 == 0) { /* exactly on a ring, by its centre */
            double phi;
            int64_t pixel = (int64_t)((random_next(&stream) + 1) / 2 * (double)(sky.npix - 1));
            check_ok(armilla_healpix_pixels_to_ang(nside, nested, 1, &pixel, &theta1, &phi, 1));
        }
        check_ok(armilla_healpix_query_strip(nside, nested, theta1, theta2, 0, &ranges));
        take(&sky, ranges);
        for (int64_t i = 0; i < sky.npix; i++) {
            double theta, phi;
            check_ok(armilla_healpix_pixels_to_ang(nside, nested, 1, &i, &theta, &phi, 1));
            assert_int_equal(sky.found[i], in_strip(theta, theta1, theta2));
        }
        forget(&sky);
    }
}

/* Two rings of nside 4 by theta, and one more on each side. */
static void inclusive_strips_hold_one_more_ring(void **state)
{
    (void)state;
    for (int nested = 0; nested <= 1; nested++) {
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_strip(4, nested, 1.0, 1.25, 0, &ranges)); /* rings 5, 6 */
        assert_int_equal(armilla_healpix_ranges_npixels(ranges), 32);
        armilla_healpix_ranges_free(ranges);
        check_ok(armilla_healpix_query_strip(4, nested, 1.0, 1.25, 1, &ranges));
        assert_int_equal(armilla_healpix_ranges_npixels(ranges), 64);
        armilla_healpix_ranges_free(ranges);
        check_ok(armilla_healpix_query_strip(4, nested, 3, 0.1, 1, &ranges)); /* first and last */
        assert_int_equal(armilla_healpix_ranges_npixels(ranges), 8);
        armilla_healpix_ranges_free(ranges);
        check_ok(armilla_healpix_query_strip(4, nested, 1.2, 1.19, 1, &ranges)); /* all, once */
        assert_int_equal(armilla_healpix_ranges_npixels(ranges), 192);
        armilla_healpix_ranges_free(ranges);
    }
}

/* --- Failures ----------------------------------------------------------------------------------
 */

static armilla_status query(int which, int nested, armilla_healpix_ranges **ranges)
{
    const double corners[9] = {1, 0, 0.1, 0, 1, 0.1, 0.5, 0.5, 1};
    if (which == 0) return armilla_healpix_query_disc(32, nested, corners, 1, 2, ranges);
    if (which == 1) return armilla_healpix_query_polygon(32, nested, 3, corners, 2, ranges);
    return armilla_healpix_query_strip(32, nested, 1, 1.5, 0, ranges);
}

static void failing_allocations_leave_the_output_untouched(void **state)
{
    (void)state;
    for (int which = 0; which < 6; which++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int64_t tries = 0, npixels;
        armilla_healpix_ranges *judge = NULL;
        check_ok(query(which / 2, which % 2, &judge));
        npixels = armilla_healpix_ranges_npixels(judge);
        armilla_healpix_ranges_free(judge);
        for (; status; tries++) {
            armilla_healpix_ranges *ranges = NULL;
            armilla_memory_fail_after(tries);
            status = query(which / 2, which % 2, &ranges);
            armilla_memory_fail_after(-1);
            assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
            assert_int_equal(ranges != NULL, status == ARMILLA_OK);
            if (ranges) assert_int_equal(armilla_healpix_ranges_npixels(ranges), npixels);
            armilla_healpix_ranges_free(ranges);
        }
        assert_true(tries > 1);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    armilla_healpix_ranges *ranges = NULL;
    const double v[9] = {1, 0, 0.1, 0, 1, 0.1, 0.5, 0.5, 1}, zero[3] = {0, 0, 0};
    const double same[9] = {1, 0, 0, 0, 1, 0, 1, 0, 0};
    const double dented[12] = {1, 0, 0, 0, 1, 0, 0.1, 0.1, 1, 1, 1, 0.5};
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_healpix_query_disc(0, 0, v, 1, 0, &ranges), wrong, "nside = 0");
    check_error(armilla_healpix_query_disc(3, 1, v, 1, 0, &ranges), wrong, "nside = 3");
    check_error(armilla_healpix_query_disc(4, 0, NULL, 1, 0, &ranges), wrong, "centre");
    check_error(armilla_healpix_query_disc(4, 0, zero, 1, 0, &ranges), wrong, "centre = 0, 0, 0");
    check_error(armilla_healpix_query_disc(4, 0, v, NAN, 0, &ranges), wrong, "radius");
    check_error(armilla_healpix_query_disc(4, 0, v, 1, -1, &ranges), wrong, "fact = -1");
    check_error(armilla_healpix_query_disc(4, 1, v, 1, 3, &ranges), wrong, "fact = 3");
    check_error(armilla_healpix_query_disc(1 << 29, 1, v, 1, 2, &ranges), wrong, "fact = 2");
    check_error(armilla_healpix_query_disc(4, 0, v, 1, 0, NULL), wrong, "ranges");
    check_error(armilla_healpix_query_polygon(4, 0, 2, v, 0, &ranges), wrong, "nvertices = 2");
    check_error(armilla_healpix_query_polygon(4, 0, 3, NULL, 0, &ranges), wrong, "vertices");
    check_error(armilla_healpix_query_polygon(4, 0, 3, same, 0, &ranges), wrong, "vertices[");
    check_error(armilla_healpix_query_polygon(4, 0, 4, dented, 0, &ranges), wrong, "convex");
    check_error(armilla_healpix_query_strip(4, 0, NAN, 1, 0, &ranges), wrong, "theta1");
    check_error(armilla_healpix_query_strip(4, 0, 0, 1, 0, NULL), wrong, "ranges");
    check_error(armilla_healpix_ranges_get(NULL, NULL), wrong, "ranges");
    check_error(armilla_healpix_ranges_pixels(NULL, NULL), wrong, "ranges");
    assert_null(ranges);
    assert_int_equal(armilla_healpix_ranges_count(NULL), -1);
    assert_int_equal(armilla_healpix_ranges_npixels(NULL), -1);
    armilla_healpix_ranges_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_hold_the_centres_within_their_radius),
        cmocka_unit_test(nested_discs_hold_only_pixels_with_a_part_that_is_close),
        cmocka_unit_test(inclusive_discs_hold_all_that_overlap_and_little_more),
        cmocka_unit_test(small_discs_at_large_nside_cost_little),
        cmocka_unit_test(whole_spheres_and_nothing),
        cmocka_unit_test(polygons_hold_the_centres_inside),
        cmocka_unit_test(strips_hold_their_rings),
        cmocka_unit_test(inclusive_strips_hold_one_more_ring),
        cmocka_unit_test(failing_allocations_leave_the_output_untouched),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
