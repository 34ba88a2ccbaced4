/* Checks HEALPix numbers and directions of many pixels. Judges are the rings of
 * armilla_grid_new_healpix (their own code), the definition of NESTED numbers bit by bit, the
 * functions of one pixel, which test_grid_healpix and test_healpix_neighbours hold to the
 * geometry; and inverses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 40000 }; /* more than a block */

static const int64_t NSIDES[] = {1,   2,       3,       4,       5,       7,         16,
                                 100, 1000003, 1 << 20, 1 << 25, 1 << 29, 536870911, 876706528};
enum { NSIDE_COUNT = sizeof NSIDES / sizeof *NSIDES };

static int64_t pixels[MANY], found[MANY], x[MANY], y[MANY], face[MANY], other[MANY];
static double theta[MANY], phi[MANY], vectors[3 * MANY];

static int is_power(int64_t nside)
{
    return (nside & (nside - 1)) == 0;
}

/* All pixels of small maps; else the first, the last, and some from everywhere. */
static int64_t draw_pixels(int64_t nside)
{
    int64_t npix = 12 * nside * nside, count = npix < MANY ? npix : MANY;
    uint64_t stream = (uint64_t)nside;
    for (int64_t i = 0; i < count; i++) {
        int64_t any = (int64_t)((random_next(&stream) + 1) / 2 * (double)(npix - 1));
        pixels[i] = npix < MANY || i < 500 ? i : i < 1000 ? npix - 1 - (i - 500) : any;
    }
    return count;
}

/* Directions with poles, edges of quadrants and longitudes of several turns among them. */
static void draw_directions(uint64_t seed)
{
    uint64_t stream = seed;
    for (int64_t i = 0; i < MANY; i++) {
        theta[i] = acos(random_next(&stream));
        phi[i] = 9 * random_next(&stream);
        if (i % 7 == 0) phi[i] = M_PI / 2 * (double)(i % 35 - 17);
        if (i % 50 == 0) theta[i] = i % 100 == 0 ? 0 : M_PI;
        if (i % 51 == 0) theta[i] = theta[i] * 1e-9;
    }
}

static void both_orders(void (*check)(int64_t nside, int nested))
{
    for (int k = 0; k < NSIDE_COUNT; k++)
        for (int nested = 0; nested <= is_power(NSIDES[k]); nested++) check(NSIDES[k], nested);
}

static void check_centres(int64_t nside)
{
    armilla_grid *grid;
    armilla_ring ring;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    int64_t count = draw_pixels(nside), row = 0;
    check_ok(armilla_healpix_pixels_to_ang(nside, 0, count, pixels, theta, phi, 0));
    check_ok(armilla_healpix_pixels_to_vec(nside, 0, count, pixels, 0, vectors, 0));
    for (int64_t i = 0; i < count; i++) {
        for (row = i == 0 || pixels[i] < pixels[i - 1] ? 0 : row;; row++) {
            check_ok(armilla_grid_ring(grid, row, &ring));
            if (pixels[i] < ring.offset + ring.nphi) break;
        }
        double at = ring.phi0 + 2 * M_PI / (double)ring.nphi * (double)(pixels[i] - ring.offset);
        check_at_most(fabs(theta[i] - ring.theta), 9e-16, "theta, nside %lld pixel %lld",
                      (long long)nside, (long long)pixels[i]);
        check_at_most(fabs(phi[i] - at), 3e-15, "phi, nside %lld pixel %lld", (long long)nside,
                      (long long)pixels[i]);
        double judge[3] = {sin(theta[i]) * cos(at), sin(theta[i]) * sin(at), cos(theta[i])};
        for (int c = 0; c < 3; c++)
            check_at_most(fabs(vectors[3 * i + c] - judge[c]), 3e-15, "coordinate %d", c);
    }
    armilla_grid_free(grid);
}

static void centres_are_those_of_the_grids_rings(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) check_centres(NSIDES[k]);
}

static void check_centres_lie_in_pixels(int64_t nside, int nested)
{
    int64_t count = draw_pixels(nside);
    check_ok(armilla_healpix_pixels_to_ang(nside, nested, count, pixels, theta, phi, 0));
    check_ok(armilla_healpix_ang_to_pixels(nside, nested, count, theta, phi, found, 0));
    assert_memory_equal(found, pixels, (size_t)count * sizeof *pixels);
    for (int planar = 0; planar <= 1; planar++)
        for (int power = -300; power <= 300; power += 300) {
            check_ok(
                armilla_healpix_pixels_to_vec(nside, nested, count, pixels, planar, vectors, 0));
            for (int64_t i = 0; i < 3 * count; i++) vectors[i] *= 0.9 * pow(10, power);
            memset(found, 0, sizeof found);
            check_ok(
                armilla_healpix_vec_to_pixels(nside, nested, count, vectors, planar, found, 0));
            assert_memory_equal(found, pixels, (size_t)count * sizeof *pixels);
        }
}

