/* Radial convolution on a GPU: results are those of the processor on every kind of grid and kernel,
 * bits do not depend on who runs first, memory is what the plan tells, and what is not offered is
 * refused by name. Failures, adjoints, captures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/radial_scene.h"

enum { LAUNCHES = 20 };

/* Errors are held to this part of the largest value. */
static const double BOUND = 1e-13;

/* --- Results ---------------------------------------------------------------------------------- */

/* Both operators; what is between rings stays as it is. Takes the grid. */
static void check_grid(armilla_grid *grid, int first, int last, const char *what)
{
    for (int kernel = first; kernel <= last; kernel++)
        for (int sum = 0; sum < 2; sum++) {
            if (sum && (kernel == 1 || kernel == 5)) continue; /* they have no integral */
            scene s = scene_open(grid, kernel, sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE);
            for (int adjoint = 0; adjoint < 2; adjoint++) {
                random_fill(3, s.npix, s.wanted), random_fill(3, s.npix, s.made);
                check_ok(apply(adjoint, s.cpu, s.map, s.wanted, NULL));
                check_ok(apply(adjoint, s.gpu, s.map, s.made, NULL));
                check_at_most(relative_error(s.npix, s.wanted, s.made), BOUND,
                              "%s: kernel %d, sum %d, adjoint %d", what, kernel, sum, adjoint);
            }
            scene_close(&s);
        }
    armilla_grid_free(grid);
}

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

static void results_are_the_processors(void **state)
{
    (void)state;
    check_grid(healpix_grid(1), 0, KERNELS - 1, "nside 1");
    check_grid(healpix_grid(5), 0, KERNELS - 1, "nside 5");
    check_grid(gauss(9, 18), 0, KERNELS - 1, "Gauss-Legendre");
    check_grid(gauss(8, 17), 2, 4, "odd rings, run-over arcs");
    check_grid(gauss(1, 5), 2, 3, "one ring");
    check_grid(gauss(4, 1), 2, 3, "rings of one pixel");
}

/* Arcs of more than one tile, pieces, a belt and caps. */
static void long_rows(void **state)
{
    (void)state;
    check_grid(gauss(2, 1100), 3, 3, "long rings");
    check_grid(healpix_grid(70), 0, 0, "nside 70");
}

/* Rings of a cap, long enough for values by polynomials, which two neighbours mostly share; more
 * than a piece of each. */
static void values_by_polynomials(void **state)
{
    (void)state;
    armilla_grid *whole = healpix_grid(200), *grid;
    check_ok(armilla_grid_new_subset(whole, 130, 12, 1, &grid));
    armilla_grid_free(whole);
    check_grid(grid, 0, 0, "rings of a cap");
}

static void other_grids(void **state)
{
    (void)state;
    static const double theta[] = {0, 0.5, 2, 1.1}, phi0[] = {0, 1, 0.3, 2};
    static const double weight[] = {0.1, 0.5, 1.5, 0.3};
    static const int64_t nphi[] = {3, 4, 5, 1}, offset[] = {40, 0, 7, 30}, stride[] = {-1, 1, 3, 1};
    armilla_ring rings[4];
    armilla_grid *grid, *whole;
    for (int i = 0; i < 4; i++)
        rings[i] = (armilla_ring){.theta = theta[i],
                                  .phi0 = phi0[i],
                                  .weight = weight[i],
                                  .nphi = nphi[i],
                                  .offset = offset[i],
                                  .stride = stride[i]};
    check_ok(armilla_grid_new_custom(4, rings, &grid));
    check_grid(grid, 2, 4, "rings of any kind, with gaps");
    check_ok(armilla_grid_new_reduced_gauss_legendre(9, 8, &grid));
    check_grid(grid, 2, 4, "reduced");
    whole = healpix_grid(6);
    check_ok(armilla_grid_new_subset(whole, 3, 15, 0, &grid));
    armilla_grid_free(whole);
    check_grid(grid, 0, 4, "some rings");
}

/* --- Arrays, bits, launches ------------------------------------------------------------------- */

