/* Checks Fourier transforms against the defining sum in long double, by round trips, in sets, and
 * that planning them costs little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "fft/fft.h"
#include "fft/roots.h"
#include "fft/rows.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *aligned(int64_t count)
{
    void *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof(double)), ARMILLA_OK);
    return result;
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static double *random_data(int64_t n, uint64_t seed)
{
    double *data = aligned(2 * n);
    for (int64_t i = 0; i < 2 * n; i++) data[i] = uniform(&seed);
    return data;
}

/* exp(2 pi i j / n) for 0 <= j < n in long double. Computed once for all elements: Arm's long
 * double is software, and sines in it take microseconds. */
static long double *new_roots(int64_t n)
{
    long double *roots = malloc((size_t)n * 2 * sizeof *roots);
    assert_non_null(roots);
    for (int64_t j = 0; j < n; j++) {
        long double angle = 2 * 3.14159265358979323846264338L * j / n;
        roots[2 * j] = cosl(angle), roots[2 * j + 1] = sinl(angle);
    }
    return roots;
}

/* Element k of the transform with exp(sign 2 pi i jk/n), by its definition in long double. */
static void defining_sum(int64_t n, const long double *roots, const double *x, int sign, int64_t k,
                         long double sum[2])
{
    sum[0] = sum[1] = 0;
    for (int64_t j = 0; j < n; j++) {
        const long double *root = roots + 2 * ((j * k) % n);
        long double c = root[0], s = sign * root[1];
        sum[0] += x[2 * j] * c - x[2 * j + 1] * s;
        sum[1] += x[2 * j] * s + x[2 * j + 1] * c;
    }
}

/* rms error of up to 40 elements (10 in quick tests) relative to the rms of the transform */
static double relative_error(const armilla_fft *fft, int64_t n, int sign)
{
    int64_t step = n / (checks_quick() ? 10 : 40) + 1;
    double *x = random_data(n, (uint64_t)n), *y = aligned(2 * n);
    double *scratch = aligned(2 * armilla_fft_scratch_size(fft));
    memcpy(y, x, (size_t)n * 2 * sizeof *x);
    if (sign < 0)
        armilla_fft_forward(fft, y, scratch);
    else
        armilla_fft_backward(fft, y, scratch);
    long double *roots = new_roots(n), sum[2];
    double error = 0, norm = 0;
    for (int64_t k = 0; k < n; k += step) {
        defining_sum(n, roots, x, sign, k, sum);
        double re = (double)(y[2 * k] - sum[0]), im = (double)(y[2 * k + 1] - sum[1]);
        error += re * re + im * im;
        norm += (double)(sum[0] * sum[0] + sum[1] * sum[1]);
    }
    free(roots);
    armilla_release(x);
    armilla_release(y);
    armilla_release(scratch);
    return sqrt(error / norm);
}

static void check_length(int64_t n, double bound)
{
    armilla_fft *fft;
    assert_int_equal(armilla_fft_new(n, &fft), ARMILLA_OK);
    for (int sign = -1; sign <= 1; sign += 2) {
        double error = relative_error(fft, n, sign);
        if (!(error < bound)) print_error("n %lld sign %d error %g\n", (long long)n, sign, error);
        assert_true(error < bound);
    }
    armilla_fft_free(fft);
}

static void smooth_lengths_match_the_defining_sum(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1,    2,    3,    4,    5,     6,     7,     8,    9,
                                      10,   49,   64,   96,   100,   243,   343,   1000, 2100,
                                      4096, 8192, 8748, 8640, 16384, 32768, 16807, 15625};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_length(lengths[i], 3e-16 * sqrt(1 + log2((double)lengths[i])));
}

static void other_lengths_match_the_defining_sum(void **state)
{
    (void)state;
    static const int64_t lengths[] = {11,   13,  17,   22,   68,   52,   121,  143,  148,
                                      4224, 997, 1004, 2047, 4052, 4097, 8188, 8191, 16381};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_length(lengths[i], 3e-16 * (1 + log2((double)lengths[i])));
    for (int64_t n = 1; n < 200; n++) check_length(n, 3e-16 * (2 + log2((double)n)));
}

/* Euclidean norm of the difference to what plain C does, relative. */
static double difference(const armilla_fft *fft, const armilla_fft *reference, int64_t n)
{
    double *x = random_data(n, (uint64_t)n), *y = random_data(n, (uint64_t)n);
    int64_t size = armilla_fft_scratch_size(fft) + armilla_fft_scratch_size(reference);
    double *scratch = aligned(2 * size);
    double *result = armilla_fft_execute(fft, y, scratch), error = 0, norm = 0;
    assert_ptr_equal(result, scratch);
    memcpy(y, result, (size_t)n * 2 * sizeof *y);
    result = armilla_fft_execute(reference, x, scratch);
    for (int64_t j = 0; j < 2 * n; j++) {
        error += (result[j] - y[j]) * (result[j] - y[j]);
        norm += result[j] * result[j];
    }
    armilla_release(x);
    armilla_release(y);
    armilla_release(scratch);
    return sqrt(error / norm);
}

