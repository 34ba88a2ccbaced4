/* What there is to know about transforms on this machine's GPU: do they agree with the processor's,
 * and how long do they take, in shares of the GPU's rate of multiply-adds in double precision,
 * measured in the same run. Public API and CUDA runtime only.
 *
 *   gpu_check small                    tiny transforms, for compute-sanitizer; exit code alone
 *   gpu_check all FOLDER [WORDS]       FOLDER/gpu_check.json, gpu_check.md, gpu_check_shapes.md;
 *                                      WORDS, about what the caller found, go into the first two
 *
 * Exits with 1 where results differ by more than the bound, 2 where something failed. */
#include "armilla/armilla.h"
#include "gpu_cases.h"
#include "gpu_peak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 9, WORDS = 64 };

typedef struct operation {
    const char *name;
    armilla_status (*run)(const armilla_sht *, const double *, double *, const armilla_exec *);
    armilla_status (*run_float)(const armilla_sht *, const float *, float *, const armilla_exec *);
    int to_map;
} operation;

static const operation operations[] = {
    {"synthesis", armilla_sht_synthesis, armilla_sht_synthesis_float, 1},
    {"adjoint_synthesis", armilla_sht_adjoint_synthesis, armilla_sht_adjoint_synthesis_float, 0},
    {"analysis", armilla_sht_analysis, armilla_sht_analysis_float, 0},
    {"adjoint_analysis", armilla_sht_adjoint_analysis, armilla_sht_adjoint_analysis_float, 1},
};
enum { OPERATIONS = 4, TIMED = 3 };

typedef struct report {
    FILE *json, *markdown; /* NULL: nothing is written */
    int rows, wrong;
    double peak; /* multiply-adds, flop/s */
} report;

/* --- Errors ---------------------------------------------------------------------------------- */

static void stop_at(armilla_status status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "gpu_check: %s: %s\n", what, armilla_status_message());
    exit(2);
}

/* On arrays of floats, or of doubles. */
static void run(const operation *o, int single, const armilla_sht *sht, const void *from, void *to)
{
    stop_at(single ? o->run_float(sht, from, to, NULL) : o->run(sht, from, to, NULL), o->name);
}

static void stop_at_cuda(cudaError_t error, const char *what)
{
    if (!error) return;
    fprintf(stderr, "gpu_check: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

static double *host_array(int64_t count)
{
    double *values = calloc((size_t)count, sizeof *values);
    if (values) return values;
    fprintf(stderr, "gpu_check: %lld bytes of memory are not to be had\n", (long long)count * 8);
    exit(2);
}

/* count doubles as floats, in the same memory; and back. */
static void narrow(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) {
        const float value = (float)values[i];
        memcpy((char *)values + i * (int64_t)sizeof value, &value, sizeof value);
    }
}

static void widen(int64_t count, double *values)
{
    for (int64_t i = count - 1; i >= 0; i--) {
        float value;
        memcpy(&value, (char *)values + i * (int64_t)sizeof value, sizeof value);
        values[i] = (double)value;
    }
}

/* --- Problems -------------------------------------------------------------------------------- */

typedef struct problem {
    grid_case what;
    armilla_grid *grid;
    armilla_sht *sht[2]; /* on the processor (NULL where only times count), on the GPU */
    armilla_sht_description description;
    int64_t alm_count, map_count; /* numbers of all components */
    double *alm, *map;            /* on the host: random numbers, which floats have, too */
} problem;

static double random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 41) * 0x1p-22 - 1;
}

/* Uniform in [-1, 1); imaginary parts of m = 0 are 0, and so are degrees below the spin. */
static void fill_alm(problem *p)
{
    uint64_t state = 20;
    const int64_t one = p->description.alm_size;
    for (int64_t c = 0; c < p->description.alm_ncomp; c++)
        for (int64_t i = 0; i < one; i++) {
            double *a = p->alm + 2 * (c * one + i);
            const int low = i < p->what.spin || (p->what.spin > 1 && i == p->what.lmax + 1);
            a[0] = low ? 0 : random_next(&state);
            a[1] = low || i <= p->what.lmax ? 0 : random_next(&state);
        }
}

static armilla_sht *make_plan(const problem *p, armilla_device device)
{
    armilla_sht_options options;
    armilla_sht *sht;
    armilla_sht_options_init(&options);
    options.spin = p->what.spin;
    options.device = device, options.method = p->what.method;
    options.device_precision =
        p->what.single ? ARMILLA_DEVICE_PRECISION_SINGLE : ARMILLA_DEVICE_PRECISION_DOUBLE;
    if (p->what.shape && !strcmp(p->what.shape, TUNED))
        options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    else
        options.device_shape = p->what.shape;
    stop_at(armilla_sht_new(p->grid, p->what.lmax, p->what.lmax, &options, &sht), p->what.name);
    return sht;
}

