/* Checks plans whose coefficients are real ones, complex conjugates, or have other norms, against
 * plans of the usual coefficients with a pass of conversion, and the transposes. */
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

enum { NTRANS = 2 };

typedef struct {
    const armilla_grid *grid;
    int64_t lmax, mmax, mres, spin;
    armilla_sht_mode mode;
    int form, conjugate, scaled;
    const char *choices;
} scene;

typedef struct {
    armilla_sht *usual, *other;
    armilla_alm_layout *layout;
    double *degree, *order;
    int64_t size, numbers, ncomp, npix; /* complex, of c; of all components and transforms */
} plans;

static void fill_scales(const scene *t, plans *p)
{
    for (int64_t l = 0; l <= t->lmax; l++) p->degree[l] = sqrt(4 * M_PI / (double)(2 * l + 1));
    for (int64_t k = 0; k <= t->mmax; k++) p->order[k] = k % 2 ? -1.5 : 1.25;
}

static plans open_plans(const scene *t)
{
    plans p = {.usual = NULL};
    armilla_sht_options options;
    armilla_sht_description d = {.size = sizeof d};
    p.degree = checked_malloc(t->lmax + 1, 8), p.order = checked_malloc(t->mmax + 1, 8);
    fill_scales(t, &p);
    armilla_sht_options_init(&options);
    options.spin = t->spin, options.mres = t->mres, options.choices = t->choices;
    options.mode = t->mode;
    check_ok(armilla_sht_new(t->grid, t->lmax, t->mmax, &options, &p.usual));
    options.form = (armilla_alm_form)t->form, options.conjugate = t->conjugate;
    if (t->scaled) options.degree_scale = p.degree, options.order_scale = p.order;
    check_ok(armilla_sht_new(t->grid, t->lmax, t->mmax, &options, &p.other));
    check_ok(armilla_alm_layout_new_mres(t->lmax, t->mmax, t->mres, &p.layout));
    check_ok(armilla_sht_describe(p.other, 1, &d));
    p.size = armilla_alm_layout_size(p.layout);
    p.ncomp = NTRANS * d.alm_ncomp, p.npix = NTRANS * d.ncomp * d.npix;
    p.numbers = t->form == ARMILLA_ALM_REAL ? 2 * p.size - (t->lmax + 1) : 2 * p.size;
    assert_int_equal(d.alm_size, t->form == ARMILLA_ALM_REAL ? p.numbers : p.size);
    if (t->scaled) /* copied */
        memset(p.degree, 0, 8), fill_scales(t, &p);
    return p;
}

static void close_plans(plans *p)
{
    armilla_sht_free(p->other), armilla_sht_free(p->usual), armilla_alm_layout_free(p->layout);
    free(p->degree), free(p->order);
}

/* a of one component from c, multiplied by the scales. */
static void expand(const scene *t, const plans *p, const double *c, double *a)
{
    for (int64_t k = 0; k <= t->mmax; k++)
        for (int64_t l = k * t->mres; l <= t->lmax; l++) {
            const int64_t i = armilla_alm_layout_index(p->layout, l, k * t->mres);
            const double scale = t->scaled ? p->degree[l] * p->order[k] : 1;
            const int packed = t->form == ARMILLA_ALM_REAL;
            const double *from = c + 2 * i - (packed && k ? t->lmax + 1 : 0);
            a[2 * i] = scale * (packed && k ? from[0] * sqrt(0.5) : packed ? c[l] : from[0]);
            a[2 * i + 1] = k == 0 ? 0 : scale * from[1] * (packed ? sqrt(0.5) : 1);
            if (t->conjugate) a[2 * i + 1] = -a[2 * i + 1];
        }
}

static double *expand_all(const scene *t, const plans *p, const double *c)
{
    double *a = checked_calloc(2 * p->ncomp * p->size, sizeof *a);
    for (int64_t i = 0; i < p->ncomp; i++) expand(t, p, c + i * p->numbers, a + 2 * i * p->size);
    return a;
}

