/* Strips of samples on the emulated GPU and on the processor (src/points/samples.h and the ring
 * stage), by hand: rings of one length, rows beyond poles and equator, margins of any width.
 * Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_STRIPS_SCENE_H
#define ARMILLA_TESTS_CUDA_STRIPS_SCENE_H

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/strips.h"
#include "emulation.h"
#include "oracle/checks.h"
#include "points/samples.h"
#include "ringfft/stage.h"
#include <math.h>
#include <string.h>

enum { STRIPS_PLENTY = 1 << 28 };

/* own: the pairs of the transpose, which come in both directions where seen is 0. */
typedef struct {
    const char *name;
    int64_t nphi, left, right, half, mmax, spin;
    int64_t first, rows;
    int64_t first_pair, npairs, first_own, nown;
    int64_t nsets;
    int is_float;
    int64_t longer; /* rows, and pairs, that the longest strip has beyond this one */
} strip_case;

typedef struct {
    const strip_case *of;
    armilla_points_core core; /* of it what samples.c reads, and the processor's ring stage */
    armilla_points_strip strip;
    armilla_leg_layout leg; /* of the pairs first_pair .. first_pair + npairs - 1 */
    armilla_cuda_strips *cuda;
} strip_scene;

static inline int64_t strip_samples_of_set(const strip_scene *s)
{
    return 2 * s->core.most_rows * s->core.pitch;
}

static inline int64_t strip_samples_size(const strip_scene *s)
{
    return s->of->nsets * strip_samples_of_set(s);
}

static inline int64_t strip_leg_size(const strip_scene *s)
{
    return s->of->nsets * s->leg.size;
}

/* As src/points/core.c has them. */
static inline void strip_make_ringfft(strip_scene *s)
{
    const int64_t count = 2 * s->core.most_rows;
    armilla_ring *rings = checked_malloc(count, sizeof *rings);
    for (int64_t i = 0; i < count; i++)
        rings[i] = (armilla_ring){.nphi = s->of->nphi,
                                  .offset = i * s->core.pitch + s->core.left,
                                  .stride = 1,
                                  .weight = 1};
    const armilla_ringfft_problem problem = {
        armilla_machine_with(ARMILLA_ISA_SCALAR), count, rings, s->of->mmax, 0, NULL, NULL, 0};
    check_ok(armilla_ringfft_new(&problem, &s->core.ringfft));
    free(rings);
}

/* Pairs as rows of the strip. Outlived by the leg's layout, which points to them. */
static inline void strip_make_leg(strip_scene *s)
{
    const strip_case *of = s->of;
    armilla_ring_pairs *pairs = &s->core.fine;
    check_ok(armilla_ring_pairs_allocate(of->half, pairs));
    for (int64_t i = 0; i < of->half; i++) {
        const int64_t row = i - of->first;
        pairs->north[i] = row, pairs->south[i] = s->core.most_rows + of->rows - 1 - row;
        pairs->theta[i] = pairs->south_theta[i] = 0, pairs->limit[i] = of->mmax;
    }
    const armilla_leg_shape shape = {.pairs = pairs,
                                     .first_pair = of->first_pair,
                                     .npairs = of->npairs,
                                     .block_size = of->npairs,
                                     .room = 1,
                                     .mmax = of->mmax};
    check_ok(armilla_leg_layout_make(&shape, &s->leg));
}

static inline armilla_cuda_strips_problem strip_problem(const strip_scene *s)
{
    const strip_case *of = s->of;
    return (armilla_cuda_strips_problem){.nphi = of->nphi,
                                         .left = of->left,
                                         .pitch = s->core.pitch,
                                         .half = of->half,
                                         .most_rows = s->core.most_rows,
                                         .most_pairs =
                                             armilla_smaller(of->npairs + of->longer, of->half),
                                         .mmax = of->mmax,
                                         .spin = of->spin};
}

