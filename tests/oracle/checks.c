/* Helps tests of transforms: fails with the numbers in the message, makes random coefficients and
 * the smallest grids that are exact for a band limit, measures errors, and compares results of
 * several numbers of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"

#include "base/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

const armilla_grid_kind exact_kinds[EXACT_KINDS] = {ARMILLA_GRID_GAUSS_LEGENDRE,
                                                    ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE,
                                                    ARMILLA_GRID_CC,
                                                    ARMILLA_GRID_F1,
                                                    ARMILLA_GRID_F2,
                                                    ARMILLA_GRID_DH,
                                                    ARMILLA_GRID_MW,
                                                    ARMILLA_GRID_MWSS,
                                                    ARMILLA_GRID_MWFLIP};

void check_at_most(double value, double bound, const char *format, ...)
{
    if (value <= bound) return;
    char label[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    fail_msg("%s: %.3e is above the bound %.3e", label, value, bound);
}

double larger_or_nan(double a, double b)
{
    return isnan(a) || a > b ? a : b; /* with b = NaN no comparison holds: b */
}

void check_ok(armilla_status status)
{
    if (status)
        fail_msg("status %d (%s): %s", (int)status, armilla_status_name(status),
                 armilla_status_message());
}

void check_error(armilla_status status, armilla_status expected, const char *text)
{
    if (status != expected)
        fail_msg("status is \"%s\", expected \"%s\"", armilla_status_name(status),
                 armilla_status_name(expected));
    if (!strstr(armilla_status_message(), text))
        fail_msg("message \"%s\" does not contain \"%s\"", armilla_status_message(), text);
}

int checks_quick(void)
{
    return SANITIZED || getenv("ARMILLA_TEST_QUICK") != NULL;
}

/* ARMILLA_TEST_MACHINE: plans choose as on a machine whose caches hold nothing that is written, or
 * all of it. Before main, so that it holds for every test without a word in it. */
__attribute__((constructor)) static void pretend_machine(void)
{
    static const armilla_machine small = {.cache_bytes = ARMILLA_CACHE_LEAST,
                                          .third_level_bytes = 1};
    static const armilla_machine large = {.cache_bytes = ARMILLA_CACHE_LARGEST,
                                          .third_level_bytes = INT64_MAX};
    const char *name = getenv("ARMILLA_TEST_MACHINE");
    if (!name) return;
    const int is_small = strcmp(name, "small") == 0;
    if (!is_small && strcmp(name, "large") != 0) {
        fprintf(stderr, "ARMILLA_TEST_MACHINE=%s: must be small or large\n", name);
        exit(1);
    }
    armilla_machine_pretend(is_small ? &small : &large);
}

/* splitmix64 (Steele, Lea & Flood 2014). */
double random_next(uint64_t *stream)
{
    uint64_t z = *stream += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

void random_fill(uint64_t seed, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = random_next(&seed);
}

/* The upper half of a double below 2 in size is a float below 2. */
void random_fill_either(uint64_t seed, int64_t count, double *values)
{
    random_fill(seed, count, values);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = (bits & UINT64_C(0xffffffff00000000)) | (bits >> 32 ^ (bits & UINT64_C(0x7fffff)));
        memcpy(&values[i], &bits, sizeof bits);
    }
}

void random_alm(uint64_t seed, const armilla_alm_layout *layout, double *alm)
{
    int64_t lmax = armilla_alm_layout_lmax(layout), mmax = armilla_alm_layout_mmax(layout);
    const int64_t mres = armilla_alm_layout_mres(layout);
    for (int64_t m = 0; m <= mmax * mres; m += mres)
        for (int64_t l = m; l <= lmax; l++) {
            double *a = alm + 2 * armilla_alm_layout_index(layout, l, m);
            a[0] = random_next(&seed);
            a[1] = m ? random_next(&seed) : 0;
        }
}

void random_alm_triangle(uint64_t seed, int64_t lmax, int64_t mmax, double *alm)
{
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new(lmax, mmax, &layout));
    random_alm(seed, layout, alm);
    armilla_alm_layout_free(layout);
}

