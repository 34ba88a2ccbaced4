/* Checks that alm -> map -> alm gives the same alm again on every grid with an exact rule, in
 * every shape a caller can ask for. Error: libsharp eq. 17, sqrt(sum |a - a'|^2 / sum |a|^2), at
 * most 1.5e-13 (1 + lmax / 1000). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double double_bound(int64_t lmax)
{
    return 1.5e-13 * (1 + (double)lmax / 1000);
}

/* Float data: every input and output number is rounded to 24 bits, nothing else. */
static double float_bound(int64_t lmax)
{
    return 1e-6 * (1 + (double)lmax / 1000);
}

static armilla_sht *new_plan(const armilla_grid *grid, int64_t lmax, int64_t mmax)
{
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, mmax, NULL, &sht));
    return sht;
}

static void check_double(const armilla_sht *sht, const armilla_grid *grid, int64_t lmax,
                         int64_t mmax, const char *label)
{
    int64_t size = 2 * armilla_alm_size(lmax, mmax), npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(size, sizeof *alm), *back = checked_malloc(size, sizeof *back);
    double *map = checked_malloc(npix, sizeof *map);
    random_alm_triangle(1, lmax, mmax, alm);
    uint64_t before = checksum(alm, (size_t)size * sizeof *alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    assert_true(before == checksum(alm, (size_t)size * sizeof *alm));
    before = checksum(map, (size_t)npix * sizeof *map);
    check_ok(armilla_sht_analysis(sht, map, back, NULL));
    assert_true(before == checksum(map, (size_t)npix * sizeof *map));
    check_at_most(rms_error(size, alm, back), double_bound(lmax),
                  "%s, lmax = %lld, mmax = %lld, %lld rings", label, (long long)lmax,
                  (long long)mmax, (long long)armilla_grid_nrings(grid));
    for (int64_t l = 0; l <= lmax; l++) check_at_most(fabs(back[2 * l + 1]), 0, "Im a_l0");
    free(map);
    free(back);
    free(alm);
}

static void check_float(const armilla_sht *sht, const armilla_grid *grid, int64_t lmax,
                        int64_t mmax, const char *label)
{
    int64_t size = 2 * armilla_alm_size(lmax, mmax), npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(size, sizeof *alm), *back = checked_malloc(size, sizeof *back);
    float *narrow = checked_malloc(size, sizeof *narrow);
    float *map = checked_malloc(npix, sizeof *map);
    random_alm_triangle(2, lmax, mmax, alm);
    to_float(size, alm, narrow);
    check_ok(armilla_sht_synthesis_float(sht, narrow, map, NULL));
    check_ok(armilla_sht_analysis_float(sht, map, narrow, NULL));
    to_double(size, narrow, back);
    check_at_most(rms_error(size, alm, back), float_bound(lmax), "%s float, lmax = %lld", label,
                  (long long)lmax);
    free(map);
    free(narrow);
    free(back);
    free(alm);
}

static void round_trip(armilla_grid_kind kind, int64_t lmax, int64_t mmax, int64_t extra_rings,
                       int64_t nphi)
{
    armilla_grid *grid = exact_grid(kind, lmax, mmax, extra_rings, nphi);
    armilla_sht *sht = new_plan(grid, lmax, mmax);
    check_double(sht, grid, lmax, mmax, armilla_grid_kind_name(kind));
    check_float(sht, grid, lmax, mmax, armilla_grid_kind_name(kind));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void every_grid_small_band_limits(void **state)
{
    (void)state;
    static const int64_t lmaxs[] = {0, 1, 2, 3, 4, 5, 10, 127, 128};
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (size_t i = 0; i < sizeof lmaxs / sizeof *lmaxs; i++)
            for (int64_t extra = 0; extra < 4; extra++)
                round_trip(exact_kinds[kind], lmaxs[i], lmaxs[i], extra, 0);
}

static void every_grid_with_more_pixels_than_needed(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t nphi = 41; nphi <= 47; nphi++) round_trip(exact_kinds[kind], 20, 20, 9, nphi);
}

static void every_grid_with_few_orders(void **state)
{
    (void)state;
    static const int64_t mmaxs[] = {0, 1, 2, 7, 49};
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (size_t i = 0; i < sizeof mmaxs / sizeof *mmaxs; i++)
            for (int64_t extra = 0; extra < 2; extra++)
                round_trip(exact_kinds[kind], 50, mmaxs[i], extra, 0);
}

static void large_band_limits(void **state)
{
    (void)state;
    if (checks_quick()) {
        for (int kind = 0; kind < EXACT_KINDS; kind++)
            round_trip(exact_kinds[kind], 255, 255, 0, 0);
        /* Long rings of whole cache lines: what is written may go past the caches. */
        round_trip(ARMILLA_GRID_GAUSS_LEGENDRE, 511, 511, 0, 2048);
        return;
    }
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        round_trip(exact_kinds[kind], 1023, 1023, 0, 2048);
    round_trip(ARMILLA_GRID_GAUSS_LEGENDRE, 4095, 4095, 0, 8192);
    round_trip(ARMILLA_GRID_GAUSS_LEGENDRE, 4095, 300, 1, 0);
    round_trip(ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 4095, 500, 0, 0);
    round_trip(ARMILLA_GRID_CC, 4095, 200, 0, 0);
    round_trip(ARMILLA_GRID_F1, 4095, 200, 1, 0);
    round_trip(ARMILLA_GRID_MW, 4095, 200, 0, 0);
}

/* --- Layouts, several transforms, ring shapes ------------------------------------------------ */

/* a_lm at 2 l + mstart[m], orders backwards, a gap between them. */
static armilla_alm_layout *spread_layout(int64_t lmax, int64_t mmax)
{
    int64_t *mstart = checked_malloc(mmax + 1, sizeof *mstart);
    for (int64_t m = 0; m <= mmax; m++) mstart[m] = 3 + (mmax - m) * (2 * lmax + 5);
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(lmax, mmax, mstart, 2, &layout));
    free(mstart);
    return layout;
}