static armilla_status make_grid(const grid_case *what, armilla_grid **grid)
{
    const int64_t n = what->lmax + 1;
    if (what->nside) return armilla_grid_new_healpix(what->nside, grid);
    if (what->kind == ARMILLA_GRID_CC || what->kind == ARMILLA_GRID_MW)
        return armilla_grid_new_equidistant(what->kind, n + (what->kind == ARMILLA_GRID_CC), 2 * n,
                                            grid);
    return armilla_grid_new_gauss_legendre(n, 2 * n, grid);
}

static void open_problem(const grid_case *what, int with_processor, problem *p)
{
    *p = (problem){.what = *what, .description.size = sizeof p->description};
    stop_at(make_grid(what, &p->grid), what->name);
    if (with_processor) p->sht[0] = make_plan(p, ARMILLA_CPU);
    p->sht[1] = make_plan(p, ARMILLA_CUDA);
    stop_at(armilla_sht_describe(p->sht[1], 0, &p->description), what->name);
    p->alm_count = 2 * p->description.alm_size * p->description.alm_ncomp;
    p->map_count = p->description.npix * p->description.ncomp;
    p->alm = host_array(p->alm_count);
    p->map = host_array(p->map_count);
    fill_alm(p);
    uint64_t state = 21;
    for (int64_t i = 0; i < p->map_count; i++) p->map[i] = random_next(&state);
}

static void close_problem(problem *p)
{
    free(p->alm);
    free(p->map);
    armilla_sht_free(p->sht[0]);
    armilla_sht_free(p->sht[1]);
    armilla_grid_free(p->grid);
}

/* --- Do they agree? -------------------------------------------------------------------------- */

static double relative_rms(int64_t count, const double *a, const double *b)
{
    double difference = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        sum += a[i] * a[i];
    }
    return sqrt(difference / sum);
}

/* The first columns of every row: what it is about. */
static void write_what(report *r, const problem *p, const operation *o)
{
    const long long lmax = (long long)p->what.lmax, spin = (long long)p->what.spin;
    fprintf(r->json,
            "%s    {\"grid\": \"%s\", \"lmax\": %lld, \"spin\": %lld, \"precision\": \"%s\", "
            "\"shape\": \"%s\", \"shape_by\": \"%s\", \"operation\": \"%s\", ",
            r->rows++ ? ",\n" : "", p->what.name, lmax, spin, p->description.device_precision,
            p->description.device_shape,
            !p->what.shape                 ? "table"
            : strcmp(p->what.shape, TUNED) ? "name"
                                           : "measurement",
            o->name);
    fprintf(r->markdown, "| %s | %lld | %lld | %s | %s%s | %s | ", p->what.name, lmax, spin,
            p->description.device_precision, p->description.device_shape,
            p->what.shape ? "" : " (table)", o->name);
}

static void write_check(report *r, const problem *p, const operation *o, double error, int same)
{
    const double bound = (p->what.single ? 1e-6 : 3e-13) * (1 + (double)p->what.lmax / 1000);
    const int right = error <= bound && same; /* not so for NaN */
    r->wrong += !right;
    if (!right || !r->json)
        fprintf(stderr, "%s %s: error %.2e, bound %.2e, %s from run to run\n", p->what.name,
                o->name, error, bound, same ? "the same bits" : "OTHER BITS");
    if (!r->json) return;
    write_what(r, p, o);
    fprintf(r->json, "\"error\": %.3e, \"bound\": %.3e, \"same_bits\": %s}", error, bound,
            same ? "true" : "false");
    fprintf(r->markdown, "%.2e | %.2e | %s |\n", error, bound, same ? "yes" : "NO");
}

static void check_operation(report *r, const problem *p, const operation *o)
{
    const int64_t count = o->to_map ? p->map_count : p->alm_count;
    const int64_t given = o->to_map ? p->alm_count : p->map_count;
    double *from = o->to_map ? p->alm : p->map;
    double *results[3];
    for (int i = 0; i < 3; i++) { /* processor, in double; GPU, GPU again */
        const int single = i > 0 && p->what.single;
        results[i] = host_array(count);
        if (single) narrow(given, from);
        run(o, single, p->sht[i > 0], from, results[i]);
        if (single) widen(given, from), widen(count, results[i]);
    }
    write_check(r, p, o, relative_rms(count, results[0], results[1]),
                memcmp(results[1], results[2], (size_t)count * sizeof(double)) == 0);
    for (int i = 0; i < 3; i++) free(results[i]);
}