static void check_set(armilla_isa isa, int64_t count, const int64_t *lengths)
{
    armilla_fft_set *set;
    assert_int_equal(armilla_fft_set_new(isa, count, lengths, &set), ARMILLA_OK);
    for (int64_t i = 0; i < count; i++) {
        const armilla_fft *fft = armilla_fft_set_find(set, lengths[i]);
        armilla_fft *reference;
        assert_int_equal(armilla_fft_new(lengths[i], &reference), ARMILLA_OK);
        double error = difference(fft, reference, lengths[i]);
        double bound = 3e-16 * (2 + log2((double)lengths[i]));
        if (!(error < bound))
            print_error("%s n %lld error %g\n", armilla_isa_label(isa), (long long)lengths[i],
                        error);
        assert_true(error < bound);
        armilla_fft_free(reference);
    }
    armilla_fft_set_free(set);
}

/* Rings of HEALPix caps: rough lengths in lanes, with full and half groups of rows, direct sums and
 * convolutions of many lengths. */
static void instruction_sets_agree_with_plain_transforms(void **state)
{
    (void)state;
    int64_t lengths[760] = {4 * 2039, 4 * 1871, 8 * 1009, 4 * 16381, 12 * 1511, 4 * 11 * 17};
    int64_t count = 6;
    for (int64_t n = 4; n < 2400; n += 4) lengths[count++] = n;
    for (int64_t n = 2400; n < 8192; n += 52) lengths[count++] = n;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        if (armilla_isa_usable((armilla_isa)isa)) check_set((armilla_isa)isa, count, lengths);
}

/* 17 r and 61 r: two and more blocks of direct sums, 97 r and 997 r: convolutions; groups of
 * four rows that are full (r = 4, 8, 12), incomplete (1, 2, 3), and overlap (5, 6, 7, 9, 10) */
static void lengths_in_lanes_match_the_defining_sum(void **state)
{
    (void)state;
    static const int64_t rough[] = {17, 61, 97, 997},
                         smooth[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
    enum { ROUGH = sizeof rough / sizeof *rough, SMOOTH = sizeof smooth / sizeof *smooth };
    int64_t lengths[ROUGH * SMOOTH + 1] = {8188}, count = 1;
    for (int i = 0; i < ROUGH * SMOOTH; i++)
        lengths[count++] = rough[i / SMOOTH] * smooth[i % SMOOTH];
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
        armilla_fft_set *set;
        if (!armilla_isa_usable((armilla_isa)isa)) continue;
        assert_int_equal(armilla_fft_set_new((armilla_isa)isa, count, lengths, &set), ARMILLA_OK);
        for (int64_t i = 0; i < count; i++)
            for (int sign = -1; sign <= 1; sign += 2)
                assert_true(relative_error(armilla_fft_set_find(set, lengths[i]), lengths[i],
                                           sign) < 3e-16 * (2 + log2((double)lengths[i])));
        armilla_fft_set_free(set);
    }
}

static void backward_undoes_forward(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 12, 1001, 8192, 10007, 16384};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int64_t n = lengths[i];
        armilla_fft *fft;
        assert_int_equal(armilla_fft_new(n, &fft), ARMILLA_OK);
        double *x = random_data(n, 5), *y = random_data(n, 5);
        double *scratch = aligned(2 * armilla_fft_scratch_size(fft));
        armilla_fft_forward(fft, y, scratch);
        armilla_fft_backward(fft, y, scratch);
        for (int64_t j = 0; j < 2 * n; j++)
            assert_true(fabs(y[j] / (double)n - x[j]) < 1e-15 * (2 + log2((double)n)));
        armilla_release(x);
        armilla_release(y);
        armilla_release(scratch);
        armilla_fft_free(fft);
    }
}

static void lengths_out_of_range_are_refused(void **state)
{
    (void)state;
    armilla_fft *fft = NULL;
    assert_int_equal(armilla_fft_new(0, &fft), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_fft_new(-4, &fft), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_fft_new((int64_t)1 << 31, &fft), ARMILLA_ERROR_ARGUMENT);
    assert_null(fft);
}

static void smooth_length_is_the_smallest(void **state)
{
    (void)state;
    int64_t expected = 1;
    for (int64_t n = 5000; n >= 1; n--) {
        int64_t rest = n;
        while (rest % 2 == 0) rest /= 2;
        while (rest % 3 == 0) rest /= 3;
        while (rest % 5 == 0) rest /= 5;
        if (rest == 1) expected = n;
        if (n <= 5000 && expected > 1) assert_int_equal(armilla_fft_smooth_length(n), expected);
    }
    assert_int_equal(armilla_fft_smooth_length(-3), 1);
}

