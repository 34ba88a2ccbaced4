/* Fourier transforms in lanes by decimation in time, in place. A pass of radix r joins r transforms
 * of length L that lie one behind the other; with w = exp(-2 pi i / (r L)),
 *
 *     x[k + L c] = sum_a exp(-2 pi i a c / r) w^{a k} x[k + L a],    0 <= k < L.
 *
 * Passes in place: a vector of eight lanes is a cache line, so that two arrays soon meet at the
 * same place of a page, where a load waits for a store that has nothing to do with it.
 *
 * The first half is n1 = length[0] long and works on columns, the second n2 = length[1] and works
 * on rows, whose twiddles contain those between the halves: sorted by k1, k2 where
 * k = k1 + n1 k2. Reference: Van Loan 1992, Computational Frameworks for the FFT. */
#include "fft/kernels/lane_fft.h"
#include "fft/kernels/convolve.h"
#include "fft/kernels/direct_sums.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    int64_t length, groups; /* L; groups of r transforms */
    int64_t step;           /* doubles between neighbours */
    int64_t count, next;    /* columns or rows, doubles between them */
    const double *twiddle;  /* NULL: all 1 */
    int64_t next_twiddle;
    const double *roots; /* of a prime radix */
} lane_pass;

ARMILLA_ALWAYS_INLINE void run_butterfly(const int radix, const int twiddled, const double *w,
                                         int64_t step, double *data)
{
    complex_vec x[8];
    for (int a = 0; a < radix; a++) {
        x[a] = load_complex(data + a * step);
        if (twiddled && a > 0) x[a] = times(x[a], v_all(w[2 * a - 2]), v_all(w[2 * a - 1]));
    }
    butterfly(radix, x);
    store_points(radix, step, data, x);
}

/* Numbers a, a + 4, a + 8, a + 12 of a butterfly of 16: transformed and turned. */
ARMILLA_ALWAYS_INLINE void load_quarter(const int a, const int twiddled, const double *w,
                                        int64_t step, const double *data, complex_vec *y)
{
    complex_vec x[4];
    for (int b = 0; b < 4; b++) {
        const int i = a + 4 * b;
        x[b] = load_complex(data + i * step);
        if (twiddled && i > 0) x[b] = times(x[b], v_all(w[2 * i - 2]), v_all(w[2 * i - 1]));
    }
    butterfly4(x, y);
    y[1] = turn16(a, y[1]), y[2] = turn16(2 * a, y[2]), y[3] = turn16(3 * a, y[3]);
}

/* Radix 16 as 4 x 4: half the loads and stores of two passes of radix 4. Quarter by quarter, so
 * that few of the 32 vectors are in flight at once. */
ARMILLA_ALWAYS_INLINE void run_butterfly16(const int twiddled, const double *w, int64_t step,
                                           double *data)
{
    complex_vec y[4][4];
    load_quarter(0, twiddled, w, step, data, y[0]);
    load_quarter(1, twiddled, w, step, data, y[1]);
    load_quarter(2, twiddled, w, step, data, y[2]);
    load_quarter(3, twiddled, w, step, data, y[3]);
    for (int c = 0; c < 4; c++) {
        complex_vec x[4] = {y[0][c], y[1][c], y[2][c], y[3][c]}, z[4];
        butterfly4(x, z);
        store_points(4, 4 * step, data + c * step, z);
    }
}

/* The radix, the step, the length and the groups are known in the compilation where that makes the
 * loops faster. */
ARMILLA_ALWAYS_INLINE void run_pass(const int radix, const int twiddled, int64_t length,
                                    int64_t groups, int64_t step, const lane_pass *pass,
                                    double *data)
{
    const int64_t stride = length * step, count = pass->count, next = pass->next;
    const int64_t next_twiddle = pass->next_twiddle;
    const double *first = pass->twiddle;
    for (int64_t i = 0; i < count; i++, data += next, first += twiddled ? next_twiddle : 0) {
        const double *w = first;
        for (int64_t k = 0; k < length; k++, w += twiddled ? 2 * (radix - 1) : 0) {
            double *x = data + k * step;
            for (int64_t g = 0; g < groups; g++, x += radix * stride) {
                if (radix == 16)
                    run_butterfly16(twiddled, w, stride, x);
                else
                    run_butterfly(radix, twiddled, w, stride, x);
            }
        }
    }
}

#define DEFINE_PASS(radix)                                                                         \
    static ARMILLA_NOINLINE void pass_##radix(const lane_pass *pass, double *data)                 \
    {                                                                                              \
        if (!pass->twiddle)                                                                        \
            run_pass(radix, 0, 1, pass->groups, COMPLEX, pass, data);                              \
        else if (pass->length == 1 && pass->groups == 1)                                           \
            run_pass(radix, 1, 1, 1, pass->step, pass, data);                                      \
        else if (pass->length == 1)                                                                \
            run_pass(radix, 1, 1, pass->groups, pass->step, pass, data);                           \
        else                                                                                       \
            run_pass(radix, 1, pass->length, pass->groups, pass->step, pass, data);                \
    }

