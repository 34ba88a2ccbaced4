/* The Legendre stage on the emulated GPU against the stage on the CPU, on the same problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/memory.h"
#include "cuda/device_memory.h"
#include "cuda/legendre.h"
#include "cuda/transform.h"
#include "emulation.h"
#include "leg/passes.h"
#include "legendre/stage.h"
#include "oracle/checks.h"
#include <math.h>
#include <string.h>

typedef struct {
    int64_t lmax, mmax, spin, nrings, ntrans;
    int64_t vectors; /* 0: what armilla_cuda_shape says */
    int64_t pass;    /* pairs of a pass; 0: all */
    int64_t most;    /* bytes of scratch; 0: as many as wanted */
    int columns;     /* alm by degrees, then orders; else by orders, then degrees */
    int is_float, ncomp;
    int given_factor;
    int64_t norders, orders[8]; /* 0: all */
} problem;

/* Some orders instead of all. */
#define FEW_ORDERS           .norders = 5, .orders = {0, 1, 90, 217, 300}
#define FEW_ORDERS_BELOW_130 .norders = 4, .orders = {0, 3, 100, 130}
#define SPIN_ORDERS          .vectors = 4, .norders = 5, .orders = {0, 1, 2, 60, 129}

/* A problem's stages and data. Arrays that are on both sides begin with device_. */
typedef struct {
    const problem *p;
    int64_t nsets, ncomp, size; /* of the maps, of alm; complex numbers of a component */
    armilla_ring_pairs pairs;
    armilla_legendre *cpu, *gpu;
    armilla_cuda_legendre *cuda;
    armilla_leg_passes passes;
    int64_t *mstart, *device_mstart;
    double *factor, *device_factor;
    armilla_progress progress;
    armilla_work work;
} scene;

static armilla_isa best_isa(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return isa;
}

static void *to_device(const void *host, int64_t count, size_t size)
{
    void *device;
    check_ok(armilla_cuda_upload(host, count, size, "test", &device));
    return device;
}

