/* Checks that the float nearest to pi, 3.14159274, is taken as the south pole by every call that
 * has colatitudes: the results have the bits of pi. The next double, and a number below 0, are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/colatitude.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 8, NALM = 2 * 45, MOST = 4 * NALM, NPIX = 12 * 16 };

/* What calls with one colatitude give; status: of the call. */
typedef armilla_status (*door)(double theta, double *made);

static void fill(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = 1 + (double)(i * 7 % 11);
}

/* --- Points ----------------------------------------------------------------------------------- */

static armilla_status evaluate(double theta, double *made)
{
    const double points[] = {1, 2, theta, 3};
    double alm[NALM];
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.derivatives = 2;
    fill(NALM, alm);
    return armilla_points_evaluate(LMAX, LMAX, 2, points, &options, alm, made, NULL);
}

static armilla_status evaluate_floats(double theta, double *made)
{
    const double points[] = {theta, 3};
    float alm[NALM];
    for (int i = 0; i < NALM; i++) alm[i] = (float)(1 + i % 5);
    return armilla_points_evaluate_float(LMAX, LMAX, 1, points, NULL, alm, (float *)made, NULL);
}

static armilla_status evaluate_back(double theta, double *made)
{
    const double points[] = {theta, 3}, value = 2;
    return armilla_points_adjoint_evaluate(LMAX, LMAX, 1, points, NULL, &value, made, NULL);
}

/* Its synthesis and adjoint; a plan of points in a zone far away shares nothing. */
static armilla_status plan(double theta, double *made)
{
    const double points[] = {0.1, 1, theta, 3, 1.5, 2}, other[] = {1.5, 1};
    double alm[NALM];
    armilla_points *first, *second;
    fill(NALM, alm);
    armilla_status status = armilla_points_new(LMAX, LMAX, 3, points, NULL, &first);
    if (status) return status;
    if (!(status = armilla_points_synthesis(first, alm, made, NULL)))
        status = armilla_points_adjoint_synthesis(first, made, made + 3, NULL);
    armilla_points_free(first);
    if (status || (status = armilla_points_new(LMAX, LMAX, 1, other, NULL, &first))) return status;
    if (!(status = armilla_points_new_beside(first, 3, points, &second))) {
        status = armilla_points_synthesis(second, alm, made + 3 + NALM, NULL);
        armilla_points_free(second);
    }
    armilla_points_free(first);
    return status;
}

static armilla_status interpolate(double theta, double *made)
{
    const double points[] = {theta, 3};
    double map[(LMAX + 1) * (2 * LMAX + 1)];
    armilla_grid *grid;
    armilla_status status = armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 1, &grid);
    if (status) return status;
    fill((LMAX + 1) * (2 * LMAX + 1), map);
    status = armilla_points_interpolate(grid, map, 1, points, NULL, made, NULL, NULL);
    armilla_grid_free(grid);
    return status;
}

static armilla_status deflect(double theta, double *made)
{
    const double points[] = {theta, 3}, deflection[] = {-0.01, 0.02};
    return armilla_lensing_deflect(1, points, deflection, 1, made, made + 2);
}

static armilla_status solid(double theta, double *made)
{
    const double points[] = {1, 2, 1.5, theta, 3, 1.25}, values[] = {2, 3};
    double alm[NALM];
    fill(NALM, alm);
    const armilla_status status =
        armilla_solid_evaluate(LMAX, LMAX, 2, points, NULL, alm, made, NULL);
    return status ? status
                  : armilla_solid_adjoint_evaluate(LMAX, LMAX, 2, points, NULL, values, made + 2,
                                                   NULL);
}

/* --- Rings and pixels ------------------------------------------------------------------------- */

static armilla_status custom(double theta, double *made)
{
    const armilla_ring rings[] = {{.theta = 1, .nphi = 8, .stride = 1},
                                  {.theta = theta, .nphi = 8, .offset = 8, .stride = 1}};
    double alm[NALM];
    armilla_grid *grid;
    armilla_sht *sht = NULL;
    armilla_status status = armilla_grid_new_custom(2, rings, &grid);
    if (status) return status;
    fill(NALM, alm);
    if (!(status = armilla_sht_new(grid, LMAX, LMAX, NULL, &sht)))
        status = armilla_sht_synthesis(sht, alm, made, NULL);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return status;
}

static armilla_status leg(double theta, double *made)
{
    const double rings[] = {1, theta};
    double alm[NALM];
    armilla_leg_problem problem;
    armilla_leg_problem_init(&problem);
    problem.lmax = LMAX, problem.nrings = 2, problem.norders = LMAX + 1, problem.theta = rings;
    fill(NALM, alm);
    return armilla_leg_from_alm(&problem, alm, made);
}

