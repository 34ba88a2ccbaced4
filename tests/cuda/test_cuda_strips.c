/* The ring stage into samples on the emulated GPU: samples with all that is around them, and their
 * transpose, are the processor's, sample by sample and mode by mode; both directions are adjoint;
 * bits are the same whatever the sequence of threads and the number of sets that go together;
 * launches do not depend on the number of rings; failures leave nothing; and what is refused is
 * named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/strips_scene.h"

/* Strips from pole to equator, in between, next to a pole, next to the equator; margins longer than
 * the ring; fewer orders than samples and more; shorter than the longest strip. */
static const strip_case cases[] = {
    {"all", 40, 16, 36, 18, 17, 0, -4, 26, 0, 18, 0, 18, 1, 0, 0},
    {"all, spin 1", 34, 16, 38, 16, 15, 1, -9, 34, 0, 16, 0, 16, 2, 0, 0},
    {"north, spin 3", 48, 16, 48, 40, 20, 3, -8, 24, 0, 16, 0, 8, 2, 0, 3},
    {"middle, spin 2", 50, 16, 42, 40, 24, 2, 4, 24, 4, 24, 12, 8, 2, 0, 2},
    {"equator, spin -7", 64, 16, 40, 40, 21, -7, 24, 24, 24, 16, 32, 8, 3, 0, 0},
    {"margins twice round", 16, 20, 44, 16, 7, 1, -8, 32, 0, 16, 0, 16, 2, 0, 0},
    {"orders beyond samples", 12, 16, 36, 16, 29, 2, -8, 32, 0, 16, 0, 16, 1, 0, 1},
    {"order 0 alone", 4, 1, 3, 2, 0, 1, -2, 6, 0, 2, 0, 2, 1, 0, 0},
    {"two samples, one pair", 2, 0, 1, 1, 1, 1, -1, 3, 0, 1, 0, 1, 1, 0, 0},
    {"floats", 40, 16, 36, 18, 17, 0, -4, 26, 0, 18, 2, 16, 2, 1, 1},
    {"floats, spin 1", 72, 16, 32, 18, 35, 1, -8, 34, 0, 18, 0, 18, 2, 1, 0},
    {"long ring", 270, 16, 34, 9, 120, 1, -3, 15, 0, 9, 0, 9, 1, 0, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static const double bound = 1e-13, float_bound = 1.2e-7;

static double bound_of(const strip_scene *s)
{
    return s->of->is_float ? float_bound : bound;
}

/* Is it in a row of the strip? */
static int has_sample(const strip_scene *s, int64_t i)
{
    return i / s->core.pitch % s->core.most_rows < s->of->rows;
}

/* --- Against the processor ------------------------------------------------------------------- */

/* Largest difference over the largest number. */
static double compare_samples(const strip_scene *s, armilla_array made, const double *wanted)
{
    double error = 0, size = 0;
    for (int64_t i = 0; i < strip_samples_size(s); i++) {
        const double value = armilla_array_get(made, i);
        if (!has_sample(s, i)) {
            assert_true(isnan(value));
            continue;
        }
        size = larger_or_nan(size, fabs(wanted[i]));
        error = larger_or_nan(error, fabs(value - wanted[i]));
    }
    return size > 0 ? error / size : error;
}

/* A leg to samples on both. Returned: the difference. */
static double difference_of_samples(const strip_scene *s, double *leg)
{
    const armilla_array made = strip_random_samples(s, 3);
    double *wanted = strip_samples_on_processor(s, leg);
    strip_run(s, leg, made, 1);
    const double error = compare_samples(s, made, wanted);
    free(made.values);
    free(wanted);
    return error;
}

static void samples_are_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        strip_scene s;
        strip_open(&s, &cases[i], STRIPS_PLENTY);
        double *leg = strip_random_leg(&s, 5);
        check_at_most(difference_of_samples(&s, leg), bound_of(&s), "%s", cases[i].name);
        armilla_release(leg);
        strip_close(&s);
    }
}

/* One order of the leg alone: nothing of another one's size hides what it is. */
static void keep_order(const strip_scene *s, int64_t order, double *values)
{
    const armilla_leg leg = {&s->leg, s->of->nsets, values, NULL, 0};
    for (int64_t n = 0; n < s->of->nsets * (s->of->mmax + 1); n++) {
        const int64_t m = n % (s->of->mmax + 1);
        double *row = armilla_leg_row(&leg, s->leg.blocks, n / (s->of->mmax + 1), m);
        if (m != order) memset(row, 0, (size_t)(4 * s->of->npairs) * sizeof *row);
    }
}

