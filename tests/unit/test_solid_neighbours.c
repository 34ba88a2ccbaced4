/* Checks that a point of solid harmonics has the same bits alone as among others: points share
 * vectors, chunks and the ways near the poles, and none of that may show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

enum { POINTS = 61, COMPONENTS = 10 };

static double *coefficients(int64_t lmax, uint64_t *stream)
{
    const int64_t count = (lmax + 1) * (lmax + 2);
    double *alm = checked_malloc(count, sizeof(double));
    for (int64_t i = 0; i < count; i++) alm[i] = random_next(stream);
    return alm;
}

static void options_of(int interior, int64_t derivatives, armilla_solid_options *options)
{
    armilla_solid_options_init(options);
    options->kind = interior ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
    options->derivatives = derivatives;
    if (derivatives == 1) options->frame = ARMILLA_SOLID_LOCAL;
}

/* Points of every `step` alone, and all of them together. */
static void check_alone(int64_t lmax, const armilla_solid_options *options, const double *points,
                        const double *alm, int step)
{
    const int64_t derivatives = options->derivatives;
    const int64_t ncomp = derivatives == 2 ? 10 : derivatives ? 4 : 1;
    double values[COMPONENTS * POINTS], one[COMPONENTS];
    check_ok(armilla_solid_evaluate(lmax, lmax, POINTS, points, options, alm, values, NULL));
    for (int64_t i = 0; i < POINTS; i += step) {
        check_ok(armilla_solid_evaluate(lmax, lmax, 1, points + 3 * i, options, alm, one, NULL));
        for (int64_t c = 0; c < ncomp; c++)
            if (one[c] != values[c * POINTS + i])
                fail_msg("lmax %d, point %d, component %d: %.17g alone, %.17g among others",
                         (int)lmax, (int)i, (int)c, one[c], values[c * POINTS + i]);
    }
}

/* Poles, where orders end, and both sides of where the way near the poles ends. */
static void place(uint64_t *stream, double *points)
{
    for (int64_t i = 0; i < POINTS; i++) {
        points[3 * i] = i < 4 ? M_PI * (double)(i % 2) : acos(random_next(stream));
        points[3 * i + 1] = 7 * random_next(stream);
        points[3 * i + 2] = 1 + 0.05 * random_next(stream);
        if (i >= 4 && i < 36) points[3 * i] = 0.0217 * (double)i;
    }
}

static void a_point_does_not_depend_on_others(void **state)
{
    (void)state;
    enum { LMAX = 90 };
    double points[3 * POINTS];
    uint64_t stream = 41;
    double *alm = coefficients(LMAX, &stream);
    for (int interior = 0; interior < 2; interior++)
        for (int64_t derivatives = 0; derivatives < 3; derivatives++) {
            armilla_solid_options options;
            options_of(interior, derivatives, &options);
            place(&stream, points);
            if (interior) points[3 * 40 + 2] = 0, points[3 * 41 + 2] = 1e-90;
            check_alone(LMAX, &options, points, alm, 1);
        }
    free(alm);
}

/* Some lanes of a vector are scaled, which others are not, and so are vectors of a block. */
static void nor_on_those_that_underflow(void **state)
{
    (void)state;
    enum { LMAX = 1700 };
    double points[3 * POINTS];
    uint64_t stream = 43;
    double *alm = coefficients(LMAX, &stream);
    armilla_solid_options options;
    options_of(0, 1, &options);
    for (int64_t i = 0; i < POINTS; i++) {
        points[3 * i] = i % 2 ? 0.4117 : 0.4117 + 0.02 * (double)i;
        points[3 * i + 1] = (double)i, points[3 * i + 2] = 1;
    }
    check_alone(LMAX, &options, points, alm, 20);
    free(alm);
}

/* At the centre degree 1 alone has a gradient, which the angles of the point do not change. */
static void the_centre_has_one_gradient(void **state)
{
    (void)state;
    enum { LMAX = 5 };
    double points[3 * POINTS], values[4 * POINTS];
    uint64_t stream = 47;
    double *alm = coefficients(LMAX, &stream);
    armilla_solid_options options;
    options_of(1, 1, &options);
    options.frame = ARMILLA_SOLID_CARTESIAN, options.radius = 2;
    place(&stream, points);
    for (int64_t i = 0; i < POINTS; i++) points[3 * i + 2] = i % 2 ? 0 : 1e-120;
    check_ok(armilla_solid_evaluate(LMAX, LMAX, POINTS, points, &options, alm, values, NULL));
    const double *zonal = alm + 2, *first = alm + 2 * (LMAX + 1); /* a_10, a_11 */
    const double z = sqrt(3 / (4 * M_PI)) / 2, x = sqrt(3 / (2 * M_PI)) / 2;
    for (int64_t i = 0; i < POINTS; i++) {
        assert_float_equal(values[POINTS + i], -x * first[0], 1e-15);
        assert_float_equal(values[2 * POINTS + i], x * first[1], 1e-15);
        assert_float_equal(values[3 * POINTS + i], z * zonal[0], 1e-15);
    }
    free(alm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_does_not_depend_on_others),
        cmocka_unit_test(nor_on_those_that_underflow),
        cmocka_unit_test(the_centre_has_one_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
