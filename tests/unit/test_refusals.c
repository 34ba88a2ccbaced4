/* Checks that inputs from which no right number can come are refused by name: grids without
 * weights, kernels that see no pixel or have no integral. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <string.h>

enum { RINGS = 5, NPHI = 8, NPIX = RINGS * NPHI, LMAX = 3, SIZE = 10 };

static armilla_grid *open_grid(double weight)
{
    armilla_ring rings[RINGS];
    armilla_grid *grid;
    for (int i = 0; i < RINGS; i++)
        rings[i] = (armilla_ring){.theta = 0.5 + 0.5 * i,
                                  .nphi = NPHI,
                                  .offset = NPHI * i,
                                  .stride = 1,
                                  .weight = weight};
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    return grid;
}

static void check_named(armilla_status status, const char *words)
{
    assert_int_equal(status, ARMILLA_ERROR_ARGUMENT);
    if (!strstr(armilla_status_message(), words))
        fail_msg("\"%s\" does not say \"%s\"", armilla_status_message(), words);
}

static void analysis_needs_weights(void **state)
{
    double map[3 * NPIX] = {1, 2, 3}, alm[6 * SIZE] = {7};
    float floats[3 * NPIX] = {1}, few[6 * SIZE] = {7};
    armilla_grid *grid = open_grid(0);
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_pseudo_options options;
    (void)state;
    check_ok(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht));
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, NULL, &iqu));
    check_named(armilla_sht_analysis(sht, map, alm, NULL), "no weights");
    check_named(armilla_sht_analysis_float(sht, floats, few, NULL), "no weights");
    check_named(armilla_sht_adjoint_analysis(sht, alm, map, NULL), "no weights");
    check_named(armilla_iqu_analysis(iqu, map, alm, NULL), "no weights");
    assert_true(alm[0] == 7 && few[0] == 7 && map[0] == 1);
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_JACOBI;
    check_named(armilla_sht_pseudo_analysis(sht, map, alm, &options, NULL, NULL), "no weights");
    options.method = ARMILLA_PSEUDO_LSMR;
    check_ok(armilla_sht_pseudo_analysis(sht, map, alm, &options, NULL, NULL));
    check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
    armilla_iqu_free(iqu), armilla_sht_free(sht), armilla_grid_free(grid);
}

static armilla_status try_radial(const armilla_grid *grid, const armilla_kernel *kernel,
                                 armilla_radial_method method,
                                 armilla_radial_normalization normalization)
{
    armilla_radial *radial = NULL;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.method = method, options.normalization = normalization, options.support = 0.3;
    const armilla_status status = armilla_radial_new(grid, kernel, &options, &radial);
    armilla_radial_free(radial);
    return status;
}

/* A ring of radius 0.25 to 0.3 about a pixel has none on it. */
static void sums_need_a_pixel(void **state)
{
    const double theta[] = {0, 0.24, 0.25, 0.3}, values[] = {0, 0, 1, 1};
    armilla_grid *grid = open_grid(0.1), *bare = open_grid(0);
    armilla_kernel *hollow, *disc;
    (void)state;
    check_ok(armilla_kernel_new_table(4, theta, values, &hollow));
    check_ok(armilla_kernel_new_tophat(0.3, &disc));
    for (int rings = 0; rings < 2; rings++) {
        const armilla_radial_method method = rings ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
        check_named(try_radial(grid, hollow, method, ARMILLA_RADIAL_SUM), "normalization = SUM");
        for (int n = ARMILLA_RADIAL_AUTO; n <= ARMILLA_RADIAL_SUM; n++) /* each would be 0 */
            check_named(try_radial(bare, disc, method, (armilla_radial_normalization)n),
                        "no weights");
        check_ok(try_radial(grid, hollow, method, ARMILLA_RADIAL_INTEGRAL));
        check_ok(try_radial(grid, disc, method, ARMILLA_RADIAL_SUM));
    }
    armilla_kernel_free(disc), armilla_kernel_free(hollow);
    armilla_grid_free(bare), armilla_grid_free(grid);
}

static void integrals_need_a_size(void **state)
{
    const double window[] = {1e-310, 1e-310};
    armilla_grid *grid = open_grid(0.1);
    armilla_kernel *kernel;
    (void)state;
    check_ok(armilla_kernel_new_window(1, window, &kernel));
    check_named(try_radial(grid, kernel, ARMILLA_RADIAL_PIXELS, ARMILLA_RADIAL_INTEGRAL),
                "normalization = INTEGRAL");
    armilla_kernel_free(kernel), armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analysis_needs_weights),
        cmocka_unit_test(sums_need_a_pixel),
        cmocka_unit_test(integrals_need_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
