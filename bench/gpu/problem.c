/* Makes the plans and arrays of a transform to be checked, on the processor and on the GPU, and
 * runs it; runs one stage of the GPU in poisoned memory, and counts where its results are wrong. */
#include "problem.h"

#include "base/memory.h"

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

int gpu_has_shape(const armilla_cuda_shape *shape)
{
    return armilla_cuda_check_shape(shape) == ARMILLA_OK;
}

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

double *gpu_problem_array(const gpu_problem *p, int64_t count, const double *from)
{
    const int64_t copies = p->what.copies ? p->what.copies : 1;
    double *values = gpu_device_array(copies * count, NULL);
    for (int64_t i = 0; i < copies; i++)
        gpu_stop_at_cuda(cudaMemcpy(values + i * count, i ? values : from,
                                    (size_t)count * sizeof *values,
                                    i ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice),
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

/* Latitudes of Gauss-Legendre; the weights are those of the rule for rings of any lengths. */
static armilla_status make_octahedral_grid(int64_t size, armilla_grid **octahedral)
{
    armilla_grid *grid;
    int64_t offset = 0;
    armilla_status status = armilla_grid_new_gauss_legendre(2 * size, 1, &grid);
    if (status) return status;
    armilla_ring *rings = calloc((size_t)(2 * size), sizeof *rings);
    if (!rings) gpu_report_stop("no memory for %lld rings", (long long)(2 * size));
    for (int64_t i = 0; i < 2 * size && !status; i++) {
        const int64_t from_pole = i < size ? i : 2 * size - 1 - i;
        status = armilla_grid_ring(grid, i, &rings[i]);
        rings[i].nphi = 20 + 4 * from_pole, rings[i].weight /= (double)rings[i].nphi;
        rings[i].offset = offset, rings[i].stride = 1;
        offset += rings[i].nphi;
    }
    if (!status) status = armilla_grid_new_custom(2 * size, rings, octahedral);
    free(rings);
    armilla_grid_free(grid);
    return status;
}

static armilla_status make_grid(const gpu_case *what, armilla_grid **grid)
{
    const int64_t n = what->lmax + 1, nphi = what->nphi ? what->nphi : 2 * n;
    if (what->octahedral) return make_octahedral_grid(what->octahedral, grid);
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
    options.spin = p->what.spin, options.device_bytes = p->what.device_bytes;
    options.device = device, options.method = p->what.method;
    options.device_streams = p->what.streams ? p->what.streams : 1;
    options.device_precision = p->what.halves       ? ARMILLA_DEVICE_PRECISION_HALVES
                               : p->what.two_floats ? ARMILLA_DEVICE_PRECISION_TWO_FLOATS
                               : p->what.single     ? ARMILLA_DEVICE_PRECISION_SINGLE
                                                    : ARMILLA_DEVICE_PRECISION_DOUBLE;
    if (p->what.shape && !strcmp(p->what.shape, GPU_TUNED))
        options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    else
        options.device_shape = p->what.shape;
    gpu_stop_at(armilla_sht_new(p->grid, p->what.lmax, p->what.lmax, &options, &sht), p->what.name);
    return sht;
}

/* How many transforms does a call have? */
static int64_t ntrans_of(const gpu_case *what)
{
    return (what->ntrans ? what->ntrans : 1) * (what->copies ? what->copies : 1);
}

int gpu_case_suits(const gpu_case *what)
{
    const gpu_problem p = {.what = *what};
    char key[GPU_KEY];
    for (int64_t i = 0; what->shape && armilla_cuda_shape_at(i); i++)
        if (!strcmp(armilla_cuda_shape_at(i)->name, what->shape) &&
            !gpu_has_shape(armilla_cuda_shape_at(i))) {
            gpu_problem_key(&p, "any operator", key);
            gpu_report_row("\"key\": \"%s\", \"absent\": \"no kernels of this shape\"", key);
            return 0;
        }
    return 1;
}

void gpu_problem_open(const gpu_case *what, int with_processor, gpu_problem *p)
{
    const int64_t ntrans = what->ntrans ? what->ntrans : 1;
    uint64_t state = 21;
    *p = (gpu_problem){.what = *what, .description.size = sizeof p->description};
    gpu_stop_at(make_grid(what, &p->grid), what->name);
    if (with_processor) p->sht[0] = make_plan(p, ARMILLA_CPU);
    gpu_plan_clock_start();
    p->sht[1] = make_plan(p, ARMILLA_CUDA);
    p->plan = gpu_plan_clock_stop();
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
    if (ntrans_of(&p->what) > 1)
        snprintf(ntrans, sizeof ntrans, ", %lld at once", (long long)ntrans_of(&p->what));
    if (p->what.shape) snprintf(shape, sizeof shape, ", %s", p->what.shape);
    snprintf(key, GPU_KEY, "%s lmax %lld%s%s%s%s%s, %s", p->what.name, (long long)p->what.lmax,
             spin,
             p->what.halves       ? ", halves"
             : p->what.single     ? ", single"
             : p->what.two_floats ? ", two floats"
                                  : "",
             ntrans, shape, p->what.streams > 1 ? ", two streams" : "", operation);
}

void gpu_problem_members(const gpu_problem *p, const char *operation, char members[GPU_MEMBERS])
{
    snprintf(members, GPU_MEMBERS,
             "\"grid\": \"%s\", \"lmax\": %lld, \"spin\": %lld, \"ntrans\": %lld, \"precision\": "
             "\"%s\", \"shape\": \"%s\", \"operation\": \"%s\"",
             p->what.name, (long long)p->what.lmax, (long long)p->what.spin,
             (long long)ntrans_of(&p->what), p->description.device_precision,
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
    exec.ntrans = on_gpu ? ntrans_of(&p->what) : p->what.ntrans ? p->what.ntrans : 1;
    exec.stream = stream;
    const armilla_sht *sht = p->sht[on_gpu];
    const armilla_status status =
        single ? o->run_float(sht, from, to, &exec) : o->run(sht, from, to, &exec);
    if (!status) return;
    char key[GPU_KEY];
    gpu_problem_key(p, o->name, key);
    gpu_stop_at(status, key);
}

/* --- One stage alone, in memory full of not-a-number --------------------------------------------
 */

enum { MARGIN = 256 };

void *gpu_stage_put(const void *host, int64_t bytes)
{
    void *device;
    gpu_stop_at_cuda(cudaMalloc(&device, (size_t)bytes + MARGIN), "device memory");
    gpu_stop_at_cuda(cudaMemset(device, 0xff, (size_t)bytes + MARGIN), "filling it");
    gpu_stop_at_cuda(cudaMemcpy(device, host, (size_t)bytes, cudaMemcpyHostToDevice), "a copy");
    return device;
}

void gpu_stage_get(void *host, const void *device, int64_t bytes)
{
    gpu_stop_at_cuda(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), "a copy");
}

/* The default stream has filled the memory; the new one does not wait for it by itself. */
void gpu_stage_begin(armilla_cuda_work *work, int64_t scratch_bytes)
{
    memset(work, 0, sizeof *work);
    work->scratch_bytes = scratch_bytes;
    gpu_stop_at_cuda(cudaMalloc(&work->scratch, (size_t)scratch_bytes + MARGIN), "scratch");
    gpu_stop_at_cuda(cudaMemset(work->scratch, 0xff, (size_t)scratch_bytes + MARGIN), "scratch");
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "filling memory");
    gpu_stop_at_cuda(cudaStreamCreateWithFlags(&work->stream, cudaStreamNonBlocking), "a stream");
}

void gpu_stage_end(armilla_cuda_work *work, const char *what)
{
    armilla_cuda_note(work, cudaStreamSynchronize(work->stream));
    gpu_stop_at_cuda(work->error, what);
    cudaFree(work->scratch);
    cudaStreamDestroy(work->stream);
}

void gpu_stage_host_work(int64_t scratch_size, armilla_progress *progress, armilla_work *work)
{
    armilla_progress_start(progress, NULL, NULL, 1);
    *work = (armilla_work){.nthreads = 1, .scratch_size = scratch_size, .progress = progress};
    gpu_stop_at(armilla_allocate(&work->scratch, scratch_size, sizeof(double)), "scratch");
}

static void note_first(gpu_comparison *c, const gpu_place *p, double wanted, double got)
{
    snprintf(c->first, sizeof c->first, "%s %lld, %s %lld, %s %lld, %s: got %.17g, wanted %.17g",
             p->names[0], (long long)p->numbers[0], p->names[1], (long long)p->numbers[1],
             p->names[2], (long long)p->numbers[2], p->part, got, wanted);
}

void gpu_compare(gpu_comparison *c, const gpu_place *place, double wanted, double got)
{
    const double difference = fabs(wanted - got);
    const int odd = isnan(wanted) != isnan(got);
    if (c->limit == 0) {
        if (fabs(wanted) > c->largest) c->largest = fabs(wanted);
        return;
    }
    if (isnan(wanted) && isnan(got)) return;
    c->entries++;
    c->missing += odd;
    if (difference > c->difference || isnan(difference)) c->difference = difference;
    if (!(difference <= c->limit) && !c->first[0]) note_first(c, place, wanted, got);
}

void gpu_compare_entry(void *data, const gpu_place *place, int64_t at)
{
    const gpu_two_arrays *t = data;
    gpu_compare(t->c, place, t->wanted[at], t->got[at]);
}

void gpu_compare_again(gpu_comparison *c)
{
    c->limit = c->bound * (c->largest > 0 ? c->largest : 1);
}

void gpu_compare_report(const gpu_comparison *c)
{
    const double error = c->largest > 0 ? c->difference / c->largest : c->difference;
    char number[40] = "null";
    if (isfinite(error)) snprintf(number, sizeof number, "%.3e", error);
    gpu_report_row("\"key\": \"%s\", \"value\": %s, \"unit\": \"\", \"bound\": %.2e, \"entries\": "
                   "%lld, \"not_written\": %lld",
                   c->what, number, c->bound, (long long)c->entries, (long long)c->missing);
    if (c->first[0])
        gpu_report_wrong("%s: error %s, bound %.1e, %lld of %lld entries not numbers; first wrong: "
                         "%s",
                         c->what, number, c->bound, (long long)c->missing, (long long)c->entries,
                         c->first);
    else
        gpu_report_line(' ', "%s: error %s, bound %.1e, %lld entries", c->what, number, c->bound,
                        (long long)c->entries);
}

/* --- For other languages -----------------------------------------------------------------------
 */

/* The same by plain pointers, visible outside the library: gpu_arrays.py calls it with the arrays
 * of PyTorch and CuPy. */

/* A Gauss-Legendre transform of doubles on the GPU, with random arrays on the host. Ends the
 * process where it cannot be made. */
ARMILLA_API gpu_problem *gpu_arrays_open(int64_t lmax);
ARMILLA_API void gpu_arrays_close(gpu_problem *p);
ARMILLA_API int64_t gpu_arrays_count(const gpu_problem *p, int is_map);
ARMILLA_API const double *gpu_arrays_host(const gpu_problem *p, int is_map);

/* Synthesis (to_map) or analysis. on_device: arrays and stream are the device's, nothing is waited
 * for; else they are the host's. Returns the library's status. */
ARMILLA_API int gpu_arrays_run(const gpu_problem *p, int to_map, const double *from, double *to,
                               int on_device, void *stream);

gpu_problem *gpu_arrays_open(int64_t lmax)
{
    const gpu_case what = GPU_GL(.lmax = lmax);
    gpu_problem *p = malloc(sizeof *p);
    gpu_report_open("arrays", NULL);
    if (!p) gpu_report_stop("no memory");
    gpu_problem_open(&what, 0, p);
    return p;
}

void gpu_arrays_close(gpu_problem *p)
{
    gpu_problem_close(p);
    free(p);
}

int64_t gpu_arrays_count(const gpu_problem *p, int is_map)
{
    return is_map ? p->map_count : p->alm_count;
}

const double *gpu_arrays_host(const gpu_problem *p, int is_map)
{
    return is_map ? p->map : p->alm;
}

int gpu_arrays_run(const gpu_problem *p, int to_map, const double *from, double *to, int on_device,
                   void *stream)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.memory = on_device ? ARMILLA_MEMORY_DEVICE : ARMILLA_MEMORY_HOST;
    exec.stream = stream;
    const armilla_status status = gpu_operations[to_map ? 0 : 2].run(p->sht[1], from, to, &exec);
    if (status) gpu_report_line('!', "%s", armilla_status_message());
    return (int)status;
}
