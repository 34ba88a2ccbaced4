/* Compares lensed maps on the GPU, and their adjoint, with the processor's, and times a plan and
 * calls on arrays of the GPU. */
#include "check.h"
#include "problem.h"

#include "armilla/alm.h"
#include "armilla/lensing.h"
#include "base/memory.h"

#include <math.h>

/* Potentials whose deflections are some arc minutes. */
typedef struct sky {
    int64_t lmax, nside, size, npix; /* size: complex numbers of a component */
    double *potential, *alm, *map;
    armilla_grid *grid;
    armilla_deflection deflection;
    armilla_points_options options;
    armilla_lensing *lensing;
} sky;

static void open_sky(int64_t nside, int64_t lmax, armilla_device device, sky *s)
{
    uint64_t state = 11;
    *s = (sky){.lmax = lmax, .nside = nside, .npix = 12 * nside * nside};
    s->size = armilla_alm_size(lmax, lmax);
    s->potential = gpu_host_array(2 * s->size);
    s->alm = gpu_host_array(4 * s->size), s->map = gpu_host_array(2 * s->npix);
    for (int64_t m = 0; m <= lmax; m++)
        for (int64_t l = m; l <= lmax; l++)
            for (int64_t i = 0; i < 2; i++) {
                const int64_t at = 2 * armilla_alm_index(lmax, l, m) + i;
                const int real = m || !i;
                s->potential[at] =
                    l && real ? 1e-3 * gpu_random(&state) / pow((double)l + 1, 3) : 0;
                for (int64_t c = 0; c < 2; c++)
                    s->alm[at + 2 * c * s->size] = l > 1 && real ? gpu_random(&state) : 0;
            }
    for (int64_t i = 0; i < 2 * s->npix; i++) s->map[i] = gpu_random(&state);
    gpu_stop_at(armilla_grid_new_healpix(nside, &s->grid), "the grid");
    armilla_deflection_init(&s->deflection);
    armilla_points_options_init(&s->options);
    s->deflection.lmax = s->deflection.mmax = lmax, s->deflection.gradient = s->potential;
    s->options.spin = 2, s->options.epsilon = 1e-10, s->options.device = device;
    gpu_stop_at(armilla_lensing_new(s->grid, &s->deflection, lmax, lmax, &s->options, &s->lensing),
                "a plan for lensed maps");
}

static void close_sky(sky *s)
{
    armilla_lensing_free(s->lensing);
    armilla_grid_free(s->grid);
    armilla_release(s->potential), armilla_release(s->alm), armilla_release(s->map);
}

static void run_operator(const sky *s, int adjoint, const double *in, double *out)
{
    gpu_stop_at(adjoint ? armilla_lensing_adjoint(s->lensing, in, out, NULL)
                        : armilla_lensing_alm2lenmap(s->lensing, in, out, NULL),
                "lensed maps");
}

/* Arrays of the host: what is compared is how plans are made and run. */
static void check_operator(const sky *cpu, const sky *gpu, int adjoint)
{
    const int64_t count = adjoint ? 4 * cpu->size : 2 * cpu->npix;
    const double *in = adjoint ? cpu->map : cpu->alm;
    double *wanted = gpu_host_array(count), *got = gpu_host_array(count);
    gpu_comparison c = {.what = adjoint ? "adjoint lensing" : "lensed maps", .bound = 1e-9};
    run_operator(cpu, adjoint, in, wanted);
    run_operator(gpu, adjoint, in, got);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) gpu_compare_again(&c);
        for (int64_t i = 0; i < count; i++) {
            const gpu_place place = {{"component", "number", "part"},
                                     {2 * i / count, i % (count / 2), 0},
                                     adjoint ? "alm" : "map"};
            gpu_compare(&c, &place, wanted[i], got[i]);
        }
    }
    gpu_compare_report(&c);
    armilla_release(wanted), armilla_release(got);
}

static void tell_time(const sky *s, const char *what, double seconds)
{
    char key[GPU_KEY];
    snprintf(key, sizeof key, "lensing nside %lld lmax %lld, spin 2, %s", (long long)s->nside,
             (long long)s->lmax, what);
    gpu_report_figure(&(gpu_figure){.key = key, .value = 1e3 * seconds, .unit = "ms"});
}

static void time_calls(const sky *s)
{
    enum { CALLS = 5 };
    double *alm = gpu_device_array(4 * s->size, s->alm);
    double *map = gpu_device_array(2 * s->npix, s->map);
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        double *in = adjoint ? map : alm, *out = adjoint ? alm : map;
        run_operator(s, adjoint, in, out);
        gpu_stop_at_cuda(cudaDeviceSynchronize(), "lensed maps");
        const double start = gpu_clock();
        for (int i = 0; i < CALLS; i++) run_operator(s, adjoint, in, out);
        gpu_stop_at_cuda(cudaDeviceSynchronize(), "lensed maps");
        tell_time(s, adjoint ? "adjoint" : "to map", (gpu_clock() - start) / CALLS);
    }
    cudaFree(alm);
    cudaFree(map);
}

void gpu_step_lensing(int small)
{
    sky cpu, gpu;
    open_sky(small ? 4 : 256, small ? 9 : 511, ARMILLA_CPU, &cpu);
    open_sky(small ? 4 : 256, small ? 9 : 511, ARMILLA_CUDA, &gpu);
    for (int adjoint = 0; adjoint < 2; adjoint++) check_operator(&cpu, &gpu, adjoint);
    close_sky(&cpu), close_sky(&gpu);
    const double start = gpu_clock();
    open_sky(small ? 4 : 2048, small ? 9 : 4095, ARMILLA_CUDA, &gpu);
    tell_time(&gpu, "plan and fields", gpu_clock() - start);
    time_calls(&gpu);
    close_sky(&gpu);
    if (!gpu_report_outcome()) gpu_report_line('=', "lensed maps as the processor's");
}
