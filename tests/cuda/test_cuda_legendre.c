/* Checks that the Legendre stage on the emulated GPU gives what the stage on the CPU gives on the
 * same problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/legendre_scene.h"

/* Entries of two legs that exist: the largest difference, and the largest value of the first. */
static void compare_legs(const armilla_leg *a, const armilla_leg *b, double *difference,
                         double *largest)
{
    for (int64_t n = 0; n < a->layout->nblocks; n++) {
        const armilla_leg_block *block = &a->layout->blocks[n];
        for (int64_t i = 0; i < a->nsets * block->nrows * block->npairs * 4; i++) {
            const int64_t set = i / (block->nrows * block->npairs * 4);
            const int64_t row = i / (block->npairs * 4) % block->nrows;
            const int64_t entry = i % (block->npairs * 4), m = a->layout->orders[row];
            if (m > a->layout->pairs->limit[block->first + entry / 4]) continue;
            const double first = armilla_leg_row(a, block, set, row)[entry];
            const double second = armilla_leg_row(b, block, set, row)[entry];
            *difference = larger_or_nan(*difference, fabs(first - second));
            *largest = larger_or_nan(*largest, fabs(first));
        }
    }
}

/* The stage on the CPU, which has one field of a spin per call, and all transforms of scalars. leg
 * is one block. */
static void host_stage(const scene *s, const armilla_alm_rows *rows, const armilla_leg *leg,
                       int to_leg)
{
    const int64_t calls = s->p->spin ? s->p->ntrans : 1;
    for (int64_t i = 0; i < calls; i++) {
        armilla_alm_rows part = *rows;
        const armilla_leg of = {leg->layout, leg->nsets / calls,
                                leg->values + i * (leg->nsets / calls) * leg->layout->size, NULL,
                                0};
        part.values = armilla_array_from(rows->values, 2 * i * s->ncomp * rows->distance);
        if (rows->sums) part.sums = rows->sums + i * s->ncomp * rows->sums_size;
        if (to_leg)
            armilla_legendre_to_leg(s->cpu, &part, &of, &s->work);
        else
            armilla_legendre_from_leg(s->cpu, &of, &part, &s->work);
    }
}

static double relative(double difference, double largest)
{
    return largest > 0 ? difference / largest : difference;
}

/* Largest difference between the GPU's leg and the CPU's, over the largest value. */
static double synthesis_error(const scene *s)
{
    double difference = 0, largest = 0;
    void *alm = random_values(s);
    const armilla_alm_rows rows = rows_of(s, alm, 0);
    for (int64_t i = 0; i < s->passes.count; i++) {
        const armilla_leg_layout *layout = &s->passes.layouts[i];
        armilla_leg expected = {layout, s->nsets, host_leg(s, layout), NULL, 0};
        armilla_leg found = {layout, s->nsets, host_leg(s, layout), NULL, 0};
        host_stage(s, &rows, &expected, 1);
        device_synthesis(s, alm, &found);
        compare_legs(&expected, &found, &difference, &largest);
        armilla_release(expected.values);
        armilla_release(found.values);
    }
    free(alm);
    return relative(difference, largest);
}

static double alm_difference(const scene *s, const void *a, const void *b)
{
    double difference = 0, largest = 0;
    const armilla_array first = {(void *)(uintptr_t)a, s->p->is_float};
    const armilla_array second = {(void *)(uintptr_t)b, s->p->is_float};
    for (int64_t i = 0; i < alm_count(s); i++) {
        const double value = armilla_array_get(first, i);
        difference = larger_or_nan(difference, fabs(value - armilla_array_get(second, i)));
        largest = larger_or_nan(largest, fabs(value));
    }
    return relative(difference, largest);
}

/* Zeros in the orders that the stage has not, as src/points/execute.c writes them. */
static void clear_above(const scene *s, void *alm)
{
    const problem *p = s->p;
    armilla_alm_rows rows = rows_of(s, alm, 0);
    double *row = checked_malloc(2 * (p->lmax + 1), sizeof *row);
    rows.order_factor = NULL;
    for (int64_t m = p->mmax + 1; m <= p->mmax + p->above; m++)
        for (int64_t set = 0; set < s->nsets; set++) {
            memset(row, 0, (size_t)(2 * (p->lmax + 1)) * sizeof *row);
            armilla_alm_rows_write(&rows, set, m, row);
        }
    free(row);
}

