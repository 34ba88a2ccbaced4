/* Checks the accuracy of transforms on fewer rings, point by point, against the oracles in high
 * precision: synthesis of single coefficients and adjoint synthesis of single pixels, on rings of
 * HEALPix grids from the poles through the caps to the equator, as a grid of their own and in the
 * whole grid.
 *
 * Bound: |error| <= 5e-16 max(l, 200) max over theta of |slambda_lm|. Worst measured: 2.5e-16 from
 * l = 200 on; at lmax 93, 2.7e-16 of 200: the window of the theta stage amplifies the rounding of
 * the highest degrees up to 190 times, however small lmax is (theta/window.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include "oracle/spin_checks.h"
#include "oracle/spin_oracle.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#define BOUND 5e-16

enum { MOST_RINGS = 16, MOST_PULSES = 12 };

/* --- Rings ------------------------------------------------------------------------------------ */

/* Next to both poles, in the caps, at their borders, at the equator; some without mirror image. */
static int choose_rings(int64_t nside, int64_t number[MOST_RINGS])
{
    const int64_t n = nside;
    const int64_t wanted[] = {1,         2,     n / 20,    n / 2, n - 1,         n,        n + 1,
                              2 * n - 1, 2 * n, 2 * n + 1, 3 * n, 4 * n - n / 8, 4 * n - 1};
    const int count = sizeof wanted / sizeof *wanted;
    for (int i = 0; i < count; i++) number[i] = wanted[i];
    return count;
}

typedef struct {
    int count;
    armilla_ring ring[MOST_RINGS]; /* where the pixels are in the map */
    armilla_grid *grid;
} rings;

/* whole != 0: the whole HEALPix grid; 0: a grid of the chosen rings alone. */
static rings open_rings(int64_t nside, int whole)
{
    rings r;
    int64_t number[MOST_RINGS], offset = 0;
    check_ok(armilla_grid_new_healpix(nside, &r.grid));
    r.count = choose_rings(nside, number);
    for (int i = 0; i < r.count; i++)
        check_ok(armilla_grid_ring(r.grid, number[i] - 1, &r.ring[i]));
    if (whole) return r;
    armilla_grid_free(r.grid);
    for (int i = 0; i < r.count; offset += r.ring[i++].nphi) r.ring[i].offset = offset;
    check_ok(armilla_grid_new_custom(r.count, r.ring, &r.grid));
    return r;
}

/* exp(i m phi) of pixel j of a HEALPix ring: phi0 is 0 or half a pixel, so the angle is reduced in
 * whole half pixels. */
static double complex turn(const armilla_ring *ring, int64_t m, int64_t j)
{
    const int64_t halves = 2 * j + (ring->phi0 != 0), period = 2 * ring->nphi;
    const int64_t angle = m % period * halves % period;
    return cexp(I * M_PI * (double)angle / (double)ring->nphi);
}

/* --- What the oracle says --------------------------------------------------------------------- */

/* plus = slambda_lm, minus = (-1)^m slambda_{l,-m} on every ring, one order: [ring][l - m]. */
typedef struct {
    int64_t m, spin, count;
    double *plus, *minus, *peak;
} functions;

static functions new_functions(const rings *r, int64_t lmax, int64_t spin, int64_t m)
{
    functions f = {.m = m, .spin = spin, .count = lmax - m + 1};
    f.plus = checked_malloc(r->count * f.count, sizeof(double));
    f.minus = checked_malloc(r->count * f.count, sizeof(double));
    f.peak = checked_malloc(f.count, sizeof(double));
    if (spin)
        oracle_spin_peaks(m, spin, lmax, f.peak);
    else
        oracle_lambda_peaks(m, lmax, f.peak);
    for (int i = 0; i < r->count; i++) {
        double *plus = f.plus + i * f.count, *minus = f.minus + i * f.count;
        if (spin == 0) {
            oracle_lambda_row(m, lmax, r->ring[i].theta, plus);
            for (int64_t k = 0; k < f.count; k++) minus[k] = plus[k];
            continue;
        }
        oracle_spin_row(m, spin, lmax, r->ring[i].theta, plus);
        oracle_spin_row(-m, spin, lmax, r->ring[i].theta, minus);
        for (int64_t k = 0; k < f.count && m % 2; k++) minus[k] = -minus[k];
    }
    return f;
}

static void free_functions(functions *f)
{
    free(f->plus);
    free(f->minus);
    free(f->peak);
}

static double bound_of(const functions *f, int64_t l)
{
    return BOUND * (l > 200 ? (double)l : 200) * f->peak[l - f->m];
}

/* One coefficient: E or B (of a scalar only E), 1 or i. */
typedef struct {
    int64_t l;
    int in_b, imaginary;
} pulse;

