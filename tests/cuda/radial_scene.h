/* A radial plan on the processor and the same one on the emulated GPU, with maps for both. Included
 * after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_SCENE_H
#define ARMILLA_TESTS_CUDA_RADIAL_SCENE_H

#include "cuda/radial_checks.h"

enum { KERNELS = 6 };

static inline armilla_radial_options options_on(armilla_device device)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_PIXELS, options.device = device;
    return options;
}

/* Narrow and wide, smooth and with kinks, up to the whole sky. Returned: its support. */
static inline double make_kernel(int number, armilla_kernel **kernel)
{
    static const struct {
        kernel_kind kind;
        double width, support;
    } kernels[KERNELS] = {
        {GAUSSIAN, 0.1, 0},     {MEXICAN_HAT, 0.2, 0}, {GAUSSIAN, 1.1, 3.14159265358979},
        {TOPHAT, 0.777, 0.777}, {TABLE, 0, 0},         {NEEDLET, 0, 1.9}};
    new_kernel(kernels[number].kind, kernels[number].width, kernel);
    return kernels[number].support;
}

/* Makes both plans; of spin 2 npix is that of pairs. */
static inline scene scene_open_as(const armilla_grid *grid, int kernel,
                                  armilla_radial_options options)
{
    scene s = {.npix = armilla_grid_npix(grid) * (options.spin ? 2 : 1)};
    armilla_kernel *k;
    options.support = make_kernel(kernel, &k);
    options.device = ARMILLA_CPU, options.method = ARMILLA_RADIAL_PIXELS;
    check_ok(armilla_radial_new(grid, k, &options, &s.cpu));
    options.device = ARMILLA_CUDA, options.method = ARMILLA_RADIAL_FASTEST;
    check_ok(armilla_radial_new(grid, k, &options, &s.gpu));
    armilla_kernel_free(k);
    scene_fill(&s);
    return s;
}

static inline scene scene_open(const armilla_grid *grid, int kernel,
                               armilla_radial_normalization normalization)
{
    armilla_radial_options options = options_on(ARMILLA_CPU);
    options.normalization = normalization;
    return scene_open_as(grid, kernel, options);
}

#endif
