/* The mode STANDARD of radial convolution against its definition, step by step in long double:
 * every ring's trigonometric polynomial at as many longitudes as the longest ring has, the sum over
 * all of these, the polynomial of the result cut at half of the ring's own length. Error: at most
 * 1e-13 of the largest value (worst measured: 1.1e-15).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/radial_oracle.h"
#include "oracle/turned_oracle.h"
#include <math.h>
#include <stdlib.h>

static const long double TWO_PI = 6.283185307179586476925286766559005768L;

/* The polynomial through n samples that begin at phi0, cut at `top` orders, at longitude phi. */
static long double trigonometric(int64_t n, double phi0, const double *samples, int64_t stride,
                                 int64_t top, long double phi)
{
    long double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        const long double d = phi - (long double)phi0 - TWO_PI * (long double)j / (long double)n;
        long double kernel = 1;
        for (int64_t m = 1; m <= top && 2 * m <= n; m++)
            kernel += (2 * m == n ? 1 : 2) * cosl((long double)m * d);
        sum += (long double)samples[j * stride] * kernel / (long double)n;
    }
    return sum;
}

/* Orders above half of n, the ring's own number of pixels; its highest order, if n is even, is a
 * cosine around the ring's own first pixel. */
static long double cut(int64_t n, double phi0, int64_t wide, const double *samples, int64_t pixel)
{
    const long double phi = (long double)phi0 + TWO_PI * (long double)pixel / (long double)n;
    long double sum = 0;
    for (int64_t j = 0; j < wide; j++) {
        const long double at = TWO_PI * (long double)j / (long double)wide;
        long double kernel = 1;
        for (int64_t m = 1; 2 * m < n; m++) kernel += 2 * cosl((long double)m * (phi - at));
        if (n % 2 == 0)
            kernel += cosl((long double)(n / 2) * (phi - phi0)) *
                      cosl((long double)(n / 2) * (at - (long double)phi0));
        sum += (long double)samples[j] * kernel / (long double)wide;
    }
    return sum;
}

/* The grid whose rings all have `wide` pixels. */
static void widen(int64_t nrings, const armilla_ring *rings, int64_t wide, armilla_ring *all)
{
    for (int64_t i = 0; i < nrings; i++)
        all[i] = (armilla_ring){.theta = rings[i].theta,
                                .nphi = wide,
                                .offset = i * wide,
                                .stride = 1,
                                .weight = rings[i].weight * (double)rings[i].nphi / (double)wide};
}

/* The map on those rings. */
static double *raise_map(int64_t nrings, const armilla_ring *rings, int64_t wide, const double *map)
{
    double *up = checked_malloc(nrings * wide, sizeof *up);
    for (int64_t i = 0; i < nrings; i++)
        for (int64_t j = 0; j < wide; j++)
            up[i * wide + j] = (double)trigonometric(
                rings[i].nphi, rings[i].phi0, map + rings[i].offset, rings[i].stride, rings[i].nphi,
                TWO_PI * (long double)j / (long double)wide);
    return up;
}

/* out is what is left of sums on those rings. */
static void check_cut(int64_t nrings, const armilla_ring *rings, int64_t wide, const double *sums,
                      const double *out)
{
    double largest = 0, worst = 0;
    for (int64_t i = 0; i < nrings; i++)
        for (int64_t j = 0; j < rings[i].nphi; j++) {
            const double expected =
                (double)cut(rings[i].nphi, rings[i].phi0, wide, sums + i * wide, j);
            const double value = out[rings[i].offset + j * rings[i].stride];
            largest = larger_or_nan(largest, fabs(expected));
            worst = larger_or_nan(worst, fabs(value - expected));
        }
    check_at_most(worst, 1e-13 * largest, "%d rings, %d pixels", (int)nrings, (int)wide);
}

static void check_map(int64_t nrings, const armilla_ring *rings, int64_t wide,
                      const oracle_kernel *kernel, double support, const double *map,
                      const double *out)
{
    armilla_ring *all = checked_malloc(nrings, sizeof *all);
    double *up = raise_map(nrings, rings, wide, map);
    double *sums = checked_malloc(nrings * wide, sizeof *sums);
    widen(nrings, rings, wide, all);
    const radial_oracle oracle = {nrings, all, kernel, support, 1, 0};
    for (int64_t i = 0; i < nrings * wide; i++)
        sums[i] = (double)oracle_radial_sum(&oracle, i / wide, i % wide, up, NULL).value;
    check_cut(nrings, rings, wide, sums, out);
    free(all), free(up), free(sums);
}

/* Q and U, each of which is raised and cut. */
static void check_pair(int64_t nrings, const armilla_ring *rings, int64_t wide,
                       turned_kernel kernel, double support, int64_t npix, const double *map,
                       const double *out)
{
    armilla_ring *all = checked_malloc(nrings, sizeof *all);
    const int64_t size = nrings * wide;
    double *sums[2] = {checked_malloc(size, 8), checked_malloc(size, 8)};
    double *up[2] = {raise_map(nrings, rings, wide, map),
                     raise_map(nrings, rings, wide, map + npix)};
    widen(nrings, rings, wide, all);
    turned_oracle o = turned_oracle_new(nrings, all, kernel, support);
    for (int64_t i = 0; i < size; i++) {
        const turned_sum e = oracle_turned_sum(&o, i, up[0], up[1]);
        sums[0][o.pixel[i].number] = (double)e.q, sums[1][o.pixel[i].number] = (double)e.u;
    }
    for (int c = 0; c < 2; c++) {
        check_cut(nrings, rings, wide, sums[c], out + c * npix);
        free(sums[c]), free(up[c]);
    }
    turned_oracle_free(&o);
    free(all);
}