/* Value of the field f, or Q + i U = -sum (E + i B)_lm sY_lm over both signs of m. */
static double complex expected_value(const functions *f, const rings *r, const pulse *p, int ring,
                                     int64_t j)
{
    const int64_t at = ring * f->count + p->l - f->m;
    const double complex c = p->imaginary ? I : 1, e = turn(&r->ring[ring], f->m, j);
    double complex sum = c * f->plus[at] * e;
    if (f->m) sum += conj(c) * f->minus[at] * conj(e);
    if (f->spin == 0) return sum;
    return -(p->in_b ? I : 1) * sum;
}

/* --- Synthesis -------------------------------------------------------------------------------- */

static int choose_pulses(int64_t m, int64_t spin, int64_t lmax, int few, pulse pulses[MOST_PULSES])
{
    const int64_t low = m > spin ? m : spin, wanted[] = {lmax, low + 1, lmax / 2};
    int count = 0;
    for (int i = 0; i < (few ? 2 : 3); i++)
        for (int kind = 0; kind < (spin ? 4 : 2); kind++) {
            const pulse p = {wanted[i], kind / 2, kind % 2};
            if (p.l < low || p.l > lmax || (m == 0 && p.imaginary)) continue;
            if (few && kind != i) continue;
            pulses[count++] = p;
        }
    return count;
}

typedef struct {
    int64_t nside, lmax, spin;
    const char *isa;
    armilla_sht_method method;
} setting;

static armilla_sht *new_plan(const setting *s, const rings *r, int64_t mmax,
                             const armilla_alm_layout *layout)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = s->spin;
    options.isa = s->isa;
    options.layout = layout;
    options.method = s->method;
    armilla_sht *sht;
    check_ok(armilla_sht_new(r->grid, s->lmax, mmax, &options, &sht));
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 1, &d));
    assert_string_equal(d.method, "resampled");
    return sht;
}

/* All pixels of short rings, some of long ones. */
static void check_map(const setting *s, const functions *f, const rings *r, const pulse *p,
                      const double *map)
{
    const int64_t npix = armilla_grid_npix(r->grid);
    const double bound = bound_of(f, p->l);
    for (int ring = 0; ring < r->count; ring++)
        for (int64_t j = 0; j < r->ring[ring].nphi; j += 1 + r->ring[ring].nphi / 17) {
            const double complex expected = expected_value(f, r, p, ring, j);
            const double *value = map + r->ring[ring].offset + j;
            double error = fabs(value[0] - creal(expected));
            if (f->spin) error = larger_or_nan(error, fabs(value[npix] - cimag(expected)));
            check_at_most((f->m ? 0.5 : 1) * error, bound,
                          "nside %d, lmax %d, %s: spin %d, l = %d, m = %d, %s %s, theta = %.17g, "
                          "pixel %d",
                          (int)s->nside, (int)s->lmax, s->isa, (int)s->spin, (int)p->l, (int)f->m,
                          p->in_b ? "B" : "E", p->imaginary ? "i" : "1", r->ring[ring].theta,
                          (int)j);
        }
}

/* All pulses of one order, as transforms of one call. */
static void check_synthesis(const setting *s, const rings *r, const functions *f, int few)
{
    pulse pulses[MOST_PULSES];
    const int count = choose_pulses(f->m, s->spin, s->lmax, few, pulses);
    const int64_t ncomp = s->spin ? 2 : 1, npix = ncomp * armilla_grid_npix(r->grid);
    armilla_alm_layout *layout = layout_of_order(f->m, s->lmax);
    armilla_sht *sht = new_plan(s, r, f->m, layout);
    const int64_t size = armilla_alm_layout_size(layout);
    double *alm = checked_calloc(2 * ncomp * size * count, sizeof *alm);
    double *map = checked_malloc(npix * count, sizeof *map);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = count;
    for (int t = 0; t < count; t++) {
        const int64_t at = armilla_alm_layout_index(layout, pulses[t].l, f->m);
        alm[2 * (size * (ncomp * t + pulses[t].in_b) + at) + pulses[t].imaginary] = 1;
    }
    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    for (int t = 0; t < count; t++) check_map(s, f, r, &pulses[t], map + t * npix);
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_alm_layout_free(layout);
}

