/* Checks that a plan for I, Q, U gives, bit by bit, what a scalar plan and one of spin 2 give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_iqu_scene.h"

/* One transform by a plan of its own. */
static void run_alone(int operation, const armilla_sht *sht, const double *in, double *out,
                      const armilla_exec *exec, armilla_pseudo_report *report)
{
    const armilla_pseudo_options options = pseudo_options(operation);
    if (operation == 0) check_ok(armilla_sht_synthesis(sht, in, out, exec));
    if (operation == 1) check_ok(armilla_sht_adjoint_synthesis(sht, in, out, exec));
    if (operation == 2) check_ok(armilla_sht_analysis(sht, in, out, exec));
    if (operation == 3) check_ok(armilla_sht_adjoint_analysis(sht, in, out, exec));
    if (operation > 3) check_ok(armilla_sht_pseudo_analysis(sht, in, out, &options, report, exec));
}

/* The same with two plans, one call for each field. */
static void run_plans(int operation, const sky *s, double *out, armilla_pseudo_report *reports)
{
    armilla_exec exec = s->exec;
    const int to_map = gives_map(operation);
    const double *in = to_map ? s->alm : s->map;
    const int64_t given = to_map ? 2 * s->size : s->npix, made = to_map ? s->npix : 2 * s->size;
    exec.ntrans = 1;
    for (int64_t t = 0; t < s->exec.ntrans; t++) {
        int64_t c = 3 * t;
        run_alone(operation, s->scalar, in + c * given, out + c * made, &exec, reports + 2 * t);
        c++;
        run_alone(operation, s->polar, in + c * given, out + c * made, &exec, reports + 2 * t + 1);
    }
}

/* The same bits; but several scalar analyses of one call add ring pairs up in another sequence. */
static void check_equal(const sky *s, int operation)
{
    const int64_t count = result_size(s, operation);
    const size_t bytes = (size_t)count * sizeof(double);
    armilla_pseudo_report made[2 * NTRANS], expected[2 * NTRANS];
    double *ours = checked_malloc(count, 8), *theirs = checked_malloc(count, 8);
    random_fill(73, count, ours); /* what lies between the components must stay */
    memcpy(theirs, ours, bytes);
    const uint64_t before =
        checksum(s->alm, (size_t)s->nalm * 8) ^ checksum(s->map, (size_t)s->nmap * 8);
    check_ok(run_iqu(operation, s->iqu, s, ours, made, &s->exec));
    run_plans(operation, s, theirs, expected);
    const double bound = gives_map(operation) || s->exec.ntrans == 1 ? 0 : 1e-15;
    check_at_most(rms_error(count, ours, theirs), bound, "operation %d", operation);
    for (int64_t i = 0; i < 2 * s->exec.ntrans && operation > 3; i++) {
        assert_int_equal(made[i].stop, expected[i].stop);
        assert_int_equal(made[i].iterations, expected[i].iterations);
        check_at_most(fabs(made[i].residual - expected[i].residual), 0, "residual");
    }
    assert_true(before ==
                (checksum(s->alm, (size_t)s->nalm * 8) ^ checksum(s->map, (size_t)s->nmap * 8)));
    free(theirs);
    free(ours);
}

static void results_are_those_of_two_plans(void **state)
{
    (void)state;
    sky s;
    for (int number = 0; number < GRIDS; number++)
        for (int64_t ntrans = 1; ntrans <= NTRANS; ntrans += NTRANS - 1) {
            const int gap = number % 2 ? 7 : 0;
            sky_open(&s, grid_number(number), ARMILLA_SHT_AUTO, ntrans, gap);
            for (int operation = 0; operation < CALLS; operation++) check_equal(&s, operation);
            sky_close(&s);
        }
    for (int64_t ntrans = 1; ntrans <= NTRANS; ntrans += NTRANS - 1) {
        sky_open(&s, healpix_grid(16), ARMILLA_SHT_RESAMPLE, ntrans, 3);
        for (int operation = 0; operation < CALLS; operation++) check_equal(&s, operation);
        sky_close(&s);
    }
}

