/* Makes the plans and arrays of a transform to be checked, on the processor and on the GPU, and
 * runs it. */
#include "gpu_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const gpu_operation gpu_operations[GPU_OPERATIONS] = {
    {"synthesis", armilla_sht_synthesis, armilla_sht_synthesis_float, 1},
    {"adjoint_synthesis", armilla_sht_adjoint_synthesis, armilla_sht_adjoint_synthesis_float, 0},
    {"analysis", armilla_sht_analysis, armilla_sht_analysis_float, 0},
    {"adjoint_analysis", armilla_sht_adjoint_analysis, armilla_sht_adjoint_analysis_float, 1},
};

/* --- Calls that must succeed ------------------------------------------------------------------ */

void gpu_stop_at(armilla_status status, const char *what)
{
    if (status) gpu_report_stop("%s: %s", what, armilla_status_message());
}

void gpu_stop_at_cuda(cudaError_t error, const char *what)
{
    if (error) gpu_report_stop("%s: %s", what, cudaGetErrorString(error));
}

double *gpu_host_array(int64_t count)
{
    double *values = calloc((size_t)count, sizeof *values);
    if (!values) gpu_report_stop("%lld bytes of memory are not to be had", (long long)count * 8);
    return values;
}

double *gpu_device_array(int64_t count, const double *from)
{
    double *values;
    const size_t bytes = (size_t)count * sizeof *values;
    gpu_stop_at_cuda(cudaMalloc((void **)&values, bytes), "device memory");
    gpu_stop_at_cuda(from ? cudaMemcpy(values, from, bytes, cudaMemcpyHostToDevice)
                          : cudaMemset(values, 0xff, bytes),
                     "filling device memory");
    return values;
}

double gpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- Numbers --------------------------------------------------------------------------------- */

void gpu_narrow(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) {
        const float value = (float)values[i];
        memcpy((char *)values + i * (int64_t)sizeof value, &value, sizeof value);
    }
}

void gpu_widen(int64_t count, double *values)
{
    for (int64_t i = count - 1; i >= 0; i--) {
        float value;
        memcpy(&value, (char *)values + i * (int64_t)sizeof value, sizeof value);
        values[i] = (double)value;
    }
}

double gpu_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 41) * 0x1p-22 - 1;
}

/* Imaginary parts of m = 0 are 0, and so are degrees below the spin. */
static void fill_alm(gpu_problem *p)
{
    uint64_t state = 20;
    const int64_t one = p->description.alm_size, spin = p->what.spin, lmax = p->what.lmax;
    int64_t at = 0;
    for (int64_t c = 0; c < p->alm_count / (2 * one); c++)
        for (int64_t m = 0; m <= lmax; m++)
            for (int64_t l = m; l <= lmax; l++, at++) {
                p->alm[2 * at] = l < spin ? 0 : gpu_random(&state);
                p->alm[2 * at + 1] = l < spin || m == 0 ? 0 : gpu_random(&state);
            }
}

/* --- Plans ----------------------------------------------------------------------------------- */

/* The rings of a Gauss-Legendre grid, turned. */
static armilla_status make_turned_grid(int64_t nrings, int64_t nphi, double phi0,
                                       armilla_grid **turned)
{
    armilla_grid *grid;
    armilla_status status = armilla_grid_new_gauss_legendre(nrings, nphi, &grid);
    if (status) return status;
    armilla_ring *rings = calloc((size_t)nrings, sizeof *rings);
    if (!rings) gpu_report_stop("no memory for %lld rings", (long long)nrings);
    for (int64_t i = 0; i < nrings && !status; i++) {
        status = armilla_grid_ring(grid, i, &rings[i]);
        rings[i].phi0 += phi0;
    }
    if (!status) status = armilla_grid_new_custom(nrings, rings, turned);
    free(rings);
    armilla_grid_free(grid);
    return status;
}

static armilla_status make_grid(const gpu_case *what, armilla_grid **grid)
{
    const int64_t n = what->lmax + 1, nphi = what->nphi ? what->nphi : 2 * n;
    if (what->nside) return armilla_grid_new_healpix(what->nside, grid);
    if (what->kind == ARMILLA_GRID_CC || what->kind == ARMILLA_GRID_MW)
        return armilla_grid_new_equidistant(what->kind, n + (what->kind == ARMILLA_GRID_CC), nphi,
                                            grid);
    if (what->phi0 != 0) return make_turned_grid(n, nphi, what->phi0, grid);
    return armilla_grid_new_gauss_legendre(n, nphi, grid);
}

