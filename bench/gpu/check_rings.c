/* Compares the ring stage, leg <-> maps, and the theta stage, leg <-> leg, alone on the GPU, with
 * the processor's stages on the same numbers. */
#include "check.h"
#include "problem.h"

#include "base/memory.h"
#include "cuda/stages/ringfft.h"
#include "cuda/stages/theta.h"
#include "leg/passes.h"
#include "ringfft/stage.h"
#include "theta/choose.h"

#include <math.h>
#include <stdlib.h>

typedef struct scene {
    const char *name;
    int64_t lmax, nrings, npix;
    armilla_ring *rings;
    armilla_ring_pairs pairs;
    armilla_leg_passes passes; /* one */
} scene;

static const char *const parts[] = {"north re", "north im", "south re", "south im"};

/* --- Legs ------------------------------------------------------------------------------------ */

/* Takes the grid. */
static void open_scene(const char *name, armilla_grid *grid, int64_t lmax, scene *s)
{
    *s = (scene){.name = name, .lmax = lmax};
    s->nrings = armilla_grid_nrings(grid), s->npix = armilla_grid_npix(grid);
    double *theta = gpu_host_array(s->nrings);
    gpu_stop_at(armilla_allocate(&s->rings, s->nrings, sizeof *s->rings), name);
    for (int64_t i = 0; i < s->nrings; i++) {
        gpu_stop_at(armilla_grid_ring(grid, i, &s->rings[i]), name);
        theta[i] = s->rings[i].theta;
    }
    armilla_grid_free(grid);
    gpu_stop_at(armilla_ring_pairs_make_any(s->nrings, theta, lmax, lmax, 0, &s->pairs), name);
    free(theta);
    const armilla_leg_shape shape = {.pairs = &s->pairs,
                                     .npairs = s->pairs.count,
                                     .room = 1,
                                     .kind = ARMILLA_ORDERS_ALL,
                                     .mmax = lmax};
    gpu_stop_at(armilla_leg_passes_by_pairs(&shape, s->pairs.count, &s->passes), name);
}

static void close_scene(scene *s)
{
    armilla_leg_passes_clear(&s->passes);
    armilla_ring_pairs_clear(&s->pairs);
    armilla_release(s->rings);
}

