/* Checks the rotation of coefficients: identities, fields at rotated points, closed forms of high
 * degree, and what goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include "oracle/transform_oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* psi, theta, phi of every kind: ordinary, none, a quarter and half turn, tiny, many turns. */
static const armilla_rotation rotations[] = {
    {0.3, 0.7, 1.1},      {-2, 2.5, 3},         {0, 0, 0},   {1, 0, -0.4}, {0, M_PI / 2, 0},
    {0.5, M_PI, 0.25},    {1, 1e-9, 2},         {0, 3.1, 0}, {0.1, -1, 2}, {100, 1000, -100},
    {0.2, 1e-300, 0.001}, {3, M_PI - 1e-8, -3},
};
enum { ROTATIONS = sizeof rotations / sizeof *rotations };

static double *new_alm(int64_t lmax, int64_t mmax, int64_t count)
{
    return checked_malloc(count * 2 * armilla_alm_size(lmax, mmax), sizeof(double));
}

static double *noise_alm(uint64_t seed, int64_t lmax, int64_t mmax)
{
    double *alm = new_alm(lmax, mmax, 1);
    random_alm_triangle(seed, lmax, mmax, alm);
    return alm;
}

static int64_t doubles(int64_t lmax, int64_t mmax)
{
    return 2 * armilla_alm_size(lmax, mmax);
}

static void rotate(const armilla_rotation *r, int64_t lmax, const double *alm, double *out)
{
    check_ok(armilla_alm_rotate(r, lmax, lmax, alm, lmax, out, NULL));
}

/* --- Against the meaning -------------------------------------------------------------------- */

enum { POINTS = 12, FIELD_LMAX = 20 };

/* Ring i: one pixel at R^-1 n_i (or, without matrix, at n_i), for directions that depend on i. */
static void make_points(const double *matrix, armilla_ring *rings)
{
    for (int i = 0; i < POINTS; i++) {
        double theta = M_PI * (i + 0.4) / POINTS, phi = 2.4 * i;
        double n[3] = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)}, v[3];
        for (int j = 0; j < 3; j++)
            v[j] = matrix ? n[0] * matrix[j] + n[1] * matrix[3 + j] + n[2] * matrix[6 + j] : n[j];
        rings[i] = (armilla_ring){.theta = atan2(hypot(v[0], v[1]), v[2]),
                                  .nphi = 1,
                                  .phi0 = atan2(v[1], v[0]),
                                  .offset = i,
                                  .stride = 1};
    }
}

static void rotated_field_is_the_field_at_rotated_points(void **state)
{
    (void)state;
    armilla_ring here[POINTS], there[POINTS];
    double value[POINTS], want[POINTS], matrix[9];
    for (int64_t lmax = 0; lmax <= FIELD_LMAX; lmax += lmax < 6 ? 1 : 7)
        for (int i = 0; i < ROTATIONS; i++) {
            double *alm = noise_alm(11, lmax, lmax), *out = new_alm(lmax, lmax, 1);
            rotate(&rotations[i], lmax, alm, out);
            check_ok(armilla_rotation_matrix(&rotations[i], matrix));
            make_points(NULL, here);
            make_points(matrix, there);
            oracle_synthesis(POINTS, here, lmax, lmax, out, value);
            oracle_synthesis(POINTS, there, lmax, lmax, alm, want);
            for (int p = 0; p < POINTS; p++)
                check_at_most(fabs(value[p] - want[p]), 3e-14 * (double)(lmax + 1),
                              "lmax %d, rotation %d, point %d", (int)lmax, i, p);
            free(alm), free(out);
        }
}

/* The field v . n has a_10 = sqrt(4 pi / 3) v_z, a_11 = -sqrt(2 pi / 3) (v_x - i v_y). */
static void degree_1_rotates_like_a_vector(void **state)
{
    (void)state;
    const double v[3] = {0.5, -0.8, 0.3}, a = sqrt(4 * M_PI / 3), b = -sqrt(2 * M_PI / 3);
    const double alm[6] = {7, 0, a * v[2], 0, b * v[0], -b * v[1]};
    for (int i = 0; i < ROTATIONS; i++) {
        double out[6], m[9], w[3];
        rotate(&rotations[i], 1, alm, out);
        check_ok(armilla_rotation_matrix(&rotations[i], m));
        for (int j = 0; j < 3; j++)
            w[j] = m[3 * j] * v[0] + m[3 * j + 1] * v[1] + m[3 * j + 2] * v[2];
        const double want[6] = {7, 0, a * w[2], 0, b * w[0], -b * w[1]};
        for (int j = 0; j < 6; j++)
            check_at_most(fabs(out[j] - want[j]), 2e-15, "rotation %d, number %d", i, j);
    }
}

