/* Checks discs whose pixels go to memory of the caller. The judge is the same discs as sets of
 * runs, which test_healpix_query holds to the distances of all pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "oracle/checks.h"
#include <math.h>
#include <string.h>

enum { ROOM = 3072 };

static const double centre[3] = {0.3, -0.4, 0.7};

static armilla_status ask(int64_t nside, int nested, double radius, int64_t fact, int64_t capacity,
                          int64_t *npixels, int64_t *pixels)
{
    return armilla_healpix_query_disc_pixels(nside, nested, centre, radius, fact, capacity, npixels,
                                             pixels);
}

static void pixels_are_those_of_the_set(void **state)
{
    (void)state;
    static int64_t pixels[ROOM + 1], judge[ROOM + 1];
    for (int trial = 0; trial < 160; trial++) {
        int64_t nside = INT64_C(1) << (trial % 5), fact = trial / 5 % 3, npixels = -1;
        int nested = trial / 15 % 2;
        double radius = -0.1 + 0.3 * (trial / 30);
        if (trial >= 150) radius = 4;
        armilla_healpix_ranges *ranges = NULL;
        check_ok(armilla_healpix_query_disc(nside, nested, centre, radius, fact, &ranges));
        int64_t right = armilla_healpix_ranges_npixels(ranges);
        check_ok(armilla_healpix_ranges_pixels(ranges, judge));
        armilla_healpix_ranges_free(ranges);
        memset(pixels, 0xff, sizeof pixels);
        check_ok(ask(nside, nested, radius, fact, right, &npixels, pixels));
        assert_int_equal(npixels, right);
        assert_memory_equal(pixels, judge, (size_t)right * sizeof *pixels);
        assert_int_equal(pixels[right], -1);
    }
}

static void too_many_pixels_are_only_counted(void **state)
{
    (void)state;
    int64_t pixels[20], npixels = -1;
    memset(pixels, 0xff, sizeof pixels);
    check_ok(ask(16, 0, 1, 0, 20, &npixels, pixels));
    assert_true(npixels > 600 && npixels < 800); /* 3072 (1 - cos 1) / 2 = 706 */
    for (int i = 0; i < 20; i++) assert_int_equal(pixels[i], -1);
    npixels = -1;
    check_ok(ask(16, 0, 1, 0, 0, &npixels, NULL));
    assert_true(npixels > 600 && npixels < 800);
}

static void failing_allocations_leave_the_output_untouched(void **state)
{
    (void)state;
    static int64_t pixels[1 << 16]; /* in more runs than a set has room for at first */
    for (int nested = 0; nested <= 1; nested++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int64_t tries = 0, npixels = -1;
        for (; status; tries++) {
            pixels[0] = -1;
            armilla_memory_fail_after(tries);
            status = ask(128, nested, 1, 0, 1 << 16, &npixels, pixels);
            armilla_memory_fail_after(-1);
            assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
            assert_int_equal(npixels >= 0 && pixels[0] >= 0, status == ARMILLA_OK);
        }
        assert_true(tries > 1);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    int64_t npixels = -1, pixels[16];
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(ask(0, 0, 1, 0, 16, &npixels, pixels), wrong, "nside = 0");
    check_error(ask(4, 0, NAN, 0, 16, &npixels, pixels), wrong, "radius");
    check_error(ask(4, 0, 1, -1, 16, &npixels, pixels), wrong, "fact = -1");
    check_error(ask(4, 0, 1, 0, -1, &npixels, pixels), wrong, "capacity = -1");
    check_error(ask(4, 0, 1, 0, 16, NULL, pixels), wrong, "npixels");
    check_error(ask(4, 0, 1, 0, 16, &npixels, NULL), wrong, "pixels");
    check_error(armilla_healpix_query_disc_pixels(4, 0, NULL, 1, 0, 16, &npixels, pixels), wrong,
                "centre");
    assert_int_equal(npixels, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_of_the_set),
        cmocka_unit_test(too_many_pixels_are_only_counted),
        cmocka_unit_test(failing_allocations_leave_the_output_untouched),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
