/* Checks that progress runs from 0 to 1 on every layout, and that a cancelled call stops where it
 * is: no stage works on what another has left unfinished. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "unit/test_watcher.h"
#include <stdlib.h>

enum { SPREAD = 10 }; /* numbers between neighbouring degrees of the sparse layout */

static armilla_exec watched(watcher *w)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    exec.progress = watch, exec.progress_data = w;
    return exec;
}

static armilla_sht *new_plan(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                             const armilla_alm_layout *layout, armilla_sht_method method)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.layout = layout;
    options.method = method;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, mmax, &options, &sht));
    return sht;
}

static armilla_alm_layout *sparse_layout(int64_t lmax)
{
    int64_t *mstart = checked_malloc(lmax + 1, sizeof *mstart);
    for (int64_t m = 0; m <= lmax; m++) mstart[m] = SPREAD * m * (2 * lmax + 1 - m) / 2;
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(lmax, lmax, mstart, SPREAD, &layout));
    free(mstart);
    return layout;
}

static void progress_of_sparse_layouts_reaches_the_end(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 767 : 1399; /* the larger one takes two passes */
    armilla_alm_layout *layout = sparse_layout(lmax);
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0);
    armilla_sht *sht = new_plan(grid, lmax, lmax, layout, ARMILLA_SHT_AUTO);
    double *alm = checked_calloc(2 * armilla_alm_layout_size(layout), sizeof *alm);
    double *map = checked_calloc(armilla_grid_npix(grid), sizeof *map);
    watcher w = {0};
    const armilla_exec exec = watched(&w);
    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    assert_true(w.calls > 2);
    assert_false(w.bad);
    if (w.last != 1) fail_msg("the last of %d reports says %g", w.calls, w.last);
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    armilla_alm_layout_free(layout);
}

/* The first report comes in the Legendre stage: a synthesis cancelled there has not begun to write
 * the map. */
static void check_no_stage_follows(armilla_grid *grid, int64_t lmax, armilla_sht_method method)
{
    armilla_sht *sht = new_plan(grid, lmax, lmax, NULL, method);
    const int64_t npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(2 * armilla_alm_size(lmax, lmax), sizeof *alm);
    double *map = checked_malloc(npix, sizeof *map);
    random_alm_triangle(51, lmax, lmax, alm);
    random_fill(52, npix, map);
    const uint64_t before = checksum(map, (size_t)npix * sizeof *map);
    watcher w = {.stop = 1};
    const armilla_exec exec = watched(&w);
    check_error(armilla_sht_synthesis(sht, alm, map, &exec), ARMILLA_ERROR_CANCELLED, "progress");
    assert_int_equal(w.calls, 1);
    assert_true(before == checksum(map, (size_t)npix * sizeof *map));
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void no_stage_follows_a_cancelled_one(void **state)
{
    (void)state;
    armilla_grid *healpix;
    check_no_stage_follows(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 127, 127, 0, 0), 127,
                           ARMILLA_SHT_DIRECT);
    check_ok(armilla_grid_new_healpix(128, &healpix));
    check_no_stage_follows(healpix, 300, ARMILLA_SHT_RESAMPLE);
}

/* Few orders on long rings: nearly all units of work are those of the ring stage, and it looks for
 * cancellation itself. A call that is stopped in the middle leaves rings that are not written; an
 * adjoint has not begun to write alm. */
static void check_ring_stage_stops(armilla_sht_method method)
{
    const int64_t lmax = 4, nrings = 600, nphi = 1 << 10, npix = nrings * nphi;
    armilla_grid *grid;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_F2, nrings, nphi, &grid));
    armilla_sht *sht = new_plan(grid, lmax, lmax, NULL, method);
    const int64_t size = 2 * armilla_alm_size(lmax, lmax);
    float *alm = checked_calloc(size, sizeof *alm);
    float *map = checked_malloc(npix, sizeof *map);
    for (int64_t i = 0; i < npix; i++) map[i] = 7;
    watcher w = {0};
    armilla_exec exec = watched(&w);
    check_ok(armilla_sht_adjoint_synthesis_float(sht, map, alm, &exec));
    const int middle = w.calls / 2;
    assert_true(middle > 10);
    for (int64_t i = 0; i < size; i++) alm[i] = 7;
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        w = (watcher){.stop = middle};
        const armilla_status status =
            adjoint ? armilla_sht_adjoint_synthesis_float(sht, map, alm, &exec)
                    : armilla_sht_synthesis_float(sht, alm, map, &exec);
        check_error(status, ARMILLA_ERROR_CANCELLED, "progress");
        assert_int_equal(w.calls, middle);
        for (int64_t i = 0; i < size; i++) assert_true(alm[i] == 7);
        if (adjoint) continue;
        int64_t left = 0;
        for (int64_t i = 0; i < npix; i++) left += map[i] == 7;
        assert_true(left > npix / 4 && left < npix);
    }
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void ring_stage_can_be_cancelled(void **state)
{
    (void)state;
    check_ring_stage_stops(ARMILLA_SHT_DIRECT);
    check_ring_stage_stops(ARMILLA_SHT_RESAMPLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_of_sparse_layouts_reaches_the_end),
        cmocka_unit_test(no_stage_follows_a_cancelled_one),
        cmocka_unit_test(ring_stage_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}
