/* Checks pseudo_analysis from a first guess, and of several transforms with weights and guesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/options.h"
#include "unit/test_sht_problem.h"
#include <string.h>

static void a_guess_that_solves_ends_at_once(void **state)
{
    (void)state;
    problem p;
    problem_open_spin(&p, healpix_grid(8), 10, 2);
    double *weights = random_weights(58, armilla_grid_npix(p.grid));
    double *again = checked_malloc(p.size, sizeof *again);
    for (int noisy = 0; noisy < 2; noisy++) {
        if (noisy) random_fill(59, p.npix, p.map);
        armilla_pseudo_options options = lsmr(weights, NULL);
        armilla_pseudo_report first = solve(&p, p.map, p.found, &options);
        assert_true(first.iterations > 5);
        options.tolerance = 1e-11;
        options.guess = p.found;
        armilla_pseudo_report report = solve(&p, p.map, again, &options);
        assert_true(report.iterations <= (noisy ? 1 : 0));
        assert_int_equal(report.stop, noisy ? ARMILLA_STOP_GRADIENT : ARMILLA_STOP_RESIDUAL);
        check_at_most(rms_error(p.size, p.found, again), 1e-10, "noisy %d", noisy);
        check_at_most(fabs(report.residual - first.residual), 1e-10, "residual, noisy %d", noisy);
    }
    free(again);
    free(weights);
    problem_close(&p);
}

/* From a part in 1e6 beside the solution: fewer iterations, the same solution. In place. */
static void a_near_guess_saves_iterations(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(8), 14);
    random_fill(60, p.npix, p.map);
    armilla_pseudo_options options = lsmr(NULL, NULL);
    armilla_pseudo_report first = solve(&p, p.map, p.alm, &options);
    for (int64_t i = 0; i < p.size; i++) p.found[i] = p.alm[i] * (1 + 1e-6 * sin((double)i));
    options.guess = p.found;
    armilla_pseudo_report report = solve(&p, p.map, p.found, &options);
    assert_true(report.iterations > 1 && report.iterations <= first.iterations * 2 / 3);
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-11, "least squares solution");
    check_at_most(fabs(report.residual - subtract_model(&p)), 1e-9, "residual of the map");
    problem_close(&p);
}

/* Jacobi k steps from what j steps made: j + k + 1 steps. */
static void jacobi_goes_on_from_its_result(void **state)
{
    (void)state;
    problem p;
    problem_open_spin(&p, healpix_grid(8), 20, 2);
    random_fill(61, p.npix, p.map);
    armilla_pseudo_options options = jacobi(5, NULL, NULL);
    solve(&p, p.map, p.alm, &options);
    options = jacobi(2, NULL, NULL);
    solve(&p, p.map, p.found, &options);
    options.guess = p.found;
    solve(&p, p.map, p.found, &options);
    check_at_most(rms_error(p.size, p.alm, p.found), 0, "3 + 3 steps");
    problem_close(&p);
}

/* What the operators take as 0 is not read: degrees below the spin, imaginary parts of m = 0. */
static void numbers_that_mean_nothing_are_ignored(void **state)
{
    (void)state;
    problem p;
    problem_open_spin(&p, healpix_grid(8), 10, 3);
    double *guess = checked_malloc(p.size, sizeof *guess);
    memcpy(guess, p.alm, (size_t)p.size * sizeof *guess);
    for (int64_t c = 0; c < 2; c++) {
        double *alm = guess + c * p.size / 2;
        for (int64_t l = 0; l <= 10; l++) alm[2 * l + 1] = (double)NAN;
        for (int64_t m = 0; m < 3; m++)
            for (int64_t l = m; l < 3; l++) alm[2 * armilla_alm_index(10, l, m)] = (double)NAN;
    }
    for (int method = 0; method < 2; method++) {
        const armilla_pseudo_options options = method ? jacobi(0, NULL, guess) : lsmr(NULL, guess);
        solve(&p, p.map, p.found, &options);
        check_at_most(rms_error(p.size, p.alm, p.found), 1e-12, "method %d", method);
    }
    free(guess);
    problem_close(&p);
}

