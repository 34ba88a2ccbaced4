/* Checks that transforms on fewer rings, resampled in theta, are those on all rings, as whole
 * operators: at the sizes where plans take that way by default (HEALPix from nside 600 on),
 * against the method DIRECT; adjointness, float, several transforms, threads, cancellation; and
 * small grids of every kind with every instruction set. Single coefficients against the oracle:
 * test_sht_resample_points.c. Failing allocations: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include "unit/test_watcher.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A grid and what is transformed on it; both are the plan's to copy. */
typedef struct {
    const armilla_grid *grid;
    spin_case c;
    const char *isa;
} problem;

static armilla_sht *new_plan(const problem *p, armilla_sht_method method)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = p->c.spin;
    options.method = method;
    options.isa = p->isa;
    armilla_sht *sht;
    check_ok(armilla_sht_new(p->grid, p->c.lmax, p->c.mmax, &options, &sht));
    return sht;
}

static const char *method_of(const armilla_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 1, &d));
    return d.method;
}

/* Doubles of a map, all components. */
static int64_t map_size(const problem *p)
{
    return armilla_grid_npix(p->grid) * (p->c.spin ? 2 : 1);
}

static void check_case(const problem *p, double value, double bound, const char *what)
{
    check_at_most(value, bound, "%s: %s, %d rings, lmax = %d, mmax = %d, spin %d, %s", what,
                  armilla_grid_kind_name(armilla_grid_get_kind(p->grid)),
                  (int)armilla_grid_nrings(p->grid), (int)p->c.lmax, (int)p->c.mmax, (int)p->c.spin,
                  p->isa ? p->isa : "default");
}

/* --- Against the Legendre stage on every ring ------------------------------------------------- */

typedef struct {
    double rms, largest; /* of the difference, both relative to the rms of what is expected */
} bounds;

static void compare(const problem *p, int64_t count, const double *expected, const double *made,
                    bounds most, const char *what)
{
    const double length = sqrt(dot_maps(count, expected, expected) / (double)count);
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = larger_or_nan(largest, fabs(made[i] - expected[i]));
    check_case(p, rms_error(count, expected, made), most.rms, what);
    check_case(p, length > 0 ? largest / length : largest, most.largest, what);
}

typedef armilla_status (*to_map_fn)(const armilla_sht *, const double *, double *,
                                    const armilla_exec *);

/* Two ways to a map and two back, weighted or not: the same as direct, and each the adjoint of the
 * other. Relative to the lengths of both vectors, the products agree to 1e-14. */
static void check_pair(const problem *p, const armilla_sht *sht, const armilla_sht *direct,
                       int weighted, bounds most)
{
    const to_map_fn to_map = weighted ? armilla_sht_adjoint_analysis : armilla_sht_synthesis;
    const to_map_fn to_alm = weighted ? armilla_sht_analysis : armilla_sht_adjoint_synthesis;
    const int64_t size = spin_size(&p->c), npix = map_size(p);
    double *alm = checked_malloc(size, 8), *map = checked_malloc(npix, 8);
    double *alm2 = checked_malloc(size, 8), *map2 = checked_calloc(npix, 8);
    double *alm3 = checked_malloc(size, 8), *map3 = checked_calloc(npix, 8);
    spin_random_alm(91, &p->c, 0.5, alm);
    random_fill(92, npix, map);
    check_ok(to_map(sht, alm, map2, NULL));
    check_ok(to_alm(sht, map, alm2, NULL));
    check_ok(to_map(direct, alm, map3, NULL));
    check_ok(to_alm(direct, map, alm3, NULL));
    compare(p, npix, map3, map2, most, weighted ? "adjoint analysis" : "synthesis");
    compare(p, size, alm3, alm2, most, weighted ? "analysis" : "adjoint synthesis");
    const double scale = sqrt(dot_maps(npix, map, map) * dot_maps(npix, map2, map2));
    const double products = dot_maps(npix, map2, map) - spin_dot_alm(&p->c, alm, alm2);
    check_case(p, fabs(products), 1e-14 * larger_or_nan(scale, 1e-2), "adjointness");
    void *arrays[] = {alm, map, alm2, map2, alm3, map3};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static const struct {
    int64_t nside, lmax, mmax, spin;
} large[] = {{1024, 2048, 2048, 0}, {1024, 3071, 3071, 0}, {1024, 2048, 1100, 2},
             {1000, 2000, 300, 1},  {1000, 2999, 117, 3},  {1000, 1501, 1501, 0}};
enum { LARGE = sizeof large / sizeof *large };

/* What plans do when nobody asks; a sixteenth of the size where time is short, and then asked. */
static void default_plans_of_large_grids_agree_with_direct(void **state)
{
    (void)state;
    const int64_t part = checks_quick() ? 16 : 1;
    const bounds most = {1.2e-13,
                         6e-12}; /* measured: 8.7e-14, 4.1e-12 (few orders, next to a pole) */
    for (int i = 0; i < LARGE; i++) {
        armilla_grid *grid = healpix_grid(large[i].nside / part);
        const problem p = {
            grid,
            {.lmax = large[i].lmax / part, .mmax = large[i].mmax / part, .spin = large[i].spin},
            NULL};
        armilla_sht *sht = new_plan(&p, part > 1 ? ARMILLA_SHT_RESAMPLE : ARMILLA_SHT_AUTO);
        armilla_sht *direct = new_plan(&p, ARMILLA_SHT_DIRECT);
        assert_string_equal(method_of(sht), "resampled");
        assert_string_equal(method_of(direct), "direct");
        check_pair(&p, sht, direct, 0, most);
        armilla_sht_free(direct);
        armilla_sht_free(sht);
        armilla_grid_free(grid);
    }
}

/* Ring weights that differ from ring to ring. */
static void weighted_operators_agree_with_direct(void **state)
{
    (void)state;
    const int64_t nside = checks_quick() ? 60 : 600, lmax = 2 * nside + 3;
    for (int64_t spin = 0; spin < 3; spin += 2) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix_weighted(nside, lmax, &grid));
        const problem p = {grid, {.lmax = lmax, .mmax = lmax - 5, .spin = spin}, NULL};
        armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
        armilla_sht *direct = new_plan(&p, ARMILLA_SHT_DIRECT);
        check_pair(&p, sht, direct, 1, (bounds){1.2e-13, 3e-12});
        armilla_sht_free(direct);
        armilla_sht_free(sht);
        armilla_grid_free(grid);
    }
}

