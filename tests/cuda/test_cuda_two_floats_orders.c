/* Checks the Legendre stage of the emulated GPU in two floats order by order, on all rings of a
 * grid with so many, against the processor in doubles. ARMILLA_TEST_VERBOSE=1 prints errors;
 * ARMILLA_TEST_TWO_FLOATS_LMAX=4095 ARMILLA_TEST_TWO_FLOATS_ORDERS=64 takes larger degrees and so
 * many orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/legendre_scene.h"

/* What include/armilla/device.h promises. */
static double bound(int64_t lmax)
{
    return 2e-12 * (1 + (double)lmax / 1000);
}

/* Largest difference of two arrays over the largest value of the first. */
static double error_between(int64_t count, const double *wanted, const double *made)
{
    double difference = 0, largest = 0;
    for (int64_t i = 0; i < count; i++) {
        difference = larger_or_nan(difference, fabs(wanted[i] - made[i]));
        largest = larger_or_nan(largest, fabs(wanted[i]));
    }
    assert_true(largest > 0);
    return difference / largest;
}

/* Zeros in entries of pairs on which the order does not matter: nobody writes them. */
static void clear_others(const armilla_leg *leg)
{
    const armilla_leg_block *block = &leg->layout->blocks[0];
    const int64_t m = leg->layout->orders[0];
    for (int64_t i = 0; i < 4 * block->npairs; i++)
        if (m > leg->layout->pairs->limit[block->first + i / 4])
            armilla_leg_row(leg, block, 0, 0)[i] = 0;
}

/* A spectrum that falls as (l + 1)^-steepness. */
static double *falling_alm(const scene *s, int steepness)
{
    const int64_t m = s->p->orders[0];
    double *alm = random_values(s);
    for (int64_t l = m; l <= s->p->lmax; l++) {
        const double factor = pow((double)(l + 1), -steepness);
        alm[2 * (s->mstart[m] + l)] *= factor, alm[2 * (s->mstart[m] + l) + 1] *= factor;
    }
    return alm;
}

static double synthesis_error(const scene *s, int steepness)
{
    const armilla_leg_layout *layout = &s->passes.layouts[0];
    armilla_leg wanted = {layout, 1, host_leg(s, layout), NULL, 0};
    armilla_leg made = {layout, 1, host_leg(s, layout), NULL, 0};
    double *alm = falling_alm(s, steepness);
    const armilla_alm_rows rows = rows_of(s, alm, 0);
    armilla_legendre_to_leg(s->cpu, &rows, &wanted, &s->work);
    device_synthesis(s, alm, &made);
    clear_others(&wanted), clear_others(&made);
    const double error = error_between(4 * s->pairs.count, wanted.values, made.values);
    armilla_release(made.values);
    armilla_release(wanted.values);
    free(alm);
    return error;
}

static double analysis_error(const scene *s)
{
    const armilla_leg_layout *layout = &s->passes.layouts[0];
    const int64_t m = s->p->orders[0];
    armilla_leg leg = {layout, 1, host_leg(s, layout), NULL, 0};
    double *wanted = random_values(s), *made = random_values(s);
    const armilla_alm_rows rows = rows_of(s, wanted, 0);
    fill_leg(&leg, 7);
    armilla_legendre_from_leg(s->cpu, &leg, &rows, &s->work);
    device_analysis(s, &leg, 0, made, NULL);
    const int64_t begin = 2 * (s->mstart[m] + m), count = 2 * (s->p->lmax + 1 - m);
    const double error = error_between(count, wanted + begin, made + begin);
    free(made);
    free(wanted);
    armilla_release(leg.values);
    return error;
}

/* The errors of a synthesis of a white and of a steep spectrum, and of an analysis. */
static void check_order(int64_t lmax, int64_t m, double largest[3])
{
    const problem p = {.lmax = lmax,
                       .mmax = lmax,
                       .nrings = lmax + 1,
                       .ntrans = 1,
                       .norders = 1,
                       .orders = {m},
                       .precision = {ARMILLA_CUDA_IN_TWO_FLOATS, ARMILLA_CUDA_IN_DOUBLE}};
    scene s;
    scene_open(&s, &p);
    const double error[3] = {synthesis_error(&s, 0), synthesis_error(&s, 3), analysis_error(&s)};
    scene_close(&s);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("lmax %lld, m %lld: synthesis %.2g, of l^-3 %.2g, analysis %.2g\n",
                      (long long)lmax, (long long)m, error[0], error[1], error[2]);
    for (int i = 0; i < 3; i++) {
        check_at_most(error[i], bound(lmax), "lmax %lld, m %lld, kind %d", (long long)lmax,
                      (long long)m, i);
        largest[i] = fmax(largest[i], error[i]);
    }
}

/* 0, 1, lmax and orders between them, the more the lower. */
static void each_order(void **state)
{
    (void)state;
    const char *asked = getenv("ARMILLA_TEST_TWO_FLOATS_LMAX");
    const char *orders = getenv("ARMILLA_TEST_TWO_FLOATS_ORDERS");
    const int64_t lmax = asked ? atoll(asked) : checks_quick() ? 255 : 1023;
    const int64_t count = orders ? atoll(orders) : 6;
    double largest[3] = {0, 0, 0};
    for (int64_t i = 0, next = 0; i < count; i++) {
        const double part = (double)i / (double)(count - 1);
        const int64_t m = (int64_t)((double)lmax * part * part + 0.5);
        next = m > next ? m : next;
        check_order(lmax, next++, largest);
        if (next > lmax) break;
    }
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("lmax %lld: at most %.2g, %.2g, %.2g\n", (long long)lmax, largest[0],
                      largest[1], largest[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
