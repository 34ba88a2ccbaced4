/* A radial convolution on the GPU and its adjoint, for tests that watch kernels. Included after
 * cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_RUN_H
#define ARMILLA_TESTS_CUDA_RADIAL_RUN_H

#include "armilla/armilla.h"
#include "cuda/runtime/runtime.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positive numbers of either kind. */
static inline double *radial_random_map(int64_t count)
{
    double *map = checked_calloc(count, sizeof *map);
    float *floats = (float *)map;
    random_fill_either(3, count, map);
    for (int64_t i = 0; i < 2 * count; i++) floats[i] = fabsf(floats[i]);
    return map;
}

/* A Gaussian of so many radians, of random maps; those that are weights as well are positive. */
static inline void radial_run_spin(const armilla_grid *grid, double fwhm,
                                   armilla_radial_normalization normalization, int64_t spin)
{
    const int64_t npix = armilla_grid_npix(grid), count = npix * (spin ? 2 : 1);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.method = ARMILLA_RADIAL_PIXELS;
    options.normalization = normalization, options.spin = spin;
    check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    double *map = radial_random_map(count), *out = checked_calloc(count, 8);
    check_ok(armilla_radial_convolve(radial, map, out, NULL));
    check_ok(armilla_radial_adjoint(radial, map, out, NULL));
    check_ok(armilla_radial_convolve_weighted(radial, map, map, 0, 0, out, NULL));
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
}

/* Takes the grid. Maps, pairs, weights. */
static inline void radial_run(armilla_grid *grid, double fwhm,
                              armilla_radial_normalization normalization)
{
    for (int64_t spin = 0; spin <= 2; spin += 2) radial_run_spin(grid, fwhm, normalization, spin);
    armilla_grid_free(grid);
}

/* Means over weights that are in the memory of the GPU, like the maps. */
static inline void radial_run_there(const armilla_radial *radial, const double *map, int64_t size)
{
    double *there[2]; /* a map, and the result; weights are the map's first pixels */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cudaMalloc((void **)&there[i], 8 * (size_t)size), cudaSuccess);
        assert_int_equal(cudaMemcpy(there[i], map, 8 * (size_t)size, cudaMemcpyHostToDevice),
                         cudaSuccess);
    }
    check_ok(armilla_radial_convolve_weighted(radial, there[0], there[0], 0, 0, there[1], NULL));
    cudaFree(there[0]), cudaFree(there[1]);
}

/* By Fourier coefficients of rings: a disc where fwhm is 0, of which all rings must have as many
 * pixels. Takes the grid. */
static inline void radial_run_rings(armilla_grid *grid, double fwhm, int64_t spin,
                                    armilla_radial_normalization normalization)
{
    const int64_t size = armilla_grid_npix(grid) * (spin ? 2 : 1);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.method = ARMILLA_RADIAL_RINGS;
    options.normalization = normalization, options.spin = spin;
    if (fwhm > 0)
        check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    else
        check_ok(armilla_kernel_new_tophat(1.5, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    double *map = radial_random_map(size), *out = checked_calloc(size, 8);
    check_ok(armilla_radial_convolve(radial, map, out, NULL));
    check_ok(armilla_radial_adjoint(radial, map, out, NULL));
    check_ok(armilla_radial_convolve_float(radial, (float *)map, (float *)out, NULL));
    radial_run_there(radial, map, size);
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

/* Maps in NESTED order. */
static inline void radial_run_nested(const char *name, double fwhm)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named(name, &grid));
    radial_run_rings(grid, fwhm, 2, ARMILLA_RADIAL_NONE);
}

#endif