static void rotation_about_z_is_a_phase(void **state)
{
    (void)state;
    const int64_t lmax = 300;
    const armilla_rotation r = {1.25, 0, 0.5};
    double *alm = noise_alm(12, lmax, lmax), *out = new_alm(lmax, lmax, 1);
    rotate(&r, lmax, alm, out);
    for (int64_t m = 0; m <= lmax; m++)
        for (int64_t l = m; l <= lmax; l++) {
            int64_t i = 2 * armilla_alm_index(lmax, l, m);
            double c = cos(1.75 * (double)m), s = -sin(1.75 * (double)m);
            check_at_most(hypot(out[i] - (c * alm[i] - s * alm[i + 1]),
                                out[i + 1] - (c * alm[i + 1] + s * alm[i])),
                          1e-15, "l %d, m %d", (int)l, (int)m);
        }
    free(alm), free(out);
}

/* A field about z becomes a_lm = a_l0 sqrt(4 pi / (2 l + 1)) lambda_lm(theta) e^{-i m phi}. */
static void zonal_fields_become_harmonics_of_high_degree(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 200 : 2500;
    const double thetas[] = {0.001, 0.5, M_PI / 2, 2.9};
    double *alm = checked_calloc(doubles(lmax, lmax), sizeof *alm), *out = new_alm(lmax, lmax, 1);
    double *lambda = checked_malloc(lmax + 1, sizeof *lambda);
    for (int64_t l = 0; l <= lmax; l++) alm[2 * l] = sqrt((double)(2 * l + 1) / (4 * M_PI));
    for (int i = 0; i < 4; i++) {
        rotate(&(armilla_rotation){0.7, thetas[i], 0.5}, lmax, alm, out);
        for (int64_t m = 0; m <= lmax; m = 3 * m + 1) {
            double c = cos(0.5 * (double)m), s = -sin(0.5 * (double)m);
            oracle_lambda_row(m, lmax, thetas[i], lambda);
            for (int64_t l = m; l <= lmax; l++) {
                const double *a = out + 2 * armilla_alm_index(lmax, l, m);
                double y = lambda[l - m];
                check_at_most(hypot(a[0] - c * y, a[1] - s * y), 1.5e-13, "theta %g, l %d, m %d",
                              thetas[i], (int)l, (int)m);
            }
        }
    }
    free(alm), free(out), free(lambda);
}

/* --- Identities ------------------------------------------------------------------------------ */

static void inverse_undoes_the_rotation(void **state)
{
    (void)state;
    const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 500, 2048};
    const int count = checks_quick() ? 15 : 17;
    for (int s = 0; s < count; s++)
        for (int i = 0; i < (sizes[s] > 200 ? 2 : ROTATIONS); i++) {
            int64_t lmax = sizes[s];
            double *alm = noise_alm(13, lmax, lmax), *out = new_alm(lmax, lmax, 1);
            armilla_rotation back;
            check_ok(armilla_rotation_invert(&rotations[i], &back));
            rotate(&rotations[i], lmax, alm, out);
            rotate(&back, lmax, out, out);
            check_at_most(rms_error(doubles(lmax, lmax), alm, out), 2e-15 + 1e-17 * (double)lmax,
                          "lmax %d, rotation %d", (int)lmax, i);
            free(alm), free(out);
        }
}

static void two_rotations_are_one(void **state)
{
    (void)state;
    const int64_t lmax = 150;
    double *alm = noise_alm(14, lmax, lmax), *two = new_alm(lmax, lmax, 1);
    double *one = new_alm(lmax, lmax, 1);
    for (int i = 0; i < ROTATIONS; i++) {
        armilla_rotation both;
        const armilla_rotation *second = &rotations[(i + 1) % ROTATIONS];
        check_ok(armilla_rotation_compose(&rotations[i], second, &both));
        rotate(&rotations[i], lmax, alm, two);
        rotate(second, lmax, two, two);
        rotate(&both, lmax, alm, one);
        /* the angles of the composition are rounded: m times an error of some 1e-16 */
        check_at_most(rms_error(doubles(lmax, lmax), one, two), 1e-13, "rotation %d", i);
    }
    free(alm), free(two), free(one);
}