static armilla_sht *plan_with_layout(const armilla_grid *grid, const armilla_alm_layout *layout)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.layout = layout;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, armilla_alm_layout_lmax(layout), armilla_alm_layout_mmax(layout),
                             &options, &sht));
    return sht;
}

/* Numbers between the coefficients and between the transforms stay as they were; the maps equal
 * those of ntrans plain calls. */
static void layouts_and_distances(void **state)
{
    (void)state;
    enum { NTRANS = 3, LMAX = 33, MMAX = 21 };
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, MMAX, 1, 0);
    armilla_alm_layout *spread = spread_layout(LMAX, MMAX), *triangle;
    check_ok(armilla_alm_layout_new(LMAX, MMAX, &triangle));
    armilla_sht *plain = new_plan(grid, LMAX, MMAX), *sht = plan_with_layout(grid, spread);
    armilla_exec exec;
    armilla_exec_init(&exec);
    int64_t npix = armilla_grid_npix(grid), size = armilla_alm_size(LMAX, MMAX);
    exec.ntrans = NTRANS;
    exec.alm_distance = armilla_alm_layout_size(spread) + 11;
    exec.map_distance = npix + 7;
    int64_t alm_total = 2 * NTRANS * exec.alm_distance, map_total = NTRANS * exec.map_distance;
    double *alm = checked_malloc(alm_total, sizeof *alm), *map = checked_malloc(map_total, 8);
    double *back = checked_malloc(alm_total, sizeof *back);
    double *one = checked_malloc(2 * size, sizeof *one), *one_map = checked_malloc(npix, 8);
    random_fill(3, alm_total, alm);
    random_fill(4, map_total, map);
    for (int t = 0; t < NTRANS; t++)
        random_alm(5 + (uint64_t)t, spread, alm + 2 * t * exec.alm_distance);
    memcpy(back, alm, (size_t)alm_total * sizeof *alm);
    double gap = map[npix];

    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    assert_true(map[npix] == gap);
    check_ok(armilla_sht_analysis(sht, map, back, &exec));
    check_at_most(rms_error(alm_total, alm, back), double_bound(LMAX), "with the gaps untouched");
    for (int t = 0; t < NTRANS; t++) {
        check_ok(armilla_alm_convert(spread, alm + 2 * t * exec.alm_distance, triangle, one));
        check_ok(armilla_sht_synthesis(plain, one, one_map, NULL));
        check_at_most(rms_error(npix, one_map, map + t * exec.map_distance), 1e-14,
                      "transform %d of a batch against a plain call", t);
    }
    free(one_map);
    free(one);
    free(back);
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_sht_free(plain);
    armilla_alm_layout_free(triangle);
    armilla_alm_layout_free(spread);
    armilla_grid_free(grid);
}