/* <convolve a, b> = <a, adjoint b>. Given: out = convolve map. */
static void check_transpose(const armilla_radial *radial, int64_t count, const double *map,
                            const double *out)
{
    double *b = checked_malloc(count, 8), *back = checked_calloc(count, 8);
    random_fill(33, count, b);
    check_ok(armilla_radial_adjoint(radial, b, back, NULL));
    const double left = dot_maps(count, out, b), right = dot_maps(count, map, back);
    check_at_most(fabs(left - right), 1e-13 * sqrt(dot_maps(count, out, out) * (double)count),
                  "%d values", (int)count);
    free(b), free(back);
}

/* Maps and results are 0 in gaps. */
static void check_grid(armilla_grid *grid, int64_t wide)
{
    const int64_t nrings = armilla_grid_nrings(grid), npix = armilla_grid_npix(grid);
    armilla_ring *rings = checked_malloc(nrings, sizeof *rings);
    double *map = checked_calloc(2 * npix, 8), *out = checked_calloc(2 * npix, 8);
    const oracle_kernel judge = {.kind = ORACLE_GAUSSIAN, .width = 0.9};
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.mode = ARMILLA_RADIAL_STANDARD;
    options.normalization = ARMILLA_RADIAL_NONE;
    options.support = 1.9;
    for (int64_t i = 0; i < nrings; i++) check_ok(armilla_grid_ring(grid, i, &rings[i]));
    for (int64_t i = 0; i < nrings; i++)
        for (int64_t j = 0; j < rings[i].nphi; j++)
            for (int64_t p = rings[i].offset + j * rings[i].stride; p < 2 * npix; p += npix)
                map[p] = sin(1.7 * (double)(p * p % 1009)) + 0.1;
    check_ok(armilla_kernel_new_gaussian(0.9, &kernel));
    for (options.spin = 0; options.spin <= 2; options.spin += 2)
        for (int method = 0; method <= ARMILLA_RADIAL_RINGS; method++) {
            options.method = (armilla_radial_method)method;
            check_ok(armilla_radial_new(grid, kernel, &options, &radial));
            check_ok(armilla_radial_convolve(radial, map, out, NULL));
            if (options.spin)
                check_pair(nrings, rings, wide, turned_beam(0.9, 0), options.support, npix, map,
                           out);
            else
                check_map(nrings, rings, wide, &judge, options.support, map, out);
            check_transpose(radial, (options.spin ? 2 : 1) * npix, map, out);
            armilla_radial_free(radial);
        }
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
    free(rings), free(map), free(out);
}

static void healpix_follows_the_definition(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 3, 5};
    for (int i = 0; i < (checks_quick() ? 3 : 4); i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix(nsides[i], &grid));
        check_grid(grid, 4 * nsides[i]);
    }
}

/* Odd and even lengths, longitudes of any kind, strides; the longest ring has 15 pixels. */
static void any_rings_follow_the_definition(void **state)
{
    (void)state;
    static const armilla_ring rings[] = {{0.0, 1, 0.3, 0, 1, 0.2},    {0.4, 7, 0.1, 2, 2, 0.1},
                                         {1.1, 15, 5.0, 20, 1, 0.15}, {1.2, 12, -0.7, 50, -1, 0.1},
                                         {2.0, 8, 0.5, 60, 3, 0.12},  {2.9, 2, 1.0, 90, 1, 0.3}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(6, rings, &grid));
    check_grid(grid, 15);
}

/* Where all rings have as many pixels, at the same longitudes, the modes are one: also means over
 * weights, and SUM. */
static void check_modes(int64_t spin, armilla_radial_normalization normalization)
{
    enum { COUNT = 9 * 15 };
    armilla_grid *grid;
    armilla_kernel *kernel;
    double out[2][4 * COUNT], map[2 * COUNT], weights[COUNT];
    const int64_t size = (spin ? 2 : 1) * COUNT;
    check_ok(armilla_grid_new_gauss_legendre(9, 15, &grid));
    check_ok(armilla_kernel_new_tophat(0.8, &kernel));
    for (int i = 0; i < 2 * COUNT; i++) map[i] = cos(i * i), weights[i % COUNT] = 1 + i % 3;
    for (int mode = 0; mode < 2; mode++) {
        armilla_radial *radial;
        armilla_radial_options options;
        armilla_radial_options_init(&options);
        options.mode = (armilla_radial_mode)mode;
        options.spin = spin, options.normalization = normalization;
        check_ok(armilla_radial_new(grid, kernel, &options, &radial));
        check_ok(armilla_radial_convolve(radial, map, out[mode], NULL));
        check_ok(
            armilla_radial_convolve_weighted(radial, map, weights, 0, 0, out[mode] + size, NULL));
        armilla_radial_free(radial);
    }
    for (int64_t i = 0; i < 2 * size; i++)
        check_at_most(fabs(out[1][i] - out[0][i]), 1e-14, "spin %d, value %d", (int)spin, (int)i);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static void equal_rings_know_no_modes(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        check_modes(spin, ARMILLA_RADIAL_AUTO);
        check_modes(spin, ARMILLA_RADIAL_SUM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healpix_follows_the_definition),
        cmocka_unit_test(any_rings_follow_the_definition),
        cmocka_unit_test(equal_rings_know_no_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
