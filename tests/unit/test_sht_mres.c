/* Checks transforms of every mres-th order, on maps that cover a sector of longitudes, against
 * transforms of all orders on the whole sphere, on grids whose maps repeat themselves. */
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

typedef armilla_status (*operator_function)(const armilla_sht *sht, const double *in, double *out,
                                            const armilla_exec *exec);
typedef armilla_status (*float_operator)(const armilla_sht *sht, const float *in, float *out,
                                         const armilla_exec *exec);

enum { NTRANS = 2 };

typedef struct {
    const char *name;
    armilla_grid *sector, *wide; /* wide: the rings of sector mres times */
    int64_t lmax, mmax, mres, spin;
    armilla_sht_mode mode;
    armilla_sht_method method;
    const char *choices;
} scene;

typedef struct {
    armilla_sht *sht;
    armilla_sht_description d;
    armilla_alm_layout *layout;
} side;

static int64_t alm_numbers(const side *s)
{
    return s->d.alm_ncomp * s->d.alm_size;
}

static int64_t map_numbers(const side *s)
{
    return s->d.ncomp * s->d.npix;
}

static side open_side(const scene *t, int sector)
{
    side s = {.d = {.size = sizeof s.d}};
    armilla_sht_options options;
    const int64_t mres = sector ? t->mres : 1, mmax = t->mmax * t->mres / mres;
    armilla_sht_options_init(&options);
    options.spin = t->spin, options.mode = t->mode, options.method = t->method;
    options.mres = mres, options.choices = sector ? t->choices : NULL;
    check_ok(armilla_sht_new(sector ? t->sector : t->wide, t->lmax, mmax, &options, &s.sht));
    check_ok(armilla_sht_describe(s.sht, 1, &s.d));
    check_ok(armilla_alm_layout_new_mres(t->lmax, mmax, mres, &s.layout));
    assert_int_equal(s.d.mres, mres);
    assert_int_equal(s.d.mmax, mmax);
    assert_int_equal(s.d.alm_size, armilla_alm_size_mres(t->lmax, mmax, mres));
    return s;
}

static void close_side(side *s)
{
    armilla_alm_layout_free(s->layout);
    armilla_sht_free(s->sht);
}

/* The same rings with mres times as many pixels, each of 1 / mres of the weight. */
static armilla_grid *widen(const armilla_grid *sector, int64_t mres)
{
    armilla_grid *wide;
    armilla_ring *rings = grid_rings(sector);
    const int64_t n = armilla_grid_nrings(sector);
    for (int64_t r = 0; r < n; r++) {
        assert_int_equal(rings[r].stride, 1);
        rings[r].phi0 /= (double)mres, rings[r].weight /= (double)mres;
        rings[r].nphi *= mres, rings[r].offset *= mres;
    }
    check_ok(armilla_grid_new_custom(n, rings, &wide));
    free(rings);
    return wide;
}

/* Every ring of each component mres times. */
static double *repeat(const scene *t, const side *s, const double *map)
{
    armilla_ring *rings = grid_rings(t->sector);
    const int64_t n = armilla_grid_nrings(t->sector), npix = s->d.npix;
    double *wide = checked_malloc(NTRANS * map_numbers(s) * t->mres, sizeof *wide);
    for (int64_t c = 0; c < NTRANS * s->d.ncomp; c++)
        for (int64_t r = 0; r < n; r++)
            for (int64_t j = 0; j < rings[r].nphi * t->mres; j++)
                wide[(c * npix + rings[r].offset) * t->mres + j] =
                    map[c * npix + rings[r].offset + j % rings[r].nphi];
    free(rings);
    return wide;
}

static double *new_alm(const side *s)
{
    double *alm = checked_calloc(2 * NTRANS * alm_numbers(s), sizeof *alm);
    for (int64_t c = 0; c < NTRANS * s->d.alm_ncomp; c++)
        random_alm((uint64_t)(c + 5), s->layout, alm + 2 * c * s->d.alm_size);
    return alm;
}