static inline void strip_open(strip_scene *s, const strip_case *of, int64_t most)
{
    *s = (strip_scene){.of = of};
    s->core.sampling.nphi = of->nphi, s->core.sampling.nrings = 2 * of->half;
    s->core.left = of->left, s->core.pitch = of->left + of->nphi + of->right;
    s->core.most_rows = of->rows + of->longer;
    s->core.nmap = of->nsets, s->core.spin = of->spin;
    s->strip.first = of->first, s->strip.rows = of->rows;
    strip_make_leg(s);
    strip_make_ringfft(s);
    const armilla_cuda_strips_problem problem = strip_problem(s);
    check_ok(armilla_cuda_strips_new(&problem, most, &s->cuda));
}

static inline void strip_close(strip_scene *s)
{
    armilla_cuda_strips_free(s->cuda);
    armilla_ringfft_free(s->core.ringfft);
    armilla_leg_layout_clear(&s->leg);
    armilla_ring_pairs_clear(&s->core.fine);
}

static inline armilla_cuda_strip strip_of(const strip_scene *s, int to_samples)
{
    const strip_case *of = s->of;
    return (armilla_cuda_strip){of->first, of->rows, to_samples ? of->first_pair : of->first_own,
                                to_samples ? of->npairs : of->nown};
}

/* --- Legs, samples --------------------------------------------------------------------------- */

/* Random numbers; imaginary parts of order 0 are none. */
static inline double *strip_random_leg(const strip_scene *s, uint64_t seed)
{
    double *values;
    check_ok(armilla_allocate(&values, strip_leg_size(s), sizeof *values));
    random_fill(seed, strip_leg_size(s), values);
    const armilla_leg leg = {&s->leg, s->of->nsets, values, NULL, 0};
    for (int64_t set = 0; set < s->of->nsets; set++) {
        double *row = armilla_leg_row(&leg, s->leg.blocks, set, 0);
        for (int64_t i = 1; i < 4 * s->of->npairs; i += 2) row[i] = 0;
    }
    return values;
}

static inline double *strip_nan_leg(const strip_scene *s)
{
    double *values;
    check_ok(armilla_allocate(&values, strip_leg_size(s), sizeof *values));
    for (int64_t i = 0; i < strip_leg_size(s); i++) values[i] = NAN;
    return values;
}

/* Samples for doubles or floats; random in the rows of the strip, NaN in what nobody may read. */
static inline armilla_array strip_random_samples(const strip_scene *s, uint64_t seed)
{
    const int64_t pitch = s->core.pitch;
    const armilla_array samples = {checked_malloc(strip_samples_size(s), sizeof(double)),
                                   s->of->is_float};
    for (int64_t i = 0; i < strip_samples_size(s); i++) {
        const int64_t row = i / pitch % s->core.most_rows;
        const double value = random_next(&seed);
        armilla_array_put(samples, i, row < s->of->rows ? value : NAN);
    }
    return samples;
}

/* --- On the processor ------------------------------------------------------------------------ */

/* As strip_stage.c runs it, the samples doubles; leg: of all pairs that come. */
static inline void strip_rings_on_processor(const strip_scene *s, double *samples, double *values,
                                            int to_samples)
{
    const armilla_cuda_strip strip = strip_of(s, to_samples);
    armilla_progress silent;
    armilla_progress_start(&silent, NULL, NULL, 1);
    armilla_work work = {.nthreads = 1,
                         .scratch_size = armilla_ringfft_scratch_size(s->core.ringfft),
                         .progress = &silent};
    check_ok(armilla_allocate(&work.scratch, work.scratch_size, sizeof(double)));
    armilla_leg_layout layout = s->leg;
    armilla_leg_block block = layout.blocks[0];
    layout.blocks = &block;
    block.first = strip.first_pair, block.npairs = strip.npairs;
    const armilla_leg leg = {&layout, s->of->nsets,
                             values + 4 * (strip.first_pair - s->of->first_pair), NULL, 0};
    const armilla_ring_maps maps = {.values = {samples, 0}, .distance = strip_samples_of_set(s)};
    if (to_samples)
        armilla_ringfft_to_maps(s->core.ringfft, &leg, &maps, &work);
    else
        armilla_ringfft_from_maps(s->core.ringfft, &leg, &maps, &work);
    armilla_release(work.scratch);
}

