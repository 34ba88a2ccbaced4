/* The theta stage on a GPU with rings that are samples of a circle, as points want it: both
 * directions are the processor's on random legs, transposes of each other, the same bits whatever
 * the sequence of threads, and memory that was told; and what it refuses, it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/theta_circle_scene.h"
#include "fft/lane_fft_plan.h"

/* Bands end with half the circle, and beyond it, where frequencies fade; circles that are short,
 * long, and as long as each other; rings that are missing; fewer orders than degrees. */
static const circle_case cases[] = {
    {.lmax = 12, .mmax = 12, .nfrom = 16, .nto = 30, .band = 12, .whole = 1},
    {.lmax = 12, .mmax = 9, .nfrom = 21, .nto = 45, .band = 21},
    {.lmax = 14, .mmax = 12, .nfrom = 20, .nto = 48, .band = 27},
    {.lmax = 14, .mmax = 5, .nfrom = 20, .nto = 48, .band = 39, .nempty = 3},
    {.lmax = 30, .mmax = 12, .nfrom = 40, .nto = 42, .band = 30, .near_is_to = 1},
    {.lmax = 9, .mmax = 8, .nfrom = 50, .nto = 18, .band = 9},
    {.lmax = 9, .mmax = 9, .nfrom = 11, .nto = 13, .band = 12},
    {.lmax = 0, .mmax = 0, .nfrom = 1, .nto = 2, .band = 0},
    {.lmax = 1, .mmax = 1, .nfrom = 1, .nto = 3, .band = 1},
    {.lmax = 12, .mmax = 12, .nfrom = 25, .nto = 45, .band = 30, .nempty = 1, .near_is_to = 1},
};
static const int64_t spins[] = {0, 1, 2, 3, 7, -2};
enum { CASES = sizeof cases / sizeof *cases, SPINS = sizeof spins / sizeof *spins };

static circle_case case_of(int i, int spin)
{
    circle_case of = cases[i];
    of.spin = spins[spin];
    return of;
}

/* --- The processor's ------------------------------------------------------------------------- */

/* One set by the processor's stage, which has near and far rows apart. values: what it reads. */
static void run_on_processor(const circle_scene *s, int to_far, const double *values, double *made)
{
    const int64_t size = circle_size(s, 1);
    double *scratch, *in;
    armilla_theta *theta;
    check_ok(armilla_theta_new(&s->problem, &theta));
    check_ok(armilla_allocate(&scratch, armilla_theta_scratch_size(theta), sizeof *scratch));
    check_ok(armilla_allocate(&in, size, sizeof *in));
    memcpy(in, values, sizeof *in * (size_t)size);
    const armilla_theta_batch batch = {.count = s->norders,
                                       .orders = s->orders,
                                       .near = to_far ? in : made,
                                       .far = to_far ? made : in,
                                       .near_length = s->layout.blocks[0].row_length,
                                       .far_length = s->layout.blocks[0].row_length};
    (to_far ? armilla_theta_to_far : armilla_theta_to_near)(theta, &batch, scratch);
    armilla_theta_free(theta);
    armilla_release(scratch);
    armilla_release(in);
}

/* Largest difference on rings that are there, over the largest number; rings that are missing must
 * have become 0 in both. */
static double compare(const circle_scene *s, const armilla_ring_pairs *pairs, double *wanted,
                      double *made)
{
    double error = 0, size = 0;
    for (int64_t row = 0; row < s->norders; row++) {
        const double *a = circle_row(s, wanted, 0, row), *b = circle_row(s, made, 0, row);
        for (int64_t i = 0; i < 4 * pairs->count; i++) {
            if (s->orders[row] > pairs->limit[i / 4]) continue;
            if (!circle_has(pairs, s->orders[row], i)) assert_true(a[i] == 0 && b[i] == 0);
            size = larger_or_nan(size, fabs(a[i]));
            error = larger_or_nan(error, fabs(a[i] - b[i]));
        }
    }
    return size > 0 ? error / size : error;
}

static void check_case(const circle_case *of)
{
    circle_scene s;
    circle_open(&s, of);
    for (int to_far = 0; to_far < 2; to_far++) {
        const int from_near = to_far != of->near_is_to;
        double *made = circle_random(&s, from_near ? &s.from : &s.to, 1, 5);
        double *wanted;
        check_ok(armilla_allocate(&wanted, circle_size(&s, 1), sizeof *wanted));
        run_on_processor(&s, to_far, made, wanted);
        circle_run(&s, to_far, 1, made);
        check_at_most(compare(&s, from_near ? &s.to : &s.from, wanted, made), 1e-14,
                      "%lld to %lld rings, band %lld, spin %lld, to_far %d", (long long)of->nfrom,
                      (long long)of->nto, (long long)of->band, (long long)of->spin, to_far);
        armilla_release(wanted);
        free(made);
    }
    circle_close(&s);
}

