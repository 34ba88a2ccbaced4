/* A radial plan on the processor and the same one on the emulated GPU, with maps for both. Included
 * after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_SCENE_H
#define ARMILLA_TESTS_CUDA_RADIAL_SCENE_H

#include "cuda/test_cuda_scene.h"

enum { KERNELS = 6 };

typedef struct {
    armilla_radial *cpu, *gpu;
    int64_t npix;
    double *map, *wanted, *made;
} scene;

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
    static const double theta[] = {0, 0.2, 0.25, 0.5}, values[] = {3, 1, -0.5, 0.75};
    static const double supports[KERNELS] = {0, 0, 3.14159265358979, 0.777, 0, 1.9};
    switch (number) {
    case 0:
        check_ok(armilla_kernel_new_gaussian(0.1, kernel));
        break;
    case 1:
        check_ok(armilla_kernel_new_mexican_hat(0.2, kernel));
        break;
    case 2:
        check_ok(armilla_kernel_new_gaussian(1.1, kernel));
        break;
    case 3:
        check_ok(armilla_kernel_new_tophat(0.777, kernel));
        break;
    case 4:
        check_ok(armilla_kernel_new_table(4, theta, values, kernel));
        break;
    default:
        check_ok(armilla_kernel_new_needlet(2, 3, kernel));
    }
    return supports[number];
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
    s.map = checked_malloc(s.npix, 8), s.wanted = checked_malloc(s.npix, 8);
    s.made = checked_malloc(s.npix, 8);
    random_fill(5, s.npix, s.map);
    return s;
}

static inline scene scene_open(const armilla_grid *grid, int kernel,
                               armilla_radial_normalization normalization)
{
    armilla_radial_options options = options_on(ARMILLA_CPU);
    options.normalization = normalization;
    return scene_open_as(grid, kernel, options);
}

static inline void scene_close(scene *s)
{
    armilla_radial_free(s->cpu), armilla_radial_free(s->gpu);
    free(s->map), free(s->wanted), free(s->made);
}

static inline armilla_status apply(int adjoint, const armilla_radial *radial, const double *map,
                                   double *out, const armilla_exec *exec)
{
    return (adjoint ? armilla_radial_adjoint : armilla_radial_convolve)(radial, map, out, exec);
}

#endif