static armilla_status pixels(double theta, double *made)
{
    const double angles[] = {0.5, theta}, phi[] = {1, 3};
    int64_t found[2];
    armilla_grid *grid;
    armilla_status status = armilla_healpix_ang_to_pixels(4, 1, 2, angles, phi, found, 1);
    if (status) return status;
    made[0] = (double)found[1], made[1] = (double)armilla_healpix_ang_to_ring(3, theta, 3);
    if ((status = armilla_grid_new_equidistant(ARMILLA_GRID_CC, 5, 9, &grid))) return status;
    status = armilla_grid_pixels_at(grid, 2, angles, phi, found);
    made[2] = (double)found[1];
    armilla_grid_free(grid);
    return status || made[1] < 0 || made[2] < 0 ? ARMILLA_ERROR_INTERNAL : ARMILLA_OK;
}

static armilla_status between_pixels(double theta, double *made)
{
    const double phi = 3;
    double values[NPIX];
    int64_t found[4];
    const armilla_healpix_map map = {.nside = 4, .values = values};
    fill(NPIX, values);
    armilla_status status =
        armilla_healpix_interpolation_weights(4, 0, 1, &theta, &phi, found, made, 1);
    for (int i = 0; i < 4 && !status; i++) made[4 + i] = (double)found[i];
    return status ? status : armilla_healpix_interpolate(&map, 1, &theta, &phi, made + 8, 1);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static armilla_status kernel(double theta, double *made)
{
    const double angle[] = {0, 1, theta}, value[] = {3, 2, 1};
    armilla_kernel *made_kernel;
    armilla_status status = armilla_kernel_new_table(3, angle, value, &made_kernel);
    if (status) return status;
    if (!(status = armilla_kernel_values(made_kernel, 3, angle, made)) &&
        !(status = armilla_kernel_window(made_kernel, theta, LMAX, made + 3)))
        status = armilla_spectrum_gaussian_beam(theta, 0, LMAX, made + 4 + LMAX);
    armilla_kernel_free(made_kernel);
    return status;
}

static armilla_status support(double theta, double *made)
{
    double map[NPIX];
    armilla_grid *grid = NULL;
    armilla_kernel *made_kernel = NULL;
    armilla_radial *radial = NULL;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.support = theta;
    fill(NPIX, map);
    armilla_status status = armilla_grid_new_healpix(4, &grid);
    if (!status) status = armilla_kernel_new_tophat(theta, &made_kernel);
    if (!status) status = armilla_radial_new(grid, made_kernel, &options, &radial);
    if (!status) status = armilla_radial_convolve(radial, map, made, NULL);
    armilla_radial_free(radial);
    armilla_kernel_free(made_kernel);
    armilla_grid_free(grid);
    return status;
}

/* --- All -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    door open;
} doors[] = {{"evaluate", evaluate},
             {"evaluate, floats", evaluate_floats},
             {"adjoint of evaluate", evaluate_back},
             {"plan", plan},
             {"interpolate", interpolate},
             {"deflect", deflect},
             {"solid", solid},
             {"custom grid", custom},
             {"leg", leg},
             {"pixels", pixels},
             {"between pixels", between_pixels},
             {"kernel", kernel},
             {"support", support}};

static void a_floats_pi_is_pi(void **state)
{
    (void)state;
    double exact[MOST], rounded[MOST];
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        memset(exact, 0, sizeof exact), memset(rounded, 0, sizeof rounded);
        print_message("%s\n", doors[i].name);
        check_ok(doors[i].open(M_PI, exact));
        check_ok(doors[i].open((double)(float)M_PI, rounded));
        assert_memory_equal(exact, rounded, sizeof exact);
    }
}

static void other_numbers_are_refused(void **state)
{
    const double wrong[] = {nextafter((double)(float)M_PI, 4), -1e-9, NAN};
    (void)state;
    double made[MOST];
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
        for (int k = 0; k < 3; k++) {
            print_message("%s, %g\n", doors[i].name, wrong[k]);
            assert_int_equal(doors[i].open(wrong[k], made), ARMILLA_ERROR_ARGUMENT);
        }
}

static void latitudes_of_floats_are_the_poles(void **state)
{
    const double pole = (double)(float)M_PI_2;
    (void)state;
    assert_true(ARMILLA_COLATITUDE_MOST == (double)(float)M_PI);
    assert_true(ARMILLA_COLATITUDE_MOST == 2 * pole);
    assert_true(armilla_latitude_is_good(pole) && armilla_latitude_is_good(-pole));
    assert_false(armilla_latitude_is_good(nextafter(pole, 2)));
    assert_true(armilla_colatitude_of_latitude(pole) == 0);
    assert_true(armilla_colatitude_of_latitude(-pole) == M_PI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floats_pi_is_pi),
        cmocka_unit_test(other_numbers_are_refused),
        cmocka_unit_test(latitudes_of_floats_are_the_poles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
