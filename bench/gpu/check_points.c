/* Compares what points need of the stages on the GPU with the processor's: the ring stage into
 * samples, with rows beyond poles and equator and columns beside the rings, and its transpose;
 * zeros in orders of alm; and times the former. */
#include "check.h"
#include "problem.h"

#include "armilla/alm.h"
#include "base/memory.h"
#include "cuda/stages/legendre.h"
#include "cuda/stages/strips.h"
#include "points/samples.h"
#include "ringfft/stage.h"

#include <math.h>
#include <stdlib.h>

/* All samples of the sphere in one strip, of a set. */
typedef struct scene {
    int64_t lmax, half, size; /* pairs; samples */
    armilla_cuda_strips_problem problem;
    armilla_cuda_strip strip;
    armilla_points_core core; /* what src/points/samples.c reads */
    armilla_points_strip of_core;
    armilla_leg_layout leg;
    armilla_ringfft *ringfft;
    armilla_cuda_strips *cuda;
} scene;

static const char *const parts[] = {"north re", "north im", "south re", "south im"};

/* --- Scenes ---------------------------------------------------------------------------------- */

static void make_leg(scene *s)
{
    armilla_ring_pairs *pairs = &s->core.fine;
    gpu_stop_at(armilla_ring_pairs_allocate(s->half, pairs), "ring pairs");
    for (int64_t i = 0; i < s->half; i++) {
        const int64_t row = i - s->strip.first;
        pairs->north[i] = row, pairs->south[i] = 2 * s->strip.rows - 1 - row;
        pairs->theta[i] = pairs->south_theta[i] = 0, pairs->limit[i] = s->lmax;
    }
    const armilla_leg_shape shape = {
        .pairs = pairs, .npairs = s->half, .block_size = s->half, .room = 1, .mmax = s->lmax};
    gpu_stop_at(armilla_leg_layout_make(&shape, &s->leg), "leg");
}

static void make_ringfft(scene *s)
{
    const int64_t count = 2 * s->strip.rows;
    armilla_ring *rings;
    gpu_stop_at(armilla_allocate_zero(&rings, count, sizeof *rings), "rings");
    for (int64_t i = 0; i < count; i++) {
        rings[i].nphi = s->problem.nphi, rings[i].stride = 1, rings[i].weight = 1;
        rings[i].offset = i * s->problem.pitch + s->problem.left;
    }
    armilla_ringfft_problem of = {.nrings = count, .rings = rings, .mmax = s->lmax};
    gpu_stop_at(armilla_machine_choose(NULL, &of.machine), "the instruction set");
    gpu_stop_at(armilla_ringfft_new(&of, &s->ringfft), "the processor's ring stage");
    armilla_release(rings);
}

/* Half as many rings and samples again as the band limit asks for. */
static void open_scene(int64_t lmax, int64_t spin, scene *s)
{
    enum { REACH = 8, LEFT = 16, RIGHT = 32 };
    const int64_t half = 3 * (lmax + 1) / 4, nphi = 2 * (3 * (lmax + 1) / 2);
    *s = (scene){.lmax = lmax, .half = half};
    s->problem = (armilla_cuda_strips_problem){
        nphi, LEFT, LEFT + nphi + RIGHT, half, half + 2 * REACH, half, lmax, spin};
    s->strip = (armilla_cuda_strip){-REACH, half + 2 * REACH, 0, half};
    s->size = 2 * s->strip.rows * s->problem.pitch;
    s->core.sampling.nphi = nphi, s->core.sampling.nrings = 2 * half;
    s->core.left = LEFT, s->core.pitch = s->problem.pitch;
    s->core.most_rows = s->strip.rows, s->core.nmap = 1, s->core.spin = spin;
    s->of_core.first = s->strip.first, s->of_core.rows = s->strip.rows;
    make_leg(s);
    make_ringfft(s);
    gpu_stop_at(armilla_cuda_strips_new(&s->problem, (int64_t)1 << 30, &s->cuda), "strips");
}