static const struct {
    int64_t nside, lmax;
} sizes[] = {{1024, 2048}, {1024, 3071}, {1000, 2000}, {1000, 1501}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static setting setting_of(int size, int64_t spin, const char *isa)
{
    const int64_t part = checks_quick() ? 16 : 1;
    return (setting){sizes[size].nside / part, sizes[size].lmax / part, spin, isa,
                     ARMILLA_SHT_RESAMPLE};
}

static void check_orders(setting s, int all_sets, int64_t m, int few)
{
    rings r = open_rings(s.nside, 0);
    functions f = new_functions(&r, s.lmax, s.spin, m);
    for (int i = 0; (s.isa = armilla_isa_available(i)); i++)
        if (all_sets || !armilla_isa_available(i + 1)) check_synthesis(&s, &r, &f, few);
    free_functions(&f);
    armilla_grid_free(r.grid);
}

/* Every size with every spin; each spin at one size with every instruction set, and up to the
 * highest order. */
static void synthesis_of_single_coefficients(void **state)
{
    (void)state;
    for (int size = 0; size < SIZES; size++)
        for (int64_t spin = 0; spin < 4; spin++) {
            const setting s = setting_of(size, spin, NULL);
            const int all = size == (int)spin;
            check_orders(s, all, (size + spin) % 4, 0);
            if (!all) continue;
            check_orders(s, 0, 13, 0);
            check_orders(s, 0, s.lmax / 8, 1);
            check_orders(s, 0, s.lmax, 1);
        }
}

/* In the whole grid, by plans that resample because that is the default; two maps at once. */
static void synthesis_by_default_plans(void **state)
{
    (void)state;
    if (checks_quick()) skip(); /* small grids do not resample by default */
    static const int64_t orders[] = {0, 2, 700, 1900};
    for (int64_t spin = 0; spin < 4; spin++) {
        setting s = {spin % 2 ? 1000 : 1024, spin < 2 ? 2048 : 2501, spin, armilla_isa_name(),
                     ARMILLA_SHT_AUTO};
        rings r = open_rings(s.nside, 1);
        functions f = new_functions(&r, s.lmax, spin, orders[spin]);
        check_synthesis(&s, &r, &f, 1);
        free_functions(&f);
        armilla_grid_free(r.grid);
    }
}

/* --- Adjoint synthesis ------------------------------------------------------------------------ */

/* A unit pulse in Q, or U, gives E and B: <pulse, Y a> is linear in a. */
static void check_order(const setting *s, const functions *f, const rings *r, int ring, int in_u,
                        int64_t mmax, const double *alm)
{
    const int64_t size = 2 * armilla_alm_size(s->lmax, mmax);
    for (int64_t l = f->m > f->spin ? f->m : f->spin; l <= s->lmax;
         l += 1 + 3 * (l % 7) * (l % 5)) {
        const double bound = bound_of(f, l);
        for (int kind = 0; kind < (s->spin ? 4 : 2); kind++) {
            const pulse p = {l, kind / 2, kind % 2};
            if (f->m == 0 && p.imaginary) continue;
            const double complex value = expected_value(f, r, &p, ring, 1);
            const double expected = (in_u ? cimag(value) : creal(value)) / (f->m ? 2 : 1);
            const int64_t at = p.in_b * size + 2 * armilla_alm_index(s->lmax, l, f->m);
            check_at_most(fabs(alm[at + p.imaginary] - expected), bound,
                          "nside %d, lmax %d: spin %d, pulse in %s, l = %d, m = %d, %s %s, theta = "
                          "%.17g",
                          (int)s->nside, (int)s->lmax, (int)s->spin, in_u ? "U" : "Q", (int)l,
                          (int)f->m, p.in_b ? "B" : "E", p.imaginary ? "i" : "1",
                          r->ring[ring].theta);
        }
    }
}

/* Pixel 1 of some rings, in Q and in U by turns, as transforms of one call; all orders are made,
 * some are compared. */
static void adjoint_synthesis_of_single_pixels(void **state)
{
    (void)state;
    enum { PULSES = 7 };
    for (int size = 0; size < SIZES; size++) {
        const int64_t spin = (size + 2) % 4;
        const setting s = setting_of(size, spin, armilla_isa_name());
        const int64_t ncomp = spin ? 2 : 1, mmax = s.lmax / 16;
        const int64_t orders[] = {size % 2, mmax / 3};
        rings r = open_rings(s.nside, 0);
        const int64_t npix = armilla_grid_npix(r.grid), nalm = armilla_alm_size(s.lmax, mmax);
        armilla_sht *sht = new_plan(&s, &r, mmax, NULL);
        double *map = checked_calloc(PULSES * ncomp * npix, 8);
        double *alm = checked_malloc(PULSES * ncomp * 2 * nalm, 8);
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.ntrans = PULSES;
        for (int t = 0; t < PULSES; t++)
            map[(ncomp * t + t % ncomp) * npix + r.ring[2 * t].offset + 1] = 1;
        check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, &exec));
        for (int k = 0; k < 2; k++) {
            functions f = new_functions(&r, s.lmax, spin, orders[k]);
            for (int t = 0; t < PULSES; t++)
                check_order(&s, &f, &r, 2 * t, (int)(t % ncomp), mmax, alm + t * ncomp * 2 * nalm);
            free_functions(&f);
        }
        free(alm);
        free(map);
        armilla_sht_free(sht);
        armilla_grid_free(r.grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthesis_of_single_coefficients),
        cmocka_unit_test(synthesis_by_default_plans),
        cmocka_unit_test(adjoint_synthesis_of_single_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