static void check_problem(report *r, const grid_case *what)
{
    problem p;
    open_problem(what, 1, &p);
    for (int i = 0; i < OPERATIONS; i++) check_operation(r, &p, &operations[i]);
    close_problem(&p);
}

/* --- How long do they take? ------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median seconds of a run that `start` puts on the default stream. */
static double median_seconds(void (*start)(void *), void *data)
{
    double times[REPEATS];
    cudaEvent_t begin, end;
    stop_at_cuda(cudaEventCreate(&begin), "event");
    stop_at_cuda(cudaEventCreate(&end), "event");
    start(data); /* the first one pays for memory and code */
    for (int i = 0; i < REPEATS; i++) {
        float milliseconds;
        cudaEventRecord(begin, NULL);
        start(data);
        cudaEventRecord(end, NULL);
        stop_at_cuda(cudaEventSynchronize(end), "timing");
        stop_at_cuda(cudaEventElapsedTime(&milliseconds, begin, end), "timing");
        times[i] = milliseconds * 1e-3;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    qsort(times, REPEATS, sizeof *times, compare_doubles);
    return times[REPEATS / 2];
}

typedef struct timed_call {
    const armilla_sht *sht;
    const operation *o;
    double *from, *to; /* on the device; floats, if single */
    int single;
    int64_t multiprocessors;
    double flops;
} timed_call;

static void start_call(void *data)
{
    const timed_call *c = data;
    run(c->o, c->single, c->sht, c->from, c->to);
}

static void start_peak(void *data)
{
    timed_call *c = data;
    c->flops = gpu_peak_launch(c->multiprocessors, 20000, c->to);
}

static double *device_array(int64_t count, const double *from)
{
    double *values;
    stop_at_cuda(cudaMalloc((void **)&values, (size_t)count * 8), "device memory");
    if (from)
        stop_at_cuda(cudaMemcpy(values, from, (size_t)count * 8, cudaMemcpyHostToDevice), "copy");
    return values;
}

static void write_time(report *r, const problem *p, const operation *o, double seconds)
{
    const double flops = p->description.useful_flops;
    const double bytes = (p->what.single ? 4.0 : 8.0) * (double)(p->alm_count + p->map_count);
    write_what(r, p, o);
    fprintf(r->json,
            "\"seconds\": %.6e, \"legendre_flops\": %.4e, \"share_of_peak\": %.4f, "
            "\"bytes_in_and_out\": %.4e}",
            seconds, flops, flops / seconds / r->peak, bytes);
    fprintf(r->markdown, "%.3f | %.1f | %.1f | %.0f |\n", seconds * 1e3, flops * 1e-9,
            100 * flops / seconds / r->peak, (double)p->description.device_workspace_bytes * 1e-6);
    printf("%-28s lmax %5lld spin %lld %s %s%-8s %-18s %9.3f ms, %4.1f %% of peak\n", p->what.name,
           (long long)p->what.lmax, (long long)p->what.spin, p->description.device_precision,
           p->description.device_shape, p->what.shape ? "" : " (table)", o->name, seconds * 1e3,
           100 * flops / seconds / r->peak);
    fflush(stdout);
}

/* Returned: the seconds of a synthesis and its adjoint. */
static double time_case(report *r, const grid_case *what)
{
    problem p;
    double seconds[TIMED];
    open_problem(what, 0, &p);
    if (what->single) narrow(p.alm_count, p.alm), narrow(p.map_count, p.map);
    double *alm = device_array(p.alm_count, p.alm), *map = device_array(p.map_count, p.map);
    for (int i = 0; i < TIMED; i++) {
        const operation *o = &operations[i];
        timed_call call = {.sht = p.sht[1],
                           .o = o,
                           .from = o->to_map ? alm : map,
                           .to = o->to_map ? map : alm,
                           .single = what->single};
        seconds[i] = median_seconds(start_call, &call);
        write_time(r, &p, o, seconds[i]);
    }
    cudaFree(alm);
    cudaFree(map);
    close_problem(&p);
    return seconds[0] + seconds[1];
}

/* With the shape that the table says, and with each: what the table should say. */
static void time_shapes(report *r, const grid_case *what, FILE *table)
{
    const double usual = time_case(r, what);
    grid_case with = *what;
    fprintf(table, "| %s | %lld | %lld | %s | %.3f |", what->name, (long long)what->lmax,
            (long long)what->spin, what->single ? "single" : "double", usual * 1e3);
    for (int64_t i = 0; (with.shape = armilla_device_shape_name(i)); i++)
        fprintf(table, " %.3f |", time_case(r, &with) * 1e3);
    fprintf(table, "\n");
}

/* --- The whole ------------------------------------------------------------------------------- */

static void measure_peak(report *r, int64_t multiprocessors)
{
    timed_call call = {.to = device_array(1, NULL), .multiprocessors = multiprocessors};
    const double seconds = median_seconds(start_peak, &call);
    r->peak = call.flops / seconds;
    cudaFree(call.to);
    printf("FP64 multiply-adds: %.2f Tflop/s\n", r->peak * 1e-12);
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(2);
}

static void write_head(report *r, const armilla_device_description *d, const char *words)
{
    char day[WORDS];
    const time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(r->json,
            "{\n  \"date\": \"%s\",\n  \"version\": \"%s\",\n  \"gpu\": \"%s\",\n"
            "  \"driver\": %lld,\n  \"runtime\": %lld,\n  \"peak_flops\": %.4e,\n"
            "  \"notes\": \"%s\",\n  \"checks\": [\n",
            day, armilla_version(), d->name, (long long)d->driver_version,
            (long long)d->runtime_version, r->peak, words);
    fprintf(r->markdown,
            "# Armilla %s on %s\n\n%s; CUDA driver %lld, runtime %lld; FP64 multiply-adds %.2f "
            "Tflop/s. %s\n\n| grid | lmax | spin | precision | shape | operation | GPU - CPU, rms "
            "relative | bound | same bits again |\n|---|---|---|---|---|---|---|---|---|\n",
            armilla_version(), d->name, day, (long long)d->driver_version,
            (long long)d->runtime_version, r->peak * 1e-12, words);
}

static void check_all(report *r)
{
    const char *shape;
    for (int i = 0; i < COUNT(checked_cases); i++) check_problem(r, &checked_cases[i]);
    for (int64_t number = 0; (shape = armilla_device_shape_name(number)); number++)
        for (int i = 0; i < COUNT(shaped_cases); i++) {
            grid_case what = shaped_cases[i];
            what.shape = shape;
            check_problem(r, &what);
        }
    printf("%d checks, %d wrong\n", r->rows, r->wrong);
}

/* The table of shapes has a file of its own, until all its rows are there. */
static void time_all(report *r, const char *folder)
{
    const char *shape;
    FILE *table = open_file(folder, "gpu_check_shapes.md");
    fprintf(
        r->markdown,
        "\nData on the device, median of %d runs. The share is that of the Legendre stage's "
        "useful operations in the time of the whole transform, of the peak in double "
        "precision.\n\n| grid | lmax | spin | precision | shape | operation | ms | Gflop | %% of "
        "peak | workspace MB |\n|---|---|---|---|---|---|---|---|---|---|\n",
        REPEATS);
    fprintf(table, "\nSynthesis and its adjoint together, ms, by shapes of the Legendre kernels."
                   "\n\n| grid | lmax | spin | precision | table |");
    for (int64_t i = 0; (shape = armilla_device_shape_name(i)); i++) fprintf(table, " %s |", shape);
    fprintf(table, "\n|---|---|---|---|---|");
    for (int64_t i = 0; armilla_device_shape_name(i); i++) fprintf(table, "---|");
    fprintf(table, "\n");
    for (int i = 0; i < COUNT(timed_cases); i++) time_shapes(r, &timed_cases[i], table);
    fclose(table);
}

static int run_all(const char *folder, const char *words)
{
    armilla_device_description device = {.size = sizeof device};
    stop_at(armilla_device_describe(ARMILLA_CUDA, &device), "the GPU");
    report r = {.json = open_file(folder, "gpu_check.json"),
                .markdown = open_file(folder, "gpu_check.md")};
    measure_peak(&r, device.multiprocessors);
    write_head(&r, &device, words);
    check_all(&r);
    r.rows = 0;
    fprintf(r.json, "\n  ],\n  \"times\": [\n");
    time_all(&r, folder);
    fprintf(r.json, "\n  ]\n}\n");
    fclose(r.json);
    fclose(r.markdown);
    return r.wrong ? 1 : 0;
}

static int run_small(void)
{
    report r = {.json = NULL};
    for (int i = 0; i < COUNT(small_cases); i++) check_problem(&r, &small_cases[i]);
    cudaDeviceReset(); /* compute-sanitizer: what is left now was leaked */
    return r.wrong ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "small")) return run_small();
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "all"))
        return run_all(argv[2], argc == 4 ? argv[3] : "");
    fprintf(stderr, "usage: gpu_check small | gpu_check all FOLDER [WORDS]\n");
    return 2;
}