/* alm of the orders of `from` in the layout of `to`, zeros elsewhere. */
static double *convert(const side *from, const double *alm, const side *to)
{
    double *made = checked_calloc(2 * NTRANS * alm_numbers(to), sizeof *made);
    for (int64_t c = 0; c < NTRANS * to->d.alm_ncomp; c++)
        check_ok(armilla_alm_convert(from->layout, alm + 2 * c * from->d.alm_size, to->layout,
                                     made + 2 * c * to->d.alm_size));
    return made;
}

static armilla_exec exec_of(int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    return exec;
}

static double *run(const side *s, operator_function op, const double *in, int64_t count)
{
    const armilla_exec exec = exec_of(NTRANS);
    double *out = checked_calloc(count, sizeof *out);
    for (int64_t i = 0; i < count; i++) out[i] = NAN;
    check_ok(op(s->sht, in, out, &exec));
    return out;
}

static void scale(int64_t count, double factor, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] *= factor;
}

/* Rounding of two different ways. */
static double bound(const scene *t)
{
    return 1e-14 + 5e-17 * (double)t->lmax;
}

/* factor: between an operator on the sector and that on the sphere. */
static void check_to_map(const scene *t, const side *sector, const side *wide, operator_function op,
                         double factor)
{
    const int64_t n = NTRANS * map_numbers(sector);
    double *alm = new_alm(sector), *whole = convert(sector, alm, wide);
    double *map = run(sector, op, alm, n), *repeated = repeat(t, sector, map);
    double *expected = run(wide, op, whole, n * t->mres);
    scale(n * t->mres, factor, expected);
    check_at_most(rms_error(n * t->mres, expected, repeated), bound(t),
                  "%s lmax %lld mmax %lld mres %lld spin %lld to map", t->name, (long long)t->lmax,
                  (long long)t->mmax, (long long)t->mres, (long long)t->spin);
    free(expected), free(repeated), free(map), free(whole), free(alm);
}

static void check_to_alm(const scene *t, const side *sector, const side *wide, operator_function op,
                         double factor)
{
    const int64_t n = 2 * NTRANS * alm_numbers(sector), nmap = NTRANS * map_numbers(sector);
    double *map = checked_malloc(nmap, sizeof *map);
    random_fill(11, nmap, map);
    double *repeated = repeat(t, sector, map), *alm = run(sector, op, map, n);
    double *whole = run(wide, op, repeated, 2 * NTRANS * alm_numbers(wide));
    double *expected = convert(wide, whole, sector);
    scale(n, factor, expected);
    check_at_most(rms_error(n, expected, alm), bound(t),
                  "%s lmax %lld mmax %lld mres %lld spin %lld to alm", t->name, (long long)t->lmax,
                  (long long)t->mmax, (long long)t->mres, (long long)t->spin);
    free(expected), free(whole), free(alm), free(repeated), free(map);
}

static void check_scene(const scene *t)
{
    side sector = open_side(t, 1), wide = open_side(t, 0);
    const double mres = (double)t->mres;
    check_to_map(t, &sector, &wide, armilla_sht_synthesis, 1);
    check_to_map(t, &sector, &wide, armilla_sht_adjoint_analysis, mres);
    check_to_alm(t, &sector, &wide, armilla_sht_adjoint_synthesis, 1 / mres);
    check_to_alm(t, &sector, &wide, armilla_sht_analysis, 1);
    if (wide.d.exact >= 0) assert_int_equal(sector.d.exact, wide.d.exact);
    close_side(&wide), close_side(&sector);
}

/* The smallest exact grid, whose rings have `extra` pixels more. */
static void open_grids(scene *t, int kind, int64_t extra)
{
    const int64_t nphi = 2 * t->mmax + 1 + extra;
    t->sector = exact_grid(exact_kinds[kind], t->lmax, t->mmax, 0, nphi);
    if (exact_kinds[kind] == ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE)
        t->wide = widen(t->sector, t->mres);
    else
        t->wide = exact_grid(exact_kinds[kind], t->lmax, t->mmax, 0, nphi * t->mres);
}

static void close_grids(scene *t)
{
    armilla_grid_free(t->wide), armilla_grid_free(t->sector);
}

