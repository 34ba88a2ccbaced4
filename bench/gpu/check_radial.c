/* Compares radial convolution on the GPU with the processor's, pixel by pixel and by Fourier
 * coefficients of rings, scalars and pairs Q, U, with weights, too, and times it on maps of the GPU
 * and of the host.
 */
#include "check.h"
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct radial_case {
    armilla_radial_method method;
    int64_t nside, spin;
    double arcmin; /* full width at half maximum */
} radial_case;

typedef struct scene {
    radial_case of;
    char name[80];
    int64_t size; /* values of a field */
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial *gpu;
    armilla_radial_options options;
    double *map, *wanted, *got; /* on the host */
    double *weights;            /* of pixels, a fifth of them 0 */
} scene;

/* A key of docs/gpu-figures.md. */
static void name_scene(scene *s)
{
    const radial_case *of = &s->of;
    const int by_rings = of->method == ARMILLA_RADIAL_RINGS;
    snprintf(s->name, sizeof s->name, "radial by %s, nside %lld, %.3g %s, spin %lld",
             by_rings ? "rings" : "pixels", (long long)of->nside,
             by_rings ? of->arcmin / 60 : of->arcmin, by_rings ? "deg" : "arcmin",
             (long long)of->spin);
}

static void open_scene(const radial_case *of, scene *s)
{
    uint64_t state = 7;
    *s = (scene){.of = *of};
    name_scene(s);
    gpu_stop_at(armilla_grid_new_healpix(of->nside, &s->grid), "the grid");
    s->size = armilla_grid_npix(s->grid) * (of->spin ? 2 : 1);
    gpu_stop_at(armilla_kernel_new_gaussian(of->arcmin * M_PI / 180 / 60, &s->kernel),
                "the kernel");
    armilla_radial_options_init(&s->options);
    s->options.method = of->method, s->options.device = ARMILLA_CUDA;
    s->options.spin = of->spin;
    gpu_stop_at(armilla_radial_new(s->grid, s->kernel, &s->options, &s->gpu), "a plan on the GPU");
    s->map = gpu_host_array(s->size), s->wanted = gpu_host_array(s->size);
    s->got = gpu_host_array(s->size);
    s->weights = gpu_host_array(s->size);
    for (int64_t i = 0; i < s->size; i++) s->map[i] = gpu_random(&state);
    for (int64_t i = 0; i < s->size; i++) s->weights[i] = i % 5 ? fabs(s->map[i]) : 0;
}

static void close_scene(scene *s)
{
    armilla_radial_free(s->gpu);
    armilla_kernel_free(s->kernel);
    armilla_grid_free(s->grid);
    free(s->map), free(s->wanted), free(s->got), free(s->weights);
}

static armilla_status apply(const armilla_radial *radial, int adjoint, const double *map,
                            double *out)
{
    return (adjoint ? armilla_radial_adjoint : armilla_radial_convolve)(radial, map, out, NULL);
}

/* --- Right? ----------------------------------------------------------------------------------- */

static void compare_maps(const scene *s, gpu_comparison *c)
{
    const int64_t npix = armilla_grid_npix(s->grid);
    for (int64_t i = 0; i < s->size; i++) {
        const gpu_place place = {{"component", "pixel", "field"}, {i / npix, i % npix, 0}, "map"};
        gpu_compare(c, &place, s->wanted[i], s->got[i]);
    }
}

/* The convolution, its adjoint, means over weights. */
static armilla_status apply_kind(const scene *s, const armilla_radial *radial, int kind,
                                 double *out)
{
    if (kind < 2) return apply(radial, kind, s->map, out);
    return armilla_radial_convolve_weighted(radial, s->map, s->weights, 0.1, 0, out, NULL);
}

static void check_kind(const scene *s, const armilla_radial *cpu, int kind)
{
    static const char *const kinds[] = {"convolution", "adjoint", "means over weights"};
    char what[GPU_KEY];
    gpu_comparison c = {.what = what, .bound = 1e-13};
    snprintf(what, sizeof what, "%s, %s", s->name, kinds[kind]);
    gpu_stop_at(apply_kind(s, cpu, kind, s->wanted), "the processor's convolution");
    gpu_stop_at(apply_kind(s, s->gpu, kind, s->got), what);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) gpu_compare_again(&c);
        compare_maps(s, &c);
    }
    gpu_compare_report(&c);
}