/* --- Small grids ------------------------------------------------------------------------------ */

/* More rings than lmax + 2 and fewer; lengths of every residue modulo 8, aliasing; orders up to
 * where the last row of a part is above mmax; rings without a mirror image; every spin. */
static void check_small(armilla_grid *grid, int64_t lmax, const char *isa)
{
    const int64_t mmaxs[] = {lmax, lmax / 2, 5, 0};
    for (size_t i = 0; i < sizeof mmaxs / sizeof *mmaxs; i++)
        for (int64_t spin = 0; spin <= 5; spin++) {
            problem p = {grid, {.lmax = lmax, .mmax = mmaxs[i], .spin = spin}, isa};
            if (spin > lmax || mmaxs[i] > lmax) continue;
            armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
            armilla_sht *direct = new_plan(&p, ARMILLA_SHT_DIRECT);
            assert_string_equal(method_of(sht), "resampled");
            check_pair(&p, sht, direct, 0, (bounds){3e-14, 3e-13});
            check_pair(&p, sht, direct, 1, (bounds){3e-14, 3e-13});
            armilla_sht_free(direct);
            armilla_sht_free(sht);
        }
    armilla_grid_free(grid);
}

static armilla_grid *northern_part(int64_t nside)
{
    armilla_grid *whole = healpix_grid(nside), *part;
    check_ok(armilla_grid_new_subset(whole, 2, 2 * nside + 1, 1, &part));
    armilla_grid_free(whole);
    return part;
}

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

static void every_instruction_set_agrees_with_direct(void **state)
{
    (void)state;
    const char *isa;
    for (int i = 0; (isa = armilla_isa_available(i)); i++) {
        check_small(healpix_grid(16), 33, isa);
        check_small(healpix_grid(17), 50, isa);
        check_small(healpix_grid(7), 40, isa); /* fewer rings than lmax + 2 */
        check_small(northern_part(13), 26, isa);
        for (int64_t nphi = 11; nphi < 20; nphi += 1 + nphi % 3)
            check_small(gauss(70, nphi), 12, isa);
        check_small(exact_grid(ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 40, 40, 3, 0), 30, isa);
        check_small(exact_grid(ARMILLA_GRID_DH, 20, 20, 1, 41), 20, isa);
        check_small(exact_grid(ARMILLA_GRID_CC, 20, 20, 0, 44), 21, isa);
        for (int kind = 0; kind < EXACT_KINDS; kind++) /* weights across rings among them */
            check_small(exact_grid(exact_kinds[kind], 20, 20, kind % 2, 0), 20, isa);
    }
}

/* --- Float, several transforms, threads, cancellation ----------------------------------------- */

static void float_arrays_agree_with_double(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(checks_quick() ? 60 : 640);
    const int64_t lmax = checks_quick() ? 120 : 1300;
    for (int64_t spin = 0; spin < 3; spin += 2) {
        const problem p = {grid, {.lmax = lmax, .mmax = lmax, .spin = spin}, NULL};
        armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
        const int64_t size = spin_size(&p.c), npix = map_size(&p);
        double *alm = checked_malloc(size, 8), *map = checked_malloc(npix, 8);
        double *wide = checked_malloc(npix > size ? npix : size, 8);
        float *narrow_alm = checked_malloc(size, 4), *narrow_map = checked_malloc(npix, 4);
        spin_random_alm(93, &p.c, 0, alm);
        to_float(size, alm, narrow_alm);
        to_double(size, narrow_alm, alm);
        check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
        check_ok(armilla_sht_synthesis_float(sht, narrow_alm, narrow_map, NULL));
        to_double(npix, narrow_map, wide);
        compare(&p, npix, map, wide, (bounds){2e-7, 2e-6}, "synthesis, float");
        to_double(npix, narrow_map, map);
        check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
        check_ok(armilla_sht_adjoint_synthesis_float(sht, narrow_map, narrow_alm, NULL));
        to_double(size, narrow_alm, wide);
        compare(&p, size, alm, wide, (bounds){2e-7, 2e-6}, "adjoint synthesis, float");
        void *arrays[] = {alm, map, wide, narrow_alm, narrow_map};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
        armilla_sht_free(sht);
    }
    armilla_grid_free(grid);
}

