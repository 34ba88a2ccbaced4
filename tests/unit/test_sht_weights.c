/* Checks pseudo_analysis with weights of the pixels, which may be a mask, and with a first guess.
 * The dense least squares solution is the judge in python/tests/test_pseudo.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_sht_problem.h"
#include "unit/test_watcher.h"
#include <string.h>

/* Leaves out a part of the pixels: weight 0, and NaN in every component of the map. */
static void cut_out(problem *p, double part, double *weights)
{
    int64_t npix = armilla_grid_npix(p->grid);
    double *draw = random_weights(51, npix);
    for (int64_t i = 0; i < npix; i++) {
        if (draw[i] >= 2 * part) continue;
        weights[i] = 0;
        for (int64_t k = i; k < p->npix; k += npix) p->map[k] = (double)NAN;
    }
    free(draw);
}

/* --- Weights --------------------------------------------------------------------------------- */

static void check_masked_recovery(int64_t nside, int64_t lmax, int64_t spin, double part)
{
    problem p;
    problem_open_spin(&p, healpix_grid(nside), lmax, spin);
    double *weights = random_weights(52, armilla_grid_npix(p.grid));
    cut_out(&p, part, weights);
    const armilla_pseudo_options options = lsmr(weights, NULL);
    armilla_pseudo_report report = solve(&p, p.map, p.found, &options);
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-10, "nside %d, spin %d, %g masked",
                  (int)nside, (int)spin, part);
    assert_true(report.stop == ARMILLA_STOP_RESIDUAL || report.stop == ARMILLA_STOP_GRADIENT);
    check_at_most(report.residual, 1e-11, "residual of the pixels that are there");
    free(weights);
    problem_close(&p);
}

static void masked_fields_are_recovered(void **state)
{
    (void)state;
    check_masked_recovery(8, 8, 0, 0.1);
    check_masked_recovery(8, 12, 0, 0.3);
    check_masked_recovery(8, 8, 2, 0.1);
    check_masked_recovery(8, 10, -1, 0.3);
    check_masked_recovery(16, 20, 0, 0.5);
}

enum { COPIES = 3 };

/* Every pixel up to COPIES times. */
static armilla_grid *repeated_healpix(int64_t nside)
{
    armilla_grid *once = healpix_grid(nside), *grid;
    int64_t nrings = armilla_grid_nrings(once), npix = armilla_grid_npix(once);
    armilla_ring *rings = grid_rings(once);
    armilla_ring *all = checked_malloc(COPIES * nrings, sizeof *all);
    for (int64_t i = 0; i < COPIES * nrings; i++) {
        all[i] = rings[i % nrings];
        all[i].offset += i / nrings * npix;
    }
    check_ok(armilla_grid_new_custom(COPIES * nrings, all, &grid));
    free(all);
    free(rings);
    armilla_grid_free(once);
    return grid;
}

/* Noise, seen 0 to 3 times in each pixel: the mean of what was seen with their number as weight has
 * the same least squares solution as all that was seen. */
static void check_repeated(int64_t spin)
{
    problem p, many;
    problem_open_spin(&p, healpix_grid(8), 10, spin);
    problem_open_spin(&many, repeated_healpix(8), 10, spin);
    const int64_t npix = armilla_grid_npix(p.grid);
    double *seen = random_weights(53, COPIES * npix);
    double *number = checked_calloc(npix, sizeof *number);
    random_fill(54, many.npix, many.map);
    for (int64_t i = 0; i < COPIES * npix; i++) {
        seen[i] = seen[i] < 1;
        number[i % npix] += seen[i];
    }
    for (int64_t i = 0; i < p.npix; i++) {
        double sum = 0;
        for (int64_t copy = 0; copy < COPIES; copy++) {
            const int64_t pixel = copy * npix + i % npix;
            sum += seen[pixel] * many.map[i / npix * COPIES * npix + pixel];
        }
        p.map[i] = sum / number[i % npix]; /* 0 / 0 where nothing was seen */
    }
    const armilla_pseudo_options by_number = lsmr(number, NULL), by_seeing = lsmr(seen, NULL);
    solve(&p, p.map, p.found, &by_number);
    solve(&many, many.map, many.found, &by_seeing);
    check_at_most(rms_error(p.size, many.found, p.found), 1e-11, "spin %d", (int)spin);
    free(number);
    free(seen);
    problem_close(&many);
    problem_close(&p);
}

static void weights_count_observations(void **state)
{
    (void)state;
    check_repeated(0);
    check_repeated(2);
}