static void arrays_and_orders_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(6);
    scene s = scene_open(grid, 0, ARMILLA_RADIAL_SUM);
    check_arrays_of(&s, 1, 3, LAUNCHES);
    scene_close(&s);
    armilla_grid_free(grid);
}

/* --- Memory and errors ------------------------------------------------------------------------ */

static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(6);
    scene s = scene_open(grid, 0, ARMILLA_RADIAL_SUM);
    armilla_radial_description d = {.size = sizeof d};
    check_ok(armilla_radial_describe(s.cpu, 1, &d));
    assert_true(d.device_plan_bytes == 0 && d.device_workspace_bytes == 0);
    check_ok(armilla_radial_describe(s.gpu, 1, &d));
    assert_string_equal(d.method, "pixels");
    const int64_t held = cuda_emulation_live_bytes();
    assert_int_equal(held, d.device_plan_bytes);
    double *there = to_device(s.map, 8 * s.npix), *made = to_device(s.map, 8 * s.npix);
    cuda_emulation_most_bytes();
    const int64_t before = cuda_emulation_live_bytes();
    check_ok(apply(0, s.gpu, there, made, NULL));
    assert_int_equal(cuda_emulation_most_bytes(), before);
    check_ok(apply(0, s.gpu, s.map, s.made, NULL));
    assert_int_equal(cuda_emulation_most_bytes(), before + d.device_workspace_bytes);
    cudaFree(there), cudaFree(made);
    scene_close(&s);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
    armilla_grid_free(grid);
}

static void refuse(const armilla_grid *grid, const armilla_kernel *kernel,
                   armilla_radial_options options, const char *text)
{
    armilla_radial *radial = NULL;
    check_error(armilla_radial_new(grid, kernel, &options, &radial), ARMILLA_ERROR_UNSUPPORTED,
                text);
    assert_null(radial);
}

static void plans_that_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    armilla_kernel *kernel;
    make_kernel(0, &kernel);
    armilla_radial_options options = options_on(ARMILLA_CUDA);
    cuda_emulation_set_devices(0);
    refuse(grid, kernel, options, "no GPU");
    cuda_emulation_set_devices(1);
    options.device = (armilla_device)9;
    armilla_radial *radial;
    check_error(armilla_radial_new(grid, kernel, &options, &radial), ARMILLA_ERROR_ARGUMENT,
                "device = 9");
    options = options_on(ARMILLA_CUDA), options.device_bytes = -1;
    check_error(armilla_radial_new(grid, kernel, &options, &radial), ARMILLA_ERROR_ARGUMENT,
                "device_bytes = -1");
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static void calls_that_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(3);
    scene s = scene_open(grid, 0, ARMILLA_RADIAL_NONE);
    const armilla_radial *list[2] = {s.gpu, s.cpu};
    armilla_radial_stream stream;
    armilla_exec exec;
    double *there = to_device(s.map, 8 * s.npix);
    for (int64_t p = 0; p < s.npix; p++) s.wanted[p] = 1;
    check_error(armilla_radial_convolve_weighted(s.gpu, there, s.wanted, 0, 0, s.made, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "weights: with them map and out");
    cudaFree(there);
    s.wanted[5] = -1;
    check_error(armilla_radial_convolve_weighted(s.gpu, s.map, s.wanted, 0, 0, s.made, NULL),
                ARMILLA_ERROR_ARGUMENT, "weights[5]");
    check_error(armilla_radial_convolve_many(list, 2, s.map, s.made, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "radials[1]: is not on a GPU");
    armilla_radial_stream_init(&stream);
    check_error(armilla_radial_convolve_stream(s.gpu, &stream, NULL), ARMILLA_ERROR_UNSUPPORTED,
                "radial: convolutions of maps in pieces are not offered on a GPU; the host makes");
    armilla_exec_init(&exec);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in host memory");
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR, s.map[7] = (double)NAN;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT, "map");
    scene_close(&s);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(values_by_polynomials),
        cmocka_unit_test(other_grids),
        cmocka_unit_test(arrays_and_orders_change_no_bits),
        cmocka_unit_test(memory_is_what_the_plan_tells),
        cmocka_unit_test(plans_that_are_refused),
        cmocka_unit_test(calls_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
