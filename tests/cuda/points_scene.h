/* Random samples with what is around them, points, and interpolation between both on the emulated
 * GPU and by the processor's kernels. Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_POINTS_SCENE_H
#define ARMILLA_TESTS_CUDA_POINTS_SCENE_H

#include "base/machine.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/points.h"
#include "cuda/points_transform.h"
#include "emulation.h"
#include "oracle/checks.h"
#include "points/plan.h"
#include "points/samples.h"
#include <math.h>
#include <string.h>

/* What is 0 may be left out, but for sizes. */
typedef struct {
    int64_t nrings, nphi;
    int64_t first, beyond;    /* rings north and south of the zone */
    int64_t spin, ncomp;      /* 0: 1 component */
    int taps, single, floats; /* floats: of the values at points */
} points_case;

typedef struct {
    points_case of;
    armilla_points_core core; /* as far as samples need one */
    armilla_points_strip strip;
    armilla_cuda_points_problem problem;
    int64_t nsamples; /* of all components, with what is around them */
    int64_t count;
    double *points; /* [count][2] */
    armilla_cuda_points *plan;
} points_scene;

/* --- Points ----------------------------------------------------------------------------------- */

/* Uniform over the zone, in many turns. */
static inline double *scattered_points(const points_case *of, int64_t count)
{
    const double whole = (double)(of->first + of->nrings + of->beyond);
    double *points = checked_malloc(2 * count + 1, sizeof *points);
    uint64_t stream = 77;
    for (int64_t i = 0; i < count; i++) {
        const double place = (random_next(&stream) + 1) / 2;
        points[2 * i] = M_PI * ((double)of->first + place * (double)of->nrings) / whole;
        points[2 * i + 1] = 20 * random_next(&stream);
    }
    return points;
}

/* --- The scene -------------------------------------------------------------------------------- */

static inline void points_open_core(points_scene *s)
{
    const points_case *of = &s->of;
    armilla_points_core *core = &s->core;
    armilla_window window;
    check_ok(armilla_machine_choose(NULL, &core->machine));
    core->kernels = armilla_points_kernels_find(core->machine.isa);
    armilla_window_make(2, of->taps, &window);
    core->epsilon = of->single ? 1e-5 : 1e-13;
    armilla_window_fill_table(&window, core->epsilon, &core->table);
    core->sampling = (armilla_sampling){.whole = of->first + of->nrings + of->beyond,
                                        .first = of->first,
                                        .nrings = of->nrings,
                                        .nphi = of->nphi,
                                        .taps = of->taps};
    core->spin = of->spin, core->nmap = of->ncomp ? of->ncomp : 1;
    core->fine.count = of->nrings / 2;
    core->left = 16, core->pitch = armilla_leg_row_length((of->nphi + 48 + 3) / 4);
    const int64_t reach = armilla_points_reach(core);
    core->most_rows = of->nrings / 2 + 2 * reach;
    s->strip = (armilla_points_strip){.end_band = armilla_points_count_bands(&core->sampling),
                                      .first = -reach,
                                      .rows = core->most_rows,
                                      .nown = of->nrings / 2};
    s->nsamples = armilla_points_strip_size(core);
}

static inline armilla_status points_new(points_scene *s)
{
    return armilla_cuda_points_new(&s->problem, s->count, s->points, 0, NULL, &s->plan);
}

/* Takes the points. */
static inline void points_open(points_scene *s, const points_case *of, int64_t count,
                               double *points)
{
    *s = (points_scene){.of = *of, .count = count, .points = points};
    points_open_core(s);
    const armilla_window_table *table = &s->core.table;
    s->problem =
        (armilla_cuda_points_problem){.whole = s->core.sampling.whole,
                                      .first = of->first,
                                      .nrings = of->nrings,
                                      .nphi = of->nphi,
                                      .taps = of->taps,
                                      .degree = table->degree,
                                      .coefficient = table->coefficient[1] + ARMILLA_WINDOW_ROOM,
                                      .row_length = ARMILLA_WINDOW_ROW,
                                      .epsilon = s->core.epsilon,
                                      .single = of->single};
    check_ok(points_new(s));
}