uint64_t checksum(const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void to_float(int64_t count, const double *from, float *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = (float)from[i];
}

void to_double(int64_t count, const float *from, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = from[i];
}

double dot_maps(int64_t count, const double *a, const double *b)
{
    long double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (long double)a[i] * b[i];
    return (double)sum;
}

double dot_alm(int64_t lmax, int64_t mmax, const double *a, const double *b)
{
    long double sum = 0;
    for (int64_t m = 0; m <= mmax; m++)
        for (int64_t l = m; l <= lmax; l++) {
            int64_t i = 2 * armilla_alm_index(lmax, l, m);
            sum +=
                (m ? 2.0L : 1.0L) * ((long double)a[i] * b[i] + (long double)a[i + 1] * b[i + 1]);
        }
    return (double)sum;
}

double rms_error(int64_t count, const double *a, const double *b)
{
    long double difference = 0, size = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += ((long double)a[i] - b[i]) * ((long double)a[i] - b[i]);
        size += (long double)a[i] * a[i];
    }
    return difference == 0 ? 0 : (double)sqrtl(difference / size); /* NaN in a or b: NaN */
}

static armilla_status new_grid(armilla_grid_kind kind, int64_t nrings, int64_t nphi, int64_t lmax,
                               armilla_grid **grid)
{
    if (kind == ARMILLA_GRID_GAUSS_LEGENDRE)
        return armilla_grid_new_gauss_legendre(nrings, nphi, grid);
    if (kind == ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE)
        return armilla_grid_new_reduced_gauss_legendre(nrings, lmax, grid);
    return armilla_grid_new_equidistant(kind, nrings, nphi, grid);
}

static int64_t exact_lmax_of(armilla_grid_kind kind, int64_t nrings, int64_t lmax)
{
    armilla_grid *grid;
    check_ok(new_grid(kind, nrings, 1, lmax, &grid));
    int64_t exact = armilla_grid_exact_lmax(grid);
    armilla_grid_free(grid);
    return exact;
}

/* By bisection: more rings never mean a smaller exact lmax. */
static int64_t fewest_rings(armilla_grid_kind kind, int64_t lmax)
{
    int has_both_poles = kind == ARMILLA_GRID_CC || kind == ARMILLA_GRID_MWSS;
    int64_t too_few = has_both_poles, enough = 2 * lmax + 3;
    while (enough - too_few > 1) {
        int64_t middle = (too_few + enough) / 2;
        if (exact_lmax_of(kind, middle, lmax) >= lmax)
            enough = middle;
        else
            too_few = middle;
    }
    return enough;
}

armilla_grid *healpix_grid(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return grid;
}

armilla_grid *exact_grid(armilla_grid_kind kind, int64_t lmax, int64_t mmax, int64_t extra_rings,
                         int64_t nphi)
{
    armilla_grid *grid;
    int64_t nrings = fewest_rings(kind, lmax) + extra_rings;
    check_ok(new_grid(kind, nrings, nphi ? nphi : 2 * mmax + 1, lmax, &grid));
    if (armilla_grid_exact_lmax(grid) < lmax)
        fail_msg("%s with %lld rings: exact_lmax = %lld, expected at least %lld",
                 armilla_grid_kind_name(kind), (long long)nrings,
                 (long long)armilla_grid_exact_lmax(grid), (long long)lmax);
    return grid;
}

armilla_ring *grid_rings(const armilla_grid *grid)
{
    int64_t count = armilla_grid_nrings(grid);
    armilla_ring *rings = checked_malloc(count, sizeof *rings);
    for (int64_t i = 0; i < count; i++) check_ok(armilla_grid_ring(grid, i, &rings[i]));
    return rings;
}

armilla_alm_layout *layout_of_order(int64_t m, int64_t lmax)
{
    int64_t *mstart = checked_calloc(m + 1, sizeof *mstart);
    mstart[m] = m ? lmax + 1 - m : 0;
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(lmax, m, mstart, 1, &layout));
    free(mstart);
    return layout;
}

void check_threads_agree(const armilla_sht *sht, int64_t size, int64_t npix, const double *alm)
{
    double *map = checked_malloc(npix, 8), *other = checked_malloc(npix, 8);
    double *back = checked_malloc(size, 8), *other_back = checked_malloc(size, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    check_ok(armilla_sht_analysis(sht, map, back, &exec));
    static const int counts[] = {2, 8, 0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        exec.nthreads = counts[i];
        check_ok(armilla_sht_synthesis(sht, alm, other, &exec));
        assert_memory_equal(map, other, (size_t)npix * 8);
        check_ok(armilla_sht_analysis(sht, map, other_back, &exec));
        assert_memory_equal(back, other_back, (size_t)size * 8);
    }
    free(other_back);
    free(back);
    free(other);
    free(map);
}

int64_t fewest_weighted_rings(int kind)
{
    return kind == ARMILLA_GRID_CC || kind == ARMILLA_GRID_MWSS || kind == ARMILLA_GRID_DH ? 2 : 1;
}
