/* What calls over ranks on GPUs take and refuse: which GPU a rank has, arrays in its memory, and
 * errors of one GPU, which are those of all ranks. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/progress.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"
#include "ranks/cases.h"
#include "ranks/thread_transport.h"

#include <stdio.h>

enum { LMAX = 9, NSIDE = 4, RANKS = 3 };

/* What all ranks do, or one of them otherwise. */
typedef struct {
    int64_t device_number[RANKS];
    armilla_device_tune tune;
    armilla_device_precision precision;
    int streams;
    const char *shape[RANKS];
    int on_device;        /* arrays of the device */
    int64_t wrong_device; /* the rank whose map is on another one; -1: none */
    int captures;         /* on streams that are captured */
    int cancels;          /* the last rank does */
    int missing;          /* the last rank's map has a value that is, which all hear of */
    armilla_status expected;
    const char *words; /* of the message; NULL: any */
} wish;

static const wish usual = {.device_number = {-1, -1, -1}, .wrong_device = -1};

typedef struct {
    const wish *w;
    const armilla_transport *transport;
    armilla_grid *grid;
    armilla_distribution *distribution;
    armilla_distributed_sht *sht;
    int64_t nalm, nmap; /* doubles */
    double *alm, *map, *back;
} scene;

static int complain(const scene *s, const char *what)
{
    fprintf(stderr, "rank %lld: %s; the last message: %s\n", (long long)s->transport->rank, what,
            armilla_status_message());
    return 1;
}

static armilla_status open_scene(scene *s)
{
    const int64_t rank = s->transport->rank;
    armilla_sht_options options = on_gpu();
    armilla_distributed_options distributed;
    armilla_distributed_options_init(&distributed);
    options.device_precision = s->w->precision, options.device_streams = s->w->streams;
    options.device_tune = s->w->tune, options.device_shape = s->w->shape[rank];
    distributed.device_number = s->w->device_number[rank];
    armilla_status status = armilla_grid_new_healpix(NSIDE, &s->grid);
    if (status || (status = armilla_distribution_new(s->grid, LMAX, LMAX, s->transport->nranks,
                                                     NULL, &s->distribution)))
        return status;
    s->nalm = 2 * armilla_distribution_alm_size(s->distribution, rank);
    s->nmap = armilla_distribution_npix(s->distribution, rank);
    s->alm = calloc((size_t)s->nalm + 1, 8), s->back = calloc((size_t)s->nalm + 1, 8);
    s->map = calloc((size_t)s->nmap + 1, 8);
    for (int64_t i = 0; i < s->nalm; i++) s->alm[i] = sin(1.0 + (double)(i + 7 * rank));
    return armilla_distributed_sht_new(s->transport, s->distribution, &options, &distributed,
                                       &s->sht);
}

static void close_scene(scene *s)
{
    armilla_distributed_sht_free(s->sht);
    armilla_distribution_free(s->distribution);
    armilla_grid_free(s->grid);
    free(s->alm);
    free(s->map);
    free(s->back);
}

static int stop_at_once(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 1;
}

/* The GPU that a rank has, by the rule. */
static int device_of(const scene *s)
{
    const int64_t number = s->w->device_number[s->transport->rank];
    int count = 1;
    cudaGetDeviceCount(&count);
    return (int)(number >= 0 ? number : s->transport->rank % count);
}