/* Five transforms with gaps, which fill a batch and begin another one, and one by one: the same
 * bits, but for scalar analyses, which add ring pairs up in another sequence when there are
 * several. */
static void several_transforms_in_one_call(void **state)
{
    (void)state;
    enum { NTRANS = 5, GAP = 7 };
    armilla_grid *grid = healpix_grid(checks_quick() ? 20 : 160);
    const int64_t lmax = checks_quick() ? 41 : 331;
    for (int64_t spin = 0; spin < 4; spin++) {
        const problem p = {grid, {.lmax = lmax, .mmax = lmax - 2, .spin = spin}, NULL};
        armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
        const int64_t ncomp = spin ? 2 : 1;
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.ntrans = NTRANS;
        exec.alm_distance = armilla_alm_size(lmax, lmax - 2) + GAP;
        exec.map_distance = armilla_grid_npix(grid) + GAP;
        armilla_exec one = exec;
        one.ntrans = 1;
        const int64_t nalm = 2 * ncomp * exec.alm_distance, nmap = ncomp * exec.map_distance;
        double *alm = checked_malloc(NTRANS * nalm, 8), *map = checked_calloc(NTRANS * nmap, 8);
        double *back = checked_calloc(NTRANS * nalm, 8);
        double *map1 = checked_calloc(nmap, 8), *back1 = checked_calloc(nalm, 8);
        random_fill(94, NTRANS * nalm, alm);
        check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
        check_ok(armilla_sht_analysis(sht, map, back, &exec));
        for (int64_t t = 0; t < NTRANS; t++) {
            check_ok(armilla_sht_synthesis(sht, alm + t * nalm, map1, &one));
            check_ok(armilla_sht_analysis(sht, map1, back1, &one));
            assert_memory_equal(map + t * nmap, map1, (size_t)nmap * 8);
            check_at_most(rms_error(nalm, back1, back + t * nalm), spin ? 0 : 1e-14, "analysis");
        }
        void *arrays[] = {alm, map, back, map1, back1};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
        armilla_sht_free(sht);
    }
    armilla_grid_free(grid);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(checks_quick() ? 60 : 500);
    const int64_t lmax = checks_quick() ? 110 : 999;
    for (int64_t spin = 0; spin < 3; spin += 2) {
        const problem p = {grid, {.lmax = lmax, .mmax = lmax, .spin = spin}, NULL};
        armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
        double *alm = checked_malloc(spin_size(&p.c), 8);
        spin_random_alm(95, &p.c, 0, alm);
        check_threads_agree(sht, spin_size(&p.c), map_size(&p), alm);
        free(alm);
        armilla_sht_free(sht);
    }
    armilla_grid_free(grid);
}

static void progress_is_told_and_can_cancel(void **state)
{
    (void)state;
    const int64_t lmax = 383;
    armilla_grid *grid = healpix_grid(lmax / 3);
    for (int64_t spin = 0; spin < 3; spin += 2) {
        const problem p = {grid, {.lmax = lmax, .mmax = lmax, .spin = spin}, NULL};
        armilla_sht *sht = new_plan(&p, ARMILLA_SHT_RESAMPLE);
        double *alm = checked_malloc(spin_size(&p.c), 8), *map = checked_malloc(map_size(&p), 8);
        spin_random_alm(96, &p.c, 0, alm);
        random_fill(97, map_size(&p), map);
        for (int i = 0; i < 4; i++) {
            const int stop = i % 2;
            watcher w = {.stop = stop};
            armilla_exec exec;
            armilla_exec_init(&exec);
            exec.nthreads = 1;
            exec.progress = watch;
            exec.progress_data = &w;
            const armilla_status status = i < 2
                                              ? armilla_sht_synthesis(sht, alm, map, &exec)
                                              : armilla_sht_adjoint_synthesis(sht, map, alm, &exec);
            assert_int_equal(status, stop ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
            assert_false(w.bad);
            if (stop) assert_int_equal(w.calls, 1);
            assert_true(w.calls > 0);
        }
        free(map);
        free(alm);
        armilla_sht_free(sht);
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_plans_of_large_grids_agree_with_direct),
        cmocka_unit_test(weighted_operators_agree_with_direct),
        cmocka_unit_test(every_instruction_set_agrees_with_direct),
        cmocka_unit_test(float_arrays_agree_with_double),
        cmocka_unit_test(several_transforms_in_one_call),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(progress_is_told_and_can_cancel),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}
