/* Checks that bad arguments are refused with a message that names them, and that plans describe
 * what will run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_sht_scene.h"
#include <math.h>

static void refused(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                    const armilla_sht_options *options, armilla_status expected, const char *text)
{
    armilla_sht *const untouched = (armilla_sht *)(uintptr_t)0x1230;
    armilla_sht *sht = untouched;
    check_error(armilla_sht_new(grid, lmax, mmax, options, &sht), expected, text);
    assert_ptr_equal(sht, untouched);
}

static void plans_refuse_bad_arguments(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    armilla_sht_options options;
    refused(grid, -1, 0, NULL, ARMILLA_ERROR_ARGUMENT, "lmax = -1");
    refused(grid, 4, -1, NULL, ARMILLA_ERROR_ARGUMENT, "mmax = -1");
    refused(grid, 4, 5, NULL, ARMILLA_ERROR_ARGUMENT, "mmax = 5");
    refused(grid, INT64_MAX, 5, NULL, ARMILLA_ERROR_ARGUMENT, "lmax = 9223372036854775807");
    armilla_sht_options_init(&options);
    options.spin = 5;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = -5;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = 0, options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = 3, options.mode = ARMILLA_SHT_DERIVATIVES;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.mode = (armilla_sht_mode)7;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "mode");
    options.mode = ARMILLA_SHT_STANDARD;
    armilla_sht_options_init(&options);
    options.isa = "vax";
    refused(grid, 4, 4, &options, ARMILLA_ERROR_UNSUPPORTED, "vax");
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new(6, 3, &layout));
    armilla_sht_options_init(&options);
    options.layout = layout;
    refused(grid, 5, 3, &options, ARMILLA_ERROR_ARGUMENT, "lmax");
    refused(grid, 6, 2, &options, ARMILLA_ERROR_ARGUMENT, "mmax");
    armilla_alm_layout_free(layout);
    setenv("ARMILLA_ISA", "vax", 1);
    refused(grid, 4, 4, NULL, ARMILLA_ERROR_UNSUPPORTED, "vax");
    unsetenv("ARMILLA_ISA");
    armilla_grid_free(grid);
    armilla_sht_free(NULL);
    armilla_grid_free(NULL);
}

/* On every grid, also where analysis mixes the rings, RESAMPLE does what it says. */
static void resampling_is_possible_everywhere(void **state)
{
    (void)state;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.method = ARMILLA_SHT_RESAMPLE;
    for (int i = 0; i < EXACT_KINDS; i++) {
        armilla_grid *grid = exact_grid(exact_kinds[i], LMAX, MMAX, 1, 0);
        const int64_t exact = armilla_grid_exact_lmax(grid);
        for (int64_t lmax = exact - 1; lmax <= exact + 1; lmax++) {
            armilla_sht *sht;
            armilla_sht_description d = {.size = sizeof d};
            check_ok(armilla_sht_new(grid, lmax, 3, &options, &sht));
            check_ok(armilla_sht_describe(sht, 1, &d));
            assert_string_equal(d.method, "resampled");
            armilla_sht_free(sht);
        }
        armilla_grid_free(grid);
    }
}

static void calls_refuse_bad_arguments(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix_grid(4));
    double *output = checked_malloc(s.size + s.npix, sizeof *output);
    random_fill(33, s.size + s.npix, output);
    uint64_t before = checksum(output, (size_t)(s.size + s.npix) * sizeof *output);
    for (int operation = 0; operation < OPERATORS; operation++) {
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.ntrans = 0;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans = 0");
        exec.ntrans = -3;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans = -3");
        exec.ntrans = INT64_MAX; /* no array is that long */
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans");
        armilla_exec_init(&exec);
        exec.nthreads = -1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "nthreads = -1");
        armilla_exec_init(&exec);
        exec.size = 0;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "exec->size = 0");
        exec.size = sizeof exec + 8;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "exec->size");
        armilla_exec_init(&exec);
        exec.ntrans = 2; /* one distance too short in turn */
        exec.alm_distance = s.size / 2 - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "alm_distance");
        exec.alm_distance = 0;
        exec.map_distance = s.npix - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "map_distance");
        check_error(run(operation, &s, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "NULL");
        assert_true(before == checksum(output, (size_t)(s.size + s.npix) * sizeof *output));
    }
    free(output);
    scene_close(&s);
}

