/* A radial convolution on the GPU and its adjoint, for tests that watch kernels. Included after
 * cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_RUN_H
#define ARMILLA_TESTS_CUDA_RADIAL_RUN_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <stdlib.h>
#include <string.h>

/* Both operators on zeros: no kernel branches on them. Takes the grid and the kernel. */
static inline void radial_run_options(armilla_grid *grid, armilla_kernel *kernel,
                                      const armilla_radial_options *options)
{
    const int64_t size = armilla_grid_npix(grid) * (options->spin ? 2 : 1);
    armilla_radial *radial;
    check_ok(armilla_radial_new(grid, kernel, options, &radial));
    double *map = checked_calloc(size, 8), *out = checked_calloc(size, 8);
    check_ok(armilla_radial_convolve(radial, map, out, NULL));
    check_ok(armilla_radial_adjoint(radial, map, out, NULL));
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static inline armilla_radial_options radial_run_on_gpu(armilla_radial_normalization normalization)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.normalization = normalization;
    return options;
}

/* A Gaussian of so many radians, pixel by pixel. Takes the grid. */
static inline void radial_run(armilla_grid *grid, double fwhm,
                              armilla_radial_normalization normalization)
{
    armilla_kernel *kernel;
    armilla_radial_options options = radial_run_on_gpu(normalization);
    options.method = ARMILLA_RADIAL_PIXELS;
    check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    radial_run_options(grid, kernel, &options);
}

/* By Fourier coefficients of rings: a disc where fwhm is 0, of which all rings must have as many
 * pixels. */
static inline void radial_run_rings(armilla_grid *grid, double fwhm, int64_t spin,
                                    armilla_radial_normalization normalization)
{
    armilla_kernel *kernel;
    armilla_radial_options options = radial_run_on_gpu(normalization);
    options.method = ARMILLA_RADIAL_RINGS, options.spin = spin;
    if (fwhm > 0)
        check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    else
        check_ok(armilla_kernel_new_tophat(1.5, &kernel));
    radial_run_options(grid, kernel, &options);
}

/* The kernel that divides maps of floats. */
static inline void radial_run_floats(armilla_grid *grid)
{
    const int64_t npix = armilla_grid_npix(grid);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options = radial_run_on_gpu(ARMILLA_RADIAL_SUM);
    options.method = ARMILLA_RADIAL_RINGS;
    check_ok(armilla_kernel_new_gaussian(0.5, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    float *map = checked_calloc(npix, 4), *out = checked_calloc(npix, 4);
    check_ok(armilla_radial_convolve_float(radial, map, out, NULL));
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

#endif