/* The rings of a grid in another order and another place: shuffled, every second one stored
 * backwards, with gaps between pixels and between rings. Returns the length of the map. */
static int64_t scatter_rings(int64_t nrings, armilla_ring *rings)
{
    uint64_t stream = 6;
    int64_t end = 4;
    for (int64_t i = nrings - 1; i > 0; i--) {
        int64_t j = (int64_t)((random_next(&stream) + 1) / 2 * (double)(i + 1));
        armilla_ring swap = rings[i];
        rings[i] = rings[j];
        rings[j] = swap;
    }
    for (int64_t i = 0; i < nrings; i++) {
        int64_t stride = 1 + i % 3, length = (rings[i].nphi - 1) * stride + 1;
        int backwards = i % 2 && rings[i].nphi > 1;
        rings[i].stride = backwards ? -stride : stride;
        rings[i].offset = backwards ? end + length - 1 : end;
        end += length + 2;
    }
    return end;
}

static void check_scattered(const armilla_grid *grid, int64_t lmax)
{
    enum { FENCE = 77 };
    int64_t nrings = armilla_grid_nrings(grid), size = 2 * armilla_alm_size(lmax, lmax);
    armilla_ring *rings = grid_rings(grid), *moved = grid_rings(grid);
    int64_t total = scatter_rings(nrings, moved), used = 0, kept = 0;
    armilla_grid *custom;
    check_ok(armilla_grid_new_custom(nrings, moved, &custom));
    armilla_sht *sht = new_plan(custom, lmax, lmax), *plain = new_plan(grid, lmax, lmax);
    double *alm = checked_malloc(size, 8), *map = checked_malloc(total, 8);
    double *expected = checked_malloc(armilla_grid_npix(grid), 8), *back = checked_malloc(size, 8);
    random_alm_triangle(7, lmax, lmax, alm);
    for (int64_t i = 0; i < total; i++) map[i] = FENCE;
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_synthesis(plain, alm, expected, NULL));
    for (int64_t i = 0; i < nrings; i++) {
        const armilla_ring *to = &moved[i], *from = rings;
        while (from->theta != to->theta) from++;
        for (int64_t j = 0; j < to->nphi; j++)
            check_at_most(
                fabs(map[to->offset + j * to->stride] - expected[from->offset + j * from->stride]),
                1e-12 * (double)(lmax + 1), "ring %lld, pixel %lld", (long long)i, (long long)j);
        used += to->nphi;
    }
    for (int64_t i = 0; i < total; i++) kept += map[i] == FENCE;
    assert_int_equal(kept, total - used);
    check_ok(armilla_sht_analysis(sht, map, back, NULL));
    if (armilla_grid_get_kind(grid) == ARMILLA_GRID_GAUSS_LEGENDRE)
        check_at_most(rms_error(size, alm, back), double_bound(lmax), "scattered Gauss-Legendre");
    free(back);
    free(expected);
    free(map);
    free(alm);
    armilla_sht_free(plain);
    armilla_sht_free(sht);
    armilla_grid_free(custom);
    free(moved);
    free(rings);
}