static void sectors_are_parts_of_the_sphere(void **state)
{
    static const int64_t cases[][3] = {{0, 0, 1}, {0, 0, 4}, {7, 2, 3},  {8, 2, 4},
                                       {9, 0, 9}, {9, 1, 9}, {40, 7, 5}, {41, 20, 2}};
    static const int64_t spins[] = {0, 1, 2, -3, 5};
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (size_t s = 0; s < sizeof spins / sizeof *spins; s++) {
                scene t = {.name = "exact",
                           .lmax = cases[i][0],
                           .mmax = cases[i][1],
                           .mres = cases[i][2],
                           .spin = spins[s]};
                if (llabs(t.spin) > t.lmax) continue;
                open_grids(&t, kind, (int64_t)i % 3);
                check_scene(&t);
                close_grids(&t);
            }
}

static void all_modes_and_methods(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int way = 0; way < 4; way++) {
            scene t = {.name = "mode", .lmax = 70, .mmax = 17, .mres = 4, .spin = 1 + way % 2};
            t.mode = way < 2 ? ARMILLA_SHT_DERIVATIVES : ARMILLA_SHT_GRADIENT_ONLY;
            t.method = ARMILLA_SHT_RESAMPLE;
            open_grids(&t, kind, 0);
            check_scene(&t);
            t.mode = ARMILLA_SHT_STANDARD, t.mres = 4, t.spin = way == 3 ? 0 : way;
            check_scene(&t);
            close_grids(&t);
        }
}

/* Leg in several passes, by pairs or by orders, and in the arrays that calls write. */
static void all_ways_of_leg(void **state)
{
    static const char *const ways[] = {"sht.passes=1,sht.flow=0", "sht.passes=2,sht.parking=0",
                                       "sht.passes=2,sht.parking=1,sht.flow=0",
                                       "sht.passes=2,sht.parking=1,sht.flow=1",
                                       "sht.passes=2,sht.parking=0,sht.flow=1"};
    (void)state;
    for (int64_t mres = 1; mres <= 5; mres += 1 + (mres == 3))
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            for (int64_t spin = 0; spin <= 2; spin += 2) {
                scene t = {.name = ways[i],
                           .lmax = 300,
                           .mmax = 300 / mres,
                           .mres = mres,
                           .spin = spin,
                           .choices = ways[i]};
                t.sector = healpix_grid(150), t.wide = widen(t.sector, mres);
                check_scene(&t);
                close_grids(&t);
                if (checks_quick()) return;
            }
}

/* Rings of few pixels, on which orders look alike, in any sequence and with shifts. */
static void any_rings(void **state)
{
    armilla_ring rings[9];
    int64_t offset = 0;
    (void)state;
    for (int i = 0; i < 9; i++) {
        rings[i] = (armilla_ring){.theta = fmod(0.7 * i, 3.1),
                                  .nphi = 1 + 5 * i % 13,
                                  .phi0 = 0.3 * i - 1,
                                  .offset = offset,
                                  .stride = 1,
                                  .weight = 0.1 + 0.01 * i};
        offset += rings[i].nphi;
    }
    rings[3].theta = M_PI;
    for (int64_t mres = 1; mres <= 6; mres++)
        for (int64_t spin = 0; spin <= 4; spin++) {
            scene t = {.name = "custom", .lmax = 30, .mmax = 30 / mres, .mres = mres, .spin = spin};
            check_ok(armilla_grid_new_custom(9, rings, &t.sector));
            t.wide = widen(t.sector, mres);
            check_scene(&t);
            close_grids(&t);
        }
}

