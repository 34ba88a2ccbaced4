/* Counts what calls take on the emulated GPU, which has no speed: launches, memory, bytes moved;
 * and what models predict for an H100. bench/run.py cuda-many, cuda-points and cuda-radial run it.
 *
 *   bench_cuda [--quick] many|points|radial      prints a line of JSON for each call
 *
 * Of large launches some blocks run, which stand for all; so only addresses are right, which depend
 * on no number, and the results of the calls are wrong. Plans of points sort: there all blocks run.
 */
#include "armilla/armilla.h"
#include "emulation.h"
#include "points/sampling.h"
#include "radial/plan.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 16 }; /* of a launch that run */

/* --- Calls that must succeed ------------------------------------------------------------------ */

static void stop(const char *what)
{
    fprintf(stderr, "bench_cuda: %s\n", what);
    exit(2);
}

static void check(armilla_status status)
{
    if (status) stop(armilla_status_message());
}

/* Zeros, on the device. */
static double *device_zeros(int64_t count)
{
    double *values;
    const size_t bytes = (size_t)count * sizeof *values;
    if (cudaMalloc((void **)&values, bytes) || cudaMemset(values, 0, bytes))
        stop("device memory is not to be had");
    return values;
}

/* --- One call --------------------------------------------------------------------------------- */

typedef armilla_status (*call_fn)(const void *plan, const double *from, double *to,
                                  const armilla_exec *exec);

/* Bytes of the device: what describe tells, and what the plan was counted to hold. */
typedef struct planned {
    const void *plan;
    int64_t told_plan, told_call, counted_plan;
} planned;

static int64_t bytes_before; /* of a call: plan and arrays */

typedef struct counted {
    const char *what, *operation;
    int64_t ntrans;
    double flops; /* of double precision, that must be done; 0: the model has them */
    double model; /* milliseconds on an H100 for all transforms; 0: there is no model */
} counted;

static void print_call(const planned *p, const counted *c, int64_t call_bytes)
{
    const int64_t launches = cuda_emulation_launches();
    const double kernels = cuda_emulation_moved_bytes();
    const double cufft = (double)cuda_emulation_fft_bytes();
    printf("{\"what\": \"%s\", \"operator\": \"%s\", \"ntrans\": %lld, \"launches\": %lld, "
           "\"told_plan_bytes\": %lld, \"counted_plan_bytes\": %lld, \"told_call_bytes\": %lld, "
           "\"counted_call_bytes\": %lld, \"kernel_bytes\": %.0f, \"cufft_bytes\": %.0f, "
           "\"flops\": %.6g, \"model_ms\": %.4f}\n",
           c->what, c->operation, (long long)c->ntrans, (long long)launches,
           (long long)p->told_plan, (long long)p->counted_plan, (long long)p->told_call,
           (long long)call_bytes, kernels, cufft, c->flops, c->model);
    fflush(stdout);
}

static void count_call(const planned *p, const counted *c, call_fn run, const double *from,
                       double *to)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = c->ntrans;
    cuda_emulation_set_blocks(BLOCKS);
    cuda_emulation_most_bytes();
    cuda_emulation_launches(), cuda_emulation_moved_bytes(), cuda_emulation_fft_bytes();
    cuda_emulation_record(CUDA_EMULATION_REQUESTS);
    check(run(p->plan, from, to, &exec));
    cudaDeviceSynchronize();
    cuda_emulation_record(0);
    cuda_emulation_set_blocks(0);
    print_call(p, c, cuda_emulation_most_bytes() - bytes_before);
}

/* What is predicted for a problem that is too large to be run here. */
static void print_model(const char *what, double milliseconds)
{
    printf("{\"what\": \"%s\", \"model_ms\": %.4f}\n", what, milliseconds);
    fflush(stdout);
}

/* --- Many transforms -------------------------------------------------------------------------- */

static armilla_status synthesize(const void *plan, const double *from, double *to,
                                 const armilla_exec *exec)
{
    return armilla_sht_synthesis(plan, from, to, exec);
}

static armilla_status analyze(const void *plan, const double *from, double *to,
                              const armilla_exec *exec)
{
    return armilla_sht_analysis(plan, from, to, exec);
}

