/* Checks the theta stage over a whole leg, with the Legendre stage behind it: fewer rings against
 * the Legendre stage on every ring, quadrature, the transpose, numbers of threads, progress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "legendre/stage.h"
#include "theta/choose.h"
#include "theta/stage.h"
#include "unit/test_theta_scene.h"

enum { LMAX = 70, MMAX = 61, NPHI = 150 };

/* Legs of both sides and what lies between. */
typedef struct {
    armilla_theta *theta;
    armilla_legendre *near_stage, *far_stage;
    armilla_ring_pairs near, far;
    armilla_leg_layout layout;
    int64_t spin, nsets;
    double *factor;
    int64_t mstart[MMAX + 1];
    armilla_progress progress;
    armilla_work work;
} waist;

static armilla_isa best_isa(void)
{
    armilla_isa isa;
    check_ok(armilla_isa_choose(NULL, &isa));
    return isa;
}

static double *colatitudes(armilla_grid *grid)
{
    armilla_ring *rings = grid_rings(grid);
    double *theta = doubles(armilla_grid_nrings(grid));
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) theta[r] = rings[r].theta;
    free(rings);
    armilla_grid_free(grid);
    return theta;
}

static void make_pairs(armilla_grid *grid, int64_t spin, armilla_ring_pairs *pairs)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    double *theta = colatitudes(grid);
    check_ok(armilla_ring_pairs_make(nrings, theta, LMAX, MMAX, spin, pairs));
    armilla_release(theta);
}

static armilla_legendre *make_legendre(const armilla_ring_pairs *pairs, int64_t spin,
                                       int64_t block_size)
{
    const armilla_legendre_problem problem = {.machine = armilla_machine_with(best_isa()),
                                              .lmax = LMAX,
                                              .norders = MMAX + 1,
                                              .spin = spin,
                                              .pairs = pairs,
                                              .block_size = block_size};
    armilla_legendre *legendre;
    check_ok(armilla_legendre_new(&problem, &legendre));
    return legendre;
}

/* The grid's rings are far; near rings are coarse ones, or Gauss-Legendre ones. */
static void make_sides(waist *w, armilla_grid_kind kind, int quadrature)
{
    armilla_grid *far, *near;
    check_ok(armilla_grid_new_equidistant(kind, LMAX + 9, NPHI, &far));
    const int64_t coarse = armilla_theta_coarse_rings(LMAX);
    armilla_circle circle = armilla_grid_circle(kind, LMAX + 9);
    const int64_t nodes = (LMAX + circle.length / 2 + 2) / 2;
    if (!quadrature) circle = armilla_grid_circle(ARMILLA_GRID_F1, coarse);
    check_ok(quadrature ? armilla_grid_new_gauss_legendre(nodes, NPHI, &near)
                        : armilla_grid_new_equidistant(ARMILLA_GRID_F1, coarse, 1, &near));
    armilla_ring *rings = grid_rings(near);
    make_pairs(far, w->spin, &w->far);
    make_pairs(near, w->spin, &w->near);
    w->factor = doubles(w->near.count);
    for (int64_t i = 0; i < w->near.count; i++) w->factor[i] = rings[w->near.north[i]].weight;
    free(rings);
    const armilla_theta_problem problem = {.machine = armilla_machine_with(best_isa()),
                                           .spin = w->spin,
                                           .band = quadrature ? circle.length / 2 : LMAX,
                                           .from = quadrature ? &w->far : &w->near,
                                           .to = quadrature ? &w->near : &w->far,
                                           .circle_length = circle.length,
                                           .half_shifted = circle.half_shifted,
                                           .first = circle.first,
                                           .to_factor = quadrature ? w->factor : NULL,
                                           .near_is_to = quadrature};
    check_ok(armilla_theta_new(&problem, &w->theta));
}