static void each_mode_is_the_processors(void **state)
{
    (void)state;
    for (int i = 1; i < CASES; i += 2)
        for (int64_t m = 0; m <= cases[i].mmax; m++) {
            strip_scene s;
            strip_open(&s, &cases[i], STRIPS_PLENTY);
            double *leg = strip_random_leg(&s, 6);
            keep_order(&s, m, leg);
            check_at_most(difference_of_samples(&s, leg), bound_of(&s), "%s, order %lld",
                          cases[i].name, (long long)m);
            armilla_release(leg);
            strip_close(&s);
        }
}

/* Largest difference in each row of the pairs that come, over the row's largest number; all else
 * stays as it is. */
static double compare_legs(const strip_scene *s, double *made, double *wanted)
{
    const strip_case *of = s->of;
    const armilla_leg a = {&s->leg, of->nsets, made, NULL, 0},
                      b = {&s->leg, of->nsets, wanted, NULL, 0};
    const int64_t begin = 4 * (of->first_own - of->first_pair), end = begin + 4 * of->nown;
    double worst = 0;
    for (int64_t n = 0; n < of->nsets * (of->mmax + 1); n++) {
        const int64_t set = n / (of->mmax + 1), m = n % (of->mmax + 1);
        const double *x = armilla_leg_row(&a, s->leg.blocks, set, m);
        const double *y = armilla_leg_row(&b, s->leg.blocks, set, m);
        double error = 0, size = 0;
        for (int64_t i = 0; i < s->leg.blocks[0].row_length; i++) {
            if (i < begin || i >= end) {
                assert_true(isnan(x[i]));
                continue;
            }
            size = larger_or_nan(size, fabs(y[i]));
            error = larger_or_nan(error, fabs(x[i] - y[i]));
        }
        worst = larger_or_nan(worst, size > 0 ? error / size : error);
    }
    return worst;
}

static void legs_are_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        strip_scene s;
        strip_open(&s, &cases[i], STRIPS_PLENTY);
        const armilla_array samples = strip_random_samples(&s, 7);
        double *wanted = strip_leg_on_processor(&s, samples), *made = strip_nan_leg(&s);
        strip_run(&s, made, samples, 0);
        check_at_most(compare_legs(&s, made, wanted), bound, "%s", cases[i].name);
        armilla_release(made);
        armilla_release(wanted);
        free(samples.values);
        strip_close(&s);
    }
}

/* --- Adjointness ----------------------------------------------------------------------------- */

/* Orders above 0 stand for their negatives, too. */
static double dot_legs(const strip_scene *s, double *a, double *b)
{
    const strip_case *of = s->of;
    const armilla_leg x = {&s->leg, of->nsets, a, NULL, 0}, y = {&s->leg, of->nsets, b, NULL, 0};
    double sum = 0;
    for (int64_t n = 0; n < of->nsets * (of->mmax + 1); n++) {
        const int64_t set = n / (of->mmax + 1), m = n % (of->mmax + 1);
        const double *p = armilla_leg_row(&x, s->leg.blocks, set, m);
        const double *q = armilla_leg_row(&y, s->leg.blocks, set, m);
        for (int64_t i = 0; i < 4 * of->npairs; i += m ? 1 : 2) sum += (m ? 2 : 1) * p[i] * q[i];
    }
    return sum;
}

/* <S leg, samples> = <leg, S^T samples>, where all pairs that are seen are owned. */
static void directions_are_adjoint(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        if (cases[i].nown != cases[i].npairs || cases[i].is_float) continue;
        strip_scene s;
        strip_open(&s, &cases[i], STRIPS_PLENTY);
        double *leg = strip_random_leg(&s, 8), *back = strip_nan_leg(&s), left = 0, size = 0;
        const armilla_array made = strip_random_samples(&s, 9),
                            given = strip_random_samples(&s, 10);
        strip_run(&s, leg, made, 1);
        strip_run(&s, back, given, 0);
        for (int64_t k = 0; k < strip_samples_size(&s); k++) {
            if (!has_sample(&s, k)) continue;
            const double term = armilla_array_get(made, k) * armilla_array_get(given, k);
            left += term, size += fabs(term);
        }
        check_at_most(fabs(left - dot_legs(&s, leg, back)) / size, bound, "%s", cases[i].name);
        armilla_release(leg);
        armilla_release(back);
        free(made.values);
        free(given.values);
        strip_close(&s);
    }
}