static void centres_lie_in_their_pixels(void **state)
{
    (void)state;
    both_orders(check_centres_lie_in_pixels);
}

static void check_directions(int64_t nside, int nested)
{
    draw_directions((uint64_t)nside + 1);
    check_ok(armilla_healpix_ang_to_pixels(nside, nested, MANY, theta, phi, found, 0));
    for (int64_t i = 0; i < MANY; i++) {
        int64_t one = armilla_healpix_ang_to_ring(nside, theta[i], phi[i]);
        if (nested) one = armilla_healpix_ring_to_nest(nside, one);
        if (found[i] != one)
            fail_msg("nside %lld nested %d theta %.17g phi %.17g: %lld, one by one %lld",
                     (long long)nside, nested, theta[i], phi[i], (long long)found[i],
                     (long long)one);
    }
}

static void many_directions_are_found_as_one_is(void **state)
{
    (void)state;
    both_orders(check_directions);
}

/* A pixel and the pixel of half nside that holds the same direction are parent and child. */
static void coarser_nested_pixels_hold_the_finer_ones(void **state)
{
    (void)state;
    draw_directions(5);
    for (int64_t nside = (int64_t)1 << 29; nside > 1; nside /= 2) {
        check_ok(armilla_healpix_ang_to_pixels(nside, 1, MANY, theta, phi, found, 0));
        check_ok(armilla_healpix_ang_to_pixels(nside / 2, 1, MANY, theta, phi, other, 0));
        int64_t apart = 0;
        for (int64_t i = 0; i < MANY; i++) apart += found[i] / 4 != other[i];
        /* A point on a line, to rounding, may fall to either side: poles and quadrants do not. */
        assert_true(apart <= 3);
    }
}

static void longitudes_far_away_are_taken_modulo_a_turn(void **state)
{
    (void)state;
    draw_directions(6);
    for (int64_t i = 0; i < MANY; i++) phi[i] *= pow(10, (double)(i % 14));
    check_ok(armilla_healpix_ang_to_pixels(1 << 12, 0, MANY, theta, phi, found, 0));
    for (int64_t i = 0; i < MANY; i++)
        if (fabs(phi[i]) > 1000) phi[i] = fmod(phi[i], 2 * M_PI);
    check_ok(armilla_healpix_ang_to_pixels(1 << 12, 0, MANY, theta, phi, other, 0));
    assert_memory_equal(found, other, sizeof found);
    double far = 1e14;
    theta[0] = 1;
    check_ok(armilla_healpix_ang_to_pixels(1 << 12, 0, 1, theta, &far, found, 0));
    assert_int_equal(found[0], armilla_healpix_ang_to_ring(1 << 12, 1, fmod(1e14, 2 * M_PI)));
}

static int64_t nested_by_bits(int64_t nside, int64_t i)
{
    int64_t number = face[i] * nside * nside;
    for (int bit = 0; bit < 29; bit++)
        number += (x[i] >> bit & 1) << (2 * bit) | (y[i] >> bit & 1) << (2 * bit + 1);
    return number;
}

static void check_numbers(int64_t nside, int nested)
{
    int64_t count = draw_pixels(nside);
    check_ok(armilla_healpix_pixels_to_faces(nside, nested, count, pixels, x, y, face, 0));
    check_ok(armilla_healpix_faces_to_pixels(nside, nested, count, x, y, face, found, 0));
    assert_memory_equal(found, pixels, (size_t)count * sizeof *pixels);
    if (!is_power(nside)) return;
    for (int64_t i = 0; i < count; i++) {
        assert_true(x[i] >= 0 && x[i] < nside && y[i] >= 0 && y[i] < nside);
        int64_t number = nested ? pixels[i] : armilla_healpix_ring_to_nest(nside, pixels[i]);
        assert_int_equal(nested_by_bits(nside, i), number);
    }
    check_ok(armilla_healpix_renumber(nside, !nested, count, pixels, found, 0));
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(found[i], nested ? armilla_healpix_nest_to_ring(nside, pixels[i])
                                          : armilla_healpix_ring_to_nest(nside, pixels[i]));
    check_ok(armilla_healpix_renumber(nside, nested, count, found, found, 0)); /* in place */
    assert_memory_equal(found, pixels, (size_t)count * sizeof *pixels);
}

