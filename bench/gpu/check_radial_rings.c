/* Compares radial convolution by Fourier coefficients of rings on the GPU with the processor's,
 * scalars and pairs Q, U, and times it on maps of the GPU. */
#include "check.h"
#include "problem.h"

#include <math.h>
#include <stdlib.h>

typedef struct scene {
    int64_t nside, spin, size; /* values of a field */
    double degrees;            /* full width at half maximum */
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial *gpu;
    armilla_radial_options options;
    double *map, *wanted, *got; /* on the host */
} scene;

static void open_scene(int64_t nside, double degrees, int64_t spin, scene *s)
{
    uint64_t state = 7;
    *s = (scene){.nside = nside, .spin = spin, .degrees = degrees};
    gpu_stop_at(armilla_grid_new_healpix(nside, &s->grid), "the grid");
    s->size = armilla_grid_npix(s->grid) * (spin ? 2 : 1);
    gpu_stop_at(armilla_kernel_new_gaussian(degrees * M_PI / 180, &s->kernel), "the kernel");
    armilla_radial_options_init(&s->options);
    s->options.method = ARMILLA_RADIAL_RINGS, s->options.device = ARMILLA_CUDA;
    s->options.spin = spin;
    gpu_stop_at(armilla_radial_new(s->grid, s->kernel, &s->options, &s->gpu), "a plan on the GPU");
    s->map = gpu_host_array(s->size), s->wanted = gpu_host_array(s->size);
    s->got = gpu_host_array(s->size);
    for (int64_t i = 0; i < s->size; i++) s->map[i] = gpu_random(&state);
}

static void close_scene(scene *s)
{
    armilla_radial_free(s->gpu);
    armilla_kernel_free(s->kernel);
    armilla_grid_free(s->grid);
    free(s->map), free(s->wanted), free(s->got);
}

static armilla_status apply(const armilla_radial *radial, int adjoint, const double *map,
                            double *out)
{
    return (adjoint ? armilla_radial_adjoint : armilla_radial_convolve)(radial, map, out, NULL);
}

static void compare_maps(const scene *s, gpu_comparison *c)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    for (int64_t i = 0; i < s->size; i++) {
        const gpu_place place = {{"component", "pixel", "field"}, {i / npix, i % npix, 0}, "map"};
        gpu_compare(c, &place, s->wanted[i], s->got[i]);
    }
}

static void check_direction(const scene *s, const armilla_radial *cpu, int adjoint)
{
    char what[GPU_KEY];
    gpu_comparison c = {.what = what, .bound = 1e-13};
    snprintf(what, sizeof what, "radial by rings, nside %lld, %g degrees, spin %lld, %s",
             (long long)s->nside, s->degrees, (long long)s->spin,
             adjoint ? "adjoint" : "convolution");
    gpu_stop_at(apply(cpu, adjoint, s->map, s->wanted), "the processor's convolution");
    gpu_stop_at(apply(s->gpu, adjoint, s->map, s->got), what);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) gpu_compare_again(&c);
        compare_maps(s, &c);
    }
    gpu_compare_report(&c);
}

static void check_case(int64_t nside, double degrees, int64_t spin)
{
    scene s;
    armilla_radial *cpu;
    armilla_radial_description d = {.size = sizeof d};
    open_scene(nside, degrees, spin, &s);
    gpu_stop_at(armilla_radial_describe(s.gpu, 0, &d), "a plan's description");
    armilla_radial_options options = s.options;
    options.device = ARMILLA_CPU, options.support = d.support;
    gpu_stop_at(armilla_radial_new(s.grid, s.kernel, &options, &cpu), "a plan on the processor");
    for (int adjoint = 0; adjoint < 2; adjoint++) check_direction(&s, cpu, adjoint);
    armilla_radial_free(cpu);
    close_scene(&s);
}

/* The mean of some calls on maps of the GPU. */
static void time_case(int64_t nside, double degrees, int64_t spin)
{
    enum { CALLS = 10 };
    scene s;
    char key[GPU_KEY];
    open_scene(nside, degrees, spin, &s);
    snprintf(key, sizeof key, "radial by rings, nside %lld, %g deg, spin %lld", (long long)nside,
             degrees, (long long)spin);
    double *map = gpu_device_array(s.size, s.map), *out = gpu_device_array(s.size, NULL), start = 0;
    for (int i = -1; i < CALLS; i++) { /* the first one pays for memory and code */
        if (i == 0) start = gpu_clock();
        gpu_stop_at(apply(s.gpu, 0, map, out), key);
        if (i < 0) gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    }
    gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    const double milliseconds = 1e3 * (gpu_clock() - start) / CALLS;
    gpu_report_figure(
        &(gpu_figure){.key = key, .value = milliseconds, .unit = "ms", .headline = 1});
    cudaFree(map), cudaFree(out);
    close_scene(&s);
}

void gpu_step_radial_rings(int small)
{
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        check_case(small ? 8 : 128, small ? 15 : 2, spin);
        time_case(small ? 8 : 2048, small ? 15 : 1, spin);
    }
    if (!gpu_report_outcome()) gpu_report_line('=', "all pixels as the processor's");
}
