/* Checks missing values in maps: they are refused with number and first index where the call asks
 * for that, on every layout, and are numbers like all others where it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NSIDE = 8, NPIX = 768, LMAX = 9, SIZE = 55 };

static armilla_exec refusing(int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    assert_int_equal(exec.missing, ARMILLA_MISSING_PROPAGATE);
    exec.missing = ARMILLA_MISSING_ERROR, exec.ntrans = ntrans;
    return exec;
}

static void check_named(armilla_status status, const char *words)
{
    assert_int_equal(status, ARMILLA_ERROR_ARGUMENT);
    if (!strstr(armilla_status_message(), words))
        fail_msg("\"%s\" does not say \"%s\"", armilla_status_message(), words);
}

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_radial *radial;
    double *map, *alm, *out; /* six components */
    float *floats;
} scene;

static void open_scene(scene *s)
{
    armilla_kernel *kernel;
    check_ok(armilla_grid_new_healpix(NSIDE, &s->grid));
    check_ok(armilla_sht_new(s->grid, LMAX, LMAX, NULL, &s->sht));
    check_ok(armilla_iqu_new(s->grid, LMAX, LMAX, NULL, &s->iqu));
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    check_ok(armilla_radial_new(s->grid, kernel, NULL, &s->radial));
    armilla_kernel_free(kernel);
    s->map = checked_calloc(6 * NPIX, sizeof(double));
    s->out = checked_calloc(6 * NPIX, sizeof(double));
    s->alm = checked_calloc(12 * SIZE, sizeof(double));
    s->floats = checked_calloc(6 * NPIX, sizeof(float));
    for (int i = 0; i < 6 * NPIX; i++) s->map[i] = cos(i), s->floats[i] = (float)cos(i);
}

