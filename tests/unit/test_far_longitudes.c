/* Checks that longitudes of many turns mean the same direction near 0, which MPFR knows: phases of
 * rings, values at points and grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/angle.h"
#include "oracle/checks.h"
#include "ringfft/phase.h"

#include <math.h>
#include <mpfr.h>

static const double far[] = {1001, -1234.5, 1e5,  1e8,     -1e12,    1e14,
                             1e15, -0x1p60, 1e22, 1.7e308, -1.7e308, 6.283185307179586e9};
enum { FAR = sizeof far / sizeof *far, ORDERS = 4001, LMAX = 6 };

/* cos and sin of m phi, to the last digit. */
static void exact_phase(double phi, int64_t m, double value[2])
{
    mpfr_t angle, c, s;
    mpfr_inits2(1400, angle, c, s, (mpfr_ptr)NULL);
    mpfr_set_d(angle, phi, MPFR_RNDN);
    mpfr_mul_si(angle, angle, (long)m, MPFR_RNDN);
    mpfr_sin_cos(s, c, angle, MPFR_RNDN);
    value[0] = mpfr_get_d(c, MPFR_RNDN), value[1] = mpfr_get_d(s, MPFR_RNDN);
    mpfr_clears(angle, c, s, (mpfr_ptr)NULL);
}

static double near_one(double phi)
{
    double value[2];
    exact_phase(phi, 1, value);
    return atan2(value[1], value[0]);
}

static void reduced_angles_are_the_same_directions(void **state)
{
    (void)state;
    for (int i = 0; i < FAR; i++) {
        double rest, value[2];
        const double near = armilla_angle_reduce(far[i], &rest);
        exact_phase(far[i], 1, value);
        assert_true(fabs(near) <= M_PI && fabs(rest) < 1e-15);
        assert_true(fabs(cos(near) - rest * sin(near) - value[0]) < 3e-16);
        assert_true(fabs(sin(near) + rest * cos(near) - value[1]) < 3e-16);
    }
    assert_true(armilla_angle_reduce(999, NULL) == 999);
}

static void phases_of_large_orders_are_exact(void **state)
{
    static double table[2 * ORDERS], work[ARMILLA_PHASE_WORK];
    (void)state;
    for (int i = 0; i < FAR; i++) {
        armilla_phase phase;
        armilla_phase_init(&phase, far[i], 7);
        armilla_phase_fill(&phase, ORDERS - 1, table, work);
        for (int64_t m = 0; m < ORDERS; m += 97) {
            double value[2];
            exact_phase(far[i], m, value);
            if (fabs(table[2 * m] - value[0]) > 1e-15 || fabs(table[2 * m + 1] - value[1]) > 1e-15)
                fail_msg("phi0 = %g, m = %lld", far[i], (long long)m);
        }
    }
}

static void small_alm(double *alm)
{
    uint64_t random = 3;
    for (int64_t i = 0; i < 2 * armilla_alm_size(LMAX, LMAX); i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        alm[i] = i % 2 && i < 2 * (LMAX + 1) ? 0 : (double)(random >> 11) * 0x1p-52 - 1;
    }
}

/* By a plan, and without one. */
static void values_at_points_are_those_near_0(void **state)
{
    double alm[2 * 28], points[4 * FAR], values[2 * FAR];
    armilla_points *plan;
    armilla_points_options options;
    (void)state;
    small_alm(alm);
    for (int i = 0; i < FAR; i++) {
        points[4 * i] = points[4 * i + 2] = 0.3 + 0.2 * i;
        points[4 * i + 1] = far[i], points[4 * i + 3] = near_one(far[i]);
    }
    armilla_points_options_init(&options);
    options.epsilon = 1e-12;
    check_ok(armilla_points_new(LMAX, LMAX, 2 * FAR, points, &options, &plan));
    for (int with_plan = 0; with_plan < 2; with_plan++) {
        if (with_plan)
            check_ok(armilla_points_synthesis(plan, alm, values, NULL));
        else
            check_ok(armilla_points_evaluate(LMAX, LMAX, 2 * FAR, points, NULL, alm, values, NULL));
        for (int i = 0; i < FAR; i++)
            if (!(fabs(values[2 * i] - values[2 * i + 1]) < 2e-11))
                fail_msg("phi = %g, plan %d: %g", far[i], with_plan,
                         values[2 * i] - values[2 * i + 1]);
    }
    armilla_points_free(plan);
}

static void maps_of_shifted_rings_are_those_near_0(void **state)
{
    double alm[2 * 28], map[2][15 * FAR];
    (void)state;
    small_alm(alm);
    for (int near = 0; near < 2; near++) {
        armilla_ring rings[FAR];
        armilla_grid *grid;
        armilla_sht *sht;
        for (int i = 0; i < FAR; i++)
            rings[i] = (armilla_ring){.theta = 0.3 + 0.2 * i,
                                      .nphi = 15,
                                      .phi0 = near ? near_one(far[i]) : far[i],
                                      .offset = 15 * i,
                                      .stride = 1};
        check_ok(armilla_grid_new_custom(FAR, rings, &grid));
        check_ok(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht));
        check_ok(armilla_sht_synthesis(sht, alm, map[near], NULL));
        armilla_sht_free(sht), armilla_grid_free(grid);
    }
    for (int i = 0; i < 15 * FAR; i++)
        if (!(fabs(map[0][i] - map[1][i]) < 1e-14))
            fail_msg("phi0 = %g: %g", far[i / 15], map[0][i] - map[1][i]);
}

/* A disc that covers a few pixels of each ring, by both methods. */
static void convolved_maps_of_shifted_rings_are_those_near_0(void **state)
{
    double from[15 * FAR], to[2][15 * FAR];
    (void)state;
    for (int i = 0; i < 15 * FAR; i++) from[i] = sin(i);
    for (int rings_method = 0; rings_method < 2; rings_method++) {
        for (int near = 0; near < 2; near++) {
            armilla_ring rings[FAR];
            armilla_grid *grid;
            armilla_kernel *kernel;
            armilla_radial *radial;
            armilla_radial_options options;
            for (int i = 0; i < FAR; i++)
                rings[i] = (armilla_ring){.theta = 0.3 + 0.2 * i,
                                          .nphi = 15,
                                          .phi0 = near ? near_one(far[i]) : far[i],
                                          .offset = 15 * i,
                                          .stride = 1,
                                          .weight = 0.1};
            armilla_radial_options_init(&options);
            options.method = rings_method ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
            options.support = 1;
            check_ok(armilla_grid_new_custom(FAR, rings, &grid));
            check_ok(armilla_kernel_new_gaussian(0.5, &kernel));
            check_ok(armilla_radial_new(grid, kernel, &options, &radial));
            check_ok(armilla_radial_convolve(radial, from, to[near], NULL));
            armilla_radial_free(radial), armilla_kernel_free(kernel), armilla_grid_free(grid);
        }
        for (int i = 0; i < 15 * FAR; i++)
            if (!(fabs(to[0][i] - to[1][i]) < 1e-13))
                fail_msg("phi0 = %g: %g", far[i / 15], to[0][i] - to[1][i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_angles_are_the_same_directions),
        cmocka_unit_test(phases_of_large_orders_are_exact),
        cmocka_unit_test(values_at_points_are_those_near_0),
        cmocka_unit_test(maps_of_shifted_rings_are_those_near_0),
        cmocka_unit_test(convolved_maps_of_shifted_rings_are_those_near_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