/* Random c, without the imaginary parts of order 0. */
static double *new_numbers(const scene *t, const plans *p)
{
    double *c = checked_malloc(p->ncomp * p->numbers, sizeof *c);
    random_fill(3, p->ncomp * p->numbers, c);
    for (int64_t i = 0; i < p->ncomp; i++)
        for (int64_t l = 0; l <= t->lmax; l++) {
            double *own = c + i * p->numbers;
            if (t->form == ARMILLA_ALM_COMPLEX) own[2 * l + 1] = 0;
            if (l >= llabs(t->spin)) continue;
            for (int64_t k = 0; k * t->mres <= l && k <= t->mmax; k++) {
                const int64_t at = 2 * armilla_alm_layout_index(p->layout, l, k * t->mres);
                if (t->form == ARMILLA_ALM_REAL && k == 0)
                    own[l] = 0;
                else
                    own[at - (t->form ? t->lmax + 1 : 0)] =
                        own[at + 1 - (t->form ? t->lmax + 1 : 0)] = 0;
            }
        }
    return c;
}

/* The inner product of c: the plain one of real numbers, else with m > 0 twice. */
static double dot(const scene *t, const plans *p, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < p->ncomp; i++)
        for (int64_t j = 0; j < p->numbers; j++) {
            const int64_t at = i * p->numbers + j;
            const int twice = t->form == ARMILLA_ALM_COMPLEX && j >= 2 * (t->lmax + 1);
            sum += (twice ? 2 : 1) * a[at] * b[at];
        }
    return sum;
}

static void check_scene(const scene *t)
{
    plans p = open_plans(t);
    double *c = new_numbers(t, &p), *a = expand_all(t, &p, c);
    double *map = checked_calloc(p.npix, 8), *other = checked_calloc(p.npix, 8);
    double *back = checked_malloc(p.ncomp * p.numbers, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS;
    check_ok(armilla_sht_synthesis(p.usual, a, map, &exec));
    check_ok(armilla_sht_synthesis(p.other, c, other, &exec));
    check_at_most(rms_error(p.npix, map, other), 1e-14,
                  "synthesis, lmax %d spin %d mode %d form %d conjugate %d scaled %d", (int)t->lmax,
                  (int)t->spin, (int)t->mode, t->form, t->conjugate, t->scaled);
    check_ok(armilla_sht_analysis(p.other, other, back, &exec));
    if (t->mode != ARMILLA_SHT_DERIVATIVES)
        check_at_most(rms_error(p.ncomp * p.numbers, c, back), 2e-14 + 5e-17 * (double)t->lmax,
                      "spin %d", (int)t->spin);
    /* transposes */
    random_fill(8, p.npix, map);
    const double norm = sqrt(dot_maps(p.npix, map, map) * dot_maps(p.npix, other, other));
    check_ok(armilla_sht_adjoint_synthesis(p.other, map, back, &exec));
    check_at_most(fabs(dot_maps(p.npix, map, other) - dot(t, &p, c, back)) / norm, 1e-14,
                  "transpose of synthesis, spin %d form %d", (int)t->spin, t->form);
    check_ok(armilla_sht_adjoint_analysis(p.other, c, other, &exec));
    check_ok(armilla_sht_analysis(p.other, map, back, &exec));
    check_at_most(fabs(dot_maps(p.npix, map, other) - dot(t, &p, c, back)) / norm, 1e-14,
                  "transpose of analysis, spin %d form %d", (int)t->spin, t->form);
    free(back), free(other), free(map), free(a), free(c);
    close_plans(&p);
}

static void every_form_is_the_usual_one_converted(void **state)
{
    static const int64_t bands[][3] = {{0, 0, 1}, {12, 12, 1}, {13, 4, 1}, {17, 5, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++)
        for (int64_t spin = 0; spin <= 2 && spin <= bands[i][0]; spin++)
            for (int way = 0; way < 8; way++) {
                scene t = {.lmax = bands[i][0], .mmax = bands[i][1], .mres = bands[i][2]};
                t.spin = spin, t.form = way % 2, t.conjugate = way / 2 % 2, t.scaled = way / 4;
                armilla_grid *gauss = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, t.lmax, t.mmax, 0, 0);
                armilla_grid *mw = exact_grid(ARMILLA_GRID_MW, t.lmax, t.mmax, 0, 0);
                t.grid = gauss, check_scene(&t), t.grid = mw, check_scene(&t);
                t.mode = spin ? ARMILLA_SHT_DERIVATIVES : ARMILLA_SHT_STANDARD;
                check_scene(&t);
                t.mode = spin ? ARMILLA_SHT_GRADIENT_ONLY : ARMILLA_SHT_STANDARD;
                check_scene(&t);
                armilla_grid_free(mw), armilla_grid_free(gauss);
            }
}

/* Sums in several passes, which wait in the array, or in memory where it has floats. */
static void all_ways_of_leg(void **state)
{
    static const char *const ways[] = {"sht.passes=2,sht.parking=1", "sht.passes=2,sht.parking=0"};
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 600, 40, 0, 0);
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int form = 0; form < 2; form++) {
            scene t = {grid, 600, 40, 1, 0, ARMILLA_SHT_STANDARD, form, 1, 1, ways[way]};
            check_scene(&t);
            plans p = open_plans(&t);
            double *c = new_numbers(&t, &p), *wide = checked_malloc(p.numbers, 8);
            double *map = checked_malloc(p.npix, 8);
            float *few = checked_malloc(p.npix, 4), *back = checked_malloc(p.numbers, 4);
            check_ok(armilla_sht_synthesis(p.other, c, map, NULL));
            to_float(p.npix / NTRANS, map, few);
            check_ok(armilla_sht_analysis_float(p.other, few, back, NULL));
            to_double(p.numbers, back, wide);
            check_at_most(rms_error(p.numbers, c, wide), 2e-7, "float, form %d", form);
            to_float(p.numbers, c, back);
            check_ok(armilla_sht_synthesis_float(p.other, back, few, NULL));
            free(back), free(few), free(map), free(wide), free(c);
            close_plans(&p);
        }
    armilla_grid_free(grid);
}

