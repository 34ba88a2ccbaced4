/* Checks that what a call left in the workspace that a plan keeps for the next one
 * (base/workspace.h), NaN among it, does not reach the results. Every operator after every other
 * one, against the same operator of a plan that has never run: the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>

enum { OPERATIONS = 4 };

typedef struct {
    const armilla_grid *grid;
    spin_case c;
    int64_t size, npix, ntrans; /* doubles of one transform */
} problem;

static armilla_status run(const armilla_sht *sht, int operation, const double *input,
                          double *output, int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    exec.ntrans = ntrans;
    switch (operation) {
    case 0:
        return armilla_sht_synthesis(sht, input, output, &exec);
    case 1:
        return armilla_sht_adjoint_synthesis(sht, input, output, &exec);
    case 2:
        return armilla_sht_analysis(sht, input, output, &exec);
    default:
        return armilla_sht_adjoint_analysis(sht, input, output, &exec);
    }
}

static int to_map(int operation)
{
    return operation == 0 || operation == 3;
}

static double *new_input(const problem *p, int operation, int is_nan)
{
    const int64_t count = p->ntrans * (to_map(operation) ? p->size : p->npix);
    double *input = checked_malloc(count, sizeof *input);
    random_fill(81, count, input);
    for (int64_t i = 0; i < count && is_nan; i++) input[i] = NAN;
    return input;
}

static void check_equal(const problem *p, int before, int operation, const double *output,
                        const double *expected)
{
    const int64_t count = p->ntrans * (to_map(operation) ? p->npix : p->size);
    for (int64_t i = 0; i < count; i++)
        if (output[i] != expected[i])
            fail_msg("%s, %d rings, lmax %d, mmax %d, spin %d, method %d, %d transforms: operator "
                     "%d after %d: entry %lld is %g, not %g",
                     armilla_grid_kind_name(armilla_grid_get_kind(p->grid)),
                     (int)armilla_grid_nrings(p->grid), (int)p->c.lmax, (int)p->c.mmax,
                     (int)p->c.spin, (int)p->c.rings, (int)p->ntrans, operation, before,
                     (long long)i, output[i], expected[i]);
}

/* Each operator with NaN alone, then `operation`. */
static void check_operation(const problem *p, const armilla_sht *used, int operation)
{
    const int64_t most = p->ntrans * (p->npix + p->size);
    double *input = new_input(p, operation, 0), *output = checked_calloc(most, 8);
    double *expected = checked_calloc(most, 8), *ignored = checked_malloc(most, 8);
    armilla_sht *fresh = spin_plan(p->grid, &p->c);
    check_ok(run(fresh, operation, input, expected, p->ntrans));
    for (int before = 0; before < OPERATIONS; before++) {
        double *nans = new_input(p, before, 1);
        check_ok(run(used, before, nans, ignored, p->ntrans));
        check_ok(run(used, operation, input, output, p->ntrans));
        check_equal(p, before, operation, output, expected);
        free(nans);
    }
    armilla_sht_free(fresh);
    void *arrays[] = {input, output, expected, ignored};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* mmax 5 modulo 8: a row of the half of the orders is not used. Frees the grid. */
static void check_grid(armilla_grid *grid, int64_t lmax, armilla_sht_method method)
{
    for (int64_t spin = 0; spin < 3; spin++)
        for (int i = 0; i < 3; i++) {
            problem p = {grid,
                         {.lmax = lmax, .mmax = i ? lmax / 8 * 8 - 3 : lmax, .spin = spin},
                         0,
                         armilla_grid_npix(grid) * (spin ? 2 : 1),
                         i < 2 ? 1 : 3};
            p.c.rings = method;
            p.size = spin_size(&p.c);
            armilla_sht *used = spin_plan(grid, &p.c);
            for (int operation = 0; operation < OPERATIONS; operation++)
                check_operation(&p, used, operation);
            armilla_sht_free(used);
        }
    armilla_grid_free(grid);
}

/* Band limits at which rings near the poles need few of the orders only. */
static void resampled_transforms_ignore_earlier_calls(void **state)
{
    (void)state;
    check_grid(healpix_grid(24), 150, ARMILLA_SHT_RESAMPLE);
    check_grid(healpix_grid(5), 30, ARMILLA_SHT_RESAMPLE);
    check_grid(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 120, 120, 1, 0), 120, ARMILLA_SHT_RESAMPLE);
}

static void direct_transforms_ignore_earlier_calls(void **state)
{
    (void)state;
    check_grid(healpix_grid(24), 150, ARMILLA_SHT_DIRECT);
    check_grid(healpix_grid(5), 30, ARMILLA_SHT_DIRECT);
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        check_grid(exact_grid(exact_kinds[kind], 60, 60, kind % 2, 0), 60, ARMILLA_SHT_DIRECT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resampled_transforms_ignore_earlier_calls),
        cmocka_unit_test(direct_transforms_ignore_earlier_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