static void waist_open(waist *w, armilla_grid_kind kind, int64_t spin, int quadrature,
                       int64_t block_size, armilla_orders orders)
{
    memset(w, 0, sizeof *w);
    w->spin = spin, w->nsets = spin ? 2 : 3;
    make_sides(w, kind, quadrature);
    w->near_stage = make_legendre(&w->near, spin, 0);
    w->far_stage = make_legendre(&w->far, spin, block_size);
    const armilla_leg_shape shape = {.pairs = &w->far,
                                     .npairs = w->far.count,
                                     .block_size = block_size ? block_size : w->far.count,
                                     .room = 1,
                                     .kind = orders,
                                     .mmax = MMAX};
    check_ok(armilla_leg_layout_make(&shape, &w->layout));
    for (int64_t m = 0; m <= MMAX; m++) w->mstart[m] = armilla_alm_index(LMAX, m, m) - m;
    const int64_t theta = armilla_theta_stage_scratch(w->theta, w->near_stage, w->nsets);
    const int64_t plain = armilla_legendre_stage_scratch(w->far_stage, w->nsets);
    armilla_progress_start(&w->progress, NULL, NULL, 1);
    w->work = (armilla_work){.nthreads = 1,
                             .scratch_size = armilla_round_line(theta > plain ? theta : plain),
                             .progress = &w->progress};
    w->work.scratch = doubles(3 * w->work.scratch_size);
}

static void waist_close(waist *w)
{
    armilla_theta_free(w->theta);
    armilla_legendre_free(w->near_stage);
    armilla_legendre_free(w->far_stage);
    armilla_ring_pairs_clear(&w->near);
    armilla_ring_pairs_clear(&w->far);
    armilla_leg_layout_clear(&w->layout);
    armilla_release(w->factor);
    armilla_release(w->work.scratch);
}

static int64_t alm_size(const waist *w)
{
    return 2 * w->nsets * armilla_alm_size(LMAX, MMAX);
}

static armilla_alm_rows rows_of(const waist *w, double *alm)
{
    return (armilla_alm_rows){.values = {alm, 0},
                              .distance = armilla_alm_size(LMAX, MMAX),
                              .ncomp = w->spin ? 2 : 1,
                              .nsets = w->spin ? 2 : 1,
                              .lmax = LMAX,
                              .stride = 1,
                              .mstart = w->mstart,
                              .spin = w->spin,
                              .real = 1,
                              .last = 1};
}

/* Random coefficients that the transform can have: without degrees below the spin. */
static double *random_rows(const waist *w)
{
    double *alm = doubles(alm_size(w));
    for (int64_t set = 0; set < w->nsets; set++) {
        double *component = alm + set * 2 * armilla_alm_size(LMAX, MMAX);
        random_alm_triangle((uint64_t)(set + 5), LMAX, MMAX, component);
        for (int64_t m = 0; m < w->spin; m++)
            for (int64_t l = m; l < w->spin; l++)
                memset(component + 2 * armilla_alm_index(LMAX, l, m), 0, 2 * sizeof *alm);
    }
    return alm;
}

/* NaN everywhere. */
static armilla_leg leg_open(const waist *w)
{
    armilla_leg leg = {&w->layout, w->nsets, doubles(w->nsets * w->layout.size), NULL, 0};
    for (int64_t i = 0; i < w->nsets * w->layout.size; i++) leg.values[i] = (double)NAN;
    return leg;
}

/* The entries that exist, of rings that exist, multiplied by orders (2 - [m = 0]); all others 0.
 * Numbers per set and row: four of each pair. */
