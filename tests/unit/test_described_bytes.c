/* Checks that a description has as many bytes of workspace as calls take: what a plan keeps after
 * its calls, counted by the C library, for every kind of plan on the processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>

enum { LMAX = 150, MOST_COMPONENTS = 3 }; /* blocks are too small for large pages */

/* Bytes that the process has in use; 0 where nobody counts them. */
static int64_t bytes_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 m = mallinfo2();
    return (int64_t)(m.uordblks + m.hblkhd);
#else
    return 0;
#endif
}

typedef struct {
    double *alm, *map;
    armilla_exec exec;
    int64_t before, most; /* bytes in use before the first call, and the most after one */
} calls;

static void calls_open(calls *c, const armilla_grid *grid)
{
    const int64_t npix = MOST_COMPONENTS * armilla_grid_npix(grid);
    const int64_t nalm = MOST_COMPONENTS * 2 * (LMAX + 1) * (LMAX + 1);
    c->alm = checked_calloc(nalm, 8), c->map = checked_calloc(2 * npix, 8);
    armilla_exec_init(&c->exec);
    c->exec.nthreads = 1;
    c->before = c->most = bytes_in_use();
}

static void note(calls *c, armilla_status status)
{
    check_ok(status);
    const int64_t bytes = bytes_in_use();
    if (bytes > c->most) c->most = bytes;
}

static void calls_close(calls *c, const armilla_sht_description *d, const char *what)
{
    const double taken = (double)(c->most - c->before), told = (double)d->workspace_bytes;
    free(c->alm), free(c->map);
    if (c->before == 0) return;
    print_message("%s: %.2f MB are taken, %.2f MB described\n", what, taken * 1e-6, told * 1e-6);
    assert_true(taken < 1.01 * told + 1e4 && taken > 0.99 * told - 1e4);
}

/* The four operators of a kind of plan. */
#define RUN(kind, plan, c)                                                                         \
    note(&c, armilla_##kind##_synthesis(plan, c.alm, c.map, &c.exec));                             \
    note(&c, armilla_##kind##_adjoint_synthesis(plan, c.map, c.alm, &c.exec));                     \
    note(&c, armilla_##kind##_analysis(plan, c.map, c.alm, &c.exec));                              \
    note(&c, armilla_##kind##_adjoint_analysis(plan, c.alm, c.map, &c.exec))

static void check_sht(const armilla_grid *grid, int64_t spin, const char *what)
{
    calls c;
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht_options_init(&options);
    options.spin = spin;
    check_ok(armilla_sht_new(grid, LMAX, LMAX, &options, &sht));
    check_ok(armilla_sht_describe(sht, 1, &d));
    calls_open(&c, grid);
    RUN(sht, sht, c);
    calls_close(&c, &d, what);
    armilla_sht_free(sht);
}

static void check_complex(const armilla_grid *grid, int64_t spin, const char *what)
{
    calls c;
    armilla_complex_sht *sht;
    armilla_sht_options options;
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht_options_init(&options);
    options.spin = spin;
    check_ok(armilla_complex_sht_new(grid, LMAX, LMAX, &options, &sht));
    check_ok(armilla_complex_sht_describe(sht, 1, &d));
    calls_open(&c, grid);
    RUN(complex_sht, sht, c);
    calls_close(&c, &d, what);
    armilla_complex_sht_free(sht);
}

static void check_iqu(const armilla_grid *grid, const char *what)
{
    calls c;
    armilla_iqu *iqu;
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, NULL, &iqu));
    check_ok(armilla_iqu_describe(iqu, 1, &d));
    calls_open(&c, grid);
    RUN(iqu, iqu, c);
    calls_close(&c, &d, what);
    armilla_iqu_free(iqu);
}

static void check_vector(const armilla_grid *grid, int radial, const char *what)
{
    calls c;
    armilla_vector *vector;
    armilla_vector_options options;
    armilla_sht_description d = {.size = sizeof d};
    armilla_vector_options_init(&options);
    options.radial = radial;
    check_ok(armilla_vector_new(grid, LMAX, LMAX, &options, &vector));
    check_ok(armilla_vector_describe(vector, 1, &d));
    calls_open(&c, grid);
    RUN(vector, vector, c);
    calls_close(&c, &d, what);
    armilla_vector_free(vector);
}

static void every_plan_takes_what_it_describes(void **state)
{
    armilla_grid *gauss, *nested, *whole;
    (void)state;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 2, &gauss));
    check_ok(armilla_grid_new_healpix(64, &whole));
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.nested = 1;
    check_ok(armilla_grid_new_laid_out(whole, &layout, &nested));
    check_sht(gauss, 0, "scalar");
    check_sht(gauss, 2, "spin 2");
    check_sht(whole, 0, "scalar, HEALPix");
    check_sht(nested, 0, "scalar, NESTED");
    check_sht(nested, 1, "spin 1, NESTED");
    check_complex(gauss, 0, "complex scalar");
    check_complex(whole, 0, "complex scalar, HEALPix");
    check_complex(gauss, 1, "complex, spin 1");
    check_complex(whole, 2, "complex, spin 2, HEALPix");
    check_iqu(gauss, "I, Q, U");
    check_iqu(nested, "I, Q, U, NESTED");
    check_vector(gauss, 0, "vector");
    check_vector(gauss, 1, "vector with a radial component");
    armilla_grid_free(gauss), armilla_grid_free(nested), armilla_grid_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_takes_what_it_describes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