/* Gauss-Legendre. device_bytes: of the options. */
static void count_many(int64_t lmax, int64_t ntrans, int64_t device_bytes)
{
    armilla_grid *grid;
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_description d = {.size = sizeof d};
    char what[80];
    check(armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, &grid));
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA, options.device_bytes = device_bytes;
    options.device_streams = 1; /* launches of batches as large as can be */
    const int64_t before = cuda_emulation_live_bytes();
    check(armilla_sht_new(grid, lmax, lmax, &options, &sht));
    check(armilla_sht_describe_many(sht, 0, ntrans, &d));
    const planned p = {sht, d.device_plan_bytes, d.device_workspace_bytes,
                       cuda_emulation_live_bytes() - before};
    snprintf(what, sizeof what, "GL lmax %lld, %lld at once", (long long)lmax, (long long)ntrans);
    double *alm = device_zeros(2 * armilla_alm_size(lmax, lmax) * ntrans);
    double *map = device_zeros(armilla_grid_npix(grid) * ntrans);
    bytes_before = cuda_emulation_live_bytes();
    counted c = {what, "synthesis", ntrans, d.useful_flops * (double)ntrans, 0};
    count_call(&p, &c, synthesize, alm, map);
    c.operation = "analysis";
    count_call(&p, &c, analyze, map, alm);
    cudaFree(alm), cudaFree(map);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void bench_many(int quick)
{
    count_many(quick ? 31 : 255, 1, 0);
    count_many(quick ? 31 : 255, 64, 0);
    if (!quick) count_many(639, 32, (int64_t)1 << 30);
}

/* --- Points ----------------------------------------------------------------------------------- */

static armilla_status to_points(const void *plan, const double *from, double *to,
                                const armilla_exec *exec)
{
    return armilla_points_synthesis(plan, from, to, exec);
}

static armilla_status from_points(const void *plan, const double *from, double *to,
                                  const armilla_exec *exec)
{
    return armilla_points_adjoint_synthesis(plan, from, to, exec);
}

/* All over the sky: a spiral from pole to pole. */
static double *spiral(int64_t count)
{
    double *points = malloc(2 * (size_t)count * sizeof *points);
    if (!points) stop("no memory for points");
    for (int64_t i = 0; i < count; i++) {
        points[2 * i] = acos(1 - (2 * (double)i + 1) / (double)count);
        points[2 * i + 1] = fmod(2.399963229728653 * (double)i, 2 * M_PI);
    }
    return points;
}

/* Samples of points all over the sky, by the prices of a GPU: src/points/sampling.c. */
static armilla_sampling sampling_of(int64_t lmax, int64_t npoints, double epsilon,
                                    double *milliseconds)
{
    const armilla_sampling_problem problem = {.lmax = lmax,
                                              .mmax = lmax,
                                              .epsilon = epsilon,
                                              .npoints = npoints,
                                              .vector_length = 8,
                                              .on_device = 1,
                                              .extent = {0, M_PI, 0, 1}};
    const armilla_sampling sampling = armilla_sampling_choose(&problem);
    *milliseconds = 1e-6 * armilla_sampling_total_cost(&problem, &sampling);
    return sampling;
}

static void name_points(int64_t lmax, int64_t npoints, double epsilon, char what[80])
{
    snprintf(what, 80, "points lmax %lld, %.2g points, %g", (long long)lmax, (double)npoints,
             epsilon);
}

static void count_points(int64_t lmax, int64_t npoints, double epsilon)
{
    armilla_points *plan;
    armilla_points_options options;
    armilla_points_description d = {.size = sizeof d};
    char what[80];
    double *points = spiral(npoints);
    armilla_points_options_init(&options);
    options.epsilon = epsilon, options.device = ARMILLA_CUDA;
    const int64_t before = cuda_emulation_live_bytes();
    check(armilla_points_new(lmax, lmax, npoints, points, &options, &plan));
    free(points);
    check(armilla_points_describe(plan, 0, &d));
    const planned p = {plan, d.device_plan_bytes, d.device_workspace_bytes,
                       cuda_emulation_live_bytes() - before};
    name_points(lmax, npoints, epsilon, what);
    double *alm = device_zeros(2 * armilla_alm_size(lmax, lmax)), *values = device_zeros(npoints);
    bytes_before = cuda_emulation_live_bytes();
    counted c = {what, "type 2", 1, 0, 0};
    sampling_of(lmax, npoints, epsilon, &c.model);
    count_call(&p, &c, to_points, alm, values);
    c.operation = "type 1";
    count_call(&p, &c, from_points, values, alm);
    cudaFree(alm), cudaFree(values);
    armilla_points_free(plan);
}