static armilla_sht *make_plan(const gpu_problem *p, armilla_device device)
{
    armilla_sht_options options;
    armilla_sht *sht;
    armilla_sht_options_init(&options);
    options.spin = p->what.spin;
    options.device = device, options.method = p->what.method;
    options.device_precision =
        p->what.single ? ARMILLA_DEVICE_PRECISION_SINGLE : ARMILLA_DEVICE_PRECISION_DOUBLE;
    if (p->what.shape && !strcmp(p->what.shape, GPU_TUNED))
        options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    else
        options.device_shape = p->what.shape;
    gpu_stop_at(armilla_sht_new(p->grid, p->what.lmax, p->what.lmax, &options, &sht), p->what.name);
    return sht;
}

void gpu_problem_open(const gpu_case *what, int with_processor, gpu_problem *p)
{
    const int64_t ntrans = what->ntrans ? what->ntrans : 1;
    uint64_t state = 21;
    *p = (gpu_problem){.what = *what, .description.size = sizeof p->description};
    gpu_stop_at(make_grid(what, &p->grid), what->name);
    if (with_processor) p->sht[0] = make_plan(p, ARMILLA_CPU);
    const double begin = gpu_clock();
    p->sht[1] = make_plan(p, ARMILLA_CUDA);
    p->plan_seconds = gpu_clock() - begin;
    gpu_stop_at(armilla_sht_describe(p->sht[1], 0, &p->description), what->name);
    p->alm_count = 2 * p->description.alm_size * p->description.alm_ncomp * ntrans;
    p->map_count = p->description.npix * p->description.ncomp * ntrans;
    p->alm = gpu_host_array(p->alm_count);
    p->map = gpu_host_array(p->map_count);
    fill_alm(p);
    for (int64_t i = 0; i < p->map_count; i++) p->map[i] = gpu_random(&state);
}

void gpu_problem_close(gpu_problem *p)
{
    free(p->alm);
    free(p->map);
    armilla_sht_free(p->sht[0]);
    armilla_sht_free(p->sht[1]);
    armilla_grid_free(p->grid);
}

/* --- Words ----------------------------------------------------------------------------------- */

void gpu_problem_key(const gpu_problem *p, const char *operation, char key[GPU_KEY])
{
    char spin[32] = "", ntrans[40] = "", shape[40] = "";
    if (p->what.spin) snprintf(spin, sizeof spin, ", spin %lld", (long long)p->what.spin);
    if (p->what.ntrans > 1)
        snprintf(ntrans, sizeof ntrans, ", %lld at once", (long long)p->what.ntrans);
    if (p->what.shape) snprintf(shape, sizeof shape, ", %s", p->what.shape);
    snprintf(key, GPU_KEY, "%s lmax %lld%s%s%s%s, %s", p->what.name, (long long)p->what.lmax, spin,
             p->what.single ? ", single" : "", ntrans, shape, operation);
}

void gpu_problem_members(const gpu_problem *p, const char *operation, char members[GPU_MEMBERS])
{
    snprintf(members, GPU_MEMBERS,
             "\"grid\": \"%s\", \"lmax\": %lld, \"spin\": %lld, \"ntrans\": %lld, \"precision\": "
             "\"%s\", \"shape\": \"%s\", \"operation\": \"%s\"",
             p->what.name, (long long)p->what.lmax, (long long)p->what.spin,
             (long long)(p->what.ntrans ? p->what.ntrans : 1), p->description.device_precision,
             p->description.device_shape, operation);
}

/* --- Runs ------------------------------------------------------------------------------------ */

int64_t gpu_problem_given(const gpu_problem *p, const gpu_operation *o)
{
    return o->to_map ? p->alm_count : p->map_count;
}

int64_t gpu_problem_made(const gpu_problem *p, const gpu_operation *o)
{
    return o->to_map ? p->map_count : p->alm_count;
}

void gpu_problem_run(const gpu_problem *p, const gpu_operation *o, int on_gpu, int single,
                     const void *from, void *to, void *stream)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = p->what.ntrans ? p->what.ntrans : 1;
    exec.stream = stream;
    const armilla_sht *sht = p->sht[on_gpu];
    const armilla_status status =
        single ? o->run_float(sht, from, to, &exec) : o->run(sht, from, to, &exec);
    if (!status) return;
    char key[GPU_KEY];
    gpu_problem_key(p, o->name, key);
    gpu_stop_at(status, key);
}