static double *entries_of(const waist *w, const armilla_leg *leg)
{
    const int64_t npairs = w->far.count;
    double *entries = doubles(w->nsets * w->layout.norders * 4 * npairs), *next = entries;
    for (int64_t set = 0; set < w->nsets; set++)
        for (int64_t row = 0; row < w->layout.norders; row++)
            for (int64_t i = 0; i < 4 * npairs; i++, next++) {
                const int64_t pair = i / 4, b = pair / w->layout.blocks[0].npairs;
                const armilla_leg_block *block = &w->layout.blocks[b];
                if (w->layout.orders[row] > w->far.limit[pair]) continue;
                if ((i % 4 < 2 ? w->far.north : w->far.south)[pair] < 0) continue;
                assert_true(row < block->nrows);
                *next = armilla_leg_row(leg, block, set, row)[i - 4 * block->first];
            }
    return entries;
}

static int64_t count_entries(const waist *w)
{
    return w->nsets * w->layout.norders * 4 * w->far.count;
}

/* Fewer rings and every ring. */
static void check_synthesis(armilla_grid_kind kind, int64_t spin, int64_t block_size,
                            armilla_orders orders)
{
    waist w;
    waist_open(&w, kind, spin, 0, block_size, orders);
    double *alm = random_rows(&w);
    const armilla_alm_rows rows = rows_of(&w, alm);
    armilla_leg a = leg_open(&w), b = leg_open(&w);
    armilla_theta_to_leg(w.theta, w.near_stage, &rows, &a, &w.work);
    armilla_legendre_to_leg(w.far_stage, &rows, &b, &w.work);
    double *fewer = entries_of(&w, &a), *every = entries_of(&w, &b);
    check_at_most(rms_error(count_entries(&w), every, fewer), 2e-14, "%s, spin %d, blocks of %d",
                  armilla_grid_kind_name(kind), (int)spin, (int)block_size);
    double *arrays[] = {alm, a.values, b.values, fewer, every};
    for (int i = 0; i < 5; i++) armilla_release(arrays[i]);
    waist_close(&w);
}

static void fewer_rings_have_the_values_of_every_ring(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin < 4; spin++) {
        check_synthesis(ARMILLA_GRID_CC, spin, 0, ARMILLA_ORDERS_ALL);
        check_synthesis(ARMILLA_GRID_MW, spin, 7, ARMILLA_ORDERS_ALL);
        check_synthesis(ARMILLA_GRID_MWFLIP, spin, 16, ARMILLA_ORDERS_FIRST);
        check_synthesis(ARMILLA_GRID_F1, spin, 9, ARMILLA_ORDERS_SECOND);
    }
}

/* alm -> leg -> alm: the ring FFT of a ring of n samples multiplies by n. */
static void check_quadrature(armilla_grid_kind kind, int64_t spin, int64_t block_size)
{
    waist w;
    waist_open(&w, kind, spin, 1, block_size, ARMILLA_ORDERS_ALL);
    double *alm = random_rows(&w), *found = doubles(alm_size(&w));
    const armilla_alm_rows rows = rows_of(&w, alm), target = rows_of(&w, found);
    armilla_leg leg = leg_open(&w);
    armilla_legendre_to_leg(w.far_stage, &rows, &leg, &w.work);
    for (int64_t i = 0; i < w.nsets * w.layout.size; i++) leg.values[i] *= NPHI;
    armilla_theta_from_leg(w.theta, w.near_stage, &leg, &target, &w.work);
    check_at_most(rms_error(alm_size(&w), alm, found), 2e-14, "%s, spin %d, blocks of %d",
                  armilla_grid_kind_name(kind), (int)spin, (int)block_size);
    double *arrays[] = {alm, found, leg.values};
    for (int i = 0; i < 3; i++) armilla_release(arrays[i]);
    waist_close(&w);
}

static void quadrature_inverts_synthesis(void **state)
{
    (void)state;
    static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                              ARMILLA_GRID_MWSS, ARMILLA_GRID_MWFLIP};
    for (int64_t spin = 0; spin < 4; spin++)
        for (int k = 0; k < 5; k++) check_quadrature(kinds[k], spin, k % 2 ? 0 : 5);
}

