/* Compares the Legendre stage alone on the GPU, alm <-> leg, with the processor's stage on the same
 * numbers. */
#include "check.h"
#include "problem.h"

#include "alm/rows.h"
#include "base/memory.h"
#include "cuda/stages/legendre.h"
#include "cuda/transform.h"
#include "leg/passes.h"
#include "legendre/dispatch.h"
#include "legendre/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct legendre_case {
    int64_t lmax, nrings, spin, ntrans;
    int recurrence_only, single;
    int factors;       /* of orders, as points have them */
    const char *shape; /* NULL: the default one */
} legendre_case;

typedef struct scene {
    legendre_case c;
    int64_t nsets, ncomp, size; /* of the maps, of alm; complex numbers of a component */
    armilla_ring_pairs pairs;
    armilla_legendre *cpu, *gpu;
    armilla_cuda_legendre *cuda;
    armilla_leg_passes passes; /* one */
    int64_t *mstart, *device_mstart;
    double *factor, *device_factor; /* of orders; or NULL */
} scene;

/* --- Stages ---------------------------------------------------------------------------------- */

static const armilla_cuda_shape *find_shape(const char *name, int64_t npairs)
{
    const armilla_cuda_shape *shape = armilla_cuda_default_shape(npairs, 0);
    for (int64_t i = 0; name && armilla_cuda_shape_at(i); i++)
        if (!strcmp(armilla_cuda_shape_at(i)->name, name)) shape = armilla_cuda_shape_at(i);
    return shape;
}

static void make_pairs(scene *s)
{
    const legendre_case *c = &s->c;
    double *theta = gpu_host_array(c->nrings);
    for (int64_t r = 0; r < c->nrings; r++) theta[r] = M_PI * ((double)r + 0.5) / (double)c->nrings;
    gpu_stop_at(armilla_ring_pairs_make(c->nrings, theta, c->lmax, c->lmax, c->spin, &s->pairs),
                "ring pairs");
    free(theta);
}

static void make_stages(scene *s)
{
    const legendre_case *c = &s->c;
    const armilla_cuda_shape *shape = find_shape(c->shape, s->pairs.count);
    armilla_legendre_problem of = {.lmax = c->lmax,
                                   .norders = c->lmax + 1,
                                   .spin = c->spin,
                                   .recurrence_only = c->recurrence_only,
                                   .pairs = &s->pairs};
    gpu_stop_at(armilla_machine_choose(NULL, &of.machine), "the instruction set");
    gpu_stop_at(armilla_legendre_new(&of, &s->cpu), "the processor's stage");
    of.lanes = shape->lanes, of.vectors = shape->vectors;
    of.keep_tables = 1, of.single = c->single;
    gpu_stop_at(armilla_legendre_new(&of, &s->gpu), "tables for the GPU");
    const armilla_cuda_precision precision = {
        ARMILLA_CUDA_IN_DOUBLE, c->single ? ARMILLA_CUDA_IN_SINGLE : ARMILLA_CUDA_IN_DOUBLE};
    gpu_stop_at(armilla_cuda_legendre_new(s->gpu, shape, precision, NULL, &s->cuda),
                "the GPU's stage");
}

static void make_factors(scene *s)
{
    if (!s->c.factors) return;
    s->factor = gpu_host_array(s->c.lmax + 1);
    for (int64_t m = 0; m <= s->c.lmax; m++) s->factor[m] = 1 + 0.1 * (double)(m % 7);
    s->device_factor = gpu_device_array(s->c.lmax + 1, s->factor);
}

static void open_scene(const legendre_case *c, scene *s)
{
    const int64_t lmax = c->lmax;
    *s = (scene){.c = *c};
    s->ncomp = c->spin ? 2 : 1;
    s->nsets = c->ntrans * s->ncomp;
    s->size = armilla_alm_size(lmax, lmax);
    make_pairs(s);
    make_stages(s);
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = s->pairs.count,
                                     .block_size = s->pairs.count,
                                     .room = 4,
                                     .kind = ARMILLA_ORDERS_ALL,
                                     .mmax = lmax};
    gpu_stop_at(armilla_leg_passes_by_pairs(&shape, s->pairs.count, &s->passes), "leg");
    gpu_stop_at(armilla_allocate(&s->mstart, lmax + 1, sizeof *s->mstart), "the layout of alm");
    for (int64_t m = 0; m <= lmax; m++) s->mstart[m] = m * (2 * lmax + 1 - m) / 2;
    s->device_mstart = gpu_stage_put(s->mstart, (lmax + 1) * (int64_t)sizeof *s->mstart);
    make_factors(s);
}