static void close_scene(scene *s)
{
    armilla_cuda_strips_free(s->cuda);
    armilla_ringfft_free(s->ringfft);
    armilla_leg_layout_clear(&s->leg);
    armilla_ring_pairs_clear(&s->core.fine);
}

static double *nan_array(int64_t count)
{
    double *values;
    gpu_stop_at(armilla_allocate(&values, count, sizeof *values), "an array");
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

/* --- Runs ------------------------------------------------------------------------------------ */

static void run_processor(const scene *s, double *leg, double *samples, int to_samples)
{
    const armilla_points_sides both = {{1, 1}};
    const armilla_leg of = {&s->leg, 1, leg, NULL, 0};
    const armilla_ring_maps maps = {.values = {samples, 0}, .distance = s->size};
    armilla_progress progress;
    armilla_work work;
    gpu_stage_host_work((armilla_ringfft_scratch_size(s->ringfft) + 7) / 8 * 8, &progress, &work);
    if (to_samples) {
        armilla_ringfft_to_maps(s->ringfft, &of, &maps, &work);
        armilla_points_fill_halo(&s->core, &s->of_core, both, samples);
    } else {
        armilla_points_fold_halo(&s->core, &s->of_core, both, samples);
        armilla_ringfft_from_maps(s->ringfft, &of, &maps, &work);
    }
    armilla_release(work.scratch);
}

typedef struct device_arrays {
    armilla_leg leg;
    armilla_array samples;
    armilla_cuda_work work;
} device_arrays;

static void run_once(const scene *s, device_arrays *d, int to_samples)
{
    if (to_samples)
        armilla_cuda_strips_to_samples(s->cuda, &s->strip, &d->leg, d->samples, &d->work);
    else
        armilla_cuda_strips_from_samples(s->cuda, &s->strip, d->samples, &d->leg, &d->work);
}

/* The mean of some calls; `what` is the key. */
static void time_calls(const scene *s, device_arrays *d, int to_samples)
{
    enum { CALLS = 10 };
    char key[GPU_KEY];
    snprintf(key, sizeof key, "strips lmax %lld, %s", (long long)s->lmax,
             to_samples ? "to samples" : "from samples");
    gpu_stop_at_cuda(cudaStreamSynchronize(d->work.stream), key);
    const double start = gpu_clock();
    for (int i = 0; i < CALLS; i++) run_once(s, d, to_samples);
    gpu_stop_at_cuda(cudaStreamSynchronize(d->work.stream), key);
    const double milliseconds = 1e3 * (gpu_clock() - start) / CALLS;
    gpu_report_figure(&(gpu_figure){.key = key, .value = milliseconds, .unit = "ms"});
}

static void run_gpu(const scene *s, double *leg, double *samples, int to_samples, int timed)
{
    const int64_t leg_bytes = 8 * s->leg.size, bytes = 8 * s->size;
    device_arrays d = {.leg = {&s->leg, 1, gpu_stage_put(leg, leg_bytes), NULL},
                       .samples = {gpu_stage_put(samples, bytes), 0}};
    gpu_stage_begin(&d.work, armilla_cuda_strips_scratch(s->cuda, 1));
    run_once(s, &d, to_samples);
    if (timed) time_calls(s, &d, to_samples);
    gpu_stage_end(&d.work, "strips of samples");
    if (to_samples)
        gpu_stage_get(samples, d.samples.values, bytes);
    else
        gpu_stage_get(leg, d.leg.values, leg_bytes);
    cudaFree(d.leg.values);
    cudaFree(d.samples.values);
}

/* --- Comparisons ----------------------------------------------------------------------------- */

static void compare_samples(const scene *s, gpu_comparison *c, const double *wanted,
                            const double *got)
{
    for (int64_t i = 0; i < s->size; i++) {
        const int64_t row = i / s->problem.pitch;
        const gpu_place place = {{"south", "row", "column"},
                                 {row / s->strip.rows, row % s->strip.rows, i % s->problem.pitch},
                                 "samples"};
        gpu_compare(c, &place, wanted[i], got[i]);
    }
}

static void compare_legs(const scene *s, gpu_comparison *c, const double *wanted, const double *got)
{
    const int64_t length = s->leg.blocks[0].row_length;
    for (int64_t i = 0; i < (s->lmax + 1) * 4 * s->half; i++) {
        const int64_t m = i / (4 * s->half), at = i % (4 * s->half);
        const gpu_place place = {{"m", "pair", "set"}, {m, at / 4, 0}, parts[at % 4]};
        gpu_compare(c, &place, wanted[m * length + at], got[m * length + at]);
    }
}

static void check_direction(const scene *s, int to_samples, int timed)
{
    char what[GPU_KEY];
    uint64_t state = 5;
    gpu_comparison c = {.what = what, .bound = 1e-13};
    double *leg = nan_array(s->leg.size), *got_leg = nan_array(s->leg.size);
    double *samples = nan_array(s->size), *got_samples = nan_array(s->size);
    snprintf(what, sizeof what, "ring stage, %s, lmax %lld, spin %lld",
             to_samples ? "leg to samples" : "samples to leg", (long long)s->lmax,
             (long long)s->problem.spin);
    for (int64_t i = 0; i < s->leg.size && to_samples; i++) {
        const int real = i < s->leg.blocks[0].row_length && i % 2;
        leg[i] = got_leg[i] = real ? 0 : gpu_random(&state);
    }
    for (int64_t i = 0; i < s->size && !to_samples; i++)
        samples[i] = got_samples[i] = gpu_random(&state);
    run_processor(s, leg, samples, to_samples);
    run_gpu(s, got_leg, got_samples, to_samples, timed);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) gpu_compare_again(&c);
        if (to_samples)
            compare_samples(s, &c, samples, got_samples);
        else
            compare_legs(s, &c, leg, got_leg);
    }
    gpu_compare_report(&c);
    armilla_release(leg), armilla_release(got_leg);
    armilla_release(samples), armilla_release(got_samples);
}