/* The components of one transform have distances too. */
static void components_must_not_overlap(void **state)
{
    (void)state;
    const spin_case c = {.lmax = LMAX, .mmax = MMAX, .spin = 2};
    scene s;
    scene_open_spin(&s, healpix_grid(4), &c);
    double *output = checked_malloc(s.size + s.npix, sizeof *output);
    for (int operation = 0; operation < OPERATORS; operation++) {
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.alm_distance = s.size / 4 - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "alm_distance");
        exec.alm_distance = 0, exec.map_distance = s.npix / 2 - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "map_distance");
        exec.map_distance = INT64_MAX / 16;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans = 1");
    }
    free(output);
    scene_close(&s);
}

static void pseudo_analysis_refuses_bad_options(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix_grid(4));
    double *output = checked_malloc(s.size, sizeof *output);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = -1;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "tolerance");
    options.tolerance = (double)NAN;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "tolerance");
    options.size = 0;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->size = 0");
    options.size = sizeof options + 8;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->size");
    armilla_pseudo_options_init(&options);
    options.max_iterations = -1;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "max_iterations = -1");
    armilla_pseudo_options_init(&options);
    options.method = (armilla_pseudo_method)5;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "method");
    free(output);
    scene_close(&s);
}

static void describes_what_will_run(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix_grid(4));
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(s.sht, 1, &d));
    assert_string_equal(d.backend, "cpu");
    assert_string_equal(d.isa, armilla_isa_name());
    assert_string_equal(d.method, "direct");
    assert_int_equal(d.lmax, LMAX);
    assert_int_equal(d.mmax, MMAX);
    assert_int_equal(d.nrings, 15);
    assert_int_equal(d.npix, 192);
    assert_int_equal(d.alm_size, s.size / 2);
    assert_int_equal(d.ncomp, 1);
    assert_true(d.plan_bytes > 0 && d.workspace_bytes > 0);
    /* 2 flop for recurrence, 4 for accumulation per (l, m, ring), halved by the two-step form:
     * at most 3, and most triples of so small a case matter. */
    double triples = (double)(s.size / 2) * 15;
    assert_true(d.useful_flops > triples && d.useful_flops <= 8 * triples);
    scene_close(&s);
}

static void describes_what_fits(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix_grid(4));
    check_error(armilla_sht_describe(s.sht, 1, NULL), ARMILLA_ERROR_ARGUMENT, "description = NULL");
    armilla_sht_description d = {.size = 0};
    const size_t wrong[] = {0, sizeof(size_t), sizeof d + 1, SIZE_MAX};
    for (int i = 0; i < 4; i++) {
        d.size = wrong[i];
        check_error(armilla_sht_describe(s.sht, 1, &d), ARMILLA_ERROR_ARGUMENT,
                    "description->size");
        assert_null(d.backend);
    }
    d.size = offsetof(armilla_sht_description, mmax); /* of a program older than the fields */
    d.mmax = -5;
    check_ok(armilla_sht_describe(s.sht, 1, &d));
    assert_int_equal(d.size, offsetof(armilla_sht_description, mmax));
    assert_int_equal(d.lmax, LMAX);
    assert_int_equal(d.mmax, -5);
    assert_true(d.useful_flops == 0);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_refuse_bad_arguments),
        cmocka_unit_test(resampling_is_possible_everywhere),
        cmocka_unit_test(calls_refuse_bad_arguments),
        cmocka_unit_test(components_must_not_overlap),
        cmocka_unit_test(pseudo_analysis_refuses_bad_options),
        cmocka_unit_test(describes_what_will_run),
        cmocka_unit_test(describes_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