/* --- Bits, launches -------------------------------------------------------------------------- */

typedef struct {
    double *leg;
    armilla_array samples;
} result;

static result run_both(const strip_scene *s)
{
    const result r = {strip_nan_leg(s), strip_random_samples(s, 11)};
    double *leg = strip_random_leg(s, 12);
    strip_run(s, r.leg, r.samples, 0);
    strip_run(s, leg, r.samples, 1);
    armilla_release(leg);
    return r;
}

static void free_result(result *r)
{
    armilla_release(r->leg);
    free(r->samples.values);
}

static void check_same(const strip_scene *s, const result *a, const result *b)
{
    const size_t item = (size_t)armilla_array_item_size(a->samples);
    assert_memory_equal(a->leg, b->leg, sizeof(double) * (size_t)strip_leg_size(s));
    assert_memory_equal(a->samples.values, b->samples.values, item * (size_t)strip_samples_size(s));
}

static void bits_are_always_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        strip_scene s, little;
        strip_open(&s, &cases[i], STRIPS_PLENTY);
        strip_open(&little, &cases[i], 1); /* sets one by one */
        result wanted = run_both(&s);
        for (int k = 0; k < 4; k++) {
            if (k > 0)
                cuda_emulation_set_order(k == 1 ? CUDA_EMULATION_REVERSED : CUDA_EMULATION_RANDOM,
                                         (uint64_t)k);
            result made = run_both(k == 0 ? &little : &s);
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            check_same(&s, &wanted, &made);
            free_result(&made);
        }
        free_result(&wanted);
        strip_close(&little);
        strip_close(&s);
    }
}

/* Spectra, cuFFT for 64, 16, 4 and 1 sets, samples; one more where the strip is not the longest. */
static void launches_do_not_count_rings(void **state)
{
    (void)state;
    for (int64_t nsets = 1; nsets <= 21; nsets += 4)
        for (int64_t half = 16; half <= 64; half += 24)
            for (int64_t longer = 0; longer < 2; longer++) {
                const strip_case of = {"launches", 16, 16,       32, half,     5,     0, -8,
                                       half,       0,  half - 8, 0,  half - 8, nsets, 0, longer};
                const int64_t transforms = nsets / 16 + nsets % 16 / 4 + nsets % 4;
                strip_scene s;
                strip_open(&s, &of, STRIPS_PLENTY);
                double *leg = strip_random_leg(&s, 1);
                const armilla_array samples = strip_random_samples(&s, 2);
                assert_int_equal(strip_run(&s, leg, samples, 1), 2 + transforms + longer);
                assert_int_equal(strip_run(&s, leg, samples, 0), 2 + transforms);
                armilla_release(leg);
                free(samples.values);
                strip_close(&s);
            }
}

/* More sets than a grid of blocks has rows; rings of two samples, both F_0. */
static void very_many_sets_have_all_samples(void **state)
{
    enum { SETS = 65535 + 3 };
    (void)state;
    const strip_case of = {.nphi = 2, .half = 1, .rows = 1, .npairs = 1, .nown = 1, .nsets = SETS};
    strip_scene s;
    strip_open(&s, &of, STRIPS_PLENTY);
    double *leg = strip_random_leg(&s, 5), *back = strip_nan_leg(&s);
    const armilla_array samples = strip_random_samples(&s, 3);
    strip_run(&s, leg, samples, 1);
    strip_run(&s, back, samples, 0);
    const armilla_leg view = {&s.leg, SETS, leg, NULL, 0},
                      back_view = {&s.leg, SETS, back, NULL, 0};
    for (int64_t set = 0; set < SETS; set++) {
        const double wanted = armilla_leg_row(&view, s.leg.blocks, set, 0)[0];
        const double made = armilla_array_get(samples, set * strip_samples_of_set(&s));
        const double twice = armilla_leg_row(&back_view, s.leg.blocks, set, 0)[0];
        if (!(fabs(made - wanted) <= 1e-15) || !(fabs(twice - 2 * wanted) <= 2e-15))
            fail_msg("set %lld: %g, %g, %g", (long long)set, wanted, made, twice);
    }
    armilla_release(leg);
    armilla_release(back);
    free(samples.values);
    strip_close(&s);
}

