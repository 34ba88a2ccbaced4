/* Checks transforms of complex fields against sums of spin-weighted harmonics made with MPFR, and
 * their adjoints, round trips, batches and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_oracle.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double _Complex number;

static armilla_complex_sht *new_plan(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                     int64_t spin)
{
    armilla_complex_sht *sht;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = spin;
    check_ok(armilla_complex_sht_new(grid, lmax, mmax, &options, &sht));
    return sht;
}

static armilla_sht_description describe(const armilla_complex_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_complex_sht_describe(sht, 1, &d));
    return d;
}

/* Random f_lm of the degrees and orders that count; others are `rest`. */
static number *new_alm(int64_t lmax, int64_t mmax, int64_t spin, uint64_t seed, number rest)
{
    number *alm = checked_malloc((lmax + 1) * (lmax + 1), sizeof *alm);
    random_fill(seed, 2 * (lmax + 1) * (lmax + 1), (double *)alm);
    for (int64_t l = 0; l <= lmax; l++)
        for (int64_t m = -l; m <= l; m++)
            if (llabs(m) > mmax || l < llabs(spin)) alm[armilla_complex_index(l, m)] = rest;
    return alm;
}

static number dot(int64_t count, const number *a, const number *b)
{
    number sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * conj(b[i]);
    return sum;
}

static double difference(int64_t count, const number *a, const number *b)
{
    return rms_error(2 * count, (const double *)a, (const double *)b);
}

/* --- Against sums ------------------------------------------------------------------------------
 */

static armilla_grid *odd_grid(void)
{
    armilla_grid *grid;
    armilla_ring rings[4];
    int64_t offset = 3;
    for (int i = 0; i < 4; i++) {
        rings[i] = (armilla_ring){.theta = i ? 0.9 * i : 0,
                                  .nphi = 3 + 4 * i,
                                  .phi0 = 0.2 - 0.3 * i,
                                  .offset = offset,
                                  .stride = i % 2 ? 2 : 1,
                                  .weight = 0.1 + i};
        offset += rings[i].nphi * rings[i].stride;
    }
    check_ok(armilla_grid_new_custom(4, rings, &grid));
    return grid;
}

/* theta, phi of each pixel; pixels of no ring have theta < 0. */
static double *directions(const armilla_grid *grid)
{
    const int64_t npix = armilla_grid_npix(grid);
    double *d = checked_malloc(2 * npix, sizeof *d);
    armilla_ring *rings = grid_rings(grid);
    for (int64_t i = 0; i < npix; i++) d[2 * i] = -1;
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++)
        for (int64_t j = 0; j < rings[r].nphi; j++) {
            double *own = d + 2 * (rings[r].offset + j * rings[r].stride);
            own[0] = rings[r].theta;
            own[1] = rings[r].phi0 + 2 * M_PI * (double)j / (double)rings[r].nphi;
        }
    free(rings);
    return d;
}

/* Both directions at once: maps of the harmonics times f_lm, and sums of the map with them. */
static void check_sums(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t spin)
{
    const int64_t npix = armilla_grid_npix(grid), size = (lmax + 1) * (lmax + 1);
    armilla_complex_sht *sht = new_plan(grid, lmax, mmax, spin);
    number *alm = new_alm(lmax, mmax, spin, 3, NAN), *map = checked_calloc(npix, sizeof *map);
    number *back = checked_malloc(size, sizeof *back), *sums = checked_calloc(size, sizeof *sums);
    number *expected = checked_calloc(npix, sizeof *expected);
    double *at = directions(grid);
    check_ok(armilla_complex_sht_synthesis(sht, (double *)alm, (double *)map, NULL));
    for (int64_t l = llabs(spin); l <= lmax; l++)
        for (int64_t m = -l; m <= l; m++)
            for (int64_t i = 0; i < npix && llabs(m) <= mmax; i++) {
                if (at[2 * i] < 0) continue;
                const int64_t place = armilla_complex_index(l, m);
                const number y = oracle_spin_value(l, m, spin, at[2 * i]) *
                                 cexp(I * ((double)m * at[2 * i + 1]));
                expected[i] += alm[place] * y, sums[place] += map[i] * conj(y);
            }
    check_at_most(difference(npix, expected, map), 1e-14, "lmax %d spin %d", (int)lmax, (int)spin);
    check_ok(armilla_complex_sht_adjoint_synthesis(sht, (double *)map, (double *)back, NULL));
    check_at_most(difference(size, sums, back), 1e-14, "adjoint, spin %d", (int)spin);
    free(at), free(expected), free(sums), free(back), free(map), free(alm);
    armilla_complex_sht_free(sht);
}