/* --- Orders of alm --------------------------------------------------------------------------- */

/* The upper half of the orders becomes zeros, the others stay. */
static void check_orders(int64_t lmax)
{
    const int64_t size = armilla_alm_size(lmax, lmax), first = lmax / 2;
    int64_t *mstart, wrong = 0;
    double *alm = nan_array(2 * size);
    armilla_cuda_work work;
    gpu_stop_at(armilla_allocate(&mstart, lmax + 1, sizeof *mstart), "the layout of alm");
    for (int64_t m = 0; m <= lmax; m++) mstart[m] = m * (2 * lmax + 1 - m) / 2;
    const armilla_alm_rows rows = {.values = {gpu_stage_put(alm, 16 * size), 0},
                                   .distance = size,
                                   .ncomp = 1,
                                   .nsets = 1,
                                   .lmax = lmax,
                                   .stride = 1,
                                   .mstart =
                                       gpu_stage_put(mstart, (lmax + 1) * (int64_t)sizeof *mstart),
                                   .last = 1};
    gpu_stage_begin(&work, 0);
    armilla_cuda_legendre_clear_orders(&rows, 1, first, lmax, &work);
    gpu_stage_end(&work, "zeros in orders of alm");
    gpu_stage_get(alm, rows.values.values, 16 * size);
    for (int64_t i = 0; i < 2 * size; i++)
        wrong += i < 2 * (mstart[first] + first) ? !isnan(alm[i]) : !(alm[i] == 0);
    if (wrong)
        gpu_report_wrong("zeros in orders of alm, lmax %lld: %lld wrong numbers", (long long)lmax,
                         (long long)wrong);
    cudaFree(rows.values.values);
    cudaFree((void *)(uintptr_t)rows.mstart);
    armilla_release(mstart);
    armilla_release(alm);
}

void gpu_step_points(int small)
{
    for (int64_t spin = 0; spin <= 1; spin++) {
        scene s;
        open_scene(small ? 47 : 2047, spin, &s);
        for (int to_samples = 0; to_samples < 2; to_samples++)
            check_direction(&s, to_samples, spin == 0);
        close_scene(&s);
    }
    check_orders(small ? 40 : 1023);
    if (!gpu_report_outcome()) gpu_report_line('=', "all entries as the processor's");
}