static void to_host(const void *device, void *host, int64_t bytes)
{
    assert_int_equal(cudaMemcpy(host, device, (size_t)bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

static void make_stages(scene *s)
{
    const problem *p = s->p;
    armilla_legendre_problem of = {.isa = best_isa(),
                                   .lmax = p->lmax,
                                   .norders = p->norders ? p->norders : p->mmax + 1,
                                   .orders = p->norders ? p->orders : NULL,
                                   .spin = p->spin,
                                   .pairs = &s->pairs,
                                   .block_size = p->pass};
    check_ok(armilla_legendre_new(&of, &s->cpu));
    armilla_cuda_shape(s->pairs.count, &of.lanes, &of.vectors);
    if (p->vectors) of.vectors = p->vectors;
    of.keep_tables = 1;
    check_ok(armilla_legendre_new(&of, &s->gpu));
    check_ok(armilla_cuda_legendre_new(s->gpu, &s->cuda));
}

static void make_alm_layout(scene *s)
{
    const problem *p = s->p;
    s->mstart = checked_malloc(p->mmax + 1, sizeof *s->mstart);
    for (int64_t m = 0; m <= p->mmax; m++)
        s->mstart[m] = p->columns ? m : m * (2 * p->lmax + 1 - m) / 2;
    s->size = p->columns ? (p->lmax + 1) * (p->mmax + 1) : armilla_alm_size(p->lmax, p->mmax);
    s->device_mstart = to_device(s->mstart, p->mmax + 1, sizeof *s->mstart);
    if (!p->given_factor) return;
    s->factor = checked_malloc(p->lmax + 1, sizeof *s->factor);
    random_fill(31, p->lmax + 1, s->factor);
    s->device_factor = to_device(s->factor, p->lmax + 1, sizeof *s->factor);
}

static void scene_open(scene *s, const problem *p)
{
    *s = (scene){.p = p};
    double *theta = checked_malloc(p->nrings, sizeof *theta);
    for (int64_t r = 0; r < p->nrings; r++) theta[r] = M_PI * ((double)r + 0.5) / (double)p->nrings;
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

static void scene_close(scene *s)
{
    armilla_cuda_legendre_free(s->cuda);
    armilla_legendre_free(s->gpu);
    armilla_legendre_free(s->cpu);
    armilla_leg_passes_clear(&s->passes);
    armilla_ring_pairs_clear(&s->pairs);
    armilla_cuda_release(s->device_mstart);
    armilla_cuda_release(s->device_factor);
    armilla_release(s->work.scratch);
    free(s->mstart);
    free(s->factor);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

/* Numbers of all components: real parts, imaginary parts. */
static int64_t alm_count(const scene *s)
{
    return 2 * s->size * s->p->ntrans * s->ncomp;
}

static int64_t alm_bytes(const scene *s)
{
    return alm_count(s) * (int64_t)(s->p->is_float ? sizeof(float) : sizeof(double));
}

static armilla_alm_rows rows_of(const scene *s, void *alm, int on_device)
{
    return (armilla_alm_rows){.values = {alm, s->p->is_float},
                              .distance = s->size,
                              .ncomp = s->ncomp,
                              .nsets = s->p->spin ? 2 : 1,
                              .lmax = s->p->lmax,
                              .stride = s->p->columns ? s->p->mmax + 1 : 1,
                              .mstart = on_device ? s->device_mstart : s->mstart,
                              .spin = s->p->spin < 0 ? -s->p->spin : s->p->spin,
                              .factor = on_device ? s->device_factor : s->factor,
                              .real = 1,
                              .last = 1};
}

static void *random_values(const scene *s)
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
static double *host_leg(const scene *s, const armilla_leg_layout *layout)
{
    double *values;
    check_ok(armilla_allocate(&values, s->nsets * layout->size + 8, sizeof *values));
    for (int64_t i = 0; i < s->nsets * layout->size; i++) values[i] = NAN;
    return values;
}

/* Entries of two legs that exist: the largest difference, and the largest value of the first. */
static void compare_legs(const armilla_leg *a, const armilla_leg *b, double *difference,
                         double *largest)
{
    for (int64_t n = 0; n < a->layout->nblocks; n++) {
        const armilla_leg_block *block = &a->layout->blocks[n];
        for (int64_t i = 0; i < a->nsets * block->nrows * block->npairs * 4; i++) {
            const int64_t set = i / (block->nrows * block->npairs * 4);
            const int64_t row = i / (block->npairs * 4) % block->nrows;
            const int64_t entry = i % (block->npairs * 4), m = a->layout->orders[row];
            if (m > a->layout->pairs->limit[block->first + entry / 4]) continue;
            const double first = armilla_leg_row(a, block, set, row)[entry];
            const double second = armilla_leg_row(b, block, set, row)[entry];
            *difference = larger_or_nan(*difference, fabs(first - second));
            *largest = larger_or_nan(*largest, fabs(first));
        }
    }
}

/* Random numbers in the entries that exist; NaN, which nobody may read, in the others. */
static void fill_leg(const armilla_leg *leg, uint64_t seed)
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

static armilla_cuda_work device_work(const scene *s, int to_leg)
{
    const int64_t most = s->p->most ? s->p->most : INT64_MAX / 4;
    armilla_cuda_work work = {.scratch_bytes =
                                  armilla_cuda_legendre_scratch(s->cuda, s->nsets, to_leg, most)};
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    return work;
}

static void finish(armilla_cuda_work *work)
{
    armilla_cuda_note(work, cudaDeviceSynchronize());
    assert_int_equal(work->error, cudaSuccess);
    armilla_cuda_release(work->scratch);
}

/* leg of a pass from alm, by the GPU. */
static void device_synthesis(const scene *s, const void *alm, const armilla_leg *leg)
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

/* Adds a pass to alm, by the GPU. sums: of float alm, or NULL. */
static void device_analysis(const scene *s, const armilla_leg *leg, int64_t pass, void *alm,
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

/* The stage on the CPU, which has one field of a spin per call, and all transforms of scalars. leg
 * is one block. */
static void host_stage(const scene *s, const armilla_alm_rows *rows, const armilla_leg *leg,
                       int to_leg)
{
    const int64_t calls = s->p->spin ? s->p->ntrans : 1;
    for (int64_t i = 0; i < calls; i++) {
        armilla_alm_rows part = *rows;
        const armilla_leg of = {leg->layout, leg->nsets / calls,
                                leg->values + i * (leg->nsets / calls) * leg->layout->size};
        part.values = armilla_array_from(rows->values, 2 * i * s->ncomp * rows->distance);
        if (rows->sums) part.sums = rows->sums + i * s->ncomp * rows->sums_size;
        if (to_leg)
            armilla_legendre_to_leg(s->cpu, &part, &of, &s->work);
        else
            armilla_legendre_from_leg(s->cpu, &of, &part, &s->work);
    }
}

static double relative(double difference, double largest)
{
    return largest > 0 ? difference / largest : difference;
}

/* Largest difference between the GPU's leg and the CPU's, over the largest value. */
static double synthesis_error(const scene *s)
{
    double difference = 0, largest = 0;
    void *alm = random_values(s);
    const armilla_alm_rows rows = rows_of(s, alm, 0);
    for (int64_t i = 0; i < s->passes.count; i++) {
        const armilla_leg_layout *layout = &s->passes.layouts[i];
        armilla_leg expected = {layout, s->nsets, host_leg(s, layout)};
        armilla_leg found = {layout, s->nsets, host_leg(s, layout)};
        host_stage(s, &rows, &expected, 1);
        device_synthesis(s, alm, &found);
        compare_legs(&expected, &found, &difference, &largest);
        armilla_release(expected.values);
        armilla_release(found.values);
    }
    free(alm);
    return relative(difference, largest);
}

static double alm_difference(const scene *s, const void *a, const void *b)
{
    double difference = 0, largest = 0;
    const armilla_array first = {(void *)(uintptr_t)a, s->p->is_float};
    const armilla_array second = {(void *)(uintptr_t)b, s->p->is_float};
    for (int64_t i = 0; i < alm_count(s); i++) {
        const double value = armilla_array_get(first, i);
        difference = larger_or_nan(difference, fabs(value - armilla_array_get(second, i)));
        largest = larger_or_nan(largest, fabs(value));
    }
    return relative(difference, largest);
}

static double analysis_error(const scene *s)
{
    /* numbers between coefficients must stay as they are: both begin alike */
    void *expected = random_values(s), *found = random_values(s);
    const int64_t sums_size = 2 * armilla_alm_size(s->p->lmax, s->p->mmax);
    double *sums = checked_calloc(sums_size * s->p->ntrans * s->ncomp, sizeof *sums);
    double *device_sums = to_device(sums, sums_size * s->p->ntrans * s->ncomp, sizeof *sums);
    const int with_sums = s->p->is_float && s->passes.count > 1;
    for (int64_t i = 0; i < s->passes.count; i++) {
        const armilla_leg_layout *layout = &s->passes.layouts[i];
        armilla_leg leg = {layout, s->nsets, host_leg(s, layout)};
        armilla_alm_rows rows = rows_of(s, expected, 0);
        rows.later = i > 0, rows.last = i == s->passes.count - 1;
        rows.sums = with_sums ? sums : NULL, rows.sums_size = sums_size;
        fill_leg(&leg, (uint64_t)i + 1);
        host_stage(s, &rows, &leg, 0);
        device_analysis(s, &leg, i, found, with_sums ? device_sums : NULL);
        armilla_release(leg.values);
    }
    const double error = alm_difference(s, expected, found);
    armilla_cuda_release(device_sums);
    free(sums);
    free(expected);
    free(found);
    return error;
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void check_problem(const problem *p, double bound)
{
    scene s;
    scene_open(&s, p);
    const double synthesis = synthesis_error(&s), analysis = analysis_error(&s);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("lmax %lld spin %lld: synthesis %.2g, analysis %.2g\n", (long long)p->lmax,
                      (long long)p->spin, synthesis, analysis);
    check_at_most(synthesis, bound, "synthesis, lmax %lld, spin %lld", (long long)p->lmax,
                  (long long)p->spin);
    check_at_most(analysis, bound, "analysis, lmax %lld, spin %lld", (long long)p->lmax,
                  (long long)p->spin);
    scene_close(&s);
}

static void check_all(const problem *problems, size_t count, double bound)
{
    for (size_t i = 0; i < count; i++) check_problem(&problems[i], bound);
}

#define CHECK_ALL(problems, bound) check_all(problems, sizeof(problems) / sizeof *(problems), bound)

/* Sums are of at most 300 terms, in another sequence than the CPU's: measured 1e-14 at most. */
enum { ROUNDINGS = 180 };
#define BOUND (ROUNDINGS * 0x1p-53) /* 2e-14 */

/* Among them: no steps but padding, one pair, fine forms at pole and equator (lmax > 80), p far
 * below the range of doubles (large m near the pole), groups of one, two, three and four vectors.
 */
static void scalars_agree(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 0, .nrings = 1, .ntrans = 1},
        {.lmax = 1, .mmax = 1, .nrings = 2, .ntrans = 1},
        {.lmax = 5, .mmax = 5, .nrings = 9, .ntrans = 1},
        {.lmax = 33, .mmax = 33, .nrings = 40, .ntrans = 1},
        {.lmax = 80, .mmax = 60, .nrings = 85, .ntrans = 1, .vectors = 2},
        {.lmax = 96, .mmax = 96, .nrings = 193, .ntrans = 1, .vectors = 4},
        {.lmax = 130, .mmax = 130, .nrings = 131, .ntrans = 1},
        {.lmax = 300, .mmax = 300, .nrings = 601, .ntrans = 1, .vectors = 4, FEW_ORDERS},
        {.lmax = 300, .mmax = 300, .nrings = 500, .ntrans = 1, .vectors = 2, FEW_ORDERS},
    };
    CHECK_ALL(problems, BOUND);
}

/* Spins 1 to 3 as sums of scalar functions, near the poles by their own, the others by their own.
 */
static void spins_agree(void **state)
{
    (void)state;
    static const int64_t spins[] = {1, 2, 3, 4, -2, 7};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const problem problems[] = {
            {.lmax = 7, .mmax = 7, .nrings = 3, .ntrans = 1, .spin = spins[i]},
            {.lmax = 40, .mmax = 37, .nrings = 45, .ntrans = 1, .spin = spins[i]},
            {.lmax = 130, .mmax = 130, .nrings = 301, .ntrans = 1, .spin = spins[i], SPIN_ORDERS},
            {.lmax = 130, .mmax = 130, .nrings = 130, .ntrans = 1, .spin = spins[i], SPIN_ORDERS},
        };
        CHECK_ALL(problems, BOUND);
    }
}

static void many_transforms_share_a_recurrence(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2},
        {.lmax = 90, .mmax = 90, .nrings = 140, .ntrans = 2, .vectors = 2},
        {.lmax = 130, .mmax = 130, .nrings = 260, .ntrans = 3, .vectors = 4, FEW_ORDERS_BELOW_130},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 4},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2, .spin = 2},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2, .spin = 5},
    };
    CHECK_ALL(problems, BOUND);
}

