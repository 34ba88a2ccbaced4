/* What the tests of radial convolution share: grids with a random map, kernels with their judges,
 * and the comparison with the direct sums of the oracle. */
#ifndef TEST_RADIAL_SCENE_H
#define TEST_RADIAL_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/radial_oracle.h"
#include "oracle/ring_oracle.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (M_PI / 180)

/* Methods and modes that plans offer: the first ones of their kinds. */
enum { LAST_METHOD = ARMILLA_RADIAL_RINGS, LAST_MODE = ARMILLA_RADIAL_STANDARD };

/* --- Grids ------------------------------------------------------------------------------------ */

typedef struct radial_scene {
    armilla_grid *grid; /* owned */
    armilla_ring *rings;
    int64_t nrings, npix;
    double pixel;      /* sqrt of a typical pixel's solid angle */
    double *map, *out; /* map: random, -1 to 1 */
} radial_scene;

/* rings: those of the grid, as the judge sees them; the scene owns both. */
static inline radial_scene open_scene_on(armilla_grid *grid, armilla_ring *rings)
{
    radial_scene s = {.grid = grid, .rings = rings};
    s.nrings = armilla_grid_nrings(grid);
    s.npix = armilla_grid_npix(grid);
    int64_t there = 0;
    for (int64_t r = 0; r < s.nrings; r++) there += s.rings[r].nphi;
    s.pixel = sqrt(4 * M_PI / (double)there);
    s.map = checked_malloc(s.npix, sizeof *s.map);
    s.out = checked_calloc(s.npix, sizeof *s.out);
    random_fill(71, s.npix, s.map);
    return s;
}

static inline radial_scene open_scene(armilla_grid *grid)
{
    return open_scene_on(grid, grid_rings(grid));
}

static inline void close_scene(radial_scene *s)
{
    free(s->out);
    free(s->map);
    free(s->rings);
    armilla_grid_free(s->grid);
}

static inline radial_scene healpix_scene(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return open_scene_on(grid, oracle_healpix_rings(nside));
}

/* 1 at the pixels of rings, 0 in gaps; free() it. */
static inline char *pixels_of_rings(const radial_scene *s)
{
    char *there = checked_calloc(s->npix, 1);
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++)
            there[s->rings[r].offset + j * s->rings[r].stride] = 1;
    return there;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

enum { MOST_BREAKS = 16 };

/* A kernel, and what judges it. */
typedef struct radial_case {
    char name[64];
    armilla_kernel *kernel;
    oracle_kernel judge;
    double support;
    int64_t nbreaks;
    double breaks[MOST_BREAKS];
} radial_case;

static inline void close_case(radial_case *c)
{
    armilla_kernel_free(c->kernel);
}

static inline radial_case new_case(const char *name, oracle_kernel_kind kind, double width,
                                   double support)
{
    radial_case c = {.judge = {.kind = kind, .width = width}, .support = support};
    snprintf(c.name, sizeof c.name, "%s of %.3g degrees", name, width / DEGREE);
    return c;
}

static inline radial_case gaussian_case(double fwhm, double support)
{
    radial_case c = new_case("Gaussian", ORACLE_GAUSSIAN, fwhm, support);
    check_ok(armilla_kernel_new_gaussian(fwhm, &c.kernel));
    return c;
}

static inline radial_case mexican_hat_case(double fwhm, double support)
{
    radial_case c = new_case("Mexican hat", ORACLE_MEXICAN_HAT, fwhm, support);
    check_ok(armilla_kernel_new_mexican_hat(fwhm, &c.kernel));
    return c;
}

static inline radial_case tophat_case(double radius, double support)
{
    radial_case c = new_case("top hat", ORACLE_TOPHAT, radius, support);
    check_ok(armilla_kernel_new_tophat(radius, &c.kernel));
    c.nbreaks = 1;
    c.breaks[0] = radius;
    return c;
}

/* A roof with a dent below zero, a step of 1 % of its width, and 2/3 at its end: nothing about it
 * is smooth. */
static inline radial_case table_case(double width, double support)
{
    static const double place[] = {0, 0.2, 0.21, 0.5, 0.55, 0.7, 1};
    static const double value[] = {3, 2, 1, 1, -0.5, 0.25, 2.0 / 3};
    radial_case c = new_case("table", ORACLE_TABLE, width, support);
    c.nbreaks = sizeof place / sizeof *place;
    c.judge.count = c.nbreaks;
    for (int64_t i = 0; i < c.nbreaks; i++) {
        c.breaks[i] = c.judge.theta[i] = width * place[i];
        c.judge.value[i] = value[i];
    }
    check_ok(armilla_kernel_new_table(c.nbreaks, c.breaks, value, &c.kernel));
    return c;
}

static inline radial_case needlet_case(double base, int64_t scale, double support)
{
    radial_case c = new_case("needlet", ORACLE_WINDOW, pow(base, (double)-scale), support);
    c.judge = oracle_needlet(base, scale);
    check_ok(armilla_kernel_new_needlet(base, scale, &c.kernel));
    return c;
}

/* Random b_l: as rough as a window of lmax can be. */
static inline radial_case window_case(int64_t lmax, double support)
{
    radial_case c = new_case("window", ORACLE_WINDOW, M_PI / (double)(lmax + 1), support);
    assert_true(lmax < ORACLE_MOST_VALUES);
    c.judge.count = lmax + 1;
    random_fill(72, lmax + 1, c.judge.value);
    c.judge.value[0] = 1;
    check_ok(armilla_kernel_new_window(lmax, c.judge.value, &c.kernel));
    return c;
}

/* Kernels from 1.5 pixels to 60 degrees, and supports up to pi: numbers 0 .. RADIAL_CASES - 1. */
enum { RADIAL_CASES = 12 };

