/* Times values at points on a GPU, both ways, with arrays in its memory, and compares some of them
 * with sums over harmonics at the points. */
#include "check.h"
#include "problem.h"

#include <math.h>
#include <stdlib.h>

typedef struct scene {
    int64_t lmax, npoints;
    double epsilon;
    double *points, *alm; /* on the host */
    void *there, *values;
    armilla_points *plan;
} scene;

enum { CALLS = 5, COMPARED = 50 };

/* All over the sky, in any sequence. */
static void fill(scene *s)
{
    const int64_t size = armilla_alm_size(s->lmax, s->lmax);
    uint64_t state = 3;
    s->points = malloc(sizeof(double) * 2 * (size_t)s->npoints);
    s->alm = malloc(sizeof(double) * 2 * (size_t)size);
    if (!s->points || !s->alm) gpu_report_stop("no memory for points");
    for (int64_t i = 0; i < s->npoints; i++) {
        s->points[2 * i] = acos(gpu_random(&state));
        s->points[2 * i + 1] = 3.141592653589793 * (1 + gpu_random(&state));
    }
    for (int64_t i = 0; i < 2 * size; i++)
        s->alm[i] = i < 2 * (s->lmax + 1) && i % 2 ? 0 : gpu_random(&state);
}

static void open_scene(scene *s)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.epsilon = s->epsilon, options.device = ARMILLA_CUDA;
    fill(s);
    s->there = gpu_stage_put(s->alm, 16 * armilla_alm_size(s->lmax, s->lmax));
    s->values = gpu_stage_put(s->points, 8 * s->npoints);
    gpu_stop_at(armilla_points_new(s->lmax, s->lmax, s->npoints, s->points, &options, &s->plan),
                "points");
}

static void close_scene(scene *s)
{
    armilla_points_free(s->plan);
    gpu_stop_at_cuda(cudaFree(s->there), "coefficients");
    gpu_stop_at_cuda(cudaFree(s->values), "values");
    free(s->points);
    free(s->alm);
}

static void run_once(const scene *s, int to_points)
{
    gpu_stop_at(to_points ? armilla_points_synthesis(s->plan, s->there, s->values, NULL)
                          : armilla_points_adjoint_synthesis(s->plan, s->values, s->there, NULL),
                "values at points");
}

static void time_calls(const scene *s, int to_points)
{
    char key[GPU_KEY];
    snprintf(key, sizeof key, "points lmax %lld, %.2g points, %g, %s", (long long)s->lmax,
             (double)s->npoints, s->epsilon, to_points ? "synthesis" : "adjoint");
    run_once(s, to_points);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    const double start = gpu_clock();
    for (int i = 0; i < CALLS; i++) run_once(s, to_points);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), key);
    const double milliseconds = 1e3 * (gpu_clock() - start) / CALLS;
    gpu_report_figure(&(gpu_figure){.key = key, .value = milliseconds, .unit = "ms"});
}

/* The first points, by sums over harmonics on the processor. */
static void compare(const scene *s)
{
    const int64_t count = s->npoints < COMPARED ? s->npoints : COMPARED;
    double exact[COMPARED], error = 0, power = 0;
    double *values = malloc(sizeof(double) * (size_t)s->npoints);
    if (!values) gpu_report_stop("no memory for values");
    gpu_stage_get(values, s->values, 8 * s->npoints);
    gpu_stop_at(
        armilla_points_evaluate(s->lmax, s->lmax, count, s->points, NULL, s->alm, exact, NULL),
        "sums over harmonics");
    for (int64_t i = 0; i < count; i++) {
        error += (values[i] - exact[i]) * (values[i] - exact[i]);
        power += exact[i] * exact[i];
    }
    if (!(error <= 4 * s->epsilon * s->epsilon * power))
        gpu_report_wrong("points lmax %lld: errors of %g, not %g", (long long)s->lmax,
                         sqrt(error / power), s->epsilon);
    free(values);
}

/* One call of each operator. */
void gpu_step_profile_points(int small)
{
    scene s = {.lmax = small ? 32 : 2047, .npoints = small ? 600 : 8000000, .epsilon = 1e-10};
    open_scene(&s);
    run_once(&s, 1);
    run_once(&s, 0);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "values at points");
    close_scene(&s);
}

void gpu_step_times_points(int small)
{
    static const double epsilons[] = {1e-6, 1e-10};
    for (int i = 0; i < 2; i++) {
        scene s = {
            .lmax = small ? 32 : 6067, .npoints = small ? 600 : 74000000, .epsilon = epsilons[i]};
        open_scene(&s);
        time_calls(&s, 1);
        compare(&s);
        time_calls(&s, 0);
        close_scene(&s);
    }
}