static void sets_hold_each_length_once(void **state)
{
    (void)state;
    static const int64_t lengths[] = {68, 8, 68, 12, 8, 97};
    armilla_fft_set *set;
    assert_int_equal(armilla_fft_set_new(ARMILLA_ISA_SCALAR, 6, lengths, &set), ARMILLA_OK);
    for (int i = 0; i < 6; i++) {
        const armilla_fft *fft = armilla_fft_set_find(set, lengths[i]);
        assert_non_null(fft);
        assert_true(relative_error(fft, lengths[i], -1) < 3e-15);
        assert_true(armilla_fft_scratch_size(fft) <= armilla_fft_set_scratch_size(set));
    }
    assert_null(armilla_fft_set_find(set, 16));
    assert_null(armilla_fft_set_find(set, 98));
    assert_true(armilla_fft_set_bytes(set) > 0);
    armilla_fft_set_free(set);
    assert_int_equal(armilla_fft_set_new(ARMILLA_ISA_SCALAR, 0, NULL, &set), ARMILLA_OK);
    assert_null(armilla_fft_set_find(set, 1));
    armilla_fft_set_free(set);
}

/* Our own rows leave lanes the powers of 3, 5 and 7 up to 81, all of which one set may have. */
static void sets_hold_all_short_factors(void **state)
{
    (void)state;
    static const int64_t lengths[] = {2 * 3, 2 * 9, 2 * 27, 2 * 81, 2 * 5, 2 * 25, 2 * 7, 2 * 49};
    armilla_fft_set *set;
    assert_int_equal(armilla_fft_set_new(ARMILLA_ISA_SCALAR, 8, lengths, &set), ARMILLA_OK);
    for (int i = 0; i < 8; i++)
        assert_true(relative_error(armilla_fft_set_find(set, lengths[i]), lengths[i], 1) < 3e-15);
    armilla_fft_set_free(set);
}

static void counted_sets_have_the_sizes_of_others(void **state)
{
    enum { MOST = 400 };
    int64_t lengths[MOST];
    armilla_fft_set *set, *counted;
    (void)state;
    for (int64_t i = 0; i < MOST; i++) lengths[i] = i < 5 ? 16381 + i : i; /* 16381: a prime */
    for (int64_t count = 1; count <= MOST; count += 57) {
        assert_int_equal(armilla_fft_set_new(ARMILLA_ISA_SCALAR, count, lengths, &set), ARMILLA_OK);
        assert_int_equal(armilla_fft_set_count(ARMILLA_ISA_SCALAR, count, lengths, &counted),
                         ARMILLA_OK);
        assert_int_equal(armilla_fft_set_bytes(counted), armilla_fft_set_bytes(set));
        assert_int_equal(armilla_fft_set_scratch_size(counted), armilla_fft_set_scratch_size(set));
        armilla_fft_set_free(set);
        armilla_fft_set_free(counted);
    }
}

#ifdef ARMILLA_WITH_FFTW
static void lengths_beyond_int_are_unsupported(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{INT64_C(1) << 31, 1}, {1, INT64_C(1) << 31}};
    for (int i = 0; i < 2; i++) {
        armilla_rows rows;
        armilla_memory_fail_after(0); /* it must not get as far as that */
        assert_int_equal(armilla_rows_make(ARMILLA_ISA_SCALAR, cases[i][0], cases[i][1], &rows),
                         ARMILLA_ERROR_UNSUPPORTED);
        armilla_memory_fail_after(-1);
        assert_non_null(strstr(armilla_status_message(), "2147483648"));
    }
}
#endif

static void failing_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    static const int64_t lengths[] = {68, 8, 97, 4 * 997};
    for (int64_t n = 0;; n++) {
        armilla_fft_set *set = NULL;
        armilla_memory_fail_after(n);
        armilla_status status = armilla_fft_set_new(ARMILLA_ISA_SCALAR, 4, lengths, &set);
        armilla_memory_fail_after(-1);
        if (status == ARMILLA_OK) {
            assert_true(n > 5);
            armilla_fft_set_free(set);
            return;
        }
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_null(set);
    }
}

static void roots_of_unity_are_accurate_to_2e_16(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 3, 4, 8, 12, 97, 360, 16381};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int64_t k = 0; k < lengths[i]; k++) {
            double root[2];
            armilla_root_of_unity(k, lengths[i], root);
            long double angle = 2 * 3.14159265358979323846264338L * k / lengths[i];
            assert_true(fabsl(root[0] - cosl(angle)) < 2e-16L);
            assert_true(fabsl(root[1] - sinl(angle)) < 2e-16L);
            if (8 * k % (2 * lengths[i]) == 0) assert_true(root[0] * root[1] == 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_lengths_match_the_defining_sum),
        cmocka_unit_test(other_lengths_match_the_defining_sum),
        cmocka_unit_test(instruction_sets_agree_with_plain_transforms),
        cmocka_unit_test(lengths_in_lanes_match_the_defining_sum),
        cmocka_unit_test(backward_undoes_forward),
        cmocka_unit_test(lengths_out_of_range_are_refused),
#ifdef ARMILLA_WITH_FFTW
        cmocka_unit_test(lengths_beyond_int_are_unsupported),
#endif
        cmocka_unit_test(smooth_length_is_the_smallest),
        cmocka_unit_test(sets_hold_each_length_once),
        cmocka_unit_test(sets_hold_all_short_factors),
        cmocka_unit_test(counted_sets_have_the_sizes_of_others),
        cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
        cmocka_unit_test(roots_of_unity_are_accurate_to_2e_16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
