/* What the tests of radial convolution by Fourier coefficients of rings on a GPU share: kernels,
 * and a plan on either side. Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_RADIAL_RINGS_SCENE_H
#define ARMILLA_TESTS_CUDA_RADIAL_RINGS_SCENE_H

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

enum { KERNELS = 6 };

typedef struct {
    armilla_radial *cpu, *gpu;
    int64_t size; /* values of a field with all its components */
    double *map, *wanted, *made;
} scene;

static inline armilla_radial_options options_on(armilla_device device)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_RINGS, options.device = device;
    return options;
}

/* Smooth ones first; a disc, and one with kinks, need rings of equal length. Returned: support. */
static inline double make_kernel(int number, armilla_kernel **kernel)
{
    static const double theta[] = {0, 0.2, 0.25, 0.5}, values[] = {3, 1, -0.5, 0.75};
    static const double supports[KERNELS] = {0, 3.141592653589793, 0, 0, 0.777, 0};
    switch (number) {
    case 0:
        check_ok(armilla_kernel_new_gaussian(0.2, kernel));
        break;
    case 1:
        check_ok(armilla_kernel_new_gaussian(1.1, kernel));
        break;
    case 2:
        check_ok(armilla_kernel_new_mexican_hat(0.3, kernel));
        break;
    case 3:
        check_ok(armilla_kernel_new_gaussian(0.05, kernel)); /* orders beyond Nyquist's */
        break;
    case 4:
        check_ok(armilla_kernel_new_tophat(0.777, kernel));
        break;
    default:
        check_ok(armilla_kernel_new_table(4, theta, values, kernel));
    }
    return supports[number];
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
    s.map = checked_malloc(s.size, 8), s.wanted = checked_malloc(s.size, 8);
    s.made = checked_malloc(s.size, 8);
    random_fill(5, s.size, s.map);
    return s;
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

static inline armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

#endif