static void weights_of_one_change_nothing(void **state)
{
    (void)state;
    problem p;
    problem_open_spin(&p, healpix_grid(8), 12, 2);
    const int64_t npix = armilla_grid_npix(p.grid);
    const size_t bytes = (size_t)p.size * sizeof(double);
    double *weights = checked_malloc(npix, sizeof *weights);
    random_fill(55, p.npix, p.map);
    static const double scale[] = {1, 0x1p-1000, 0x1p+1000, 0x1p-1074};
    for (int i = 0; i < 4; i++) {
        for (int64_t k = 0; k < npix; k++) weights[k] = scale[i];
        for (int method = 0; method < (i ? 1 : 2); method++) { /* Jacobi knows the scale */
            armilla_pseudo_options plain = method ? jacobi(2, NULL, NULL) : lsmr(NULL, NULL);
            armilla_pseudo_options options = plain;
            options.weights = weights;
            armilla_pseudo_report expected = solve(&p, p.map, p.alm, &plain);
            armilla_pseudo_report report = solve(&p, p.map, p.found, &options);
            assert_memory_equal(p.alm, p.found, bytes);
            assert_int_equal(report.iterations, expected.iterations);
            check_at_most(fabs(report.residual - expected.residual), 1e-14, "residual");
        }
    }
    free(weights);
    problem_close(&p);
}

/* a <- a + Y^T W w (map - Y a), niter + 1 times from the guess, with the public operators alone. */
static void iterate_by_hand(problem *p, const double *weights, int64_t niter)
{
    const int64_t npix = armilla_grid_npix(p->grid);
    double *step = checked_malloc(p->size, sizeof *step);
    for (int64_t i = 0; i <= niter; i++) {
        subtract_model(p);
        for (int64_t k = 0; k < p->npix; k++) p->model[k] *= weights[k % npix];
        check_ok(armilla_sht_analysis(p->sht, p->model, step, NULL));
        for (int64_t k = 0; k < p->size; k++) p->found[k] += step[k];
    }
    free(step);
}

/* |map - Y found| / |map|, norms by the weights */
static double weighted_residual(problem *p, const double *weights)
{
    const int64_t npix = armilla_grid_npix(p->grid);
    double left = 0, all = 0;
    subtract_model(p);
    for (int64_t i = 0; i < p->npix; i++) {
        left += weights[i % npix] * p->model[i] * p->model[i];
        all += weights[i % npix] * p->map[i] * p->map[i];
    }
    return sqrt(left / all);
}

static void check_jacobi(armilla_grid *grid, int64_t spin, int64_t niter)
{
    problem p;
    problem_open_spin(&p, grid, 12, spin);
    double *weights = random_weights(56, armilla_grid_npix(p.grid));
    double *guess = checked_malloc(p.size, sizeof *guess);
    random_fill(57, p.npix, p.map);
    memcpy(guess, p.alm, (size_t)p.size * sizeof *guess);
    for (int guessed = 0; guessed < 2; guessed++) {
        const armilla_pseudo_options options = jacobi(niter, weights, guessed ? guess : NULL);
        armilla_pseudo_report report = solve(&p, p.map, p.alm, &options);
        for (int64_t i = 0; i < p.size; i++) p.found[i] = guessed ? guess[i] : 0;
        iterate_by_hand(&p, weights, niter);
        check_at_most(rms_error(p.size, p.found, p.alm), 1e-13, "spin %d, niter %d, guess %d",
                      (int)spin, (int)niter, guessed);
        double residual = weighted_residual(&p, weights);
        check_at_most(fabs(report.residual - residual), 1e-12 * residual, "residual");
        assert_int_equal(report.iterations, niter);
    }
    free(guess);
    free(weights);
    problem_close(&p);
}

static void jacobi_is_the_weighted_iteration(void **state)
{
    (void)state;
    for (int64_t niter = 0; niter < 4; niter++) check_jacobi(healpix_grid(8), 0, niter);
    check_jacobi(healpix_grid(8), 2, 3);
    check_jacobi(exact_grid(ARMILLA_GRID_MW, 12, 12, 0, 0), 1, 2); /* W mixes the rings */
}

/* Masked Jacobi tends to the least squares solution by the weights W w. */
static void masked_jacobi_converges(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(8), 6);
    double *weights = checked_malloc(p.npix, sizeof *weights);
    for (int64_t i = 0; i < p.npix; i++) weights[i] = 1;
    cut_out(&p, 0.2, weights);
    const armilla_pseudo_options options = jacobi(300, weights, NULL);
    armilla_pseudo_report report = solve(&p, p.map, p.found, &options);
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-10, "after 300 steps");
    check_at_most(report.residual, 1e-10, "residual");
    free(weights);
    problem_close(&p);
}

/* --- What goes wrong ------------------------------------------------------------------------- */

typedef struct {
    problem p;
    double *weights, *guess, *before;
    armilla_pseudo_options options;
} scene;

static void scene_open(scene *s, int jacobi_steps)
{
    problem_open_spin(&s->p, healpix_grid(4), 6, 2);
    s->weights = random_weights(67, s->p.npix / 2);
    s->guess = checked_malloc(s->p.size, sizeof(double));
    s->before = checked_malloc(s->p.size, sizeof(double));
    random_fill(68, s->p.size, s->guess);
    random_fill(69, s->p.size, s->before);
    s->options =
        jacobi_steps ? jacobi(jacobi_steps, s->weights, s->guess) : lsmr(s->weights, s->guess);
}