static const armilla_points_sides strip_both = {{1, 1}};

/* Samples with what is around them, doubles. */
static inline double *strip_samples_on_processor(const strip_scene *s, double *leg)
{
    double *samples = checked_malloc(strip_samples_size(s), sizeof *samples);
    for (int64_t i = 0; i < strip_samples_size(s); i++) samples[i] = NAN;
    strip_rings_on_processor(s, samples, leg, 1);
    armilla_points_fill_halo(&s->core, &s->strip, strip_both, samples);
    return samples;
}

static inline double *strip_leg_on_processor(const strip_scene *s, armilla_array samples)
{
    double *copy = checked_malloc(strip_samples_size(s), sizeof *copy), *leg = strip_nan_leg(s);
    for (int64_t i = 0; i < strip_samples_size(s); i++) copy[i] = armilla_array_get(samples, i);
    armilla_points_fold_halo(&s->core, &s->strip, strip_both, copy);
    strip_rings_on_processor(s, copy, leg, 0);
    free(copy);
    return leg;
}

/* --- On the GPU ------------------------------------------------------------------------------ */

static inline void *strip_to_device(const void *host, size_t bytes)
{
    void *device;
    check_ok(armilla_cuda_upload(host, (int64_t)bytes, 1, "test", &device));
    return device;
}

/* Both arrays go there and come back, so that nothing is written but what is to be. Returned:
 * launches. */
static inline int64_t strip_run(const strip_scene *s, double *values, armilla_array samples,
                                int to_samples)
{
    const size_t leg_bytes = sizeof(double) * (size_t)strip_leg_size(s);
    const size_t bytes =
        (size_t)(armilla_array_item_size(samples) * (int64_t)strip_samples_size(s));
    const armilla_cuda_strip strip = strip_of(s, to_samples);
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_strips_scratch(s->cuda, s->of->nsets)};
    const armilla_leg leg = {&s->leg, s->of->nsets, strip_to_device(values, leg_bytes), NULL, 0};
    const armilla_array device = {strip_to_device(samples.values, bytes), samples.is_float};
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    cuda_emulation_launches();
    if (to_samples)
        armilla_cuda_strips_to_samples(s->cuda, &strip, &leg, device, &work);
    else
        armilla_cuda_strips_from_samples(s->cuda, &strip, device, &leg, &work);
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    const int64_t launches = cuda_emulation_launches();
    assert_int_equal(cudaMemcpy(values, leg.values, leg_bytes, cudaMemcpyDeviceToHost), 0);
    assert_int_equal(cudaMemcpy(samples.values, device.values, bytes, cudaMemcpyDeviceToHost), 0);
    armilla_cuda_release(leg.values);
    armilla_cuda_release(device.values);
    armilla_cuda_release(work.scratch);
    return launches;
}

/* Each kernel of both directions, on a strip from pole to equator. */
static inline void strip_run_all(int64_t half, int64_t nphi, int64_t nsets, int is_float)
{
    const strip_case of = {.nphi = nphi,
                           .left = 16,
                           .right = 32,
                           .half = half,
                           .mmax = nphi / 2 - 1,
                           .spin = 1,
                           .first = -8,
                           .rows = half + 16,
                           .npairs = half,
                           .nown = half,
                           .nsets = nsets,
                           .is_float = is_float};
    strip_scene s;
    strip_open(&s, &of, STRIPS_PLENTY);
    double *leg = strip_random_leg(&s, 1);
    const armilla_array samples = strip_random_samples(&s, 2);
    strip_run(&s, leg, samples, 1);
    strip_run(&s, leg, samples, 0);
    armilla_release(leg);
    free(samples.values);
    strip_close(&s);
}

#endif
