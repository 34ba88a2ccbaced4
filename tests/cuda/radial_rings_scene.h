/* What the tests of radial convolution by Fourier coefficients of rings on a GPU share: kernels,
 * and a plan on either side. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_RINGS_SCENE_H
#define ARMILLA_TESTS_CUDA_RADIAL_RINGS_SCENE_H

#include "cuda/radial_checks.h"

enum { KERNELS = 6 };

static inline armilla_radial_options options_on(armilla_device device)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_RINGS, options.device = device;
    return options;
}

/* Smooth ones first; a disc, and one with kinks, need rings of equal length. The fourth has orders
 * beyond Nyquist's. Returned: support. */
static inline double make_kernel(int number, armilla_kernel **kernel)
{
    static const struct {
        kernel_kind kind;
        double width, support;
    } kernels[KERNELS] = {{GAUSSIAN, 0.2, 0},     {GAUSSIAN, 1.1, 3.141592653589793},
                          {MEXICAN_HAT, 0.3, 0},  {GAUSSIAN, 0.05, 0},
                          {TOPHAT, 0.777, 0.777}, {TABLE, 0, 0}};
    new_kernel(kernels[number].kind, kernels[number].width, kernel);
    return kernels[number].support;
}

/* The processor's method: PIXELS is the sum itself. */
static inline scene scene_open(const armilla_grid *grid, int kernel, int64_t spin,
                               armilla_radial_normalization normalization,
                               armilla_radial_method method)
{
    scene s = {.size = armilla_grid_npix(grid) * (spin ? 2 : 1)};
    armilla_kernel *k;
    armilla_radial_description d = {.size = sizeof d};
    armilla_radial_options options = options_on(ARMILLA_CUDA);
    options.support = make_kernel(kernel, &k), options.normalization = normalization;
    options.spin = spin;
    check_ok(armilla_radial_new(grid, k, &options, &s.gpu));
    check_ok(armilla_radial_describe(s.gpu, 1, &d));
    assert_string_equal(d.method, "rings");
    options.device = ARMILLA_CPU, options.method = method, options.support = d.support;
    check_ok(armilla_radial_new(grid, k, &options, &s.cpu));
    armilla_kernel_free(k);
    scene_fill(&s);
    return s;
}

static inline armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

#endif
