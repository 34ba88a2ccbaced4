/* Checks extreme arrays and calls: gaps of 2^60 numbers, more threads than tasks, float arrays
 * that several passes write, distances that nothing needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "sht/plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static armilla_sht *make_plan(const armilla_grid *grid, int64_t lmax,
                              const armilla_alm_layout *layout)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.layout = layout;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, &options, &sht));
    return sht;
}

static int64_t workspace(const armilla_sht *sht, int nthreads)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, nthreads, &d));
    return d.workspace_bytes;
}

/* The transform's memory is that of one without gaps in its arrays. */
static void check_gaps(int64_t last_ring, int64_t last_order)
{
    enum { LMAX = 1299 }; /* needs two passes on a grid without gaps */
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, LMAX, 0, 0), *wide;
    armilla_ring *rings = grid_rings(grid);
    const int64_t nrings = armilla_grid_nrings(grid);
    rings[nrings - 1].offset = last_ring;
    check_ok(armilla_grid_new_custom(nrings, rings, &wide));
    int64_t mstart[LMAX + 1];
    for (int64_t m = 0; m <= LMAX; m++)
        mstart[m] = armilla_alm_index(LMAX, m, m) - m + (m == LMAX ? last_order : 0);
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 1, &layout));
    armilla_sht *compact = make_plan(grid, LMAX, NULL), *sparse = make_plan(wide, LMAX, layout);
    assert_true(compact->flow.ways[ARMILLA_FLOW_IN_MEMORY].passes.count > 1);
    assert_int_equal(workspace(sparse, 1), workspace(compact, 1));
    armilla_sht_free(sparse);
    armilla_sht_free(compact);
    armilla_alm_layout_free(layout);
    armilla_grid_free(wide);
    armilla_grid_free(grid);
    free(rings);
}

/* Nearly 2^63 pixels and twice 2^57 coefficients do not fit into 64 bits together. */
static void gaps_do_not_count_as_memory(void **state)
{
    (void)state;
    check_gaps((int64_t)1 << 40, 0);
    check_gaps((int64_t)1 << 23, (int64_t)1 << 40);
    check_gaps(INT64_MAX - 10000, (int64_t)1 << 57);
}

/* Ten orders and three batches of ring pairs keep ten threads busy, no more. */
static void threads_without_tasks_need_no_memory(void **state)
{
    (void)state;
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 9, 9, 0, 0);
    armilla_sht *sht = make_plan(grid, 9, NULL);
    assert_int_equal(armilla_sht_threads(sht, 1000), 10);
    assert_int_equal(armilla_sht_threads(sht, 3), 3);
    assert_int_equal(workspace(sht, 1000), workspace(sht, 10));
    assert_true(workspace(sht, 10) > workspace(sht, 3));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* A map of small numbers upon a large constant: what a pass finds is much larger than what remains
 * when all passes are done, so sums kept in float would leave rounding errors of the constant. */
static void float_analysis_rounds_once(void **state)
{
    (void)state;
    const int64_t lmax = 1299, size = 2 * armilla_alm_size(lmax, lmax);
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0);
    armilla_sht *sht = make_plan(grid, lmax, NULL);
    const int64_t npix = armilla_grid_npix(grid);
    assert_true(sht->flow.ways[ARMILLA_FLOW_IN_MEMORY].passes.count > 1);
    double *map = checked_malloc(npix, sizeof *map), *alm = checked_malloc(size, sizeof *alm);
    float *single = checked_malloc(npix, sizeof *single), *found = checked_malloc(size, 4);
    random_fill(61, npix, map);
    for (int64_t i = 0; i < npix; i++) single[i] = (float)(1e4 + map[i]), map[i] = single[i];
    check_ok(armilla_sht_analysis(sht, map, alm, NULL));
    check_ok(armilla_sht_analysis_float(sht, single, found, NULL));
    for (int64_t i = 0; i < size; i++) {
        const double rounded = (double)(float)alm[i];
        if (rounded !=
            (double)found[i]) /* alm itself has errors of some 1e-15 times the constant */
            check_at_most(fabs((double)found[i] - alm[i]), 1.3e-7 * fabs(alm[i]) + 1e-10, "a[%d]",
                          (int)i);
    }
    free(found);
    free(single);
    free(alm);
    free(map);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* One component of one transform has no neighbour: whatever the distance says, it is not used.
 * (The sanitizers see a pointer that is moved by it.) */
static void a_single_component_has_no_distance(void **state)
{
    (void)state;
    const int64_t lmax = 5, size = 2 * armilla_alm_size(lmax, lmax);
    static const int64_t distances[] = {1, -7, INT64_MIN, INT64_MAX, INT64_MAX / 16};
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0);
    armilla_sht *sht = make_plan(grid, lmax, NULL);
    const int64_t npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(size, 8), *found = checked_malloc(size, 8);
    double *map = checked_malloc(npix, 8), *expected = checked_malloc(npix, 8);
    random_alm_triangle(62, lmax, lmax, alm);
    check_ok(armilla_sht_synthesis(sht, alm, expected, NULL));
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.alm_distance = exec.map_distance = distances[i];
        check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
        assert_memory_equal(map, expected, (size_t)npix * 8);
        check_ok(armilla_sht_analysis(sht, map, found, &exec));
        check_at_most(rms_error(size, alm, found), 1e-13, "distance %lld", (long long)distances[i]);
    }
    free(expected);
    free(map);
    free(found);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_do_not_count_as_memory),
        cmocka_unit_test(threads_without_tasks_need_no_memory),
        cmocka_unit_test(float_analysis_rounds_once),
        cmocka_unit_test(a_single_component_has_no_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