static void scene_close(scene *s)
{
    free(s->before);
    free(s->guess);
    free(s->weights);
    problem_close(&s->p);
}

static armilla_status run(scene *s, const armilla_exec *exec)
{
    memcpy(s->p.found, s->before, (size_t)s->p.size * sizeof(double));
    return armilla_sht_pseudo_analysis(s->p.sht, s->p.map, s->p.found, &s->options, NULL, exec);
}

static void check_refused(scene *s, double *where, double value, const char *text)
{
    const double kept = *where;
    *where = value;
    check_error(run(s, NULL), ARMILLA_ERROR_ARGUMENT, text);
    *where = kept;
    assert_memory_equal(s->p.found, s->before, (size_t)s->p.size * sizeof(double));
    check_ok(run(s, NULL));
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    for (int steps = 0; steps < 2; steps++) {
        scene s;
        scene_open(&s, steps);
        const int64_t last = s.p.npix / 2 - 1;
        check_refused(&s, s.weights + 5, -1e-300, "options->weights[5] = -1e-300");
        check_refused(&s, s.weights, (double)NAN, "options->weights[0] = ");
        check_refused(&s, s.weights + last, (double)INFINITY, "options->weights[191] = inf");
        check_refused(&s, s.p.map + 200, (double)INFINITY, "map[200] = inf");
        check_refused(&s, s.guess + s.p.size - 1, (double)NAN, "options->guess[55] = ");
        check_refused(&s, s.guess + s.p.size - 1, (double)-INFINITY, "imaginary part");
        s.weights[8] = 0;
        s.p.map[200] = (double)NAN; /* pixel 8 of the second component */
        check_ok(run(&s, NULL));
        memset(s.weights, 0, (size_t)(last + 1) * sizeof(double));
        check_error(run(&s, NULL), ARMILLA_ERROR_ARGUMENT, "options->weights: all are 0");
        assert_memory_equal(s.p.found, s.before, (size_t)s.p.size * sizeof(double));
        scene_close(&s);
    }
}

/* Weights, like pixels, that belong to no ring are never looked at. */
static void gaps_between_rings_are_ignored(void **state)
{
    (void)state;
    const armilla_ring rings[] = {{.theta = 1, .nphi = 9, .offset = 2, .stride = 2, .weight = 1},
                                  {.theta = 2, .nphi = 9, .offset = 25, .stride = 1, .weight = 1}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(2, rings, &grid));
    problem p;
    problem_open(&p, grid, 1);
    assert_int_equal(p.npix, 34);
    double *weights = random_weights(70, p.npix);
    for (int64_t i = 0; i < p.npix; i++)
        if (i < 25 && (i < 2 || i > 18 || i % 2)) weights[i] = p.map[i] = (double)NAN;
    for (int method = 0; method < 2; method++) {
        const armilla_pseudo_options options =
            method ? jacobi(2000, weights, NULL) : lsmr(weights, NULL);
        for (int64_t i = 0; i < p.npix && method; i++) weights[i] *= 0.1;
        solve(&p, p.map, p.found, &options);
        check_at_most(rms_error(p.size, p.alm, p.found), 1e-11, "method %d", method);
    }
    free(weights);
    problem_close(&p);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (int steps = 0; steps < 2; steps++) {
        scene s;
        scene_open(&s, steps);
        int64_t n = 0;
        for (armilla_status status = ARMILLA_ERROR_MEMORY; status; n++) {
            armilla_sht *used = s.p.sht; /* a plan that keeps no workspace yet */
            const spin_case c = {.lmax = 6, .mmax = 6, .spin = 2};
            s.p.sht = spin_plan(s.p.grid, &c);
            armilla_memory_fail_after(n);
            status = run(&s, NULL);
            armilla_memory_fail_after(-1);
            armilla_sht_free(s.p.sht);
            s.p.sht = used;
            if (!status) break;
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            assert_memory_equal(s.p.found, s.before, (size_t)s.p.size * sizeof(double));
        }
        assert_true(n > 5);
        scene_close(&s);
    }
}

/* Jacobi with so many steps would take an hour. */
static void cancellation_is_reported(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 100000000);
    watcher w = {.stop = 2};
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.progress = watch, exec.progress_data = &w;
    check_error(run(&s, &exec), ARMILLA_ERROR_CANCELLED, "progress");
    assert_int_equal(w.calls, 2);
    assert_false(w.bad);
    assert_memory_equal(s.p.found, s.before, (size_t)s.p.size * sizeof(double));
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masked_fields_are_recovered),
        cmocka_unit_test(weights_count_observations),
        cmocka_unit_test(weights_of_one_change_nothing),
        cmocka_unit_test(jacobi_is_the_weighted_iteration),
        cmocka_unit_test(masked_jacobi_converges),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(gaps_between_rings_are_ignored),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancellation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