static inline void points_close(points_scene *s)
{
    armilla_cuda_points_free(s->plan);
    free(s->points);
}

/* --- Samples and values ----------------------------------------------------------------------- */

static inline armilla_points_sides both_sides(void)
{
    return (armilla_points_sides){{1, 1}};
}

static inline double *zeros(int64_t count)
{
    double *values;
    check_ok(armilla_allocate_zero(&values, count + 1, sizeof *values));
    return values;
}

/* Rings, and what is around them. */
static inline double *random_samples(const points_scene *s, uint64_t seed)
{
    double *samples = zeros(s->nsamples);
    random_fill(seed, s->nsamples, samples);
    if (s->of.single)
        for (int64_t i = 0; i < s->nsamples; i++) samples[i] = (double)(float)samples[i];
    armilla_points_fill_halo(&s->core, &s->strip, both_sides(), samples);
    return samples;
}

static inline double *random_values(const points_scene *s, uint64_t seed)
{
    const int64_t count = s->core.nmap * s->count;
    double *values = zeros(count);
    random_fill(seed, count, values);
    for (int64_t i = 0; i < count && s->of.floats; i++) values[i] = (double)(float)values[i];
    return values;
}

/* --- The processor's -------------------------------------------------------------------------- */

static inline void run_tile(const points_scene *s, const armilla_points_order *order, int to_points,
                            int64_t number, double *samples, double *values)
{
    const int64_t band = number / order->ntiles % order->nbands, first = order->start[number];
    const int south = number / order->ntiles >= order->nbands;
    const armilla_points_side side = armilla_points_side_of(&s->core, &s->strip, south, samples);
    const int64_t row = armilla_points_band_row(order, south, band);
    armilla_points_list list = {.count = order->start[number + 1] - first,
                                .u = order->u + first,
                                .v = order->v + first,
                                .place = order->place ? order->place + first : NULL};
    for (int64_t c = 0; c < s->core.nmap; c++) list.values[c] = values + c * s->count;
    const armilla_points_patch patch = {
        .samples = side.samples + (row - side.first) * s->core.pitch + s->core.left +
                   number % order->ntiles * ARMILLA_TILE_SAMPLES,
        .pitch = s->core.pitch,
        .component = 2 * s->core.most_rows * s->core.pitch,
        .ncomp = s->core.nmap};
    if (list.count == 0) return;
    if (to_points)
        s->core.kernels->interpolate(&s->core.table, &patch, &list);
    else
        s->core.kernels->spread(&s->core.table, &patch, &list, side.begin - row, side.end - row);
}

static inline void run_on_processor(const points_scene *s, int to_points, double *samples,
                                    double *values)
{
    armilla_points_locations locations;
    armilla_points_order order;
    check_ok(armilla_points_survey(s->core.kernels, s->count, s->points, &locations));
    check_ok(armilla_points_order_make(&locations, &s->core.sampling, 1, 1, &order));
    for (int64_t i = 0; i < 2 * order.nbands * order.ntiles; i++)
        run_tile(s, &order, to_points, i, samples, values);
    armilla_points_order_clear(&order);
}

/* --- The GPU's -------------------------------------------------------------------------------- */

static inline armilla_cuda_point_samples samples_of(const points_scene *s, armilla_array values)
{
    armilla_cuda_point_samples samples = {.values = values,
                                          .ncomp = s->core.nmap,
                                          .component = 2 * s->core.most_rows * s->core.pitch,
                                          .pitch = s->core.pitch,
                                          .left = s->core.left,
                                          .end_band = s->strip.end_band};
    for (int south = 0; south < 2; south++) {
        const armilla_points_side side = armilla_points_side_of(&s->core, &s->strip, south, NULL);
        samples.side[south] =
            (armilla_cuda_point_side){.offset = south * s->core.most_rows * s->core.pitch,
                                      .first = side.first,
                                      .rows = s->strip.rows,
                                      .begin = side.begin,
                                      .end = side.end};
    }
    return samples;
}