static void floats_come_within_their_rounding(void **state)
{
    static const float_operator operators[2] = {armilla_sht_analysis_float,
                                                armilla_sht_adjoint_synthesis_float};
    scene t = {.name = "float",
               .lmax = 300,
               .mmax = 75,
               .mres = 4,
               .choices = "sht.passes=2,sht.parking=1,sht.flow=0"};
    (void)state;
    t.sector = healpix_grid(150), t.wide = widen(t.sector, 4);
    side s = open_side(&t, 1);
    const int64_t n = 2 * alm_numbers(&s), npix = map_numbers(&s);
    double *alm = new_alm(&s), *map = run(&s, armilla_sht_synthesis, alm, NTRANS * npix);
    float *floats = checked_malloc(npix, sizeof *floats), *few = checked_malloc(n, sizeof *few);
    double *wide = checked_malloc(npix, sizeof *wide), *back = checked_malloc(n, sizeof *back);
    to_float(n, alm, few);
    check_ok(armilla_sht_synthesis_float(s.sht, few, floats, NULL));
    to_double(npix, floats, wide);
    check_at_most(rms_error(npix, map, wide), 1e-7, "synthesis");
    for (int i = 0; i < 2; i++) {
        check_ok(operators[i](s.sht, floats, few, NULL));
        check_ok((i ? armilla_sht_adjoint_synthesis : armilla_sht_analysis)(s.sht, map, alm, NULL));
        to_double(n, few, back);
        check_at_most(rms_error(n, alm, back), 1e-7, "operator %d", i);
    }
    free(back), free(wide), free(few), free(floats), free(map), free(alm);
    close_side(&s), close_grids(&t);
}

static void round_trips_are_exact_and_ignore_threads(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++) {
        scene t = {.name = "trip", .lmax = 90, .mmax = 30, .mres = 3};
        open_grids(&t, kind, 0);
        side s = open_side(&t, 1);
        assert_int_equal(s.d.exact, 1);
        double *alm = new_alm(&s);
        double *map = run(&s, armilla_sht_synthesis, alm, NTRANS * map_numbers(&s));
        double *back = run(&s, armilla_sht_analysis, map, 2 * NTRANS * alm_numbers(&s));
        check_at_most(rms_error(2 * NTRANS * alm_numbers(&s), alm, back), 2e-14, "kind %d", kind);
        check_threads_agree(s.sht, 2 * alm_numbers(&s), map_numbers(&s), alm);
        free(back), free(map), free(alm);
        close_side(&s), close_grids(&t);
    }
}

static void least_squares_find_the_coefficients(void **state)
{
    scene t = {.name = "lsmr", .lmax = 24, .mmax = 6, .mres = 4};
    armilla_pseudo_options options;
    armilla_pseudo_report report;
    (void)state;
    t.sector = healpix_grid(16), t.wide = widen(t.sector, 4);
    side s = open_side(&t, 1);
    double *alm = new_alm(&s);
    double *map = run(&s, armilla_sht_synthesis, alm, NTRANS * map_numbers(&s));
    double *back = checked_calloc(2 * alm_numbers(&s), sizeof *back);
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-14;
    check_ok(armilla_sht_pseudo_analysis(s.sht, map, back, &options, &report, NULL));
    check_at_most(rms_error(2 * alm_numbers(&s), alm, back), 1e-12, "lsmr");
    free(back), free(map), free(alm);
    close_side(&s), close_grids(&t);
}

/* --- Layouts -----------------------------------------------------------------------------------
 */

static void layouts_have_a_place_for_each(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax < 14; lmax++)
        for (int64_t mres = 1; mres < 7; mres++)
            for (int64_t mmax = 0; mmax * mres <= lmax; mmax++) {
                armilla_alm_layout *layout;
                int64_t next = 0;
                check_ok(armilla_alm_layout_new_mres(lmax, mmax, mres, &layout));
                for (int64_t m = 0; m <= lmax; m++)
                    for (int64_t l = m; l <= lmax; l++) {
                        const int is_there = m % mres == 0 && m <= mmax * mres;
                        assert_int_equal(armilla_alm_layout_index(layout, l, m),
                                         is_there ? next : -1);
                        if (!is_there) continue;
                        assert_int_equal(armilla_alm_index_mres(lmax, l, m, mres), next);
                        const int64_t k = m / mres;
                        assert_int_equal(k * (2 * lmax + 2 - (k + 1) * mres) / 2 + l, next++);
                    }
                assert_int_equal(armilla_alm_size_mres(lmax, mmax, mres), next);
                assert_int_equal(armilla_alm_layout_size(layout), next);
                assert_int_equal(armilla_alm_layout_mmax(layout), mmax);
                assert_int_equal(armilla_alm_layout_mres(layout), mres);
                armilla_alm_layout_free(layout);
            }
    assert_int_equal(armilla_alm_size_mres(9, 3, 4), -1);
    assert_int_equal(armilla_alm_size_mres(9, 3, 0), -1);
    assert_int_equal(armilla_alm_index_mres(9, 5, 3, 2), -1);
    assert_int_equal(armilla_alm_layout_mres(NULL), -1);
}