/* armilla_alm_to_real, bit by bit the same numbers in another way. */
static void real_is_the_packing_of_the_library(void **state)
{
    enum { L = 30, SIZE = (L + 1) * (L + 2) / 2, REALS = 2 * SIZE - (L + 1) };
    armilla_grid *grid = exact_grid(ARMILLA_GRID_F1, L, L, 0, 0);
    const int64_t npix = armilla_grid_npix(grid);
    scene t = {grid, L, L, 1, 0, ARMILLA_SHT_STANDARD, ARMILLA_ALM_REAL, 0, 0, NULL};
    plans p = open_plans(&t);
    double alm[2 * SIZE], real[REALS];
    double *map = checked_malloc(npix, 8), *other = checked_malloc(npix, 8);
    (void)state;
    random_alm_triangle(5, L, L, alm);
    check_ok(armilla_alm_to_real(L, L, alm, real));
    check_ok(armilla_sht_synthesis(p.usual, alm, map, NULL));
    check_ok(armilla_sht_synthesis(p.other, real, other, NULL));
    check_at_most(rms_error(npix, map, other), 1e-15, "packing");
    free(other), free(map);
    close_plans(&p), armilla_grid_free(grid);
}

/* C and S of geodesy: sums of cosines and sines with the 4 pi norm and no sign. */
static void geodesists_have_their_coefficients(void **state)
{
    enum { L = 2, RINGS = 3, NPHI = 5 };
    const double degree[L + 1] = {sqrt(4 * M_PI), sqrt(4 * M_PI), sqrt(4 * M_PI)};
    const double order[L + 1] = {1, -1, 1};
    const double c[9] = {0.5, 1, 2, 3, 4, 5, 6, 7, 8}; /* C00 C10 C20 C11 S11 C21 S21 C22 S22 */
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, L, L, 0, NPHI);
    armilla_ring *rings = grid_rings(grid);
    armilla_sht *sht;
    armilla_sht_options options;
    double map[RINGS * NPHI];
    (void)state;
    armilla_sht_options_init(&options);
    options.form = ARMILLA_ALM_REAL, options.conjugate = 1;
    options.degree_scale = degree, options.order_scale = order;
    check_ok(armilla_sht_new(grid, L, L, &options, &sht));
    check_ok(armilla_sht_synthesis(sht, c, map, NULL));
    for (int i = 0; i < RINGS * NPHI; i++) {
        const double x = cos(rings[i / NPHI].theta), s = sin(rings[i / NPHI].theta);
        const double phi = 2 * M_PI * (i % NPHI) / NPHI;
        const double f = c[0] + c[1] * sqrt(3) * x + c[2] * sqrt(5) * (3 * x * x - 1) / 2 +
                         sqrt(3) * s * (c[3] * cos(phi) + c[4] * sin(phi)) +
                         sqrt(15) * s * x * (c[5] * cos(phi) + c[6] * sin(phi)) +
                         sqrt(15) / 2 * s * s * (c[7] * cos(2 * phi) + c[8] * sin(2 * phi));
        check_at_most(fabs(map[i] - f), 2e-14, "pixel %d", i);
    }
    armilla_sht_free(sht), free(rings), armilla_grid_free(grid);
}