DEFINE_PASS(2)
DEFINE_PASS(3)
DEFINE_PASS(4)
DEFINE_PASS(5)
DEFINE_PASS(7)
DEFINE_PASS(8)
DEFINE_PASS(16)

/* A butterfly of a prime radix. x: `radix` complex vectors. */
ARMILLA_ALWAYS_INLINE void run_prime_butterfly(int64_t radix, const double *roots, const double *w,
                                               int64_t step, double *data, double *x)
{
    for (int64_t a = 0; a < radix; a++) {
        complex_vec point = load_complex(data + a * step);
        if (w && a > 0) point = times(point, v_all(w[2 * a - 2]), v_all(w[2 * a - 1]));
        store_complex(x + a * COMPLEX, point);
    }
    fold_inputs(radix, x);
    store_complex(data, sum_inputs(radix, x));
    for (int64_t k = 0; 2 * k + 1 < radix; k += OUTPUTS) {
        complex_vec even[OUTPUTS], odd[OUTPUTS];
        direct_sums(radix, roots, k, x, even, odd);
        for (int i = 0; i < OUTPUTS && k + i < radix / 2; i++) {
            store_complex(data + (k + i + 1) * step, minus_turned(even[i], odd[i]));
            store_complex(data + (radix - 1 - k - i) * step, plus_turned(even[i], odd[i]));
        }
    }
}

static ARMILLA_NOINLINE void pass_prime(int64_t radix, const lane_pass *pass, double *data)
{
    _Alignas(64) double x[ARMILLA_LANE_RADIX_MOST * COMPLEX];
    const int64_t stride = pass->length * pass->step;
    for (int64_t i = 0; i < pass->count; i++, data += pass->next) {
        const double *w = pass->twiddle ? pass->twiddle + i * pass->next_twiddle : NULL;
        for (int64_t k = 0; k < pass->length; k++, w += w ? 2 * (radix - 1) : 0)
            for (int64_t g = 0; g < pass->groups; g++)
                run_prime_butterfly(radix, pass->roots, w, stride,
                                    data + k * pass->step + g * radix * stride, x);
    }
}

static void dispatch(int radix, const lane_pass *pass, double *data)
{
    if (pass->roots) {
        pass_prime(radix, pass, data);
        return;
    }
    static void (*const passes[17])(const lane_pass *, double *) = {
        [2] = pass_2, [3] = pass_3, [4] = pass_4,  [5] = pass_5,
        [7] = pass_7, [8] = pass_8, [16] = pass_16};
    passes[radix](pass, data);
}

/* All passes of `count` columns (half 0) or of rows from k on. */
ARMILLA_ALWAYS_INLINE void run_half(const armilla_lane_fft *fft, const int half, int64_t k,
                                    int64_t count, double *data, int64_t step, int64_t next)
{
    lane_pass pass;
    pass.length = 1;
    pass.step = step * COMPLEX, pass.count = count, pass.next = next * COMPLEX;
    for (int i = 0; i < fft->npasses[half]; i++) {
        const int radix = fft->radix[half][i];
        const int64_t twiddles = half ? 2 * (radix - 1) * pass.length : 0; /* of a row */
        pass.groups = fft->rest[half][i];
        pass.twiddle = half || i > 0 ? fft->twiddle[half][i] + twiddles * k : NULL;
        pass.next_twiddle = twiddles;
        pass.roots = fft->roots[half][i];
        dispatch(radix, &pass, data);
        pass.length *= radix;
    }
}

void ARMILLA_KERNEL(armilla_lane_fft_run_columns)(const armilla_lane_fft *fft, int64_t count,
                                                  double *data, int64_t next)
{
    run_half(fft, 0, 0, count, data, 1, next);
}

void ARMILLA_KERNEL(armilla_lane_fft_run_rows)(const armilla_lane_fft *fft, int64_t k,
                                               int64_t count, double *data, int64_t step)
{
    run_half(fft, 1, k, count, data, step, 1);
}

void ARMILLA_KERNEL(armilla_lane_fft_run_whole)(const armilla_lane_fft *fft, double *data)
{
    const armilla_lane_chirp *whole = fft->whole;
    const int64_t n = fft->n;
    for (int turn = 0; turn < 2; turn++) {
        for (int64_t j = 0; j < n; j++) {
            double *place = data + j * COMPLEX;
            const double *c = whole->chirp + 2 * j;
            store_complex(place, times(load_complex(place), v_all(c[0]), v_all(c[1])));
        }
        if (turn) break;
        memset(data + n * COMPLEX, 0,
               sizeof *data * (size_t)((whole->convolution.n - n) * COMPLEX));
        ARMILLA_KERNEL(armilla_convolve_lanes)(&whole->convolution, whole->spectrum, data);
    }
}