/* A problem that is too large to be run here: what is predicted, and the samples. */
static void model_points(int64_t lmax, int64_t npoints, double epsilon)
{
    char what[80];
    double milliseconds;
    const armilla_sampling s = sampling_of(lmax, npoints, epsilon, &milliseconds);
    name_points(lmax, npoints, epsilon, what);
    printf("{\"what\": \"%s\", \"model_ms\": %.4f, \"npoints\": %lld, \"orders\": %lld, "
           "\"rings\": %lld, \"near_rings\": %lld, \"nphi\": %lld, \"taps\": %d}\n",
           what, milliseconds, (long long)npoints, (long long)s.mmax + 1, (long long)s.nrings,
           (long long)s.near_rings, (long long)s.nphi, s.taps);
    fflush(stdout);
}

static void bench_points(int quick)
{
    for (int i = 0; i < 2; i++) {
        const double epsilon = i ? 1e-10 : 1e-6;
        count_points(quick ? 31 : 255, quick ? 500 : 50000, epsilon);
        model_points(6067, 74000000, epsilon);
    }
}

/* --- Radial convolution ----------------------------------------------------------------------- */

static armilla_status convolve(const void *plan, const double *from, double *to,
                               const armilla_exec *exec)
{
    return armilla_radial_convolve(plan, from, to, exec);
}

/* HEALPix, a Gaussian. runs: the call is counted; otherwise the model alone tells. */
static void count_radial(armilla_radial_method method, int64_t nside, double arcmin, int runs)
{
    const int rings = method == ARMILLA_RADIAL_RINGS;
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_description d = {.size = sizeof d};
    char what[80];
    check(armilla_grid_new_healpix(nside, &grid));
    check(armilla_kernel_new_gaussian(arcmin * M_PI / 180 / 60, &kernel));
    armilla_radial_options_init(&options);
    options.method = method, options.device = ARMILLA_CUDA;
    const int64_t before = cuda_emulation_live_bytes();
    check(armilla_radial_new(grid, kernel, &options, &radial));
    check(armilla_radial_describe(radial, 0, &d));
    const planned p = {radial, d.device_plan_bytes, d.device_workspace_bytes,
                       cuda_emulation_live_bytes() - before};
    snprintf(what, sizeof what, "radial by %s, nside %lld, %.3g arcmin", rings ? "rings" : "pixels",
             (long long)nside, arcmin);
    const counted c = {what, "convolution", 1, 0, 1e3 * radial->device_seconds[rings]};
    if (runs) {
        double *map = device_zeros(d.npix), *out = device_zeros(d.npix);
        bytes_before = cuda_emulation_live_bytes();
        count_call(&p, &c, convolve, map, out);
        cudaFree(map), cudaFree(out);
    } else {
        print_model(what, c.model);
    }
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static void bench_radial(int quick)
{
    count_radial(ARMILLA_RADIAL_PIXELS, quick ? 32 : 256, quick ? 300 : 37.6, 1);
    count_radial(ARMILLA_RADIAL_RINGS, quick ? 32 : 256, quick ? 600 : 480, 1);
    if (quick) return;
    count_radial(ARMILLA_RADIAL_PIXELS, 2048, 4.7, 0);
    count_radial(ARMILLA_RADIAL_RINGS, 2048, 60, 0);
}

/* --- The program ------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int quick);
    } benches[] = {{"many", bench_many}, {"points", bench_points}, {"radial", bench_radial}};
    const int quick = argc == 3 && !strcmp(argv[1], "--quick");
    cuda_emulation_set_memory((int64_t)4 << 30);
    for (int i = 0; i < 3; i++)
        if (argc == 2 + quick && !strcmp(argv[argc - 1], benches[i].name)) {
            benches[i].run(quick);
            return 0;
        }
    fprintf(stderr, "usage: bench_cuda [--quick] many|points|radial\n");
    return 2;
}
