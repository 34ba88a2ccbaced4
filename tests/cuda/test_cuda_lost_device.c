/* Plans whose GPU is lost before they are freed: the host's memory is released, and what belongs to
 * the lost GPU is not taken for something of the current one (the emulation ends the process if
 * cuFFT is asked to). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/lensing.h"
#include "armilla/radial.h"
#include "cuda/several_scene.h"
#include "oracle/checks.h"

enum { LMAX = 8, LOST = 1 };

static const int lost_one[] = {LOST}, both[] = {0, LOST};

static armilla_sht *new_sht(const armilla_grid *grid, const int *devices, int64_t count)
{
    armilla_sht_options options;
    armilla_sht *plan;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA, options.devices = devices, options.ndevices = count;
    check_ok(armilla_sht_new(grid, LMAX, LMAX, &options, &plan));
    return plan;
}

static armilla_points_options points_options(const int *devices, int64_t count)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.device = ARMILLA_CUDA, options.devices = devices, options.ndevices = count;
    return options;
}

static armilla_points *new_points(const int *devices, int64_t count)
{
    const double points[] = {0.5, 1, 2.5, 4};
    const armilla_points_options options = points_options(devices, count);
    armilla_points *plan;
    check_ok(armilla_points_new(100, 3, 2, points, &options, &plan));
    return plan;
}

static armilla_lensing *new_lensing(const armilla_grid *grid, const int *devices, int64_t count)
{
    const double potential[] = {0, 0, 0.1, 0, 0.1, 0.1};
    armilla_points_options options = points_options(devices, count);
    armilla_deflection deflection;
    armilla_lensing *plan;
    armilla_deflection_init(&deflection);
    deflection.lmax = deflection.mmax = 1, deflection.gradient = potential, options.spin = 2;
    check_ok(armilla_lensing_new(grid, &deflection, 100, 3, &options, &plan));
    return plan;
}

static armilla_radial *new_rings(const armilla_grid *grid)
{
    armilla_radial_options options;
    armilla_kernel *kernel;
    armilla_radial *plan;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.method = ARMILLA_RADIAL_RINGS;
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    assert_int_equal(cudaSetDevice(LOST), cudaSuccess);
    check_ok(armilla_radial_new(grid, kernel, &options, &plan));
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    armilla_kernel_free(kernel);
    return plan;
}

static void plans_of_a_lost_device_are_freed(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(4, &grid));
    armilla_sht *sht[] = {new_sht(grid, lost_one, 1), new_sht(grid, both, 2)};
    armilla_points *points[] = {new_points(lost_one, 1), new_points(both, 2)};
    armilla_lensing *lensing[] = {new_lensing(grid, lost_one, 1), new_lensing(grid, both, 2)};
    armilla_radial *rings = new_rings(grid);
    cuda_emulation_set_devices(LOST);
    assert_int_not_equal(cudaSetDevice(LOST), cudaSuccess);
    cudaGetLastError();
    armilla_radial_free(rings);
    for (int i = 0; i < 2; i++) {
        armilla_sht_free(sht[i]);
        armilla_points_free(points[i]);
        armilla_lensing_free(lensing[i]);
    }
    armilla_grid_free(grid);
    assert_int_equal(current_device(), 0);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plans_of_a_lost_device_are_freed, set_devices,
                                        reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