static void spectra_do_not_change(void **state)
{
    (void)state;
    const int64_t lmax = 400;
    double *alm = noise_alm(15, lmax, lmax), *out = new_alm(lmax, lmax, 1);
    double *before = checked_malloc(lmax + 1, sizeof *before);
    double *after = checked_malloc(lmax + 1, sizeof *after);
    rotate(&rotations[0], lmax, alm, out);
    check_ok(armilla_spectrum_compute(lmax, lmax, alm, alm, before));
    check_ok(armilla_spectrum_compute(lmax, lmax, out, out, after));
    for (int64_t l = 0; l <= lmax; l++)
        check_at_most(fabs(after[l] / before[l] - 1), 3e-14, "l %d", (int)l);
    for (int64_t l = 0; l <= lmax; l++) assert_true(out[2 * l + 1] == 0);
    free(alm), free(out), free(before), free(after);
}

/* --- Sizes and calls -------------------------------------------------------------------------- */

static void orders_may_be_cut_on_both_sides(void **state)
{
    (void)state;
    const int64_t lmax = 50, mmax = 20, cut = 33;
    double *low = noise_alm(16, lmax, mmax), *full = new_alm(lmax, lmax, 1);
    double *want = new_alm(lmax, lmax, 1), *out = new_alm(lmax, cut, 1);
    for (int64_t i = 0; i < doubles(lmax, lmax); i++)
        full[i] = i < doubles(lmax, mmax) ? low[i] : 0;
    for (int64_t l = 0; l <= lmax; l++) low[2 * l + 1] = 99; /* must be ignored */
    for (int i = 0; i < ROTATIONS; i++) {
        rotate(&rotations[i], lmax, full, want);
        check_ok(armilla_alm_rotate(&rotations[i], lmax, mmax, low, cut, out, NULL));
        for (int64_t n = 0; n < doubles(lmax, cut); n++) assert_true(out[n] == want[n]);
    }
    free(low), free(full), free(want), free(out);
}

static void many_fields_are_as_many_calls(void **state)
{
    (void)state;
    const int64_t lmax = 70, fields = 5, distance = armilla_alm_size(lmax, lmax) + 3;
    double *alm = checked_malloc(2 * fields * distance, sizeof *alm);
    double *out = checked_malloc(2 * fields * distance, sizeof *out);
    double *one = new_alm(lmax, lmax, 1);
    armilla_exec exec;
    armilla_exec_init(&exec);
    for (int64_t i = 0; i < 2 * fields * distance; i++) alm[i] = out[i] = -5;
    for (int64_t f = 0; f < fields; f++)
        random_alm_triangle((uint64_t)f, lmax, lmax, alm + 2 * f * distance);
    for (exec.nthreads = 0; exec.nthreads < 5; exec.nthreads++)
        for (exec.ntrans = 1; exec.ntrans <= fields; exec.ntrans++) {
            exec.alm_distance = distance;
            check_ok(armilla_alm_rotate(&rotations[1], lmax, lmax, alm, lmax, out, &exec));
            for (int64_t f = 0; f < exec.ntrans; f++) {
                rotate(&rotations[1], lmax, alm + 2 * f * distance, one);
                assert_memory_equal(one, out + 2 * f * distance,
                                    sizeof *one * (size_t)doubles(lmax, lmax));
            }
            assert_true(out[2 * distance - 1] == -5);
        }
    free(alm), free(out), free(one);
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    const int64_t lmax = 333;
    double *alm = new_alm(lmax, lmax, 3), *out = new_alm(lmax, lmax, 3), *want = NULL;
    armilla_exec exec;
    armilla_exec_init(&exec);
    for (int f = 0; f < 3; f++) random_alm_triangle(5, lmax, lmax, alm + f * doubles(lmax, lmax));
    for (int isa = 0; armilla_isa_available(isa); isa++)
        for (exec.ntrans = 1; exec.ntrans <= 3; exec.ntrans++) {
            setenv("ARMILLA_ISA", armilla_isa_available(isa), 1);
            check_ok(armilla_alm_rotate(&rotations[0], lmax, lmax, alm, lmax, out, &exec));
            int64_t n = doubles(lmax, lmax);
            if (!want) want = memcpy(new_alm(lmax, lmax, 1), out, sizeof *out * (size_t)n);
            for (int64_t f = 0; f < exec.ntrans; f++)
                check_at_most(rms_error(n, want, out + f * n), 1e-14, "%s",
                              armilla_isa_available(isa));
        }
    unsetenv("ARMILLA_ISA");
    free(alm), free(out), free(want);
}