/* --- Refusals ----------------------------------------------------------------------------------
 */

static void plans_refuse_what_cannot_be(void **state)
{
    armilla_grid *grid = healpix_grid(2);
    armilla_alm_layout *every, *fourth, *none = NULL;
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_sht_options options;
    (void)state;
    check_ok(armilla_alm_layout_new_mres(8, 2, 1, &every));
    check_ok(armilla_alm_layout_new_mres(8, 2, 4, &fourth));
    armilla_sht_options_init(&options);
    assert_int_equal(options.mres, 1);
    options.mres = 0;
    check_error(armilla_sht_new(grid, 8, 2, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->mres = 0");
    options.mres = 4;
    check_error(armilla_sht_new(grid, 8, 3, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "mmax mres must not be above lmax");
    check_error(armilla_iqu_new(grid, 8, 2, &options, &iqu), ARMILLA_ERROR_ARGUMENT,
                "options->mres = 4: must be 1");
    options.layout = every;
    check_error(armilla_sht_new(grid, 8, 2, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->mres = 4: differs");
    options.mres = 1, options.layout = fourth;
    check_error(armilla_sht_new(grid, 8, 2, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->mres = 1: differs");
    options.mres = 4, options.layout = NULL, options.device = ARMILLA_CUDA;
    check_error(armilla_sht_new(grid, 8, 2, &options, &sht), ARMILLA_ERROR_UNSUPPORTED,
                "options->mres = 4: must be 1 on a GPU");
    check_error(armilla_alm_layout_new_mres(8, 3, 4, &none), ARMILLA_ERROR_ARGUMENT, "mres = 4");
    check_error(armilla_alm_layout_new_mres(8, 3, -1, &none), ARMILLA_ERROR_ARGUMENT, "mres = -1");
    armilla_alm_layout_free(fourth), armilla_alm_layout_free(every), armilla_grid_free(grid);
}

static void points_refuse_sectors(void **state)
{
    const double directions[2] = {1, 1};
    armilla_alm_layout *fourth;
    armilla_points *points;
    armilla_points_options options;
    (void)state;
    check_ok(armilla_alm_layout_new_mres(8, 2, 4, &fourth));
    armilla_points_options_init(&options);
    options.layout = fourth;
    check_error(armilla_points_new(8, 2, 1, directions, &options, &points), ARMILLA_ERROR_ARGUMENT,
                "options->layout: mres = 4");
    armilla_alm_layout_free(fourth);
}

static void radial_models_refuse_sectors(void **state)
{
    double seconds[2];
    armilla_grid *grid = healpix_grid(2);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_sht *sht;
    armilla_sht_options options;
    (void)state;
    armilla_sht_options_init(&options);
    options.mres = 4;
    check_ok(armilla_sht_new(grid, 4, 1, &options, &sht));
    check_ok(armilla_kernel_new_tophat(1, &kernel));
    check_ok(armilla_radial_new(grid, kernel, NULL, &radial));
    check_error(armilla_radial_compare(radial, sht, seconds, seconds + 1), ARMILLA_ERROR_ARGUMENT,
                "sht: mres = 4");
    armilla_radial_free(radial), armilla_kernel_free(kernel);
    armilla_sht_free(sht), armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_parts_of_the_sphere),
        cmocka_unit_test(all_modes_and_methods),
        cmocka_unit_test(all_ways_of_leg),
        cmocka_unit_test(any_rings),
        cmocka_unit_test(floats_come_within_their_rounding),
        cmocka_unit_test(round_trips_are_exact_and_ignore_threads),
        cmocka_unit_test(least_squares_find_the_coefficients),
        cmocka_unit_test(layouts_have_a_place_for_each),
        cmocka_unit_test(plans_refuse_what_cannot_be),
        cmocka_unit_test(points_refuse_sectors),
        cmocka_unit_test(radial_models_refuse_sectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