static int64_t plan_bytes(const armilla_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 1, &d));
    return d.plan_bytes;
}

/* Two tables each, of degrees and of orders: with scales and with their inverses. */
static void plans_count_their_tables(void **state)
{
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 60, 40, 0, 0);
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        scene t = {grid, 60, 40, 1, 0, ARMILLA_SHT_STANDARD, ARMILLA_ALM_REAL, 0, scaled, NULL};
        plans p = open_plans(&t);
        assert_int_equal(plan_bytes(p.other) - plan_bytes(p.usual), scaled ? 2 * 8 * (61 + 41) : 0);
        close_plans(&p);
    }
    armilla_grid_free(grid);
}

static void what_cannot_be_is_refused(void **state)
{
    const double bad[5] = {1, 1, 0, 1, 1}, good[5] = {1, 1, 2, 1, 1};
    double map[192] = {1}, alm[30];
    armilla_grid *grid = healpix_grid(4);
    armilla_alm_layout *layout;
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_complex_sht *complex_sht;
    armilla_sht_options options;
    armilla_exec exec;
    (void)state;
    check_ok(armilla_alm_layout_new(4, 4, &layout));
    armilla_sht_options_init(&options);
    options.form = (armilla_alm_form)2;
    check_error(armilla_sht_new(grid, 4, 4, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->form = 2");
    options.form = ARMILLA_ALM_REAL, options.layout = layout;
    check_error(armilla_sht_new(grid, 4, 4, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->layout");
    options.layout = NULL, options.degree_scale = bad;
    check_error(armilla_sht_new(grid, 4, 4, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->degree_scale[2] = 0");
    options.degree_scale = good, options.order_scale = bad;
    check_error(armilla_sht_new(grid, 4, 4, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->order_scale[2] = 0");
    options.order_scale = good;
    check_ok(armilla_sht_new(grid, 4, 4, &options, &sht));
    check_error(armilla_sht_pseudo_analysis(sht, map, alm, NULL, NULL, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "form");
    armilla_exec_init(&exec);
    exec.ntrans = 2, exec.alm_distance = 24;
    check_error(armilla_sht_synthesis(sht, alm, map, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm_distance = 24");
    armilla_sht_free(sht);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"options->form", "options->conjugate",
                                            "options->degree_scale", "options->order_scale"};
        armilla_sht_options_init(&options);
        if (i == 0) options.form = ARMILLA_ALM_REAL;
        if (i == 1) options.conjugate = 1;
        if (i == 2) options.degree_scale = good;
        if (i == 3) options.order_scale = good;
        check_error(armilla_iqu_new(grid, 4, 4, &options, &iqu), ARMILLA_ERROR_ARGUMENT, names[i]);
        check_error(armilla_complex_sht_new(grid, 4, 4, &options, &complex_sht),
                    ARMILLA_ERROR_ARGUMENT, names[i]);
        options.device = ARMILLA_CUDA;
        check_error(armilla_sht_new(grid, 4, 4, &options, &sht), ARMILLA_ERROR_UNSUPPORTED,
                    names[i]);
    }
    armilla_alm_layout_free(layout), armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_the_usual_one_converted),
        cmocka_unit_test(all_ways_of_leg),
        cmocka_unit_test(real_is_the_packing_of_the_library),
        cmocka_unit_test(geodesists_have_their_coefficients),
        cmocka_unit_test(plans_count_their_tables),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
