/* Fourier transforms in lanes by decimation in time, in place. A pass of radix r joins r transforms
 * of length L that lie one behind the other; with w = exp(-2 pi i / (r L)),
 *
 *     x[k + L c] = sum_a exp(-2 pi i a c / r) w^{a k} x[k + L a],    0 <= k < L.
 *
 * Passes in place: a vector of eight lanes is a cache line, so that two arrays soon meet at the
 * same place of a page, where a load waits for a store that has nothing to do with it.
 *
 * The first half is n1 = length[0] long and works on columns, the second n2 = length[1] and works
 * on rows, whose twiddles contain those between the halves: see sht/kernels/lane_fft.c, which has
 * the same tables. Reference: Van Loan 1992, Computational Frameworks for the FFT. */
#include "fft/kernels/lane_fft.h"
#include "fft/kernels/butterfly.h"

#include <stddef.h>

typedef struct {
    int64_t length, groups; /* L; groups of r transforms */
    int64_t step;           /* doubles between neighbours */
    int64_t count, next;    /* columns or rows, doubles between them */
    const double *twiddle;  /* NULL: all 1 */
    int64_t next_twiddle;
} lane_pass;

ARMILLA_ALWAYS_INLINE void run_butterfly(const int radix, const double *w, int64_t step,
                                         double *data)
{
    complex_vec x[8];
    for (int a = 0; a < radix; a++) {
        x[a] = (complex_vec){v_load(data + a * step), v_load(data + a * step + VLEN)};
        if (w && a > 0) x[a] = times(x[a], v_all(w[2 * a - 2]), v_all(w[2 * a - 1]));
    }
    butterfly(radix, x);
    for (int c = 0; c < radix; c++) {
        v_store(data + c * step, x[c].re);
        v_store(data + c * step + VLEN, x[c].im);
    }
}

ARMILLA_ALWAYS_INLINE void run_pass(const int radix, const int twiddled, const lane_pass *pass,
                                    double *data)
{
    const int64_t length = pass->length, groups = pass->groups, step = pass->step;
    const int64_t stride = length * step, next_group = radix * stride;
    for (int64_t i = 0; i < pass->count; i++, data += pass->next) {
        const double *w = twiddled ? pass->twiddle + i * pass->next_twiddle : NULL;
        for (int64_t k = 0; k < length; k++, w += twiddled ? 2 * (radix - 1) : 0)
            for (int64_t g = 0; g < groups; g++)
                run_butterfly(radix, w, stride, data + k * step + g * next_group);
    }
}

#define DEFINE_PASS(radix)                                                                         \
    static ARMILLA_NOINLINE void pass_##radix(const lane_pass *pass, double *data)                 \
    {                                                                                              \
        if (pass->twiddle)                                                                         \
            run_pass(radix, 1, pass, data);                                                        \
        else                                                                                       \
            run_pass(radix, 0, pass, data);                                                        \
    }

DEFINE_PASS(2)
DEFINE_PASS(3)
DEFINE_PASS(4)
DEFINE_PASS(5)
DEFINE_PASS(7)
DEFINE_PASS(8)

static void dispatch(int radix, const lane_pass *pass, double *data)
{
    static void (*const passes[9])(const lane_pass *, double *) = {
        [2] = pass_2, [3] = pass_3, [4] = pass_4, [5] = pass_5, [7] = pass_7, [8] = pass_8};
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
