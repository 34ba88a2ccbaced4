/* A problem for the Legendre stage of the emulated GPU: its stages, data and runs. Included behind
 * cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_LEGENDRE_SCENE_H
#define ARMILLA_TESTS_CUDA_LEGENDRE_SCENE_H

#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/legendre.h"
#include "cuda/transform.h"
#include "emulation.h"
#include "leg/passes.h"
#include "legendre/dispatch.h"
#include "legendre/stage.h"
#include "oracle/checks.h"
#include <math.h>
#include <string.h>

typedef struct {
    int64_t lmax, mmax, spin, nrings, ntrans;
    const char *shape; /* NULL: the default one */
    int64_t pass;      /* pairs of a pass; 0: all */
    int64_t most;      /* bytes of scratch; 0: as many as wanted */
    int columns;       /* alm by degrees, then orders; else by orders, then degrees */
    int is_float, ncomp;
    armilla_cuda_precision precision;
    int given_factor;
    double begin, end; /* the zone of the rings; end 0: from pole to pole */
    int64_t above;     /* orders that alm have beyond those of the stage; not with `norders` */
    int64_t norders, orders[8]; /* 0: all */
} problem;

/* Some orders instead of all. */
#define FEW_ORDERS           .norders = 5, .orders = {0, 1, 90, 217, 300}
#define FEW_ORDERS_BELOW_130 .norders = 4, .orders = {0, 3, 100, 130}
#define SPIN_ORDERS          .shape = "v4w4", .norders = 5, .orders = {0, 1, 2, 60, 129}

/* A problem's stages and data. Arrays that are on both sides begin with device_. */
typedef struct {
    const problem *p;
    int64_t nsets, ncomp, size; /* of the maps, of alm; complex numbers of a component */
    armilla_ring_pairs pairs;
    armilla_legendre *cpu, *gpu;
    armilla_cuda_legendre *cuda;
    armilla_leg_passes passes;
    int64_t *mstart, *device_mstart;
    double *factor, *device_factor;             /* of degrees */
    double *order_factor, *device_order_factor; /* likewise */
    armilla_progress progress;
    armilla_work work;
} scene;

static inline armilla_isa best_isa(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return isa;
}

static inline void *to_device(const void *host, int64_t count, size_t size)
{
    void *device;
    check_ok(armilla_cuda_upload(host, count, size, "test", &device));
    return device;
}