static double analysis_error(const scene *s)
{
    /* numbers between coefficients must stay as they are: both begin alike */
    void *expected = random_values(s), *found = random_values(s);
    const int64_t sums_size = 2 * armilla_alm_size(s->p->lmax, s->p->mmax);
    double *sums = checked_calloc(sums_size * s->p->ntrans * s->ncomp, sizeof *sums);
    double *device_sums = to_device(sums, sums_size * s->p->ntrans * s->ncomp, sizeof *sums);
    const int with_sums = s->p->is_float && s->passes.count > 1;
    for (int64_t i = 0; i < s->passes.count; i++) {
        const armilla_leg_layout *layout = &s->passes.layouts[i];
        armilla_leg leg = {layout, s->nsets, host_leg(s, layout), NULL, 0};
        armilla_alm_rows rows = rows_of(s, expected, 0);
        rows.later = i > 0, rows.last = i == s->passes.count - 1;
        rows.sums = with_sums ? sums : NULL, rows.sums_size = sums_size;
        fill_leg(&leg, (uint64_t)i + 1);
        host_stage(s, &rows, &leg, 0);
        device_analysis(s, &leg, i, found, with_sums ? device_sums : NULL);
        armilla_release(leg.values);
    }
    clear_above(s, expected);
    device_clear(s, found);
    const double error = alm_difference(s, expected, found);
    armilla_cuda_release(device_sums);
    free(sums);
    free(expected);
    free(found);
    return error;
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void check_problem(const problem *p, double bound)
{
    scene s;
    scene_open(&s, p);
    const double synthesis = synthesis_error(&s), analysis = analysis_error(&s);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("lmax %lld spin %lld: synthesis %.2g, analysis %.2g\n", (long long)p->lmax,
                      (long long)p->spin, synthesis, analysis);
    check_at_most(synthesis, bound, "synthesis, lmax %lld, spin %lld", (long long)p->lmax,
                  (long long)p->spin);
    check_at_most(analysis, bound, "analysis, lmax %lld, spin %lld", (long long)p->lmax,
                  (long long)p->spin);
    scene_close(&s);
}

static void check_all(const problem *problems, size_t count, double bound)
{
    for (size_t i = 0; i < count; i++) check_problem(&problems[i], bound);
}

#define CHECK_ALL(problems, bound) check_all(problems, sizeof(problems) / sizeof *(problems), bound)

/* Sums are of at most 300 terms, in another sequence than the CPU's: measured 1e-14 at most with
 * AVX-512. Shorter vectors use the plain forms of the recurrence nearer to pole and equator than
 * the GPU does, where they round more: 3.5e-14. */
static double bound_of_doubles(void)
{
    return (armilla_kernels_find(best_isa())->vector_length < 8 ? 450 : 180) * 0x1p-53;
}

/* Among them: no steps but padding, one pair, fine forms at pole and equator (lmax > 80), p far
 * below the range of doubles (large m near the pole), groups of one, two, three and four vectors.
 */
static void scalars_agree(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 0, .nrings = 1, .ntrans = 1},
        {.lmax = 1, .mmax = 1, .nrings = 2, .ntrans = 1},
        {.lmax = 5, .mmax = 5, .nrings = 9, .ntrans = 1},
        {.lmax = 33, .mmax = 33, .nrings = 40, .ntrans = 1},
        {.lmax = 80, .mmax = 60, .nrings = 85, .ntrans = 1, .shape = "v2w4"},
        {.lmax = 96, .mmax = 96, .nrings = 193, .ntrans = 1, .shape = "v4w4"},
        {.lmax = 130, .mmax = 130, .nrings = 131, .ntrans = 1},
        {.lmax = 300, .mmax = 300, .nrings = 601, .ntrans = 1, .shape = "v4w4", FEW_ORDERS},
        {.lmax = 300, .mmax = 300, .nrings = 601, .ntrans = 1, .shape = "v1w4", FEW_ORDERS},
        {.lmax = 300, .mmax = 300, .nrings = 500, .ntrans = 1, .shape = "v2w4", FEW_ORDERS},
    };
    CHECK_ALL(problems, bound_of_doubles());
}

/* Spins 1 to 3 as sums of scalar functions, near the poles by their own, the others by their own.
 */
static void spins_agree(void **state)
{
    (void)state;
    static const int64_t spins[] = {1, 2, 3, 4, -2, 7};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const problem problems[] = {
            {.lmax = 7, .mmax = 7, .nrings = 3, .ntrans = 1, .spin = spins[i]},
            {.lmax = 40, .mmax = 37, .nrings = 45, .ntrans = 1, .spin = spins[i]},
            {.lmax = 130, .mmax = 130, .nrings = 301, .ntrans = 1, .spin = spins[i], SPIN_ORDERS},
            {.lmax = 250,
             .mmax = 250,
             .nrings = 301,
             .ntrans = 1,
             .spin = spins[i],
             .shape = "v1w4",
             .norders = 2,
             .orders = {3, 170}},
            {.lmax = 130, .mmax = 130, .nrings = 130, .ntrans = 1, .spin = spins[i], SPIN_ORDERS},
        };
        CHECK_ALL(problems, bound_of_doubles());
    }
}