static void close_scene(scene *s)
{
    armilla_cuda_legendre_free(s->cuda);
    armilla_legendre_free(s->gpu);
    armilla_legendre_free(s->cpu);
    armilla_leg_passes_clear(&s->passes);
    armilla_ring_pairs_clear(&s->pairs);
    cudaFree(s->device_mstart);
    cudaFree(s->device_factor);
    free(s->factor);
    armilla_release(s->mstart);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

static int64_t alm_count(const scene *s)
{
    return 2 * s->size * s->c.ntrans * s->ncomp;
}

static int64_t leg_count(const scene *s)
{
    return s->nsets * s->passes.layouts[0].size;
}

/* single: an array of floats. */
static armilla_alm_rows rows_of(const scene *s, void *alm, int single, int on_device)
{
    return (armilla_alm_rows){.values = {alm, single},
                              .distance = s->size,
                              .ncomp = s->ncomp,
                              .nsets = s->ncomp,
                              .lmax = s->c.lmax,
                              .stride = 1,
                              .mstart = on_device ? s->device_mstart : s->mstart,
                              .spin = llabs(s->c.spin),
                              .order_factor = on_device ? s->device_factor : s->factor,
                              .real = 1,
                              .last = 1};
}

static double *nan_array(int64_t count)
{
    double *values;
    gpu_stop_at(armilla_allocate(&values, count, sizeof *values), "an array");
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

/* Random numbers that floats have, too. */
static double *random_alm(const scene *s)
{
    uint64_t state = 3;
    double *values = nan_array(alm_count(s));
    for (int64_t i = 0; i < alm_count(s); i++) values[i] = gpu_random(&state);
    return values;
}

typedef void (*entry_fn)(void *data, const gpu_place *place, int64_t at);

/* Calls it for every number of leg that exists. */
static void each_entry(const scene *s, entry_fn function, void *data)
{
    static const char *const parts[] = {"north re", "north im", "south re", "south im"};
    const armilla_leg_layout *layout = &s->passes.layouts[0];
    const armilla_leg_block *block = layout->blocks;
    for (int64_t set = 0; set < s->nsets; set++)
        for (int64_t row = 0; row < block->nrows; row++)
            for (int64_t i = 0; i < block->npairs; i++)
                for (int part = 0; part < 4; part++) {
                    if (layout->orders[row] > s->pairs.limit[i]) continue;
                    const gpu_place place = {
                        {"m", "pair", "set"}, {layout->orders[row], i, set}, parts[part]};
                    function(data, &place,
                             (set * block->nrows + row) * block->row_length + 4 * i + part);
                }
}

/* --- The processor --------------------------------------------------------------------------- */

/* The processor's stage has one field of a spin per call, and all transforms of scalars. */
static void run_processor(const scene *s, double *alm, double *leg, int to_leg)
{
    const int64_t calls = s->c.spin ? s->c.ntrans : 1, nsets = s->nsets / calls;
    armilla_progress progress;
    armilla_work work;
    gpu_stage_host_work(armilla_legendre_stage_scratch(s->cpu, nsets), &progress, &work);
    for (int64_t i = 0; i < calls; i++) {
        const armilla_leg_layout *layout = &s->passes.layouts[0];
        const armilla_leg of = {layout, nsets, leg + i * nsets * layout->size, NULL, 0};
        const armilla_alm_rows rows = rows_of(s, alm + 2 * i * s->ncomp * s->size, 0, 0);
        if (to_leg)
            armilla_legendre_to_leg(s->cpu, &rows, &of, &work);
        else
            armilla_legendre_from_leg(s->cpu, &of, &rows, &work);
    }
    armilla_release(work.scratch);
}

/* --- The GPU --------------------------------------------------------------------------------- */

/* alm: doubles on the host, which go as floats where the case is in single precision. */
static void run_gpu(const scene *s, double *alm, double *leg, int to_leg, const char *what)
{
    armilla_cuda_work work;
    const int single = s->c.single;
    const int64_t alm_bytes = alm_count(s) * (single ? 4 : 8), leg_bytes = 8 * leg_count(s);
    if (single) gpu_narrow(alm_count(s), alm);
    void *device_alm = gpu_stage_put(alm, alm_bytes);
    const armilla_alm_rows rows = rows_of(s, device_alm, single, 1);
    const armilla_leg of = {&s->passes.layouts[0], s->nsets, gpu_stage_put(leg, leg_bytes), NULL,
                            0};
    gpu_stage_begin(&work, armilla_cuda_legendre_scratch(s->cuda, s->nsets, to_leg, INT64_MAX / 4));
    if (to_leg)
        armilla_cuda_legendre_to_leg(s->cuda, &rows, &of, &work);
    else
        armilla_cuda_legendre_from_leg(s->cuda, &of, &rows, &work);
    gpu_stage_end(&work, what);
    gpu_stage_get(to_leg ? (void *)leg : (void *)alm, to_leg ? (void *)of.values : device_alm,
                  to_leg ? leg_bytes : alm_bytes);
    if (single) gpu_widen(alm_count(s), alm);
    cudaFree(of.values);
    cudaFree(device_alm);
}

/* --- Comparisons ----------------------------------------------------------------------------- */

static void compare_alm(const scene *s, gpu_comparison *c, const double *wanted, const double *got)
{
    for (int64_t set = 0; set < s->nsets; set++)
        for (int64_t m = 0; m <= s->c.lmax; m++)
            for (int64_t l = m; l <= s->c.lmax; l++)
                for (int part = 0; part < 2; part++) {
                    const int64_t at = 2 * (set * s->size + s->mstart[m] + l) + part;
                    const gpu_place place = {{"m", "l", "set"}, {m, l, set}, part ? "im" : "re"};
                    gpu_compare(c, &place, wanted[at], got[at]);
                }
}

static gpu_comparison comparison_of(const scene *s, const char *operation, char what[GPU_KEY])
{
    const legendre_case *c = &s->c;
    const double one = c->single ? 1e-6 : 1e-13;
    char ntrans[40] = "";
    if (c->ntrans > 1) snprintf(ntrans, sizeof ntrans, ", %lld at once", (long long)c->ntrans);
    snprintf(what, GPU_KEY, "Legendre stage, %s, lmax %lld, %lld rings, spin %lld%s%s%s%s, %s",
             operation, (long long)c->lmax, (long long)c->nrings, (long long)c->spin,
             c->recurrence_only ? " by recurrence" : "", c->single ? ", single" : "",
             c->factors ? ", factors of orders" : "", ntrans,
             find_shape(c->shape, s->pairs.count)->name);
    return (gpu_comparison){.what = what, .bound = one * (1 + (double)c->lmax / 500)};
}

static void check_synthesis(const scene *s)
{
    char what[GPU_KEY];
    gpu_comparison c = comparison_of(s, "synthesis", what);
    double *alm = random_alm(s), *wanted = nan_array(leg_count(s)), *got = nan_array(leg_count(s));
    const gpu_two_arrays both = {&c, wanted, got};
    run_processor(s, alm, wanted, 1);
    run_gpu(s, alm, got, 1, what);
    each_entry(s, gpu_compare_entry, (void *)(uintptr_t)&both);
    gpu_compare_again(&c);
    each_entry(s, gpu_compare_entry, (void *)(uintptr_t)&both);
    gpu_compare_report(&c);
    armilla_release(alm), armilla_release(wanted), armilla_release(got);
}

static void set_entry(void *data, const gpu_place *place, int64_t at)
{
    uint64_t state = (uint64_t)at * 2654435761u + 17;
    (void)place;
    gpu_random(&state);
    ((double *)data)[at] = gpu_random(&state);
}

/* Entries that do not exist are NaN: nobody may read them. */
static void check_analysis(const scene *s)
{
    char what[GPU_KEY];
    gpu_comparison c = comparison_of(s, "analysis", what);
    double *leg = nan_array(leg_count(s));
    double *wanted = nan_array(alm_count(s)), *got = nan_array(alm_count(s));
    each_entry(s, set_entry, leg);
    run_processor(s, wanted, leg, 0);
    run_gpu(s, got, leg, 0, what);
    compare_alm(s, &c, wanted, got);
    gpu_compare_again(&c);
    compare_alm(s, &c, wanted, got);
    gpu_compare_report(&c);
    armilla_release(leg), armilla_release(wanted), armilla_release(got);
}

/* --- Steps ----------------------------------------------------------------------------------- */

static void check_case(const legendre_case *c, int small)
{
    scene s;
    legendre_case sized = *c;
    if (small) sized.lmax = c->lmax / 20, sized.nrings = c->nrings / 20;
    open_scene(&sized, &s);
    check_synthesis(&s);
    check_analysis(&s);
    close_scene(&s);
}

/* Every shape that the GPU has: many rings and few, one set and several. */
static void check_shapes(const legendre_case *c, int small)
{
    legendre_case with = *c;
    for (int64_t i = 0; armilla_cuda_shape_at(i); i++) {
        if (!gpu_has_shape(armilla_cuda_shape_at(i))) continue;
        with.shape = armilla_cuda_shape_at(i)->name;
        check_case(&with, small);
    }
}

static void check_list(const legendre_case *cases, int count, int small)
{
    for (int i = 0; i < count; i++) check_case(&cases[i], small);
    if (!gpu_report_outcome()) gpu_report_line('=', "all entries as the processor's");
}

void gpu_step_scalar(int small)
{
    static const legendre_case cases[] = {
        {.lmax = 127, .nrings = 64, .ntrans = 1},
        {.lmax = 511, .nrings = 1030, .ntrans = 1},
        {.lmax = 511, .nrings = 700, .ntrans = 2},
        {.lmax = 300, .nrings = 301, .ntrans = 4},
        {.lmax = 1023, .nrings = 1024, .ntrans = 1},
        {.lmax = 511, .nrings = 512, .ntrans = 1, .factors = 1},
        {.lmax = 300, .nrings = 330, .ntrans = 7},
    };
    check_shapes(&cases[0], small);
    check_list(cases, GPU_COUNT(cases), small);
    check_shapes(&cases[1], small);
    check_shapes(&cases[5], small);
}

void gpu_step_spin_sums(int small)
{
    static const legendre_case cases[] = {
        {.lmax = 127, .nrings = 300, .spin = 1, .ntrans = 1},
        {.lmax = 511, .nrings = 1030, .spin = 2, .ntrans = 1},
        {.lmax = 300, .nrings = 600, .spin = 3, .ntrans = 2},
        {.lmax = 300, .nrings = 600, .spin = -2, .ntrans = 1},
        {.lmax = 300, .nrings = 600, .spin = 2, .ntrans = 1, .factors = 1},
    };
    check_list(cases, GPU_COUNT(cases), small);
    check_shapes(&cases[1], small);
}

void gpu_step_spin(int small)
{
    static const legendre_case cases[] = {
        {.lmax = 127, .nrings = 64, .spin = 7, .ntrans = 1},
        {.lmax = 300, .nrings = 601, .spin = 2, .ntrans = 1, .recurrence_only = 1},
        {.lmax = 300, .nrings = 601, .spin = 5, .ntrans = 2},
        {.lmax = 300, .nrings = 301, .spin = -4, .ntrans = 1},
    };
    check_list(cases, GPU_COUNT(cases), small);
    check_shapes(&cases[1], small);
}

void gpu_step_single(int small)
{
    static const legendre_case cases[] = {
        {.lmax = 127, .nrings = 64, .ntrans = 1, .single = 1},
        {.lmax = 511, .nrings = 1030, .ntrans = 1, .single = 1},
        {.lmax = 511, .nrings = 1030, .spin = 2, .ntrans = 1, .single = 1},
        {.lmax = 300, .nrings = 301, .spin = 1, .ntrans = 2, .single = 1},
    };
    check_list(cases, GPU_COUNT(cases), small);
    check_shapes(&cases[1], small);
}