static void shuffled_strided_descending_rings(void **state)
{
    (void)state;
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 30, 30, 1, 64);
    check_scattered(grid, 30);
    armilla_grid_free(grid);
    check_ok(armilla_grid_new_healpix(8, &grid));
    check_scattered(grid, 20);
    armilla_grid_free(grid);
}

static void check_subset(const armilla_grid *grid, const double *alm, const double *full,
                         int64_t lmax, int64_t first, int64_t count, int compact)
{
    armilla_grid *subset;
    check_ok(armilla_grid_new_subset(grid, first, count, compact, &subset));
    armilla_sht *sht = new_plan(subset, lmax, lmax);
    int64_t npix = armilla_grid_npix(subset), inside = 0;
    double *map = checked_malloc(npix, sizeof *map);
    for (int64_t i = 0; i < npix; i++) map[i] = -3;
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    for (int64_t r = 0; r < count; r++) {
        armilla_ring part, whole;
        check_ok(armilla_grid_ring(subset, r, &part));
        check_ok(armilla_grid_ring(grid, first + r, &whole));
        for (int64_t j = 0; j < part.nphi; j++)
            check_at_most(
                fabs(map[part.offset + j * part.stride] - full[whole.offset + j * whole.stride]),
                1e-12 * (double)(lmax + 1), "subset ring %lld", (long long)r);
        inside += part.nphi;
    }
    int64_t untouched = 0;
    for (int64_t i = 0; i < npix; i++) untouched += map[i] == -3;
    assert_int_equal(untouched, npix - inside);
    free(map);
    armilla_sht_free(sht);
    armilla_grid_free(subset);
}

static void subsets_of_rings(void **state)
{
    (void)state;
    enum { LMAX = 24 };
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(8, &grid));
    armilla_sht *sht = new_plan(grid, LMAX, LMAX);
    int64_t size = 2 * armilla_alm_size(LMAX, LMAX), nrings = armilla_grid_nrings(grid);
    double *alm = checked_malloc(size, 8), *full = checked_malloc(armilla_grid_npix(grid), 8);
    random_alm_triangle(8, LMAX, LMAX, alm);
    check_ok(armilla_sht_synthesis(sht, alm, full, NULL));
    for (int compact = 0; compact < 2; compact++) {
        check_subset(grid, alm, full, LMAX, 0, nrings, compact);
        check_subset(grid, alm, full, LMAX, 0, 1, compact);
        check_subset(grid, alm, full, LMAX, nrings - 1, 1, compact);
        check_subset(grid, alm, full, LMAX, 5, 14, compact);
        check_subset(grid, alm, full, LMAX, 15, 1, compact);
    }
    free(full);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* --- Threads --------------------------------------------------------------------------------- */

static void check_threads(const armilla_grid *grid, int64_t lmax)
{
    int64_t size = 2 * armilla_alm_size(lmax, lmax);
    armilla_sht *sht = new_plan(grid, lmax, lmax);
    double *alm = checked_malloc(size, 8);
    random_alm_triangle(9, lmax, lmax, alm);
    check_threads_agree(sht, size, armilla_grid_npix(grid), alm);
    free(alm);
    armilla_sht_free(sht);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    armilla_grid *grid;
    for (int kind = 0; kind < EXACT_KINDS; kind++) {
        grid = exact_grid(exact_kinds[kind], 61, 61, 0, 0);
        check_threads(grid, 61);
        armilla_grid_free(grid);
    }
    check_ok(armilla_grid_new_healpix(16, &grid));
    check_threads(grid, 40);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid_small_band_limits),
        cmocka_unit_test(every_grid_with_more_pixels_than_needed),
        cmocka_unit_test(every_grid_with_few_orders),
        cmocka_unit_test(large_band_limits),
        cmocka_unit_test(layouts_and_distances),
        cmocka_unit_test(shuffled_strided_descending_rings),
        cmocka_unit_test(subsets_of_rings),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