/* Synthesis and analysis on arrays of the rank's GPU, which have to be there. */
static armilla_status run_on_device(const scene *s, const armilla_exec *exec)
{
    const size_t nalm = 8 * (size_t)s->nalm, nmap = 8 * (size_t)s->nmap;
    double *alm, *map, *back;
    int count = 1;
    cudaGetDeviceCount(&count);
    const int wrong = s->w->wrong_device == s->transport->rank;
    if (cudaSetDevice(device_of(s)) || cudaMalloc((void **)&alm, nalm) ||
        cudaMalloc((void **)&back, nalm) || cudaSetDevice((device_of(s) + wrong) % count) ||
        cudaMalloc((void **)&map, nmap) || cudaMemcpy(alm, s->alm, nalm, cudaMemcpyHostToDevice))
        abort();
    const double nan = (double)NAN;
    armilla_status status = armilla_distributed_sht_synthesis(s->sht, alm, map, exec);
    if (s->w->missing && s->transport->rank == RANKS - 1 &&
        cudaMemcpy(map + 1, &nan, sizeof nan, cudaMemcpyHostToDevice))
        abort();
    if (!status) status = armilla_distributed_sht_analysis(s->sht, map, back, exec);
    if (cudaMemcpy(s->map, map, nmap, cudaMemcpyDeviceToHost) ||
        cudaMemcpy(s->back, back, nalm, cudaMemcpyDeviceToHost))
        abort();
    cudaFree(alm), cudaFree(map), cudaFree(back);
    return status;
}

static armilla_status run_on_host(const scene *s, const armilla_exec *exec)
{
    const armilla_status status = armilla_distributed_sht_synthesis(s->sht, s->alm, s->map, exec);
    return status ? status : armilla_distributed_sht_analysis(s->sht, s->map, s->back, exec);
}

static armilla_status run_captured(const scene *s)
{
    armilla_exec exec;
    cudaStream_t stream;
    cudaGraph_t graph;
    armilla_exec_init(&exec);
    if (cudaSetDevice(device_of(s)) || cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) ||
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal))
        abort();
    exec.stream = stream;
    const armilla_status status = run_on_host(s, &exec);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    return status;
}

static armilla_status run(scene *s)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    if (s->w->cancels && s->transport->rank == RANKS - 1) exec.progress = stop_at_once;
    if (s->w->missing) exec.missing = ARMILLA_MISSING_ERROR;
    if (s->w->captures) return run_captured(s);
    return s->w->on_device ? run_on_device(s, &exec) : run_on_host(s, &exec);
}

/* What a rank holds is told, messages in host memory among it. */
static int check_description(const scene *s)
{
    armilla_distributed_description d = {.size = sizeof d};
    if (armilla_distributed_sht_describe(s->sht, 1, &d) || 2 * d.alm_size != s->nalm ||
        d.npix != s->nmap || d.chunks != 1 || d.messages != RANKS - 1 ||
        d.workspace_bytes < d.bytes || d.plan_bytes <= 0)
        return complain(s, "another description");
    return 0;
}

/* Maps on arrays of the device are those of a plan on one GPU. */
static int check_map(const scene *s)
{
    armilla_sht *sht;
    const armilla_sht_options options = on_gpu();
    const int64_t npix = armilla_grid_npix(s->grid), size = armilla_alm_size(LMAX, LMAX);
    double *alm = calloc((size_t)(2 * size), 8), *map = calloc((size_t)npix, 8);
    int differs = 0;
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++)
            for (int64_t rank = 0; rank < s->transport->nranks; rank++) {
                const int64_t at = armilla_distribution_alm_index(s->distribution, rank, l, m);
                for (int64_t i = 2 * at; at >= 0 && i < 2 * at + 2; i++)
                    alm[2 * armilla_alm_index(LMAX, l, m) + i % 2] =
                        sin(1.0 + (double)(i + 7 * rank));
            }
    if (armilla_sht_new(s->grid, LMAX, LMAX, &options, &sht) ||
        armilla_sht_synthesis(sht, alm, map, NULL))
        return complain(s, "on one GPU");
    for (int64_t i = 0; i < armilla_grid_nrings(s->grid); i++) {
        armilla_ring r;
        const int64_t at = armilla_distribution_ring_offset(s->distribution, s->transport->rank, i);
        armilla_grid_ring(s->grid, i, &r);
        if (at >= 0) differs |= memcmp(s->map + at, map + r.offset, 8 * (size_t)r.nphi) != 0;
    }
    armilla_sht_free(sht);
    free(alm);
    free(map);
    return differs ? complain(s, "another map than on one GPU") : 0;
}

