/* All kernels, in each precision, shape and number of sets, on random numbers, for tests that watch
 * what runs: orders of the stage's tables are long enough for several chunks of steps, so that each
 * barrier in a loop is gone round. Included after cmocka.h, by one source of a test. */
#ifndef ARMILLA_TESTS_CUDA_EVERY_KERNEL_H
#define ARMILLA_TESTS_CUDA_EVERY_KERNEL_H

#include "cuda/cleared_orders.h"
#include "cuda/lensing_run.h"
#include "cuda/one_rank.h"
#include "cuda/points_scene.h"
#include "cuda/radial_run.h"
#include "cuda/ring_lengths.h"
#include "cuda/strips_scene.h"
#include "cuda/test_cuda_scene.h"
#include "cuda/theta_circle_scene.h"

/* 70 steps of the scalar recurrence, 141 of that of spin: chunks have 64. */
enum { SHAPES = 7, LONG_LMAX = 140 };

/* Rings enough for blocks of several warps, and of more than four where a shape has them; for
 * tensor cores also few, since groups of one and two vectors have kernels of their own. */
static const struct {
    const char *name;
    int64_t nrings;
} shapes[SHAPES] = {{"v1w4", 280}, {"v2w4", 400},  {"v2w8", 1200}, {"v4w4", 600},
                    {"v4w4t", 40}, {"v4w4t", 200}, {"v4w4t", 600}};

/* Who watches, and is told of each stretch of kernels. */
typedef struct {
    void (*begin)(void);
    void (*end)(const char *what);
} kernel_watch;
static kernel_watch kernels_watched; /* set by the test */

/* --- Calls that are watched --------------------------------------------------------------------
 */

typedef struct {
    armilla_sht *sht;
    armilla_exec exec;
    int64_t nalm, nmap; /* numbers */
    void *alm, *map;    /* either kind of number */
} recorded_plan;

static void plan_fill(const recorded_plan *p)
{
    random_fill_either(1, p->nalm, p->alm);
    random_fill_either(2, p->nmap, p->map);
}

/* Takes the grid. Numbers are random, of either kind. */
static recorded_plan plan_open(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans,
                               const armilla_sht_options *options)
{
    const int64_t components = options->spin ? 2 : 1;
    recorded_plan p;
    check_ok(armilla_sht_new(grid, lmax, mmax, options, &p.sht));
    armilla_exec_init(&p.exec);
    p.exec.ntrans = ntrans;
    p.nalm = 2 * armilla_alm_size(lmax, mmax) * components * ntrans;
    p.nmap = armilla_grid_npix(grid) * components * ntrans;
    p.alm = checked_malloc(p.nalm, sizeof(double));
    p.map = checked_malloc(p.nmap, sizeof(double));
    plan_fill(&p);
    armilla_grid_free(grid);
    return p;
}

static void plan_close(recorded_plan *p)
{
    free(p->map);
    free(p->alm);
    armilla_sht_free(p->sht);
}

static void run_operator(const recorded_plan *p, int operation, int is_float)
{
    const void *in = gives_map(operation) ? p->alm : p->map;
    void *out = gives_map(operation) ? p->map : p->alm;
    plan_fill(p);
    if (is_float)
        check_ok(operate_float(operation, p->sht, in, out, &p->exec));
    else
        check_ok(operate(operation, p->sht, in, out, &p->exec));
}

static void run_operators(const recorded_plan *p, int operators, int is_float, const char *what)
{
    for (int operation = 0; operation < operators; operation++) {
        kernels_watched.begin();
        run_operator(p, operation, is_float);
        kernels_watched.end(what);
    }
}

/* All operators, with doubles and with floats. */
static void check_plan(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans,
                       const armilla_sht_options *options, const char *what)
{
    recorded_plan p = plan_open(grid, lmax, mmax, ntrans, options);
    run_operators(&p, OPERATORS, 0, what);
    run_operators(&p, OPERATORS, 1, what);
    plan_close(&p);
}

/* --- Cases ------------------------------------------------------------------------------------ */

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

/* Calls of floats are in single precision where there are such kernels: up to spin 3. */
static armilla_sht_options options_of(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin;
    if (spin <= 3) options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    return options;
}

/* Seven scalars: kernels of four sets, of two, of one. Three fields: of two and of one. */
static void check_shape(int shape, int64_t spin, int64_t ntrans)
{
    armilla_sht_options options = options_of(spin);
    options.device_shape = shapes[shape].name;
    recorded_plan p = plan_open(gauss(shapes[shape].nrings, 4), LONG_LMAX, 1, ntrans, &options);
    run_operators(&p, 2, 0, options.device_shape);
    run_operators(&p, 2, 1, options.device_shape);
    plan_close(&p);
}

/* Calls of doubles in two floats: kernels of two sets and of one. */
static void check_two_floats(int shape)
{
    armilla_sht_options options = on_gpu();
    options.device_shape = shapes[shape].name;
    options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    const int64_t nrings = 4 * shapes[shape].nrings / 3; /* some are made in doubles */
    recorded_plan p = plan_open(gauss(nrings, 4), LONG_LMAX, 1, 3, &options);
    run_operators(&p, 2, 0, options.device_shape);
    plan_close(&p);
}

/* Calls of floats by products of halves; of spin 2 some tiles are in doubles. */
static void check_halves(int64_t spin, int64_t ntrans)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin, options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    recorded_plan p = plan_open(gauss(600, 4), LONG_LMAX, 1, ntrans, &options);
    run_operators(&p, 2, 1, "halves");
    plan_close(&p);
}