static inline void to_host(const void *device, void *host, int64_t bytes)
{
    assert_int_equal(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

static inline const armilla_cuda_shape *shape_of(const char *name)
{
    const armilla_cuda_shape *shape;
    for (int64_t i = 0; (shape = armilla_cuda_shape_at(i)); i++)
        if (!strcmp(name, shape->name)) return shape;
    fail_msg("no shape %s", name);
    return NULL;
}

static inline void make_stages(scene *s)
{
    const problem *p = s->p;
    armilla_legendre_problem of = {.machine = armilla_machine_with(best_isa()),
                                   .lmax = p->lmax,
                                   .norders = p->norders ? p->norders : p->mmax + 1,
                                   .orders = p->norders ? p->orders : NULL,
                                   .spin = p->spin,
                                   .pairs = &s->pairs,
                                   .block_size = p->pass};
    of.lanes =
        armilla_kernels_find(of.machine.isa)->vector_length; /* each pair in one part, as there */
    check_ok(armilla_legendre_new(&of, &s->cpu));
    const int two_floats = p->precision.of_doubles == ARMILLA_CUDA_IN_TWO_FLOATS;
    const armilla_cuda_shape *shape =
        p->shape ? shape_of(p->shape) : armilla_cuda_default_shape(s->pairs.count, two_floats);
    of.lanes = shape->lanes, of.vectors = shape->vectors;
    of.keep_tables = 1;
    check_ok(armilla_legendre_new(&of, &s->gpu));
    check_ok(armilla_cuda_legendre_new(s->gpu, shape, p->precision, NULL, &s->cuda));
}

static inline void make_alm_layout(scene *s)
{
    const problem *p = s->p;
    const int64_t mmax = p->mmax + p->above;
    s->mstart = checked_malloc(mmax + 1, sizeof *s->mstart);
    for (int64_t m = 0; m <= mmax; m++)
        s->mstart[m] = p->columns ? m : m * (2 * p->lmax + 1 - m) / 2;
    s->size = p->columns ? (p->lmax + 1) * (mmax + 1) : armilla_alm_size(p->lmax, mmax);
    s->device_mstart = to_device(s->mstart, mmax + 1, sizeof *s->mstart);
    if (!p->given_factor) return;
    s->factor = checked_malloc(p->lmax + 1, sizeof *s->factor);
    random_fill(31, p->lmax + 1, s->factor);
    s->device_factor = to_device(s->factor, p->lmax + 1, sizeof *s->factor);
    s->order_factor = checked_malloc(p->mmax + 1, sizeof *s->order_factor);
    random_fill(32, p->mmax + 1, s->order_factor);
    s->device_order_factor = to_device(s->order_factor, p->mmax + 1, sizeof *s->order_factor);
}

static inline void scene_open(scene *s, const problem *p)
{
    *s = (scene){.p = p};
    double *theta = checked_malloc(p->nrings, sizeof *theta);
    const double height = (p->end > 0 ? p->end : M_PI) - p->begin;
    for (int64_t r = 0; r < p->nrings; r++)
        theta[r] = p->begin + height * ((double)r + 0.5) / (double)p->nrings;
    s->nsets = p->ntrans * (p->spin ? 2 : 1);
    s->ncomp = p->ncomp ? p->ncomp : p->spin ? 2 : 1;
    check_ok(armilla_ring_pairs_make(p->nrings, theta, p->lmax, p->mmax, p->spin, &s->pairs));
    free(theta);
    make_stages(s);
    make_alm_layout(s);
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = s->pairs.count,
                                     .block_size = p->pass ? p->pass : s->pairs.count,
                                     .room = 4,
                                     .kind =
                                         p->norders ? ARMILLA_ORDERS_LISTED : ARMILLA_ORDERS_ALL,
                                     .mmax = p->mmax,
                                     .norders = p->norders,
                                     .orders = p->orders};
    check_ok(armilla_leg_passes_by_pairs(&shape, shape.block_size, &s->passes));
    armilla_progress_start(&s->progress, NULL, NULL, 0);
    s->work = (armilla_work){.nthreads = 1,
                             .scratch_size = armilla_legendre_stage_scratch(s->cpu, s->nsets),
                             .progress = &s->progress};
    check_ok(armilla_allocate(&s->work.scratch, s->work.scratch_size, sizeof(double)));
}

static inline void scene_close(scene *s)
{
    armilla_cuda_legendre_free(s->cuda);
    armilla_legendre_free(s->gpu);
    armilla_legendre_free(s->cpu);
    armilla_leg_passes_clear(&s->passes);
    armilla_ring_pairs_clear(&s->pairs);
    armilla_cuda_release(s->device_mstart);
    armilla_cuda_release(s->device_factor);
    armilla_cuda_release(s->device_order_factor);
    armilla_release(s->work.scratch);
    free(s->mstart);
    free(s->factor);
    free(s->order_factor);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

/* Numbers of all components: real parts, imaginary parts. */
static inline int64_t alm_count(const scene *s)
{
    return 2 * s->size * s->p->ntrans * s->ncomp;
}

static inline int64_t alm_bytes(const scene *s)
{
    return alm_count(s) * (int64_t)(s->p->is_float ? sizeof(float) : sizeof(double));
}

static inline armilla_alm_rows rows_of(const scene *s, void *alm, int on_device)
{
    return (armilla_alm_rows){.values = {alm, s->p->is_float},
                              .distance = s->size,
                              .ncomp = s->ncomp,
                              .nsets = s->p->spin ? 2 : 1,
                              .lmax = s->p->lmax,
                              .stride = s->p->columns ? s->p->mmax + s->p->above + 1 : 1,
                              .mstart = on_device ? s->device_mstart : s->mstart,
                              .spin = s->p->spin < 0 ? -s->p->spin : s->p->spin,
                              .factor = on_device ? s->device_factor : s->factor,
                              .order_factor = on_device ? s->device_order_factor : s->order_factor,
                              .real = 1,
                              .last = 1};
}

static inline void *random_values(const scene *s)
{
    double *values = checked_malloc(alm_count(s), sizeof *values);
    random_fill(5, alm_count(s), values);
    if (s->p->is_float) {
        float *floats = checked_malloc(alm_count(s), sizeof *floats);
        to_float(alm_count(s), values, floats);
        free(values);
        return floats;
    }
    return values;
}

/* Doubles of a leg. */
static inline double *host_leg(const scene *s, const armilla_leg_layout *layout)
{
    double *values;
    check_ok(armilla_allocate(&values, s->nsets * layout->size + 8, sizeof *values));
    for (int64_t i = 0; i < s->nsets * layout->size; i++) values[i] = NAN;
    return values;
}

/* Random numbers in the entries that exist; NaN, which nobody may read, in the others. */
static inline void fill_leg(const armilla_leg *leg, uint64_t seed)
{
    for (int64_t n = 0; n < leg->layout->nblocks; n++) {
        const armilla_leg_block *block = &leg->layout->blocks[n];
        for (int64_t set = 0; set < leg->nsets; set++)
            for (int64_t row = 0; row < block->nrows; row++)
                for (int64_t i = 0; i < block->npairs; i++)
                    if (leg->layout->orders[row] <= leg->layout->pairs->limit[block->first + i])
                        random_fill(seed + (uint64_t)(1000 * row + i + 99991 * set), 4,
                                    armilla_leg_row(leg, block, set, row) + 4 * i);
    }
}

/* --- Runs ------------------------------------------------------------------------------------ */

static inline armilla_cuda_work device_work(const scene *s, int to_leg)
{
    const int64_t most = s->p->most ? s->p->most : INT64_MAX / 4;
    armilla_cuda_work work = {.scratch_bytes =
                                  armilla_cuda_legendre_scratch(s->cuda, s->nsets, to_leg, most)};
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    return work;
}

static inline void finish(armilla_cuda_work *work)
{
    armilla_cuda_note(work, cudaDeviceSynchronize());
    assert_int_equal(work->error, cudaSuccess);
    armilla_cuda_release(work->scratch);
}

/* leg of a pass from alm, by the GPU. */
static inline void device_synthesis(const scene *s, const void *alm, const armilla_leg *leg)
{
    const int64_t size = leg->nsets * leg->layout->size;
    armilla_cuda_work work = device_work(s, 1);
    void *device_alm = to_device(alm, alm_bytes(s), 1);
    const armilla_alm_rows rows = rows_of(s, device_alm, 1);
    armilla_leg device = *leg;
    device.values = to_device(leg->values, size, sizeof(double));
    armilla_cuda_legendre_to_leg(s->cuda, &rows, &device, &work);
    finish(&work);
    to_host(device.values, leg->values, 8 * size);
    armilla_cuda_release(device.values);
    armilla_cuda_release(device_alm);
}

/* Zeros in the orders of alm that the stage has not. */
static inline void device_clear(const scene *s, void *alm)
{
    armilla_cuda_work work = {.scratch_bytes = 0};
    void *device_alm = to_device(alm, alm_bytes(s), 1);
    const armilla_alm_rows rows = rows_of(s, device_alm, 1);
    armilla_cuda_legendre_clear_orders(&rows, s->nsets, s->p->mmax + 1, s->p->mmax + s->p->above,
                                       &work);
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    to_host(device_alm, alm, alm_bytes(s));
    armilla_cuda_release(device_alm);
}

/* Adds a pass to alm, by the GPU. sums: of float alm, or NULL. */
static inline void device_analysis(const scene *s, const armilla_leg *leg, int64_t pass, void *alm,
                                   double *device_sums)
{
    armilla_cuda_work work = device_work(s, 0);
    void *device_alm = to_device(alm, alm_bytes(s), 1);
    armilla_alm_rows rows = rows_of(s, device_alm, 1);
    rows.later = pass > 0, rows.last = pass == s->passes.count - 1;
    rows.sums = device_sums, rows.sums_size = 2 * armilla_alm_size(s->p->lmax, s->p->mmax);
    armilla_leg device = *leg;
    device.values = to_device(leg->values, leg->nsets * leg->layout->size, sizeof(double));
    armilla_cuda_legendre_from_leg(s->cuda, &device, &rows, &work);
    finish(&work);
    to_host(device_alm, alm, alm_bytes(s));
    armilla_cuda_release(device.values);
    armilla_cuda_release(device_alm);
}

#endif