static void numbers_follow_the_definition(void **state)
{
    (void)state;
    both_orders(check_numbers);
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    draw_directions(9);
    for (int threads = 1; threads <= 3; threads++) {
        int64_t *made = threads == 1 ? other : found;
        check_ok(armilla_healpix_ang_to_pixels(1 << 10, 1, MANY, theta, phi, made, threads));
        assert_memory_equal(made, other, sizeof other);
        check_ok(armilla_healpix_renumber(1 << 10, 0, MANY, made, made, threads));
        if (threads == 1) memcpy(pixels, made, sizeof pixels);
        assert_memory_equal(made, pixels, sizeof pixels);
        check_ok(armilla_healpix_ang_to_pixels(1 << 10, 1, MANY, theta, phi, other, 1));
    }
}

static void the_first_wrong_item_is_named(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        draw_directions(3);
        for (int64_t i = 0; i < MANY; i++) pixels[i] = i % 12;
        pixels[39000] = 12;
        pixels[20001] = -1;
        pixels[20002] = 77;
        found[0] = 5;
        check_error(armilla_healpix_renumber(1, 1, MANY, pixels, found, threads),
                    ARMILLA_ERROR_ARGUMENT, "pixels[20001] = -1: must be 0 to 11");
        theta[30000] = -1e-9;
        phi[17000] = INFINITY;
        check_error(armilla_healpix_ang_to_pixels(1, 0, MANY, theta, phi, found, threads),
                    ARMILLA_ERROR_ARGUMENT, "phi[17000] = inf: must be finite");
        phi[17000] = 0;
        check_error(armilla_healpix_ang_to_pixels(1, 0, MANY, theta, phi, found, threads),
                    ARMILLA_ERROR_ARGUMENT, "theta[30000] = -1.00000");
        for (int64_t i = 0; i < 3 * MANY; i++) vectors[i] = 1;
        vectors[3 * 35000] = NAN;
        check_error(armilla_healpix_vec_to_pixels(1, 0, MANY, vectors, 0, found, threads),
                    ARMILLA_ERROR_ARGUMENT, "vectors[35000]");
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        memset(face, 0, sizeof face);
        face[25000] = 12;
        check_error(armilla_healpix_faces_to_pixels(1, 0, MANY, x, y, face, found, threads),
                    ARMILLA_ERROR_ARGUMENT, "x, y, face [25000] = 0, 0, 12");
        assert_int_equal(found[0], 5);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    theta[0] = phi[0] = 1;
    pixels[0] = 0;
    vectors[0] = vectors[1] = vectors[2] = 0;
    check_error(armilla_healpix_ang_to_pixels(0, 0, 1, theta, phi, found, 0),
                ARMILLA_ERROR_ARGUMENT, "nside = 0");
    check_error(armilla_healpix_ang_to_pixels(3, 1, 1, theta, phi, found, 0),
                ARMILLA_ERROR_ARGUMENT, "nside = 3: must be a power of two");
    check_error(armilla_healpix_ang_to_pixels(876706529, 0, 1, theta, phi, found, 0),
                ARMILLA_ERROR_ARGUMENT, "nside");
    check_error(armilla_healpix_renumber(3, 0, 1, pixels, found, 0), ARMILLA_ERROR_ARGUMENT,
                "nside = 3");
    check_error(armilla_healpix_ang_to_pixels(1, 0, -1, theta, phi, found, 0),
                ARMILLA_ERROR_ARGUMENT, "npixels = -1");
    check_error(armilla_healpix_ang_to_pixels(1, 0, 1, NULL, phi, found, 0), ARMILLA_ERROR_ARGUMENT,
                "theta = NULL");
    check_error(armilla_healpix_pixels_to_ang(1, 0, 1, pixels, theta, NULL, 0),
                ARMILLA_ERROR_ARGUMENT, "phi = NULL");
    check_error(armilla_healpix_pixels_to_vec(1, 0, 1, pixels, 0, NULL, 0), ARMILLA_ERROR_ARGUMENT,
                "vectors = NULL");
    check_error(armilla_healpix_vec_to_pixels(1, 0, 1, vectors, 0, found, 0),
                ARMILLA_ERROR_ARGUMENT, "vectors[0]");
    check_error(armilla_healpix_ang_to_pixels(1, 0, 1, theta, phi, found, -1),
                ARMILLA_ERROR_ARGUMENT, "nthreads = -1");
    check_ok(armilla_healpix_ang_to_pixels(1, 0, 0, NULL, NULL, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centres_are_those_of_the_grids_rings),
        cmocka_unit_test(centres_lie_in_their_pixels),
        cmocka_unit_test(many_directions_are_found_as_one_is),
        cmocka_unit_test(coarser_nested_pixels_hold_the_finer_ones),
        cmocka_unit_test(longitudes_far_away_are_taken_modulo_a_turn),
        cmocka_unit_test(numbers_follow_the_definition),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(the_first_wrong_item_is_named),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