static double *nan_array(int64_t count)
{
    double *values;
    gpu_stop_at(armilla_allocate(&values, count, sizeof *values), "an array");
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

static int64_t leg_count(const scene *s)
{
    return s->passes.layouts[0].size;
}

typedef void (*entry_fn)(void *data, const gpu_place *place, int64_t at);

/* Calls it for every number of the rows, `length` apart, that exists on the pairs. */
static void each_entry(const armilla_ring_pairs *pairs, int64_t lmax, int64_t length,
                       entry_fn function, void *data)
{
    for (int64_t i = 0; i < pairs->count; i++)
        for (int64_t m = 0; m <= pairs->limit[i] && m <= lmax; m++)
            for (int part = 0; part < 4; part++) {
                const gpu_place place = {{"m", "pair", "set"}, {m, i, 0}, parts[part]};
                function(data, &place, m * length + 4 * i + part);
            }
}

/* Imaginary parts of order 0 are none. */
static void set_entry(void *data, const gpu_place *place, int64_t at)
{
    const double angle = (double)(place->numbers[0] * 7919 + place->numbers[1] * 104729 + at % 4);
    ((double *)data)[at] = place->numbers[0] == 0 && at % 2 ? 0 : sin(1 + angle);
}

static void compare_legs(const armilla_ring_pairs *pairs, int64_t lmax, int64_t length,
                         const gpu_two_arrays *both)
{
    gpu_two_arrays t = *both;
    each_entry(pairs, lmax, length, gpu_compare_entry, &t);
    gpu_compare_again(t.c);
    each_entry(pairs, lmax, length, gpu_compare_entry, &t);
    gpu_compare_report(t.c);
}

/* --- The ring stage -------------------------------------------------------------------------- */

static void rings_on_processor(const scene *s, double *leg, double *map, int to_map)
{
    armilla_ringfft *ringfft;
    armilla_progress progress;
    armilla_work work;
    armilla_isa isa;
    const armilla_leg of = {&s->passes.layouts[0], 1, leg, NULL, 0};
    const armilla_ring_maps maps = {.values = {map, 0}, .distance = s->npix};
    gpu_stop_at(armilla_isa_choose(NULL, &isa), s->name);
    gpu_stop_at(armilla_ringfft_new(&(armilla_ringfft_problem){armilla_machine_with(isa), s->nrings,
                                                               s->rings, s->lmax, 0, NULL, NULL, 0},
                                    &ringfft),
                s->name);
    gpu_stage_host_work((armilla_ringfft_scratch_size(ringfft) + 7) / 8 * 8, &progress, &work);
    if (to_map)
        armilla_ringfft_to_maps(ringfft, &of, &maps, &work);
    else
        armilla_ringfft_from_maps(ringfft, &of, &maps, &work);
    armilla_release(work.scratch);
    armilla_ringfft_free(ringfft);
}

static void rings_on_gpu(const scene *s, double *leg, double *map, int to_map)
{
    armilla_cuda_ringfft *cuda;
    armilla_cuda_work work;
    const int64_t leg_bytes = 8 * leg_count(s), map_bytes = 8 * s->npix;
    gpu_stop_at(armilla_cuda_ringfft_new(s->rings, NULL, &s->passes, (int64_t)1 << 28, 0, &cuda),
                s->name);
    const armilla_leg of = {&s->passes.layouts[0], 1, gpu_stage_put(leg, leg_bytes), NULL, 0};
    const armilla_ring_maps maps = {.values = {gpu_stage_put(map, map_bytes), 0},
                                    .distance = s->npix};
    gpu_stage_begin(&work, armilla_cuda_ringfft_scratch(cuda, 1));
    if (to_map)
        armilla_cuda_ringfft_to_maps(cuda, 0, &of, &maps, &work);
    else
        armilla_cuda_ringfft_from_maps(cuda, 0, &of, &maps, &work);
    gpu_stage_end(&work, s->name);
    if (to_map)
        gpu_stage_get(map, maps.values.values, map_bytes);
    else
        gpu_stage_get(leg, of.values, leg_bytes);
    cudaFree(of.values);
    cudaFree(maps.values.values);
    armilla_cuda_ringfft_free(cuda);
}

static void compare_maps(const scene *s, gpu_comparison *c, const double *wanted, const double *got)
{
    for (int64_t ring = 0; ring < s->nrings; ring++)
        for (int64_t j = 0; j < s->rings[ring].nphi; j++) {
            const int64_t at = s->rings[ring].offset + j * s->rings[ring].stride;
            const gpu_place place = {
                {"ring", "sample", "of"}, {ring, j, s->rings[ring].nphi}, "map"};
            gpu_compare(c, &place, wanted[at], got[at]);
        }
}

static void check_maps(const scene *s)
{
    char what[GPU_KEY];
    gpu_comparison c = {.what = what, .bound = 4e-15 * (1 + log2(1 + (double)s->lmax))};
    double *leg = nan_array(leg_count(s)), *got = nan_array(s->npix), *wanted = nan_array(s->npix);
    snprintf(what, sizeof what, "ring stage, leg to map, %s, lmax %lld", s->name,
             (long long)s->lmax);
    each_entry(&s->pairs, s->lmax, s->passes.layouts[0].blocks[0].row_length, set_entry, leg);
    rings_on_processor(s, leg, wanted, 1);
    rings_on_gpu(s, leg, got, 1);
    compare_maps(s, &c, wanted, got);
    gpu_compare_again(&c);
    compare_maps(s, &c, wanted, got);
    gpu_compare_report(&c);
    armilla_release(leg), armilla_release(got), armilla_release(wanted);
}

static void check_legs(const scene *s)
{
    char what[GPU_KEY];
    uint64_t state = 8;
    gpu_comparison c = {.what = what, .bound = 4e-15 * (1 + log2(1 + (double)s->lmax))};
    double *map = nan_array(s->npix);
    double *wanted = nan_array(leg_count(s)), *got = nan_array(leg_count(s));
    const gpu_two_arrays both = {&c, wanted, got};
    snprintf(what, sizeof what, "ring stage, map to leg, %s, lmax %lld", s->name,
             (long long)s->lmax);
    for (int64_t i = 0; i < s->npix; i++) map[i] = gpu_random(&state);
    rings_on_processor(s, wanted, map, 0);
    rings_on_gpu(s, got, map, 0);
    compare_legs(&s->pairs, s->lmax, s->passes.layouts[0].blocks[0].row_length, &both);
    armilla_release(map), armilla_release(wanted), armilla_release(got);
}

static void check_rings(const char *name, armilla_grid *grid, int64_t lmax)
{
    scene s;
    open_scene(name, grid, lmax, &s);
    check_maps(&s);
    check_legs(&s);
    close_scene(&s);
}

static void report_end(void)
{
    if (!gpu_report_outcome()) gpu_report_line('=', "all entries as the processor's");
}

void gpu_step_rings(int small)
{
    const int64_t nside = small ? 8 : 256, lmax = small ? 15 : 511;
    armilla_grid *grid;
    gpu_stop_at(armilla_grid_new_healpix(nside, &grid), "HEALPix");
    check_rings("HEALPix", grid, lmax);
    gpu_stop_at(armilla_grid_new_gauss_legendre(lmax + 1, 2 * lmax + 2, &grid), "Gauss-Legendre");
    check_rings("Gauss-Legendre", grid, lmax);
    gpu_stop_at(armilla_grid_new_gauss_legendre(lmax + 1, small ? 37 : 1031, &grid), "prime nphi");
    check_rings("Gauss-Legendre, prime nphi", grid, lmax);
    gpu_stop_at(armilla_grid_new_equidistant(ARMILLA_GRID_MW, lmax + 1, 2 * lmax + 1, &grid), "MW");
    check_rings("MW", grid, lmax);
    gpu_stop_at(armilla_grid_new_healpix(small ? 3 : 100, &grid), "HEALPix");
    check_rings("HEALPix, nside no power of two", grid, small ? 9 : 250);
    report_end();
}

/* --- The theta stage ------------------------------------------------------------------------- */

/* From few equidistant rings, near, to those of the scene, far: RESAMPLE. */
typedef struct theta_scene {
    scene far;
    int64_t length; /* doubles of a row, on both sides */
    armilla_ring_pairs near;
    armilla_theta_problem problem;
} theta_scene;

static void open_theta(const char *name, armilla_grid *grid, int64_t lmax, theta_scene *t)
{
    const int64_t nrings = armilla_theta_coarse_rings(lmax);
    double *theta = gpu_host_array(nrings);
    open_scene(name, grid, lmax, &t->far);
    t->length = t->far.passes.layouts[0].blocks[0].row_length;
    for (int64_t i = 0; i < nrings; i++)
        theta[i] = M_PI * (double)(2 * i + 1) / (double)(2 * nrings);
    gpu_stop_at(armilla_ring_pairs_make(nrings, theta, lmax, lmax, 0, &t->near), name);
    free(theta);
    t->problem = (armilla_theta_problem){.band = lmax,
                                         .circle_length = 2 * nrings,
                                         .half_shifted = 1,
                                         .from = &t->near,
                                         .to = &t->far.pairs};
    gpu_stop_at(armilla_machine_choose(NULL, &t->problem.machine), name);
    if (4 * t->near.count > t->length) gpu_report_stop("%s: the near rings are too many", name);
}

static void close_theta(theta_scene *t)
{
    armilla_ring_pairs_clear(&t->near);
    close_scene(&t->far);
}

/* The processor has near and far rows in memory of their own. */
static void theta_on_processor(const theta_scene *t, double *near, double *far, int to_far)
{
    armilla_theta *theta;
    double *scratch;
    const armilla_theta_batch batch = {.count = t->far.lmax + 1,
                                       .orders = t->far.passes.layouts[0].orders,
                                       .near = near,
                                       .far = far,
                                       .near_length = t->length,
                                       .far_length = t->length};
    gpu_stop_at(armilla_theta_new(&t->problem, &theta), t->far.name);
    gpu_stop_at(armilla_allocate(&scratch, armilla_theta_scratch_size(theta), sizeof *scratch),
                t->far.name);
    if (to_far)
        armilla_theta_to_far(theta, &batch, scratch);
    else
        armilla_theta_to_near(theta, &batch, scratch);
    armilla_release(scratch);
    armilla_theta_free(theta);
}

/* leg: in and out. */
static void theta_on_gpu(const theta_scene *t, double *leg, int to_far)
{
    armilla_cuda_theta *theta;
    armilla_cuda_work work;
    const int64_t bytes = 8 * leg_count(&t->far);
    const armilla_cuda_theta_rows rows = {t->far.lmax + 1, t->far.passes.layouts[0].orders};
    gpu_stop_at(armilla_cuda_theta_new(&t->problem, &rows, (int64_t)1 << 28, &theta), t->far.name);
    const armilla_leg of = {&t->far.passes.layouts[0], 1, gpu_stage_put(leg, bytes), NULL, 0};
    gpu_stage_begin(&work, armilla_cuda_theta_scratch(theta, 1));
    if (to_far)
        armilla_cuda_theta_to_far(theta, &of, &work);
    else
        armilla_cuda_theta_to_near(theta, &of, &work);
    gpu_stage_end(&work, t->far.name);
    gpu_stage_get(leg, of.values, bytes);
    cudaFree(of.values);
    armilla_cuda_theta_free(theta);
}

static void check_direction(const theta_scene *t, int to_far)
{
    char what[GPU_KEY];
    const int64_t count = leg_count(&t->far), lmax = t->far.lmax;
    gpu_comparison c = {.what = what, .bound = 1e-13 * (1 + (double)lmax / 500)};
    double *given = nan_array(count), *got = nan_array(count), *wanted = nan_array(count);
    const gpu_two_arrays both = {&c, wanted, got};
    const armilla_ring_pairs *from = to_far ? &t->near : &t->far.pairs;
    const armilla_ring_pairs *to = to_far ? &t->far.pairs : &t->near;
    snprintf(what, sizeof what, "theta stage, %s, %s, lmax %lld",
             to_far ? "near to far" : "far to near", t->far.name, (long long)lmax);
    each_entry(from, lmax, t->length, set_entry, given);
    each_entry(from, lmax, t->length, set_entry, got);
    theta_on_processor(t, to_far ? given : wanted, to_far ? wanted : given, to_far);
    theta_on_gpu(t, got, to_far);
    compare_legs(to, lmax, t->length, &both);
    armilla_release(given), armilla_release(got), armilla_release(wanted);
}

static void check_theta(const char *name, armilla_grid *grid, int64_t lmax)
{
    theta_scene t;
    open_theta(name, grid, lmax, &t);
    check_direction(&t, 1);
    check_direction(&t, 0);
    close_theta(&t);
}

/* Rings `to` are samples of a circle of their own, as points have them. */
static void check_circle(int64_t lmax)
{
    const int64_t nrings = armilla_theta_coarse_rings(3 * lmax / 2 + 1);
    theta_scene t;
    armilla_grid *grid;
    gpu_stop_at(armilla_grid_new_equidistant(ARMILLA_GRID_F1, nrings, 4, &grid), "F1");
    open_theta("samples of a circle", grid, lmax, &t);
    t.problem.to_length = 2 * nrings;
    check_direction(&t, 1);
    check_direction(&t, 0);
    close_theta(&t);
}

void gpu_step_theta(int small)
{
    armilla_grid *grid;
    const int64_t nside = small ? 8 : 256, lmax = small ? 12 : 511;
    gpu_stop_at(armilla_grid_new_healpix(nside, &grid), "HEALPix");
    check_theta("HEALPix", grid, lmax);
    gpu_stop_at(armilla_grid_new_gauss_legendre(2 * lmax + 31, 2 * lmax + 2, &grid), "GL");
    check_theta("many Gauss-Legendre rings", grid, lmax);
    check_circle(lmax);
    report_end();
}