static int work(const armilla_transport *transport, void *context)
{
    const wish *w = context;
    scene s = {.w = w, .transport = transport};
    int before = -1, after = -1;
    cudaGetDevice(&before);
    armilla_status status = open_scene(&s);
    cudaGetDevice(&after);
    int failed = before != after ? complain(&s, "another device is current") : 0;
    if (!status) status = run(&s);
    if (status != w->expected) failed = complain(&s, "another status");
    if (w->words && !strstr(armilla_status_message(), w->words))
        failed = complain(&s, "other words");
    if (!status && !failed) failed = check_map(&s) + check_description(&s);
    close_scene(&s);
    return failed;
}

static void check(const wish *w, int ndevices)
{
    const ranks_threads_options options = {.nranks = RANKS};
    cuda_emulation_set_devices(ndevices);
    assert_int_equal(ranks_run_threads(&options, work, (void *)w), 0);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
    cuda_emulation_set_devices(1);
}

static void each_rank_has_its_gpu(void **state)
{
    (void)state;
    wish w = usual;
    w.on_device = 1;
    for (int ndevices = 1; ndevices <= 4; ndevices++) check(&w, ndevices);
    const wish named = {.device_number = {2, 0, 2}, .wrong_device = -1, .on_device = 1};
    check(&named, 3);
    w.on_device = 0;
    w.device_number[1] = ARMILLA_DEVICE_CURRENT;
    check(&w, 2);
}

static void wrong_gpus_and_arrays_are_named(void **state)
{
    (void)state;
    wish w = usual;
    w.expected = ARMILLA_ERROR_ARGUMENT;
    w.device_number[2] = 3, w.words = "distributed->device_number = 3: the process sees 2 GPUs";
    check(&w, 2);
    w.device_number[2] = -3, w.words = "distributed->device_number = -3";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_ARGUMENT;
    w.on_device = 1, w.wrong_device = 1, w.words = "map: is in the memory of GPU 0";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_ARGUMENT;
    w.on_device = 1, w.missing = 1, w.words = "nan: is missing, one of 1 values";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_ARGUMENT;
    w.shape[1] = "v4w4", w.words = "options->device_shape: must be the same on all ranks";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_UNSUPPORTED;
    w.tune = ARMILLA_DEVICE_TUNE_MEASURE, w.words = "options->device_tune";
    check(&w, 1);
    w.tune = ARMILLA_DEVICE_TUNE_MEASURE_MANY;
    check(&w, 1);
    w = usual, w.expected = ARMILLA_ERROR_UNSUPPORTED;
    w.precision = ARMILLA_DEVICE_PRECISION_HALVES;
    w.words = "options->device_precision = ARMILLA_DEVICE_PRECISION_HALVES: over ranks";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_UNSUPPORTED;
    w.streams = 2, w.words = "options->device_streams = 2";
    check(&w, 2);
    w = usual, w.expected = ARMILLA_ERROR_UNSUPPORTED;
    w.captures = 1, w.words = "exec->stream: transforms over ranks cannot be captured";
    check(&w, 3);
    w = usual, w.expected = ARMILLA_ERROR_UNSUPPORTED, w.words = "no GPU can be used";
    check(&w, 0);
}

static void one_rank_ends_the_call_of_all(void **state)
{
    (void)state;
    wish w = usual;
    w.cancels = 1, w.expected = ARMILLA_ERROR_CANCELLED;
    armilla_progress_set_interval(0);
    check(&w, 2);
    armilla_progress_set_interval(0.05);
}

/* --- Failures --------------------------------------------------------------------------------- */

typedef struct {
    armilla_status status[RANKS];
} outcome;

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rank_has_its_gpu),
        cmocka_unit_test(wrong_gpus_and_arrays_are_named),
        cmocka_unit_test(one_rank_ends_the_call_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