/* Three fields: kernels of four sets and of two, of two fields and of one. */
static void many_transforms_share_a_recurrence(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2},
        {.lmax = 90, .mmax = 90, .nrings = 140, .ntrans = 2, .shape = "v2w4"},
        {.lmax = 130,
         .mmax = 130,
         .nrings = 260,
         .ntrans = 3,
         .shape = "v4w4",
         FEW_ORDERS_BELOW_130},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 4},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2, .spin = 2},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 2, .spin = 5},
        {.lmax = 50, .mmax = 50, .nrings = 150, .ntrans = 3, .spin = 1},
        {.lmax = 50, .mmax = 50, .nrings = 60, .ntrans = 3, .spin = 5, .shape = "v2w8"},
        {.lmax = 130, .mmax = 130, .nrings = 301, .ntrans = 3, .spin = 2, SPIN_ORDERS},
    };
    CHECK_ALL(problems, bound_of_doubles());
}

/* Coefficients by columns, with a factor for each degree, of one component where maps have two. */
static void rows_of_any_layout_are_read_and_written(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 40, .mmax = 30, .nrings = 45, .ntrans = 1, .columns = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .columns = 1, .given_factor = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .spin = 1, .ncomp = 1},
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 1, .spin = 2, .ncomp = 1, .columns = 1},
    };
    CHECK_ALL(problems, bound_of_doubles());
}

/* As points have them: factors of orders, rings in a zone of colatitudes, and fewer orders than
 * alm.
 */
static void check_zones(int is_float, double bound)
{
    static const int64_t spins[] = {0, 1, 2, 3, 7, -2};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        problem problems[] = {
            {.lmax = 40, .mmax = 25, .nrings = 24, .ntrans = 1, .begin = 0.3, .end = 0.9},
            {.lmax = 60, .mmax = 50, .nrings = 40, .ntrans = 2, .end = 0.7, .columns = 1},
            {.lmax = 90, .mmax = 60, .nrings = 70, .ntrans = 1, .begin = 1.2, .end = 2, .pass = 32},
            {.lmax = 30, .mmax = 0, .nrings = 33, .ntrans = 1, .begin = 2.8, .ncomp = 1},
        };
        for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
            problem *p = &problems[k];
            p->given_factor = 1, p->above = (p->lmax - p->mmax) / (k % 2 ? 2 : 1);
            p->spin = spins[i], p->is_float = is_float;
            check_problem(p, bound);
        }
    }
}

static void factors_of_orders_and_zones_agree(void **state)
{
    (void)state;
    check_zones(0, bound_of_doubles());
    check_zones(1, 0x1p-24);
}

/* Some pairs after the other, as if more rings came; some orders after the other, in scratch that
 * holds a few of them. */
static void parts_of_the_work_add_up(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 60, .mmax = 60, .nrings = 100, .ntrans = 1, .pass = 32},
        {.lmax = 60, .mmax = 60, .nrings = 100, .ntrans = 2, .spin = 2, .pass = 20, .columns = 1},
        {.lmax = 60, .mmax = 60, .nrings = 60, .ntrans = 3, .most = 20000},
        {.lmax = 60, .mmax = 60, .nrings = 60, .ntrans = 1, .spin = 3, .most = 1},
        {.lmax = 100,
         .mmax = 100,
         .nrings = 120,
         .ntrans = 1,
         .spin = 2,
         .pass = 32,
         .most = 30000},
    };
    CHECK_ALL(problems, bound_of_doubles());
}

static void floats_are_rounded_once(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.lmax = 40, .mmax = 40, .nrings = 45, .ntrans = 2, .is_float = 1},
        {.lmax = 40, .mmax = 40, .nrings = 100, .ntrans = 1, .is_float = 1, .pass = 16},
        {.lmax = 40,
         .mmax = 40,
         .nrings = 100,
         .ntrans = 2,
         .is_float = 1,
         .spin = 2,
         .pass = 16,
         .columns = 1},
    };
    CHECK_ALL(problems, 0x1p-24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_agree),
        cmocka_unit_test(spins_agree),
        cmocka_unit_test(many_transforms_share_a_recurrence),
        cmocka_unit_test(rows_of_any_layout_are_read_and_written),
        cmocka_unit_test(factors_of_orders_and_zones_agree),
        cmocka_unit_test(parts_of_the_work_add_up),
        cmocka_unit_test(floats_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