/* Coefficients by columns, with a factor for each degree, of one component where maps have two. */
static void rows_of_any_layout_are_read_and_written(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 40, .mmax = 30, .nrings = 45, .ntrans = 1, .columns = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .columns = 1, .given_factor = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .spin = 1, .ncomp = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 1, .spin = 2, .ncomp = 1, .columns = 1},
    };
    CHECK_ALL(problems, BOUND);
}

/* Some pairs after the other, as if more rings came; some orders after the other, in scratch that
 * holds a few of them. */
static void parts_of_the_work_add_up(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 60, .mmax = 60, .nrings = 100, .ntrans = 1, .pass = 32},
        {.lmax = 60, .mmax = 60, .nrings = 100, .ntrans = 2, .spin = 2, .pass = 20, .columns = 1},
        {.lmax = 60, .mmax = 60, .nrings = 60, .ntrans = 3, .most = 20000},
        {.lmax = 60, .mmax = 60, .nrings = 60, .ntrans = 1, .spin = 3, .most = 1},
        {.lmax = 100,
         .mmax = 100,
         .nrings = 120,
         .ntrans = 1,
         .spin = 2,
         .pass = 32,
         .most = 30000},
    };
    CHECK_ALL(problems, BOUND);
}

static void floats_are_rounded_once(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .is_float = 1},
        {.lmax = 40, .mmax = 40, .nrings = 100, .ntrans = 1, .is_float = 1, .pass = 16},
        {.lmax = 40,
         .mmax = 40,
         .nrings = 100,
         .ntrans = 2,
         .is_float = 1,
         .spin = 2,
         .pass = 16,
         .columns = 1},
    };
    CHECK_ALL(problems, 0x1p-24);
}

