/* A theta stage whose rings `to` are samples of a circle, as points have it, on the emulated GPU
 * and on the processor: zones, faded frequencies, rings beside them. Included behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_THETA_CIRCLE_SCENE_H
#define ARMILLA_TESTS_CUDA_THETA_CIRCLE_SCENE_H

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/theta.h"
#include "emulation.h"
#include "legendre/dispatch.h"
#include "oracle/checks.h"
#include <math.h>
#include <string.h>

enum { CIRCLE_ORDERS = 8 };

/* lmax is that of the near rings' limits; what is 0 may be left out. */
typedef struct {
    int64_t lmax, mmax, spin, nfrom, nto, band;
    int64_t nempty; /* of the rings `to`, the first ones are missing, and the last one */
    int whole;      /* no to_transform */
    int near_is_to;
    int64_t most; /* bytes of scratch; 0: as many as wanted */
} circle_case;

typedef struct {
    circle_case of;
    armilla_ring_pairs from, to;
    armilla_theta_problem problem;
    double *transform;
    int64_t norders, orders[CIRCLE_ORDERS];
    armilla_leg_layout layout; /* of the pairs `to` or `from`, whichever are more */
    armilla_cuda_theta *theta;
} circle_scene;

/* Rings at pi (2 r + 1) / (2 n), in pairs. */
static inline void circle_rings(int64_t n, const circle_case *of, armilla_ring_pairs *pairs)
{
    double *theta = checked_malloc(n, sizeof *theta);
    for (int64_t r = 0; r < n; r++) theta[r] = M_PI * ((double)r + 0.5) / (double)n;
    check_ok(armilla_ring_pairs_make(n, theta, of->lmax, of->lmax, of->spin, pairs));
    free(theta);
}

/* Frequencies are left out, grow, and fade: each has a number of its own. */
static inline void circle_transform(circle_scene *s)
{
    s->transform = checked_malloc(s->of.band + 1, sizeof *s->transform);
    for (int64_t k = 0; k <= s->of.band; k++)
        s->transform[k] = k % 7 == 6 ? INFINITY : 1 + 0.1 * (double)(k % 23);
    if (!s->of.whole) s->problem.to_transform = s->transform;
}

static inline void circle_open_pairs(circle_scene *s, const circle_case *of)
{
    static const int64_t all[CIRCLE_ORDERS] = {0, 1, 2, 3, 5, 8, 9, 12};
    *s = (circle_scene){.of = *of};
    circle_rings(of->nfrom, of, &s->from);
    circle_rings(of->nto, of, &s->to);
    for (int64_t i = 0; i < s->to.count; i++) s->to.limit[i] = of->mmax;
    for (int64_t i = 0; i < of->nempty; i++) s->to.south[i] = -1;
    if (of->nempty) s->to.north[s->to.count - 1] = -1;
    while (s->norders < CIRCLE_ORDERS && all[s->norders] <= of->mmax)
        s->orders[s->norders] = all[s->norders], s->norders++;
    s->problem = (armilla_theta_problem){.machine = armilla_machine_with(ARMILLA_ISA_SCALAR),
                                         .spin = of->spin,
                                         .band = of->band,
                                         .from = &s->from,
                                         .to = &s->to,
                                         .circle_length = 2 * of->nfrom,
                                         .half_shifted = 1,
                                         .near_is_to = of->near_is_to,
                                         .to_length = 2 * of->nto};
    circle_transform(s);
}

static inline int64_t circle_most(const circle_scene *s)
{
    return s->of.most ? s->of.most : INT64_MAX / 4;
}

static inline armilla_status circle_new(circle_scene *s)
{
    const armilla_cuda_theta_rows rows = {s->norders, s->orders};
    return armilla_cuda_theta_new(&s->problem, &rows, circle_most(s), &s->theta);
}

static inline void circle_open(circle_scene *s, const circle_case *of)
{
    circle_open_pairs(s, of);
    const armilla_ring_pairs *more = s->to.count > s->from.count ? &s->to : &s->from;
    const armilla_leg_shape shape = {.pairs = more,
                                     .npairs = more->count,
                                     .block_size = more->count,
                                     .room = 4,
                                     .kind = ARMILLA_ORDERS_LISTED,
                                     .norders = s->norders,
                                     .orders = s->orders};
    check_ok(armilla_leg_layout_make(&shape, &s->layout));
    armilla_leg_layout_even(&s->layout, s->layout.blocks[0].row_length);
    check_ok(circle_new(s));
}

static inline void circle_close(circle_scene *s)
{
    armilla_cuda_theta_free(s->theta);
    armilla_leg_layout_clear(&s->layout);
    armilla_ring_pairs_clear(&s->from);
    armilla_ring_pairs_clear(&s->to);
    free(s->transform);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static inline int64_t circle_size(const circle_scene *s, int64_t nsets)
{
    return nsets * s->layout.size;
}

/* Where entry (set, row) of a leg of so many sets begins. */
static inline double *circle_row(const circle_scene *s, double *values, int64_t set, int64_t row)
{
    const armilla_leg leg = {&s->layout, 1, values + set * s->layout.size, NULL, 0};
    return armilla_leg_row(&leg, s->layout.blocks, 0, row);
}

/* Is number i of a row one of a ring that is there, and of a pair on which the order matters? */
static inline int circle_has(const armilla_ring_pairs *pairs, int64_t order, int64_t i)
{
    const int64_t pair = i / 4, south = i / 2 % 2;
    return pair < pairs->count && order <= pairs->limit[pair] &&
           (south ? pairs->south : pairs->north)[pair] >= 0;
}

/* Random numbers on the rings of a side, NaN in what nobody may read. */
static inline double *circle_random(const circle_scene *s, const armilla_ring_pairs *pairs,
                                    int64_t nsets, uint64_t seed)
{
    double *values = checked_malloc(circle_size(s, nsets), sizeof *values);
    random_fill(seed, circle_size(s, nsets), values);
    for (int64_t n = 0; n < nsets * s->norders; n++) {
        double *row = circle_row(s, values, n / s->norders, n % s->norders);
        for (int64_t i = 0; i < s->layout.blocks[0].row_length; i++)
            if (!circle_has(pairs, s->orders[n % s->norders], i)) row[i] = NAN;
    }
    return values;
}

/* By the GPU: values are replaced. */
static inline void circle_run(const circle_scene *s, int to_far, int64_t nsets, double *values)
{
    const size_t bytes = sizeof(double) * (size_t)circle_size(s, nsets);
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_theta_scratch(s->theta, nsets)};
    armilla_leg leg = {&s->layout, nsets, NULL, NULL, 0};
    void *device;
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    check_ok(armilla_cuda_upload(values, circle_size(s, nsets), sizeof(double), "test", &device));
    leg.values = device;
    (to_far ? armilla_cuda_theta_to_far : armilla_cuda_theta_to_near)(s->theta, &leg, &work);
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    assert_int_equal(cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    armilla_cuda_release(device);
    armilla_cuda_release(work.scratch);
}

/* Each kernel of both directions. */
static inline void circle_run_all(int64_t lmax)
{
    const circle_case of = {.lmax = lmax,
                            .mmax = CIRCLE_ORDERS,
                            .nfrom = lmax + 1,
                            .nto = 2 * lmax,
                            .band = lmax,
                            .nempty = 1};
    circle_scene s;
    circle_open(&s, &of);
    for (int to_far = 0; to_far < 2; to_far++) {
        double *values = circle_random(&s, to_far ? &s.from : &s.to, 2, 1);
        circle_run(&s, to_far, 2, values);
        free(values);
    }
    circle_close(&s);
}

#endif