/* Lanes of the processor have no shorter circles, and no large prime factors. */
static int is_possible(const circle_case *of)
{
    return armilla_lane_fft_possible(of->nfrom) && armilla_lane_fft_possible(of->nto);
}

static void both_directions_are_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int spin = 0; spin < SPINS; spin++) {
            const circle_case of = case_of(i, spin);
            if (is_possible(&of)) check_case(&of);
        }
}

/* --- Direct sums ----------------------------------------------------------------------------- */

static double *copy_of(const circle_scene *s, int64_t nsets, const double *values)
{
    double *copy = checked_malloc(circle_size(s, nsets), sizeof *copy);
    memcpy(copy, values, sizeof *copy * (size_t)circle_size(s, nsets));
    return copy;
}

static long double wave(int odd, int64_t k, long double theta)
{
    return odd ? sinl((long double)k * theta) : cosl((long double)k * theta);
}

/* Number `part` of ring r of `to`, from row x of `from`: docs/mathematics.md (6.1), an even or an
 * odd column, each ring and its image. */
static long double direct_value(const circle_scene *s, int64_t order, const double *x, int64_t r,
                                int part)
{
    const long double pi = acosl(-1), length = (long double)s->problem.circle_length;
    const int odd = (order + s->of.spin) % 2 != 0;
    long double value = 0;
    for (int64_t k = 0; k <= s->of.band; k++) {
        long double sum = 0;
        for (int64_t i = 0; i < 2 * s->from.count; i++) {
            if (!circle_has(&s->from, order, 2 * i)) continue;
            const int64_t ring = (i % 2 ? s->from.south : s->from.north)[i / 2];
            sum += (long double)x[2 * i + part] *
                   wave(odd, k, pi * (long double)(2 * ring + 1) / length);
        }
        const int halved = 2 * k == s->problem.circle_length && k == s->of.band;
        const long double factor = (k == 0 || halved ? 2 : 4) / length;
        value += factor * sum * wave(odd, k, pi * (long double)(2 * r + 1) / (2 * s->of.nto)) /
                 (s->of.whole ? 1 : (long double)s->transform[k]);
    }
    return value;
}

static void values_are_direct_sums(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const circle_case of = case_of(i, i % 2);
        circle_scene s;
        circle_open(&s, &of);
        double *given = circle_random(&s, &s.from, 1, 6), error = 0;
        double *made = copy_of(&s, 1, given);
        circle_run(&s, !of.near_is_to, 1, made);
        for (int64_t row = 0; row < s.norders; row++)
            for (int64_t j = 0; j < 4 * s.to.count; j++) {
                if (!circle_has(&s.to, s.orders[row], j)) continue;
                const int64_t ring = (j / 2 % 2 ? s.to.south : s.to.north)[j / 4];
                const long double value = direct_value(
                    &s, s.orders[row], circle_row(&s, given, 0, row), ring, (int)(j % 2));
                error =
                    larger_or_nan(error, fabs((double)(value - circle_row(&s, made, 0, row)[j])));
            }
        check_at_most(error, 1e-14, "case %d", i);
        free(given);
        free(made);
        circle_close(&s);
    }
}

/* --- Transposes, bits ------------------------------------------------------------------------ */

static double dot(const circle_scene *s, const armilla_ring_pairs *pairs, double *a, double *b)
{
    double sum = 0;
    for (int64_t row = 0; row < s->norders; row++)
        for (int64_t i = 0; i < 4 * pairs->count; i++)
            if (circle_has(pairs, s->orders[row], i))
                sum += circle_row(s, a, 0, row)[i] * circle_row(s, b, 0, row)[i];
    return sum;
}