static void close_scene(scene *s)
{
    free(s->floats), free(s->alm), free(s->out), free(s->map);
    armilla_radial_free(s->radial), armilla_iqu_free(s->iqu), armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

/* Every call that reads maps, on two maps, or two of three components. */
static void every_call_names_the_first_missing_value(void **state)
{
    const double values[] = {NAN, INFINITY, -INFINITY, ARMILLA_UNSEEN, ARMILLA_UNSEEN * (1 + 9e-6)};
    scene s;
    (void)state;
    open_scene(&s);
    const armilla_exec two = refusing(2);
    const double point[2] = {1, 2};
    armilla_interpolation_options between;
    armilla_interpolation_options_init(&between);
    between.lmax = LMAX;
    for (int i = 0; i < 5; i++) {
        s.map[NPIX + 700] = values[i], s.map[NPIX + 701] = NAN;
        s.floats[NPIX + 700] = (float)values[i], s.floats[NPIX + 701] = NAN;
        s.alm[0] = s.out[0] = 7;
        const char *words = "one of 2 values", *place = "(pixel 700 of component 1)";
        check_named(armilla_sht_analysis(s.sht, s.map, s.alm, &two), words);
        check_named(armilla_sht_analysis(s.sht, s.map, s.alm, &two), place);
        check_named(armilla_sht_analysis(s.sht, s.map, s.alm, &two), "map[1468]");
        check_named(armilla_sht_adjoint_synthesis(s.sht, s.map, s.alm, &two), words);
        check_named(armilla_iqu_analysis(s.iqu, s.map, s.alm, &two), place);
        check_named(armilla_iqu_adjoint_synthesis(s.iqu, s.map, s.alm, &two), place);
        check_named(armilla_sht_pseudo_analysis(s.sht, s.map, s.alm, NULL, NULL, &two), place);
        check_named(armilla_iqu_pseudo_analysis(s.iqu, s.map, s.alm, NULL, NULL, &two), place);
        check_named(armilla_radial_convolve(s.radial, s.map, s.out, &two), place);
        check_named(armilla_radial_adjoint(s.radial, s.map, s.out, &two), place);
        check_named(
            armilla_points_interpolate(s.grid, s.map, 1, point, &between, s.out, NULL, &two),
            place);
        check_named(armilla_sht_analysis_float(s.sht, s.floats, (float *)(void *)s.out, &two),
                    place);
        assert_true(s.alm[0] == 7 && s.out[0] == 7);
    }
    close_scene(&s);
}

static void large_numbers_and_propagation_are_no_errors(void **state)
{
    scene s;
    (void)state;
    open_scene(&s);
    const armilla_exec one = refusing(1);
    s.map[3] = 1.7e30, s.map[4] = -1.6e30, s.map[5] = 1e300;
    check_ok(armilla_sht_analysis(s.sht, s.map, s.alm, &one));
    s.map[3] = NAN;
    check_ok(armilla_sht_analysis(s.sht, s.map, s.alm, NULL));
    assert_true(isnan(s.alm[0]));
    close_scene(&s);
}

static void pixels_without_weight_are_not_looked_at(void **state)
{
    scene s;
    double weights[NPIX];
    armilla_pseudo_options options;
    (void)state;
    open_scene(&s);
    const armilla_exec one = refusing(1);
    armilla_pseudo_options_init(&options);
    options.weights = weights;
    for (int i = 0; i < NPIX; i++) weights[i] = i != 9;
    s.map[9] = ARMILLA_UNSEEN;
    check_ok(armilla_sht_pseudo_analysis(s.sht, s.map, s.alm, &options, NULL, &one));
    check_ok(armilla_radial_convolve_weighted(s.radial, s.map, weights, 1e-3, 0, s.out, &one));
    s.map[11] = ARMILLA_UNSEEN;
    check_named(armilla_sht_pseudo_analysis(s.sht, s.map, s.alm, &options, NULL, &one), "map[11]");
    check_named(armilla_radial_convolve_weighted(s.radial, s.map, weights, 1e-3, 0, s.out, &one),
                "one of 1 values");
    close_scene(&s);
}

/* Gaps between pixels and rings, strides, distances between components. */
static void places_of_no_pixel_are_not_looked_at(void **state)
{
    enum { DISTANCE = 200 };
    const armilla_ring rings[] = {
        {0.5, 8, 0, 2, 3, 1}, {1.5, 9, 0, 60, 1, 1}, {2, 7, 0, 100, -2, 1}};
    double map[2 * DISTANCE], alm[2 * 2 * 6];
    armilla_grid *grid;
    armilla_sht *sht;
    (void)state;
    armilla_exec two = refusing(2);
    two.map_distance = DISTANCE;
    check_ok(armilla_grid_new_custom(3, rings, &grid));
    check_ok(armilla_sht_new(grid, 2, 2, NULL, &sht));
    for (int i = 0; i < 2 * DISTANCE; i++) map[i] = NAN;
    for (int t = 0; t < 2; t++)
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < rings[r].nphi; j++)
                map[DISTANCE * t + rings[r].offset + j * rings[r].stride] = 1;
    check_ok(armilla_sht_analysis(sht, map, alm, &two));
    map[DISTANCE + 96] = NAN, map[DISTANCE + 98] = ARMILLA_UNSEEN;
    check_named(armilla_sht_analysis(sht, map, alm, &two), "one of 2 values");
    check_named(armilla_sht_analysis(sht, map, alm, &two), "(pixel 96 of component 1)");
    armilla_sht_free(sht), armilla_grid_free(grid);
}

static void other_numbers_are_no_rule(void **state)
{
    scene s;
    (void)state;
    open_scene(&s);
    armilla_exec exec = refusing(1);
    exec.missing = (armilla_missing)2;
    check_named(armilla_sht_analysis(s.sht, s.map, s.alm, &exec), "missing = 2");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_names_the_first_missing_value),
        cmocka_unit_test(large_numbers_and_propagation_are_no_errors),
        cmocka_unit_test(pixels_without_weight_are_not_looked_at),
        cmocka_unit_test(places_of_no_pixel_are_not_looked_at),
        cmocka_unit_test(other_numbers_are_no_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
