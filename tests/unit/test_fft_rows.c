/* Checks the Fourier transforms of rows, of every length up to 2000 and of some long ones, in each
 * instruction set: numbers of the result against the defining sum in long double, and all of them
 * together by Parseval's identity and by their sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "fft/fft.h"
#include "fft/rows.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *aligned(int64_t count)
{
    double *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof(double)), ARMILLA_OK);
    return result;
}

static void fill(int64_t n, double *data)
{
    uint64_t seed = (uint64_t)n;
    for (int64_t i = 0; i < 2 * n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        data[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
}

enum { SOME = 8 }; /* numbers of a result that are compared */

/* What a transform of `fill` should be. */
typedef struct {
    int64_t n, k[SOME];
    double *data;
    long double sum[SOME][2];
    double norm; /* rms of the transform: that of the data times the root of n */
} answer;

/* X_k by its definition; roots: exp(2 pi i j / n). */
static void defining_sum(const answer *expected, const long double *roots, int64_t k,
                         long double sum[2])
{
    sum[0] = sum[1] = 0;
    for (int64_t j = 0, place = 0; j < expected->n; j++) {
        const double *x = expected->data + 2 * j;
        const long double c = roots[2 * place], s = -roots[2 * place + 1];
        sum[0] += x[0] * c - x[1] * s;
        sum[1] += x[0] * s + x[1] * c;
        place += k;
        if (place >= expected->n) place -= expected->n;
    }
}

static answer find_answer(int64_t n)
{
    answer expected = {.n = n, .data = aligned(2 * n)};
    long double *roots = malloc((size_t)n * 2 * sizeof *roots);
    assert_non_null(roots);
    for (int64_t j = 0; j < n; j++) {
        const long double angle = 2 * 3.14159265358979323846264338L * j / n;
        roots[2 * j] = cosl(angle), roots[2 * j + 1] = sinl(angle);
    }
    fill(n, expected.data);
    for (int i = 0; i < SOME; i++) {
        expected.k[i] = (i * (n / SOME) + i * i) % n;
        defining_sum(&expected, roots, expected.k[i], expected.sum[i]);
    }
    long double square = 0;
    for (int64_t i = 0; i < 2 * n; i++) square += (long double)expected.data[i] * expected.data[i];
    expected.norm = (double)sqrtl(square);
    free(roots);
    return expected;
}

/* The largest of the errors that the head of this file tells, relative to the rms of the transform.
 * The error of a sum of n numbers grows as its root. */
static double error_of(const answer *expected, const double *x)
{
    const int64_t n = expected->n;
    double worst = 0;
    long double square = 0, total[2] = {-(long double)n * expected->data[0],
                                        -(long double)n * expected->data[1]};
    for (int i = 0; i < SOME; i++)
        worst = fmax(worst, fmax(fabs((double)(x[2 * expected->k[i]] - expected->sum[i][0])),
                                 fabs((double)(x[2 * expected->k[i] + 1] - expected->sum[i][1]))));
    for (int64_t k = 0; k < n; k++) {
        square += (long double)x[2 * k] * x[2 * k] + (long double)x[2 * k + 1] * x[2 * k + 1];
        total[0] += x[2 * k], total[1] += x[2 * k + 1];
    }
    const double root = sqrt((double)n), parseval = sqrt((double)square) / root - expected->norm;
    worst = fmax(worst, fabs(parseval));
    return fmax(worst, fmax(fabs((double)total[0]), fabs((double)total[1])) / root) /
           expected->norm;
}

static void check(const char *what, armilla_isa isa, const answer *expected, const double *result)
{
    const double error = error_of(expected, result),
                 bound = 1e-15 * sqrt(1 + log2((double)expected->n));
    if (!(error < bound))
        print_error("%s, %s, length %lld: error %g\n", what, armilla_isa_label(isa),
                    (long long)expected->n, error);
    assert_true(error < bound);
}

static void check_member(armilla_isa isa, const armilla_fft *fft, const answer *expected)
{
    const int64_t n = expected->n;
    double *data = aligned(2 * n), *scratch = aligned(2 * armilla_fft_scratch_size(fft));
    memcpy(data, expected->data, (size_t)n * 2 * sizeof *data);
    check("transform", isa, expected, armilla_fft_execute(fft, data, scratch));
    armilla_release(data);
    armilla_release(scratch);
}

/* In sets of many lengths, as those of rings, and of one, by armilla_fft_new. */
static void check_lengths(int64_t count, const int64_t *lengths)
{
    armilla_fft_set *sets[ARMILLA_ISA_COUNT] = {NULL};
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        if (armilla_isa_usable((armilla_isa)isa))
            assert_int_equal(armilla_fft_set_new((armilla_isa)isa, count, lengths, &sets[isa]),
                             ARMILLA_OK);
    for (int64_t i = 0; i < count; i++) {
        const answer expected = find_answer(lengths[i]);
        armilla_fft *alone;
        for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
            if (sets[isa])
                check_member((armilla_isa)isa, armilla_fft_set_find(sets[isa], lengths[i]),
                             &expected);
        assert_int_equal(armilla_fft_new(lengths[i], &alone), ARMILLA_OK);
        check_member(ARMILLA_ISA_SCALAR, alone, &expected);
        armilla_fft_free(alone);
        armilla_release(expected.data);
    }
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) armilla_fft_set_free(sets[isa]);
}

static void every_length_is_right(void **state)
{
    enum { MOST = 2000 };
    (void)state;
    int64_t lengths[MOST], count = 0;
    for (int64_t n = 1; n <= MOST; n += checks_quick() && n > 100 ? 13 : 1) lengths[count++] = n;
    check_lengths(count, lengths);
}

static void long_ones_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {3 * 5 * 7 * 11 * 13 * 4,
                                      1000000,
                                      1 << 17,
                                      2048 * 3 * 13,
                                      6561 * 10,
                                      100003,
                                      8 * 16381,
                                      4 * 8190,
                                      4 * 32749};
    check_lengths(checks_quick() ? 1 : sizeof lengths / sizeof *lengths, lengths);
}

/* Rows of one call, alone and together, in the vectors that fit. */
static void check_rows(armilla_isa isa, int64_t together, const answer *expected)
{
    const int64_t n = expected->n, size = armilla_round_line(2 * n * together);
    double *data = aligned(2 * size), *result = data + size;
    armilla_rows rows;
    assert_int_equal(armilla_rows_make(isa, n, together, &rows), ARMILLA_OK);
    for (int64_t i = 0; i < together; i++)
        memcpy(data + 2 * n * i, expected->data, (size_t)n * 2 * sizeof *data);
    armilla_rows_execute(&rows, together, data, result);
    for (int64_t i = 0; i < together; i++)
        check(together > 1 ? "rows together" : "row", isa, expected, result + 2 * n * i);
    armilla_rows_clear(&rows);
    armilla_release(data);
}

static void rows_are_right(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 1100; n++) {
        int64_t rest = n;
        for (int64_t prime = 2; prime <= 13; prime++)
            while (rest % prime == 0) rest /= prime;
        if (rest > 1 || (checks_quick() && n > 300 && n % 8 != 0)) continue;
        const answer expected = find_answer(n);
        for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++) {
            if (!armilla_isa_usable((armilla_isa)isa)) continue;
            check_rows((armilla_isa)isa, 1, &expected);
            const int64_t together = armilla_rows_way_find()->together((armilla_isa)isa, n);
            if (together > 1) check_rows((armilla_isa)isa, together, &expected);
        }
        armilla_release(expected.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_right),
        cmocka_unit_test(every_length_is_right),
        cmocka_unit_test(long_ones_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