/* --- Memory, errors -------------------------------------------------------------------------- */

/* Sets go together as far as there is room, and one always does. */
static void scratch_is_as_told(void **state)
{
    (void)state;
    strip_scene s;
    strip_open(&s, &cases[4], 1);
    const int64_t one = armilla_cuda_strips_scratch(s.cuda, 1);
    assert_int_equal(armilla_cuda_strips_scratch(s.cuda, 3), one);
    strip_close(&s);
    strip_open(&s, &cases[4], 2 * one);
    assert_in_range(armilla_cuda_strips_scratch(s.cuda, 3), one + 1, 2 * one);
    strip_close(&s);
    strip_open(&s, &cases[4], STRIPS_PLENTY);
    assert_in_range(armilla_cuda_strips_scratch(s.cuda, 3), 2 * one, 3 * one);
    strip_close(&s);
}

/* Each allocation of host and device, and each call, fails once. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    int64_t (*const fail_after[])(int64_t) = {armilla_memory_fail_after, cuda_emulation_fail_after,
                                              cuda_emulation_fail_call_after};
    strip_scene s;
    strip_open(&s, &cases[2], STRIPS_PLENTY);
    const armilla_cuda_strips_problem problem = strip_problem(&s);
    const int64_t live = cuda_emulation_live_bytes();
    for (int kind = 0; kind < 3; kind++) {
        armilla_cuda_strips *strips = NULL;
        int failed = 0;
        fail_after[kind](-1);
        check_ok(armilla_cuda_strips_new(&problem, STRIPS_PLENTY, &strips));
        const int64_t count = fail_after[kind](-1);
        assert_true(count >= 1);
        assert_true(cuda_emulation_live_bytes() - live >= armilla_cuda_strips_bytes(strips));
        armilla_cuda_strips_free(strips);
        for (int64_t i = 0; i < count; i++) {
            fail_after[kind](i);
            const armilla_status status = armilla_cuda_strips_new(&problem, STRIPS_PLENTY, &strips);
            if (!status) armilla_cuda_strips_free(strips); /* sets go one by one */
            assert_int_equal(cuda_emulation_live_bytes(), live);
            if (kind < 2) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            failed += status != ARMILLA_OK;
        }
        assert_true(failed > 0);
        fail_after[kind](-1);
    }
    strip_close(&s);
}

/* A call of a direction whose request number i fails. Returned: how many there were. The error is
 * kept; what was put on the stream before it does no harm, and memory is as it was. */
static int64_t fail_call(const strip_scene *s, int to_samples, int64_t i)
{
    const armilla_cuda_strip strip = strip_of(s, to_samples);
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_strips_scratch(s->cuda, s->of->nsets)};
    void *values, *samples;
    check_ok(armilla_cuda_allocate(8 * strip_leg_size(s), "test", &values));
    check_ok(armilla_cuda_allocate(8 * strip_samples_size(s), "test", &samples));
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "test", &work.scratch));
    const armilla_leg leg = {&s->leg, s->of->nsets, values, NULL, 0};
    const armilla_array array = {samples, s->of->is_float};
    const int64_t live = cuda_emulation_live_bytes();
    cuda_emulation_fail_call_after(i);
    if (to_samples)
        armilla_cuda_strips_to_samples(s->cuda, &strip, &leg, array, &work);
    else
        armilla_cuda_strips_from_samples(s->cuda, &strip, array, &leg, &work);
    const int64_t count = cuda_emulation_fail_call_after(-1);
    assert_true((i < 0) == !work.error);
    assert_int_equal(cuda_emulation_live_bytes(), live);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    armilla_cuda_release(values);
    armilla_cuda_release(samples);
    armilla_cuda_release(work.scratch);
    return count;
}

/* Each launch and each call of cuFFT inside a call fails once; the next call has the same bits. */
static void failed_calls_are_told(void **state)
{
    (void)state;
    strip_scene s;
    strip_open(&s, &cases[4], 1); /* sets one by one */
    result before = run_both(&s);
    for (int to_samples = 0; to_samples < 2; to_samples++) {
        const int64_t count = fail_call(&s, to_samples, -1);
        assert_true(count >= 9); /* fill, cuFFT, samples, for each of three sets */
        for (int64_t i = 0; i < count; i++) fail_call(&s, to_samples, i);
    }
    result after = run_both(&s);
    check_same(&s, &before, &after);
    free_result(&before);
    free_result(&after);
    strip_close(&s);
}

