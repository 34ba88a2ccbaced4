/* Forward Fourier transforms in lanes, by decimation in time with sorted output (Stockham). A pass
 * of radix r joins r transforms of length L; with w = exp(-2 pi i / (r L)) and R = n / (r L),
 *
 *     out[(k + L c) R + p] = sum_a exp(-2 pi i a c / r) w^{a k} in[k r R + p + R a].
 *
 * Passes up to L = n1 = length[0] touch inputs n2 = length[1] apart only, the others outputs n1
 * apart. So columns of n1 and then rows of n2 go through the first-level cache, and the whole array
 * through the second-level cache only twice. Between the halves, entry [p][k] is number k of
 * column p.
 *
 * Twiddles: w^{a k}, a = 1 .. r - 1, for each k; in the second half k = k1 + n1 k2 is sorted by
 * k1, k2. Reference: Van Loan 1992, Computational Frameworks for the FFT. */
#include "sht/kernels/lane_fft.h"
#include "fft/kernels/butterfly.h"

#include <stddef.h>

typedef struct {
    int64_t length, rest;      /* L, R */
    int64_t in_step, out_step; /* doubles between neighbours */
    const double *twiddle;     /* NULL: all 1 */
} lane_pass;

ARMILLA_ALWAYS_INLINE void run_pass(const int radix, const int twiddled, const lane_pass *pass,
                                    const double *in, double *out)
{
    const int64_t length = pass->length, rest = pass->rest;
    const int64_t in_step = pass->in_step, out_step = pass->out_step;
    for (int64_t k = 0; k < length; k++) {
        const double *w = twiddled ? pass->twiddle + 2 * (radix - 1) * k : NULL;
        for (int64_t p = 0; p < rest; p++) {
            const double *from = in + (k * radix * rest + p) * in_step;
            double *to = out + (k * rest + p) * out_step;
            complex_vec x[8];
            for (int a = 0; a < radix; a++) {
                const double *place = from + a * rest * in_step;
                x[a] = (complex_vec){v_load(place), v_load(place + VLEN)};
                if (twiddled && a > 0) x[a] = times(x[a], v_all(w[2 * a - 2]), v_all(w[2 * a - 1]));
            }
            butterfly(radix, x);
            for (int c = 0; c < radix; c++) {
                double *place = to + c * length * rest * out_step;
                v_store(place, x[c].re);
                v_store(place + VLEN, x[c].im);
            }
        }
    }
}

#define DEFINE_PASS(radix)                                                                         \
    static ARMILLA_NOINLINE void pass_##radix(const lane_pass *pass, const double *in,             \
                                              double *out)                                         \
    {                                                                                              \
        if (pass->twiddle)                                                                         \
            run_pass(radix, 1, pass, in, out);                                                     \
        else                                                                                       \
            run_pass(radix, 0, pass, in, out);                                                     \
    }

DEFINE_PASS(2)
DEFINE_PASS(3)
DEFINE_PASS(4)
DEFINE_PASS(5)
DEFINE_PASS(7)
DEFINE_PASS(8)

static void dispatch(int radix, const lane_pass *pass, const double *in, double *out)
{
    static void (*const passes[9])(const lane_pass *, const double *, double *) = {
        [2] = pass_2, [3] = pass_3, [4] = pass_4, [5] = pass_5, [7] = pass_7, [8] = pass_8};
    passes[radix](pass, in, out);
}

/* All passes of one half on one column or row, number `index`. Steps count complex vectors. */
static void run_half(const armilla_lane_fft *fft, int half, int64_t index, const double *input,
                     int64_t in_step, double *output, int64_t out_step, double *work)
{
    const int64_t n = fft->length[half];
    const int npasses = fft->npasses[half];
    double *buffers[2] = {work, work + n * COMPLEX};
    int64_t length = 1;
    for (int i = 0; i < npasses; i++) {
        const int radix = fft->radix[half][i], last = i + 1 == npasses;
        const double *twiddle = fft->twiddle[half][i];
        lane_pass pass = {.length = length, .rest = n / (length * radix)};
        pass.in_step = i == 0 ? in_step * COMPLEX : COMPLEX;
        pass.out_step = last ? out_step * COMPLEX : COMPLEX;
        if (half == 1) twiddle += 2 * (radix - 1) * length * index;
        if (half == 1 || i > 0) pass.twiddle = twiddle;
        dispatch(radix, &pass, i == 0 ? input : buffers[(i + 1) % 2],
                 last ? output : buffers[i % 2]);
        length *= radix;
    }
}

void ARMILLA_KERNEL(armilla_lane_fft_column)(const armilla_lane_fft *fft, int64_t p,
                                             const double *input, int64_t step, double *output,
                                             double *work)
{
    run_half(fft, 0, p, input, step, output + p * fft->length[0] * COMPLEX, 1, work);
}

void ARMILLA_KERNEL(armilla_lane_fft_rows)(const armilla_lane_fft *fft, double *data, double *work)
{
    const int64_t step = fft->length[0];
    for (int64_t k = 0; k < step; k++) {
        double *row = data + k * COMPLEX;
        run_half(fft, 1, k, row, step, row, step, work);
    }
}