/* A device array of either kind, from doubles. */
static inline armilla_array points_to_device(int64_t count, const double *values, int is_float)
{
    armilla_array array = {.is_float = is_float};
    float *floats = checked_malloc(count + 1, sizeof *floats);
    to_float(count, values, floats);
    check_ok(armilla_cuda_upload(is_float ? (const void *)floats : (const void *)values, count + 1,
                                 is_float ? sizeof(float) : sizeof(double), "test", &array.values));
    free(floats);
    return array;
}

/* Takes the array. */
static inline void points_from_device(armilla_array array, int64_t count, double *values)
{
    void *host = checked_malloc(count + 1, sizeof(double));
    const size_t bytes = (size_t)(count * armilla_array_item_size(array));
    assert_int_equal(cudaMemcpy(host, array.values, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int64_t i = 0; i < count; i++)
        values[i] = armilla_array_get((armilla_array){host, array.is_float}, i);
    armilla_cuda_release(array.values);
    free(host);
}

/* By the GPU: samples or values are replaced. */
static inline void points_run(const points_scene *s, int to_points, double *samples, double *values)
{
    const int64_t nvalues = s->core.nmap * s->count;
    armilla_array there = points_to_device(s->nsamples, samples, s->of.single);
    armilla_array at_points = points_to_device(nvalues, values, s->of.floats);
    const armilla_cuda_point_samples all = samples_of(s, there);
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_points_scratch(s->plan, s->core.nmap)};
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    cuda_emulation_launches();
    if (to_points)
        armilla_cuda_points_interpolate(s->plan, &all, at_points, s->count, &work);
    else
        armilla_cuda_points_spread(s->plan, at_points, s->count, &all, &work);
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    assert_true(cuda_emulation_launches() <= (to_points ? 1 : 5));
    points_from_device(there, s->nsamples, samples);
    points_from_device(at_points, nvalues, values);
    armilla_cuda_release(work.scratch);
}

/* The points of the scene, on the device, are looked at. */
static inline void points_look(const points_scene *s)
{
    enum { TAKEN = 40 };
    int64_t number[TAKEN];
    double sample[2 * TAKEN];
    armilla_cuda_point_bounds bounds;
    armilla_array there = points_to_device(2 * s->count, s->points, 0);
    for (int64_t i = 0; i < TAKEN; i++) number[i] = i * s->count / TAKEN;
    const armilla_cuda_points_survey survey = {s->count, there.values, TAKEN, number, sample};
    check_ok(armilla_cuda_points_look(&survey, &bounds));
    for (int64_t i = 0; i < TAKEN; i++)
        assert_memory_equal(sample + 2 * i, s->points + 2 * number[i], 2 * sizeof(double));
    double theta[2] = {4, 0}, from_equator = 2;
    for (int64_t i = 0; i < s->count; i++) {
        theta[0] = fmin(theta[0], s->points[2 * i]), theta[1] = fmax(theta[1], s->points[2 * i]);
        from_equator = fmin(from_equator, fabs(s->points[2 * i] - M_PI_2));
    }
    assert_true(bounds.north == theta[0] && bounds.south == theta[1]);
    assert_true(bounds.from_equator == from_equator && bounds.wrong == 0);
    armilla_cuda_release(there.values);
}

enum { POINTS_KINDS = 4 };

/* Each kernel for one kind of numbers and components, in both directions. Half of the points are in
 * one tile. */
static inline void points_run_kind(int kind, int64_t nrings, int64_t count)
{
    const points_case of = {.nrings = nrings,
                            .nphi = 2 * nrings,
                            .ncomp = 1 + kind % 2,
                            .taps = kind < 2 ? 13 : 7,
                            .single = kind > 1};
    points_scene s;
    double *points = scattered_points(&of, count);
    for (int64_t n = 0; n < count / 2; n++)
        points[2 * n] /= 1000, points[2 * n + 1] = 1 + points[2 * n + 1] / 1000;
    points_open(&s, &of, count, points);
    double *samples = zeros(s.nsamples), *values = zeros(s.core.nmap * count);
    random_fill(1, s.nsamples, samples);
    random_fill(2, s.core.nmap * count, values);
    if (kind == 0) points_look(&s);
    for (int to_points = 0; to_points < 2; to_points++) points_run(&s, to_points, samples, values);
    armilla_release(samples);
    armilla_release(values);
    points_close(&s);
}

#endif