/* Numbers whose squares leave the range of a double. */
static void scales_do_not_matter(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(4), 6);
    random_fill(62, p.npix, p.map);
    double *weights = random_weights(63, p.npix), *guess = checked_malloc(p.size, sizeof *guess);
    static const double scales[] = {0x1p+900, 0x1p-900};
    armilla_pseudo_options options = lsmr(weights, p.alm);
    solve(&p, p.map, p.found, &options);
    for (int i = 0; i < 2; i++) {
        double *map = checked_malloc(p.npix, sizeof *map), *alm = p.model;
        for (int64_t k = 0; k < p.npix; k++) map[k] = scales[i] * p.map[k];
        for (int64_t k = 0; k < p.size; k++) guess[k] = scales[i] * p.alm[k];
        options.guess = guess;
        solve(&p, map, alm, &options);
        for (int64_t k = 0; k < p.size; k++) alm[k] /= scales[i];
        check_at_most(rms_error(p.size, p.found, alm), 1e-12, "times %g", scales[i]);
        free(map);
    }
    /* a guess far beside the map is forgotten, up to the rounding errors of its synthesis */
    for (int64_t k = 0; k < p.size; k++) guess[k] = 0x1p+520 * p.alm[k];
    solve(&p, p.map, p.model, &options);
    for (int64_t k = 0; k < p.size; k++)
        check_at_most(fabs(p.model[k]), 0x1p+520 * 1e-13, "guess times 2^520");
    free(guess);
    free(weights);
    problem_close(&p);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

enum { NTRANS = 3 };

/* Several maps and guesses with gaps between the components: as one by one; float: nearly so. */
static void several_transforms(void **state)
{
    (void)state;
    problem p;
    problem_open_spin(&p, healpix_grid(4), 6, 2);
    const int64_t npix = p.npix / 2 + 5, size = p.size / 4 + 3; /* distances */
    const int64_t nmap = 2 * NTRANS * npix, nalm = 4 * NTRANS * size;
    double *weights = random_weights(64, p.npix / 2), *map = checked_malloc(nmap, 8);
    double *guess = checked_malloc(nalm, 8), *alm = checked_calloc(nalm, 8);
    float *fmap = checked_malloc(nmap, 4), *fguess = checked_malloc(nalm, 4);
    float *falm = checked_calloc(nalm, 4);
    random_fill(65, nmap, map);
    random_fill(66, nalm, guess);
    to_float(nmap, map, fmap), to_float(nalm, guess, fguess);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = npix, exec.alm_distance = size;
    for (int method = 0; method < 2; method++) {
        armilla_pseudo_report one, reports[NTRANS];
        exec.ntrans = NTRANS;
        armilla_pseudo_options options = method ? jacobi(2, weights, guess) : lsmr(weights, guess);
        check_ok(armilla_sht_pseudo_analysis(p.sht, map, alm, &options, reports, &exec));
        options.guess = fguess;
        check_ok(armilla_sht_pseudo_analysis_float(p.sht, fmap, falm, &options, NULL, &exec));
        exec.ntrans = 1;
        for (int64_t t = 0; t < NTRANS; t++) {
            double *found = checked_calloc(4 * size, 8), *single = checked_malloc(4 * size, 8);
            options.guess = guess + 4 * t * size;
            check_ok(armilla_sht_pseudo_analysis(p.sht, map + 2 * t * npix, found, &options, &one,
                                                 &exec));
            assert_memory_equal(found, alm + 4 * t * size, (size_t)(4 * size) * 8);
            assert_memory_equal(&one.residual, &reports[t].residual, sizeof one.residual);
            to_double(4 * size, falm + 4 * t * size, single);
            check_at_most(rms_error(4 * size, found, single), 1e-6, "float, transform %d", (int)t);
            free(single);
            free(found);
        }
    }
    free(falm);
    free(fguess);
    free(fmap);
    free(alm);
    free(guess);
    free(map);
    free(weights);
    problem_close(&p);
}

/* A program that was built when the options ended with max_iterations. */
static void options_of_older_programs(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(4), 6);
    armilla_pseudo_options options = lsmr(NULL, NULL);
    solve(&p, p.map, p.alm, &options);
    options.size = ARMILLA_END_OF(armilla_pseudo_options, max_iterations);
    options.weights = (const double *)(uintptr_t)8; /* what follows in that program's memory */
    options.guess = (const void *)(uintptr_t)8;
    solve(&p, p.map, p.found, &options);
    assert_memory_equal(p.alm, p.found, (size_t)p.size * sizeof(double));
    problem_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guess_that_solves_ends_at_once),
        cmocka_unit_test(a_near_guess_saves_iterations),
        cmocka_unit_test(jacobi_goes_on_from_its_result),
        cmocka_unit_test(numbers_that_mean_nothing_are_ignored),
        cmocka_unit_test(scales_do_not_matter),
        cmocka_unit_test(several_transforms),
        cmocka_unit_test(options_of_older_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