/* <to_leg a, g> = <a, from_leg g>, and the same bits for any number of threads. */
static void check_transpose(armilla_grid_kind kind, int64_t spin, int quadrature)
{
    waist w;
    waist_open(&w, kind, spin, quadrature, 11, ARMILLA_ORDERS_ALL);
    double *alm = random_rows(&w), *found[2] = {doubles(alm_size(&w)), doubles(alm_size(&w))};
    const armilla_alm_rows rows = rows_of(&w, alm);
    armilla_leg legs[2] = {leg_open(&w), leg_open(&w)}, given = leg_open(&w);
    random_fill(77, w.nsets * w.layout.size, given.values);
    for (int i = 0; i < 2; i++) {
        const armilla_alm_rows target = rows_of(&w, found[i]);
        w.work.nthreads = 1 + 2 * i;
        armilla_theta_to_leg(w.theta, w.near_stage, &rows, &legs[i], &w.work);
        armilla_theta_from_leg(w.theta, w.near_stage, &given, &target, &w.work);
    }
    double *a = entries_of(&w, &legs[0]), *b = entries_of(&w, &legs[1]);
    double *g = entries_of(&w, &given), left = 0, right = 0, size = 0;
    assert_memory_equal(a, b, sizeof *a * (size_t)count_entries(&w));
    assert_memory_equal(found[0], found[1], sizeof *alm * (size_t)alm_size(&w));
    for (int64_t i = 0; i < count_entries(&w); i++) left += a[i] * g[i], size += fabs(a[i] * g[i]);
    for (int64_t i = 0; i < alm_size(&w); i++) right += alm[i] * found[0][i];
    check_at_most(fabs(left - right), 1e-14 * size, "%s, spin %d", armilla_grid_kind_name(kind),
                  (int)spin);
    double *arrays[] = {alm, found[0], found[1], legs[0].values, legs[1].values, given.values,
                        a,   b,        g};
    for (int i = 0; i < 9; i++) armilla_release(arrays[i]);
    waist_close(&w);
}

static void other_direction_is_the_transpose_for_any_threads(void **state)
{
    (void)state;
    check_transpose(ARMILLA_GRID_MW, 0, 0);
    check_transpose(ARMILLA_GRID_CC, 2, 0);
    check_transpose(ARMILLA_GRID_MWFLIP, 0, 1);
    check_transpose(ARMILLA_GRID_F1, 1, 1);
}

static int accept(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 0;
}

static int refuse(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 1;
}

static void progress_counts_degrees_and_a_cancelled_call_stops(void **state)
{
    (void)state;
    waist w;
    waist_open(&w, ARMILLA_GRID_CC, 0, 0, 0, ARMILLA_ORDERS_ALL);
    double *alm = random_rows(&w);
    const armilla_alm_rows rows = rows_of(&w, alm);
    armilla_leg leg = leg_open(&w);
    armilla_progress_start(&w.progress, accept, NULL, 1);
    armilla_theta_to_leg(w.theta, w.near_stage, &rows, &leg, &w.work);
    assert_int_equal(w.progress.done, w.nsets * armilla_alm_size(LMAX, MMAX));
    armilla_progress_start(&w.progress, refuse, NULL, 1);
    w.progress.last_report_s = -1e9;
    for (int64_t i = 0; i < w.nsets * w.layout.size; i++) leg.values[i] = 3;
    armilla_theta_to_leg(w.theta, w.near_stage, &rows, &leg, &w.work);
    assert_int_equal(armilla_progress_status(&w.progress), ARMILLA_ERROR_CANCELLED);
    for (int64_t i = 0; i < w.nsets * w.layout.size; i++) assert_true(leg.values[i] == 3);
    armilla_release(alm);
    armilla_release(leg.values);
    waist_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_rings_have_the_values_of_every_ring),
        cmocka_unit_test(quadrature_inverts_synthesis),
        cmocka_unit_test(other_direction_is_the_transpose_for_any_threads),
        cmocka_unit_test(progress_counts_degrees_and_a_cancelled_call_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