static void fields_are_sums_of_harmonics(void **state)
{
    armilla_grid *odd = odd_grid(), *mw;
    (void)state;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_MW, 5, 9, &mw));
    check_sums(mw, 0, 0, 0);
    for (int64_t spin = -3; spin <= 3; spin++) {
        check_sums(mw, 4, 4, spin);
        check_sums(odd, 6, 6, spin);
        check_sums(odd, 7, 2, spin);
    }
    check_sums(odd, 5, 5, 5), check_sums(odd, 5, 1, -5);
    armilla_grid_free(mw), armilla_grid_free(odd);
}

/* --- Operators ---------------------------------------------------------------------------------
 */

/* With gaps between transforms. */
static void check_batch(const armilla_grid *grid, int64_t lmax, int64_t spin, int exact)
{
    const int64_t npix = armilla_grid_npix(grid), size = (lmax + 1) * (lmax + 1);
    armilla_complex_sht *sht = new_plan(grid, lmax, lmax, spin);
    number *alm = checked_calloc(2 * size + 5, sizeof *alm), *one = checked_malloc(npix, 16);
    number *map = checked_calloc(2 * npix + 3, sizeof *map), *back = checked_calloc(size, 16);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 2, exec.alm_distance = size + 5, exec.map_distance = npix + 3;
    for (int64_t t = 0; t < 2; t++) {
        number *own = new_alm(lmax, lmax, spin, 7 + (uint64_t)t, 0);
        memcpy(alm + t * (size + 5), own, (size_t)size * sizeof *own);
        free(own);
    }
    check_ok(armilla_complex_sht_synthesis(sht, (double *)alm, (double *)map, &exec));
    number *second = map + npix + 3, *second_alm = alm + size + 5;
    check_ok(armilla_complex_sht_synthesis(sht, (double *)second_alm, (double *)one, NULL));
    assert_memory_equal(one, second, (size_t)npix * sizeof *one);
    assert_true(map[npix] == 0 && map[npix + 2] == 0);
    check_ok(armilla_complex_sht_analysis(sht, (double *)second, (double *)back, NULL));
    if (exact) check_at_most(difference(size, second_alm, back), 2e-14, "spin %d", (int)spin);
    /* <W Y a, f> = <a, Y^H W f> */
    random_fill(5, 2 * npix, (double *)map);
    check_ok(armilla_complex_sht_analysis(sht, (double *)map, (double *)back, NULL));
    check_ok(armilla_complex_sht_adjoint_analysis(sht, (double *)second_alm, (double *)one, NULL));
    const number left = dot(npix, one, map), right = dot(size, second_alm, back);
    const double norm = sqrt(cabs(dot(npix, one, one)) * cabs(dot(npix, map, map)));
    check_at_most(cabs(left - right) / norm, 1e-14, "adjoint of analysis, spin %d", (int)spin);
    free(back), free(map), free(one), free(alm);
    armilla_complex_sht_free(sht);
}

static void batches_and_adjoints(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t spin = -2; spin <= 2; spin++) {
            armilla_grid *grid = exact_grid(exact_kinds[kind], 25, 25, 0, 0);
            check_batch(grid, 25, spin, 1);
            armilla_grid_free(grid);
        }
    armilla_grid *grid = healpix_grid(64);
    check_batch(grid, 90, 0, 0), check_batch(grid, 90, 1, 0);
    armilla_grid_free(grid);
}