/* The bits of leg and alm, whatever sequence threads and blocks take. */
static uint64_t bits_of(const problem *p, cuda_emulation_order order, uint64_t seed)
{
    scene s;
    cuda_emulation_set_order(order, seed);
    scene_open(&s, p);
    const armilla_leg_layout *layout = &s.passes.layouts[0];
    armilla_leg leg = {layout, s.nsets, host_leg(&s, layout)};
    void *alm = random_values(&s);
    device_synthesis(&s, alm, &leg);
    uint64_t bits = checksum(leg.values, 8 * (size_t)(leg.nsets * layout->size));
    fill_leg(&leg, 3);
    device_analysis(&s, &leg, 0, alm, NULL);
    bits = 31 * bits + checksum(alm, (size_t)alm_bytes(&s));
    free(alm);
    armilla_release(leg.values);
    scene_close(&s);
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    return bits;
}

static void bits_do_not_depend_on_the_sequence_of_threads(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 3},
        {.lmax = 90, .mmax = 90, .nrings = 280, .ntrans = 1, .spin = 2, .vectors = 2},
        {.lmax = 60, .mmax = 60, .nrings = 130, .ntrans = 1, .spin = 4},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const uint64_t forward = bits_of(&problems[i], CUDA_EMULATION_FORWARD, 0);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_REVERSED, 0), forward);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_RANDOM, 7), forward);
        assert_int_equal(bits_of(&problems[i], CUDA_EMULATION_RANDOM, 8), forward);
    }
}