static void directions_are_transposes(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int spin = 0; spin < SPINS; spin++) {
            const circle_case of = case_of(i, spin);
            circle_scene s;
            circle_open(&s, &of);
            double *x = circle_random(&s, &s.from, 1, 7), *y = circle_random(&s, &s.to, 1, 8);
            double *there = copy_of(&s, 1, x), *back = copy_of(&s, 1, y);
            circle_run(&s, !of.near_is_to, 1, there);
            circle_run(&s, of.near_is_to, 1, back);
            const double size = sqrt(dot(&s, &s.to, there, there) * dot(&s, &s.to, y, y));
            check_at_most(fabs(dot(&s, &s.to, there, y) - dot(&s, &s.from, x, back)),
                          1e-13 * size + 1e-300, "case %d, spin %lld", i, (long long)of.spin);
            free(x);
            free(y);
            free(there);
            free(back);
            circle_close(&s);
        }
}

/* Three sets, each direction; one column at a time: the bits of all at once. */
static void bits_are_always_the_same(void **state)
{
    (void)state;
    enum { SETS = 3 };
    circle_case of = case_of(3, 2);
    circle_scene s, little;
    circle_open(&s, &of);
    of.most = 1;
    circle_open(&little, &of);
    assert_true(armilla_cuda_theta_scratch(little.theta, SETS) <
                armilla_cuda_theta_scratch(s.theta, SETS));
    const size_t bytes = sizeof(double) * (size_t)circle_size(&s, SETS);
    for (int to_far = 0; to_far < 2; to_far++) {
        double *given = circle_random(&s, to_far ? &s.from : &s.to, SETS, 9);
        double *wanted = copy_of(&s, SETS, given);
        circle_run(&s, to_far, SETS, wanted);
        for (int i = 0; i < 4; i++) {
            double *made = copy_of(&s, SETS, given);
            if (i > 0)
                cuda_emulation_set_order(i == 1 ? CUDA_EMULATION_REVERSED : CUDA_EMULATION_RANDOM,
                                         (uint64_t)i);
            circle_run(i == 0 ? &little : &s, to_far, SETS, made);
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(wanted, made, bytes);
            free(made);
        }
        free(given);
        free(wanted);
    }
    circle_close(&little);
    circle_close(&s);
}

/* --- Memory, errors -------------------------------------------------------------------------- */

/* Each allocation of host and device fails once: nothing is left behind. */
static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    const circle_case of = case_of(3, 2);
    circle_scene s;
    circle_open(&s, &of);
    armilla_cuda_theta_free(s.theta);
    const int64_t live = cuda_emulation_live_bytes();
    for (int on_device = 0; on_device < 2; on_device++) {
        int64_t (*fail_after)(int64_t) =
            on_device ? cuda_emulation_fail_after : armilla_memory_fail_after;
        fail_after(-1);
        check_ok(circle_new(&s));
        const int64_t count = fail_after(-1);
        assert_true(cuda_emulation_live_bytes() - live >= armilla_cuda_theta_bytes(s.theta));
        armilla_cuda_theta_free(s.theta);
        assert_true(count >= 6);
        for (int64_t i = 0; i < count; i++) {
            fail_after(i);
            assert_int_equal(circle_new(&s), ARMILLA_ERROR_MEMORY);
            assert_int_equal(cuda_emulation_live_bytes(), live);
        }
        fail_after(-1);
    }
    s.theta = NULL;
    circle_close(&s);
}

static void check_refused(circle_scene *s, const char *name)
{
    assert_int_equal(circle_new(s), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), name));
}

static void what_is_refused_is_named(void **state)
{
    (void)state;
    const circle_case of = case_of(1, 0);
    circle_scene s;
    circle_open_pairs(&s, &of);
    const armilla_theta_problem good = s.problem;
    s.problem.band = 2 * of.nfrom;
    check_refused(&s, "band");
    s.problem = good, s.problem.circle_length++;
    check_refused(&s, "circle_length");
    s.problem = good, s.problem.circle_length = (int64_t)1 << 31;
    check_refused(&s, "circle_length");
    s.problem = good, s.problem.to_length = 2 * of.band;
    check_refused(&s, "to_length");
    s.problem = good, s.problem.to_length++;
    check_refused(&s, "to_length");
    s.problem = good, s.problem.to_length -= 2;
    check_refused(&s, "to_length");
    s.problem = good, s.problem.to_factor = s.transform;
    check_refused(&s, "to_factor");
    s.problem = good, s.problem.to_length = 0;
    check_refused(&s, "to_transform");
    circle_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions_are_the_processors),
        cmocka_unit_test(values_are_direct_sums),
        cmocka_unit_test(directions_are_transposes),
        cmocka_unit_test(bits_are_always_the_same),
        cmocka_unit_test(failed_allocations_leave_nothing),
        cmocka_unit_test(what_is_refused_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