static void every_shape(void **state)
{
    (void)state;
    check_halves(0, 5);
    check_halves(2, 3);
    for (int i = 0; i < SHAPES; i++) {
        if (!strchr(shapes[i].name, 't')) check_two_floats(i);
        check_shape(i, 0, 7);
        check_shape(i, 4, 3);
    }
    check_shape(0, 2, 1); /* by ladders, next to the poles by functions of spin 2 */
}

/* Pairs that come into range one after the other, and some that no order matters on. */
static void every_phase(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 4; spin += 4) {
        const armilla_sht_options options = options_of(spin);
        recorded_plan p = plan_open(gauss(80, 90), 90, 90, 1, &options);
        run_operators(&p, 2, 0, "phases");
        run_operators(&p, 2, 1, "phases");
        plan_close(&p);
    }
}

static void every_way_of_spins(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.spin = 2, options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_plan(healpix_grid(4), 11, 11, 3, &options, "recurrence");
    for (options.spin = 1; options.spin <= 3; options.spin++) {
        options.spin_method = ARMILLA_SPIN_AUTO;
        check_plan(healpix_grid(3), 140, 2, 1, &options, "ladders");
    }
}

/* Rings of smooth lengths, of few samples, of a length that is worth a cuFFT, and Bluestein's, in
 * four parts and in one, of each length that convolutions have; with floats in single precision. */
static void every_kind_of_ring(void **state)
{
    (void)state;
    armilla_sht_options options = options_of(0);
    check_plan(healpix_grid(1), 3, 3, 2, &options, "HEALPix, nside 1");
    check_plan(healpix_grid(16), 40, 40, 1, &options, "HEALPix, nside 16");
    check_plan(gauss(4, 131), 3, 3, 1, &options, "prime length");
    check_plan(gauss(4, 11), 3, 3, 1, &options, "few samples");
    check_plan(gauss(4, 4099), 3, 3, 1, &options, "a length of many rings");
    options.device_bytes = 2 << 20; /* calls make the filters */
    check_plan(ring_lengths_grid(0, RING_LENGTHS), 3, 3, 1, &options, "every way");
}

static void several_passes_and_batches(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_bytes = 1;
    for (options.spin = 0; options.spin <= 2; options.spin += 2)
        check_plan(healpix_grid(20), 20, 20, 2, &options, "little memory");
}

static void every_way_across_rings(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    for (options.spin = 0; options.spin <= 1; options.spin++) {
        check_plan(exact_grid(ARMILLA_GRID_CC, 40, 38, 1, 0), 40, 38, 2, &options, "CC");
        check_plan(exact_grid(ARMILLA_GRID_MW, 40, 38, 0, 0), 40, 38, 1, &options, "MW");
        check_plan(exact_grid(ARMILLA_GRID_MWSS, 9, 8, 0, 0), 9, 8, 1, &options, "MWSS");
    }
    options.method = ARMILLA_SHT_RESAMPLE;
    for (options.spin = 0; options.spin <= 2; options.spin += 2)
        check_plan(healpix_grid(16), 30, 30, 1, &options, "resampled");
}

static void packing_for_other_ranks(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    for (options.spin = 0; options.spin <= 2; options.spin += 2) {
        kernels_watched.begin();
        one_rank_run(healpix_grid(8), 16, &options);
        kernels_watched.end(__func__);
    }
}

static void stages_of_points(void **state)
{
    (void)state;
    kernels_watched.begin();
    circle_run_all(40);
    for (int is_float = 0; is_float < 2; is_float++) {
        strip_run_all(20, 150, 3, is_float);
        cleared_orders_run(140, is_float);
    }
    kernels_watched.end(__func__);
}

/* Blocks of keys, chunks and pieces: more than one of each. */
static void sorting_and_points(void **state)
{
    (void)state;
    kernels_watched.begin();
    for (int kind = 0; kind < POINTS_KINDS; kind++) points_run_kind(kind, 48, kind ? 2200 : 4200);
    kernels_watched.end(__func__);
}

/* Rows of several warps and of several tiles, belts and caps. */
static void radial_convolutions(void **state)
{
    (void)state;
    kernels_watched.begin();
    radial_run(gauss(3, 1100), 1, ARMILLA_RADIAL_SUM);
    radial_run(healpix_grid(40), 0.1, ARMILLA_RADIAL_NONE);
    kernels_watched.end(__func__);
}

/* More than a piece of samples, more than 128 low orders, several groups; both kinds of tables. */
static void radial_convolutions_by_rings(void **state)
{
    (void)state;
    kernels_watched.begin();
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        radial_run_rings(gauss(6, 600), 0, spin, ARMILLA_RADIAL_SUM);
        radial_run_rings(healpix_grid(16), 0.5, spin, ARMILLA_RADIAL_SUM);
    }
    radial_run_nested("healpix:8:nested", 0.7);
    kernels_watched.end(__func__);
}

/* Several warps and blocks, the last of which has pixels left; with and without gaps. */
static void lensing(void **state)
{
    (void)state;
    armilla_grid *whole = healpix_grid(16), *part;
    check_ok(armilla_grid_new_subset(whole, 3, 40, 0, &part));
    kernels_watched.begin();
    lensing_run(whole, 300);
    lensing_run(part, 1);
    kernels_watched.end(__func__);
}

#define EVERY_KERNEL                                                                               \
    cmocka_unit_test(every_shape), cmocka_unit_test(every_phase),                                  \
        cmocka_unit_test(every_way_of_spins), cmocka_unit_test(every_kind_of_ring),                \
        cmocka_unit_test(several_passes_and_batches), cmocka_unit_test(every_way_across_rings),    \
        cmocka_unit_test(packing_for_other_ranks), cmocka_unit_test(stages_of_points),             \
        cmocka_unit_test(sorting_and_points), cmocka_unit_test(radial_convolutions),               \
        cmocka_unit_test(radial_convolutions_by_rings), cmocka_unit_test(lensing)

#endif