static void a_real_field_is_that_of_the_real_plan(void **state)
{
    enum { L = 40, SIZE = (L + 1) * (L + 1) };
    armilla_grid *grid = healpix_grid(16);
    const int64_t npix = armilla_grid_npix(grid);
    armilla_complex_sht *sht = new_plan(grid, L, L, 0);
    armilla_sht *real;
    number *alm = checked_calloc(armilla_alm_size(L, L), sizeof *alm), both[SIZE];
    number *map = checked_malloc(npix, sizeof *map);
    double *expected = checked_malloc(npix, sizeof *expected), worst = 0, imaginary = 0;
    (void)state;
    check_ok(armilla_sht_new(grid, L, L, NULL, &real));
    random_alm_triangle(2, L, L, (double *)alm);
    for (int64_t l = 0; l <= L; l++)
        for (int64_t m = 0; m <= l; m++) {
            const number a = alm[armilla_alm_index(L, l, m)];
            both[armilla_complex_index(l, -m)] = m % 2 ? -conj(a) : conj(a);
            both[armilla_complex_index(l, m)] = a;
        }
    check_ok(armilla_complex_sht_synthesis(sht, (double *)both, (double *)map, NULL));
    check_ok(armilla_sht_synthesis(real, (double *)alm, expected, NULL));
    for (int64_t i = 0; i < npix; i++) {
        worst = larger_or_nan(worst, fabs(creal(map[i]) - expected[i]));
        imaginary = larger_or_nan(imaginary, fabs(cimag(map[i])));
    }
    check_at_most(worst, 1e-12, "real part"), check_at_most(imaginary, 0, "imaginary part");
    free(expected), free(map), free(alm);
    armilla_sht_free(real), armilla_complex_sht_free(sht), armilla_grid_free(grid);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

static int stop(void *data, double fraction)
{
    double *last = data;
    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
    return 0;
}

static void plans_tell_and_calls_refuse(void **state)
{
    armilla_grid *grid = healpix_grid(4);
    armilla_alm_layout *layout;
    armilla_complex_sht *sht = new_plan(grid, 5, 3, 0), *none;
    const armilla_sht_description d = describe(sht);
    double alm[72] = {0}, map[384] = {0}, last = 0;
    armilla_exec exec;
    armilla_sht_options options;
    (void)state;
    assert_true(d.lmax == 5 && d.mmax == 3 && d.alm_size == 36 && d.npix == 192);
    assert_true(d.ncomp == 1 && d.alm_ncomp == 1 && d.mres == 1);
    assert_true(armilla_complex_index(3, -3) == 9 && armilla_complex_index(3, 3) == 15);
    assert_true(armilla_complex_index(3, 4) == -1 && armilla_complex_index(-1, 0) == -1);
    armilla_exec_init(&exec);
    exec.progress = stop, exec.progress_data = &last;
    check_ok(armilla_complex_sht_synthesis(sht, alm, map, &exec));
    exec.ntrans = 2, exec.map_distance = 191;
    check_error(armilla_complex_sht_synthesis(sht, alm, map, &exec), ARMILLA_ERROR_ARGUMENT,
                "map_distance = 191");
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR, map[7] = NAN;
    check_error(armilla_complex_sht_analysis(sht, map, alm, &exec), ARMILLA_ERROR_ARGUMENT,
                "map[3]: its imaginary part nan is missing, one of 1 numbers of transform 0 ");
    check_error(armilla_complex_sht_synthesis(NULL, alm, map, NULL), ARMILLA_ERROR_ARGUMENT, "sht");
    check_error(armilla_complex_sht_synthesis(sht, NULL, map, NULL), ARMILLA_ERROR_ARGUMENT, "alm");
    check_error(armilla_complex_sht_analysis(sht, NULL, alm, NULL), ARMILLA_ERROR_ARGUMENT, "map");
    check_ok(armilla_alm_layout_new(5, 3, &layout));
    armilla_sht_options_init(&options);
    options.mres = 2;
    check_error(armilla_complex_sht_new(grid, 5, 2, &options, &none), ARMILLA_ERROR_ARGUMENT,
                "options->mres = 2");
    options.mres = 1, options.layout = layout;
    check_error(armilla_complex_sht_new(grid, 5, 3, &options, &none), ARMILLA_ERROR_ARGUMENT,
                "options->layout");
    options.layout = NULL, options.spin = 1, options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    check_error(armilla_complex_sht_new(grid, 5, 3, &options, &none), ARMILLA_ERROR_ARGUMENT,
                "options->mode");
    options.mode = ARMILLA_SHT_STANDARD, options.device = ARMILLA_CUDA;
    check_error(armilla_complex_sht_new(grid, 5, 3, &options, &none), ARMILLA_ERROR_UNSUPPORTED,
                "options->device");
    armilla_grid *nested;
    armilla_grid_layout places;
    armilla_grid_layout_init(&places);
    places.nested = 1;
    check_ok(armilla_grid_new_laid_out(grid, &places, &nested));
    check_error(armilla_complex_sht_new(nested, 5, 3, NULL, &none), ARMILLA_ERROR_UNSUPPORTED,
                "a transform of complex fields");
    armilla_grid_free(nested);
    check_error(armilla_complex_sht_new(NULL, 5, 3, NULL, &none), ARMILLA_ERROR_ARGUMENT, "grid");
    armilla_alm_layout_free(layout), armilla_complex_sht_free(sht), armilla_grid_free(grid);
    armilla_complex_sht_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_sums_of_harmonics),
        cmocka_unit_test(batches_and_adjoints),
        cmocka_unit_test(a_real_field_is_that_of_the_real_plan),
        cmocka_unit_test(plans_tell_and_calls_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