/* --- Failures --------------------------------------------------------------------------------- */

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const armilla_status argument = ARMILLA_ERROR_ARGUMENT;
    const armilla_rotation r = rotations[0], bad = {NAN, 0, 0};
    double alm[6] = {1, 0, 2, 0, 3, 4}, out[6] = {-7};
    armilla_exec exec;
    check_error(armilla_alm_rotate(NULL, 1, 1, alm, 1, out, NULL), argument, "rotation = NULL");
    check_error(armilla_alm_rotate(&bad, 1, 1, alm, 1, out, NULL), argument, "psi = nan");
    check_error(armilla_alm_rotate(&r, -1, 0, alm, 0, out, NULL), argument, "lmax = -1");
    check_error(armilla_alm_rotate(&r, 1, 2, alm, 1, out, NULL), argument, "mmax = 2");
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 2, out, NULL), argument, "mmax_out = 2");
    check_error(armilla_alm_rotate(&r, 1, 1, alm, -1, out, NULL), argument, "mmax_out = -1");
    check_error(armilla_alm_rotate(&r, 1, 1, NULL, 1, out, NULL), argument, "alm = NULL");
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, NULL, NULL), argument, "out = NULL");
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 0, alm, NULL), argument, "mmax_out = 0");
    armilla_exec_init(&exec);
    exec.ntrans = 0;
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, &exec), argument, "ntrans = 0");
    exec.ntrans = 2, exec.alm_distance = 2;
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, &exec), argument, "at least 3");
    exec.ntrans = INT64_MAX, exec.alm_distance = 0;
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, &exec), argument, "64 bits");
    exec.nthreads = -1;
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, &exec), argument, "nthreads = -1");
    exec.size = 1;
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, &exec), argument, "exec->size = 1");
    setenv("ARMILLA_ISA", "vax", 1);
    check_error(armilla_alm_rotate(&r, 1, 1, alm, 1, out, NULL), ARMILLA_ERROR_UNSUPPORTED, "vax");
    unsetenv("ARMILLA_ISA");
    assert_true(out[0] == -7);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const int64_t lmax = 9;
    double *alm = noise_alm(17, lmax, lmax),
           *out = checked_calloc(doubles(lmax, lmax), sizeof *out);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 2;
    int64_t n = 0;
    for (;; n++) {
        armilla_memory_fail_after(n);
        armilla_status status =
            armilla_alm_rotate(&rotations[0], lmax, lmax, alm, lmax, out, &exec);
        armilla_memory_fail_after(-1);
        if (status == ARMILLA_OK) break;
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        for (int64_t i = 0; i < doubles(lmax, lmax); i++) assert_true(out[i] == 0);
    }
    assert_true(n >= 5);
    free(alm), free(out);
}

static int stop(void *data, double fraction)
{
    double *largest = data;
    *largest = fraction;
    return 1;
}

/* The first report comes after a tenth of a second: the call must be longer than that anywhere. */
static void a_callback_can_stop_the_work(void **state)
{
    (void)state;
    const int64_t lmax = 1500;
    double *alm = noise_alm(18, lmax, lmax), *out = new_alm(lmax, lmax, 1), seen = -1;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.progress = stop, exec.progress_data = &seen;
    setenv("ARMILLA_ISA", "scalar", 1);
    check_error(armilla_alm_rotate(&rotations[0], lmax, lmax, alm, lmax, out, &exec),
                ARMILLA_ERROR_CANCELLED, "stopped");
    unsetenv("ARMILLA_ISA");
    assert_true(seen > 0 && seen < 1);
    free(alm), free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotated_field_is_the_field_at_rotated_points),
        cmocka_unit_test(degree_1_rotates_like_a_vector),
        cmocka_unit_test(rotation_about_z_is_a_phase),
        cmocka_unit_test(zonal_fields_become_harmonics_of_high_degree),
        cmocka_unit_test(inverse_undoes_the_rotation),
        cmocka_unit_test(two_rotations_are_one),
        cmocka_unit_test(spectra_do_not_change),
        cmocka_unit_test(orders_may_be_cut_on_both_sides),
        cmocka_unit_test(many_fields_are_as_many_calls),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_callback_can_stop_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