/* <map, Y a> = <a, Y^T map>, and the same with W. */
static void operators_are_adjoint(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        sky s;
        sky_open(&s, grid_number(number), ARMILLA_SHT_AUTO, 1, 0);
        double *map = checked_calloc(s.nmap, 8), *alm = checked_calloc(s.nalm, 8);
        for (int to_map = 0; to_map <= 3; to_map += 3) {
            check_ok(run_iqu(to_map, s.iqu, &s, map, NULL, NULL));
            check_ok(run_iqu(to_map ? 2 : 1, s.iqu, &s, alm, NULL, NULL));
            double left = dot_maps(s.nmap, map, s.map), right = 0, a2 = 0;
            for (int64_t c = 0; c < 3; c++) {
                double *given = s.alm + 2 * c * s.size;
                for (int64_t l = 0; l <= LMAX; l++) given[2 * l + 1] = 0;
                right += dot_alm(LMAX, MMAX, given, alm + 2 * c * s.size);
                a2 += dot_alm(LMAX, MMAX, alm + 2 * c * s.size, alm + 2 * c * s.size);
            }
            double scale = sqrt(a2 * dot_alm(LMAX, MMAX, s.alm, s.alm));
            check_at_most(fabs(left - right), 1e-13 * scale, "grid %d, operator %d", number,
                          to_map);
        }
        free(alm);
        free(map);
        sky_close(&s);
    }
}

/* Weights for all three maps, a guess of T, E and B: the same as two plans; nothing is read where
 * the weight is 0. */
static void weights_and_guess(void **state)
{
    (void)state;
    sky s;
    sky_open(&s, healpix_grid(8), ARMILLA_SHT_AUTO, 2, 0);
    double *weights = checked_malloc(s.npix, 8), *ours = checked_malloc(s.nalm, 8);
    double *theirs = checked_malloc(s.nalm, 8);
    random_fill(74, s.npix, weights);
    for (int64_t i = 0; i < s.npix; i++) {
        weights[i] = weights[i] < 0 ? 0 : weights[i];
        for (int64_t c = 0; c < 6 && weights[i] == 0; c++) s.map[c * s.npix + i] = (double)NAN;
    }
    for (int operation = 4; operation < CALLS; operation++) {
        armilla_pseudo_options options = pseudo_options(operation);
        options.weights = weights, options.guess = s.alm;
        check_ok(armilla_iqu_pseudo_analysis(s.iqu, s.map, ours, &options, NULL, &s.exec));
        for (int64_t c = 0; c < 6; c++) {
            options.guess = s.alm + 2 * c * s.size;
            if (c % 3 == 2) continue;
            check_ok(armilla_sht_pseudo_analysis(c % 3 ? s.polar : s.scalar, s.map + c * s.npix,
                                                 theirs + 2 * c * s.size, &options, NULL, NULL));
        }
        assert_memory_equal(ours, theirs, (size_t)s.nalm * 8);
    }
    s.map[5 * s.npix + 3] = (double)INFINITY, weights[3] = 1;
    memcpy(ours, s.alm, (size_t)s.nalm * 8);
    check_error(armilla_iqu_pseudo_analysis(s.iqu, s.map, ours, NULL, NULL, &s.exec),
                ARMILLA_ERROR_ARGUMENT, "map[");
    armilla_pseudo_options options = pseudo_options(4);
    options.weights = weights;
    check_error(armilla_iqu_pseudo_analysis(s.iqu, s.map, ours, &options, NULL, &s.exec),
                ARMILLA_ERROR_ARGUMENT, "pixel 3 of component 5");
    assert_memory_equal(ours, s.alm, (size_t)s.nalm * 8);
    free(theirs);
    free(ours);
    free(weights);
    sky_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_two_plans),
        cmocka_unit_test(operators_are_adjoint),
        cmocka_unit_test(weights_and_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