static void check_refused(armilla_cuda_strips_problem problem, const char *name)
{
    armilla_cuda_strips *strips = NULL;
    check_error(armilla_cuda_strips_new(&problem, STRIPS_PLENTY, &strips), ARMILLA_ERROR_ARGUMENT,
                name);
    assert_null(strips);
}

static void problems_are_refused_by_name(void **state)
{
    (void)state;
    strip_scene s;
    strip_open(&s, &cases[0], STRIPS_PLENTY);
    const armilla_cuda_strips_problem good = strip_problem(&s);
    armilla_cuda_strips_problem bad = good;
    bad.nphi--;
    check_refused(bad, "nphi = 39");
    bad = good, bad.nphi = 0;
    check_refused(bad, "nphi = 0");
    bad = good, bad.left = -1;
    check_refused(bad, "left = -1");
    bad = good, bad.pitch = good.left + good.nphi - 1;
    check_refused(bad, "pitch = 55");
    bad = good, bad.half = 0;
    check_refused(bad, "half = 0");
    bad = good, bad.most_rows = 0;
    check_refused(bad, "most_rows = 0");
    bad = good, bad.most_pairs = 19;
    check_refused(bad, "most_pairs = 19");
    bad = good, bad.mmax = -1;
    check_refused(bad, "mmax = -1");
    strip_close(&s);
}

/* A call with such a strip runs nothing. */
static void check_strip(const strip_scene *s, armilla_cuda_strip strip, int to_samples,
                        const char *name)
{
    armilla_cuda_work work = {.scratch_bytes = 0};
    const armilla_leg leg = {&s->leg, 1, NULL, NULL, 0};
    const armilla_array none = {NULL, 0};
    check_error(armilla_cuda_strips_check(s->cuda, &strip, to_samples), ARMILLA_ERROR_ARGUMENT,
                name);
    if (to_samples)
        armilla_cuda_strips_to_samples(s->cuda, &strip, &leg, none, &work);
    else
        armilla_cuda_strips_from_samples(s->cuda, &strip, none, &leg, &work);
    assert_int_equal(work.error, cudaErrorInvalidValue);
}

static void strips_are_refused_by_name(void **state)
{
    (void)state;
    strip_scene s; /* 40 pairs; 27 rows, 19 pairs at most */
    strip_open(&s, &cases[2], STRIPS_PLENTY);
    check_strip(&s, (armilla_cuda_strip){-8, 28, 0, 16}, 1, "rows = 28");
    check_strip(&s, (armilla_cuda_strip){-41, 24, 0, 16}, 1, "first = -41");
    check_strip(&s, (armilla_cuda_strip){60, 24, 30, 10}, 1, "first = 60");
    check_strip(&s, (armilla_cuda_strip){-8, 24, 0, 20}, 1, "npairs = 20");
    check_strip(&s, (armilla_cuda_strip){-8, 24, 0, 0}, 0, "npairs = 0");
    check_strip(&s, (armilla_cuda_strip){30, 18, 22, 19}, 1, "first_pair = 22");
    check_strip(&s, (armilla_cuda_strip){-8, 24, 0, 15}, 1, "npairs = 15");
    check_strip(&s, (armilla_cuda_strip){-8, 12, 0, 7}, 1, "npairs = 7");
    check_strip(&s, (armilla_cuda_strip){4, 12, 5, 12}, 1, "npairs = 12");
    check_strip(&s, (armilla_cuda_strip){36, 12, 33, 7}, 1, "npairs = 7");
    check_strip(&s, (armilla_cuda_strip){4, 12, 3, 9}, 0, "first_pair = 3");
    check_strip(&s, (armilla_cuda_strip){4, 12, 8, 9}, 0, "first_pair = 8");
    strip_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_processors),
        cmocka_unit_test(each_mode_is_the_processors),
        cmocka_unit_test(legs_are_the_processors),
        cmocka_unit_test(directions_are_adjoint),
        cmocka_unit_test(bits_are_always_the_same),
        cmocka_unit_test(launches_do_not_count_rings),
        cmocka_unit_test(very_many_sets_have_all_samples),
        cmocka_unit_test(scratch_is_as_told),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(failed_calls_are_told),
        cmocka_unit_test(problems_are_refused_by_name),
        cmocka_unit_test(strips_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