static inline radial_case radial_case_number(int number, double pixel)
{
    const double most = M_PI, narrow = fmin(pixel, 1);
    switch (number) {
    case 0:
        return gaussian_case(1.5 * narrow, 0);
    case 1:
        return gaussian_case(fmin(4 * narrow, 3), fmin(9 * narrow, most));
    case 2:
        return gaussian_case(10 * DEGREE, 30.3 * DEGREE);
    case 3:
        return gaussian_case(60 * DEGREE, most);
    case 4:
        return mexican_hat_case(2.2 * narrow, 0);
    case 5:
        return mexican_hat_case(25 * DEGREE, 1.7);
    case 6:
        return tophat_case(fmin(3.31 * narrow, 3), 0);
    case 7:
        return tophat_case(1.234, 1.234);
    case 8:
        return tophat_case(most, most);
    case 9:
        return table_case(0.777, 0);
    case 10:
        return needlet_case(2, 3, 1.01);
    default:
        return window_case(9, most);
    }
}

/* --- Plans ------------------------------------------------------------------------------------ */

static inline armilla_radial_options options_of(const radial_case *c,
                                                armilla_radial_normalization normalization,
                                                armilla_radial_method method)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.support = c->support;
    options.normalization = normalization;
    options.method = method;
    return options;
}

static inline armilla_radial *plan_of(const radial_scene *s, const radial_case *c,
                                      const armilla_radial_options *options)
{
    armilla_radial *radial;
    armilla_status status = armilla_radial_new(s->grid, c->kernel, options, &radial);
    if (status) fail_msg("%s: %s", c->name, armilla_status_message());
    return radial;
}

static inline armilla_radial_description described(const armilla_radial *radial)
{
    armilla_radial_description d = {.size = sizeof d};
    check_ok(armilla_radial_describe(radial, 1, &d));
    return d;
}

/* One thread: thousands of tiny convolutions. */
static inline armilla_exec one_thread(void)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    return exec;
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* For the support and normalization that the plan says it has. */
static inline radial_oracle oracle_of(const radial_scene *s, const radial_case *c,
                                      const armilla_radial *radial)
{
    const armilla_radial_description d = described(radial);
    radial_oracle o = {s->nrings, s->rings, &c->judge, d.support, 1, 0};
    if (!strcmp(d.normalization, "integral"))
        o.factor = 1 / oracle_kernel_integral(&c->judge, d.support, c->nbreaks, c->breaks);
    return o;
}

/* What a plan should give at a pixel, how large the terms of its sum are (|map| <= 1), and what
 * ties may change. */
typedef struct radial_expected {
    double value, size, tie;
} radial_expected;

static inline radial_expected expected_at(const radial_oracle *o, int by_sum, int64_t ring,
                                          int64_t pixel, const double *map)
{
    const radial_sum sum = oracle_radial_sum(o, ring, pixel, map, NULL);
    const long double scale = by_sum ? sum.divisor : 1;
    const long double ties = sum.tie + (by_sum ? fabsl(sum.value / sum.divisor) * sum.ties : 0.0L);
    return (radial_expected){(double)(sum.value / scale), (double)(sum.size / fabsl(scale)),
                             (double)(2 * ties / fabsl(scale))};
}

/* All pixels of small grids; of others those where something may go wrong: rings at poles, borders
 * of caps, equator and their neighbours, the ends and the middle of a ring. */
static inline int is_chosen(const radial_scene *s, int64_t r, int64_t j)
{
    const int64_t nphi = s->rings[r].nphi, cap = s->nrings / 4, last = s->nrings - 1;
    if (s->npix <= (checks_quick() ? 150 : 350)) return 1;
    const int ring = r < 2 || r == last || r == last - 1 || r == 5 || r == s->nrings / 2 ||
                     (r >= cap - 1 && r <= cap + 1) || r == 3 * cap;
    return ring && (j == 0 || j == nphi - 1 || j == nphi / 2 + 1);
}

/* The largest error of out at the chosen pixels, in units of the largest sum of |w K| there. */
static inline double worst_error(const radial_scene *s, const radial_oracle *o, int by_sum,
                                 const double *map, const double *out)
{
    double worst = 0, size = 0;
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++) {
            if (!is_chosen(s, r, j)) continue;
            const radial_expected e = expected_at(o, by_sum, r, j, map);
            const double error =
                fabs(out[s->rings[r].offset + j * s->rings[r].stride] - e.value) - e.tie;
            worst = larger_or_nan(worst, error);
            size = larger_or_nan(size, e.size);
        }
    return worst == 0 ? 0 : worst / size; /* where all weights are 0 */
}

static inline double error_of_plan(const radial_scene *s, const radial_case *c,
                                   const armilla_radial *radial, const double *out)
{
    const radial_oracle o = oracle_of(s, c, radial);
    return worst_error(s, &o, !strcmp(described(radial).normalization, "sum"), s->map, out);
}

/* The convolution of the scene's map is that of the oracle. */
static inline void check_convolution(radial_scene *s, const radial_case *c,
                                     const armilla_radial_options *options)
{
    armilla_radial *radial = plan_of(s, c, options);
    const armilla_radial_description d = described(radial);
    const armilla_exec exec = one_thread();
    check_ok(armilla_radial_convolve(radial, s->map, s->out, &exec));
    check_at_most(error_of_plan(s, c, radial, s->out), 1e-13,
                  "%s, %lld rings, npix = %lld, support %.3g degrees, %s, %s, %s", c->name,
                  (long long)s->nrings, (long long)s->npix, d.support / DEGREE, d.method,
                  d.normalization, d.isa);
    armilla_radial_free(radial);
}

#endif