/* Inner product of two legs, entries that exist. */
static double dot_legs(const armilla_leg *a, const armilla_leg *b)
{
    const armilla_leg_block *block = a->layout->blocks;
    double sum = 0;
    for (int64_t i = 0; i < a->nsets * block->nrows * block->npairs * 4; i++) {
        const int64_t set = i / (block->nrows * block->npairs * 4);
        const int64_t row = i / (block->npairs * 4) % block->nrows, entry = i % (block->npairs * 4);
        if (a->layout->orders[row] > a->layout->pairs->limit[block->first + entry / 4]) continue;
        sum +=
            armilla_leg_row(a, block, set, row)[entry] * armilla_leg_row(b, block, set, row)[entry];
    }
    return sum;
}

/* (Y a, G) = (a, Y^T G), in plain inner products; a_l0 and what lies below the spin are 0 or real
 * in both. */
static void analysis_is_the_transpose_of_synthesis(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 2},
        {.lmax = 90, .mmax = 90, .nrings = 150, .ntrans = 1, .spin = 2},
        {.lmax = 60, .mmax = 60, .nrings = 61, .ntrans = 1, .spin = 5},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        scene s;
        scene_open(&s, &problems[i]);
        const armilla_leg_layout *layout = &s.passes.layouts[0];
        armilla_leg image = {layout, s.nsets, host_leg(&s, layout)};
        armilla_leg given = {layout, s.nsets, host_leg(&s, layout)};
        double *alm = random_values(&s), *back = checked_calloc(alm_count(&s), sizeof *back);
        fill_leg(&given, 3);
        device_synthesis(&s, alm, &image);
        device_analysis(&s, &given, 0, back, NULL);
        double sum = 0;
        for (int64_t k = 0; k < alm_count(&s); k++) sum += alm[k] * back[k];
        const double expected = dot_legs(&image, &given);
        check_at_most(fabs(sum - expected) / sqrt((double)alm_count(&s)), 1e-12,
                      "problem %zu: %.17g, %.17g", i, sum, expected);
        free(alm);
        free(back);
        armilla_release(image.values);
        armilla_release(given.values);
        scene_close(&s);
    }
}

/* Every allocation of host or device fails in turn. */
static void failed_allocations_are_reported(void **state)
{
    (void)state;
    const problem p = {.lmax = 20, .mmax = 20, .nrings = 21, .ntrans = 1, .spin = 2};
    scene s;
    scene_open(&s, &p);
    armilla_cuda_legendre *cuda = NULL;
    for (int on_device = 0; on_device < 2; on_device++) {
        int64_t (*fail_after)(int64_t) =
            on_device ? cuda_emulation_fail_after : armilla_memory_fail_after;
        const int64_t live = cuda_emulation_live_bytes();
        fail_after(-1);
        check_ok(armilla_cuda_legendre_new(s.gpu, &cuda));
        const int64_t count = fail_after(-1);
        armilla_cuda_legendre_free(cuda);
        assert_true(count >= (on_device ? 20 : 3));
        for (int64_t i = 0; i < count; i++) {
            fail_after(i);
            assert_int_equal(armilla_cuda_legendre_new(s.gpu, &cuda), ARMILLA_ERROR_MEMORY);
            assert_int_equal(cuda_emulation_live_bytes(), live);
        }
        fail_after(-1);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_agree),
        cmocka_unit_test(spins_agree),
        cmocka_unit_test(many_transforms_share_a_recurrence),
        cmocka_unit_test(rows_of_any_layout_are_read_and_written),
        cmocka_unit_test(parts_of_the_work_add_up),
        cmocka_unit_test(floats_are_rounded_once),
        cmocka_unit_test(bits_do_not_depend_on_the_sequence_of_threads),
        cmocka_unit_test(analysis_is_the_transpose_of_synthesis),
        cmocka_unit_test(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