static void check_case(const radial_case *of)
{
    scene s;
    armilla_radial *cpu;
    armilla_radial_description d = {.size = sizeof d};
    open_scene(of, &s);
    gpu_stop_at(armilla_radial_describe(s.gpu, 0, &d), "a plan's description");
    armilla_radial_options options = s.options;
    options.device = ARMILLA_CPU, options.support = d.support;
    gpu_stop_at(armilla_radial_new(s.grid, s.kernel, &options, &cpu), "a plan on the processor");
    for (int kind = 0; kind < 3; kind++) check_kind(&s, cpu, kind);
    armilla_radial_free(cpu);
    close_scene(&s);
}

/* --- How long? -------------------------------------------------------------------------------- */

/* The mean of some calls on maps of one side. */
static void time_calls(const scene *s, const char *where, const double *map, double *out)
{
    enum { CALLS = 10 };
    char key[GPU_KEY];
    double start = 0;
    snprintf(key, sizeof key, "%s%s", s->name, where);
    for (int i = -1; i < CALLS; i++) { /* the first one pays for memory and code */
        if (i == 0) start = gpu_clock();
        gpu_stop_at(apply(s->gpu, 0, map, out), key);
        if (i < 0) gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    }
    gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    const double milliseconds = 1e3 * (gpu_clock() - start) / CALLS;
    gpu_report_figure(
        &(gpu_figure){.key = key, .value = milliseconds, .unit = "ms", .headline = 1});
}

static void time_pinned(const scene *s)
{
    const size_t bytes = (size_t)s->size * sizeof(double);
    double *map, *out;
    gpu_stop_at_cuda(cudaMallocHost((void **)&map, bytes), "pinned memory");
    gpu_stop_at_cuda(cudaMallocHost((void **)&out, bytes), "pinned memory");
    memcpy(map, s->map, bytes);
    time_calls(s, ", pinned host arrays", map, out);
    cudaFreeHost(map), cudaFreeHost(out);
}

static void time_case(const radial_case *of)
{
    scene s;
    open_scene(of, &s);
    double *map = gpu_device_array(s.size, s.map), *out = gpu_device_array(s.size, NULL);
    time_calls(&s, "", map, out);
    cudaFree(map), cudaFree(out);
    if (of->method == ARMILLA_RADIAL_PIXELS) time_pinned(&s);
    close_scene(&s);
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Scalars and pairs: a small convolution is checked, a large one timed. */
static void run(radial_case checked, radial_case timed)
{
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        checked.spin = timed.spin = spin;
        check_case(&checked);
        time_case(&timed);
    }
    if (!gpu_report_outcome()) gpu_report_line('=', "all pixels as the processor's");
}

/* One convolution by each method, of scalars and of pairs. */
void gpu_step_profile_radial(int small)
{
    static const radial_case tiny[] = {{ARMILLA_RADIAL_PIXELS, 8, 0, 600},
                                       {ARMILLA_RADIAL_RINGS, 8, 0, 900},
                                       {ARMILLA_RADIAL_RINGS, 8, 2, 900}};
    static const radial_case cases[] = {{ARMILLA_RADIAL_PIXELS, 1024, 0, 10},
                                        {ARMILLA_RADIAL_RINGS, 1024, 0, 60},
                                        {ARMILLA_RADIAL_RINGS, 1024, 2, 60}};
    for (int i = 0; i < GPU_COUNT(cases); i++) {
        scene s;
        open_scene(small ? &tiny[i] : &cases[i], &s);
        double *map = gpu_device_array(s.size, s.map), *out = gpu_device_array(s.size, NULL);
        gpu_stop_at(apply(s.gpu, 0, map, out), s.name);
        gpu_stop_at_cuda(cudaDeviceSynchronize(), s.name);
        cudaFree(map), cudaFree(out);
        close_scene(&s);
    }
}

void gpu_step_radial(int small)
{
    const radial_case tiny = {ARMILLA_RADIAL_PIXELS, 8, 0, 600};
    const radial_case checked = {ARMILLA_RADIAL_PIXELS, 256, 0, 60};
    const radial_case timed = {ARMILLA_RADIAL_PIXELS, 2048, 0, 4.7};
    run(small ? tiny : checked, small ? tiny : timed);
}

void gpu_step_radial_rings(int small)
{
    const radial_case tiny = {ARMILLA_RADIAL_RINGS, 8, 0, 900};
    const radial_case checked = {ARMILLA_RADIAL_RINGS, 128, 0, 120};
    const radial_case timed = {ARMILLA_RADIAL_RINGS, 2048, 0, 60};
    run(small ? tiny : checked, small ? tiny : timed);
}
