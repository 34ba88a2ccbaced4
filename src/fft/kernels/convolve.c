/* Cyclic convolutions in lanes. The forward passes decimate in frequency and leave the spectrum
 * unsorted, the backward passes decimate in time and sort again; in between, the numbers are only
 * multiplied by a spectrum that went through the same forward passes, so nobody has to know their
 * sequence. A forward pass of radix r on a block of N = r M points, with
 * w = exp(-2 pi i / N):
 *
 *     x[p + M c] = w^{p c} sum_a exp(-2 pi i a c / r) x[p + M a]
 *
 * makes r blocks of M points, each of which goes through all of its passes, forward and backward,
 * while it is in the first-level cache. The last forward pass, the product with the spectrum, and
 * the first backward pass are one.
 *
 * Lanes 0 to 3 hold the even frequencies of a convolution of twice the length, lanes 4 to 7 the odd
 * ones. Layout: [lanes / VLEN][point][re, im][VLEN].
 * Twiddles: w^{p c}, c = 1 .. r - 1, for each p. */
#include "fft/kernels/convolve.h"
#include "fft/kernels/butterfly.h"

#include <stddef.h>

_Alignas(64) static const double odd_lanes[8] = {0, 0, 0, 0, -1, -1, -1, -1};

ARMILLA_ALWAYS_INLINE complex_vec conjugate_times(complex_vec a, vec c, vec s)
{
    return (complex_vec){v_fma(a.re, c, v_mul(a.im, s)), v_sub(v_mul(a.im, c), v_mul(a.re, s))};
}

ARMILLA_ALWAYS_INLINE void exchange_parts(const int radix, complex_vec *x)
{
    for (int a = 0; a < radix; a++) x[a] = (complex_vec){x[a].im, x[a].re};
}

ARMILLA_ALWAYS_INLINE void forward_pass(const int radix, int64_t m, const double *twiddle,
                                        double *data)
{
    for (int64_t p = 0; p < m; p++) {
        double *place = data + p * COMPLEX;
        const double *w = twiddle + 2 * (radix - 1) * p;
        complex_vec x[8];
        for (int a = 0; a < radix; a++) x[a] = load_complex(place + a * m * COMPLEX);
        butterfly(radix, x);
        store_complex(place, x[0]);
        for (int c = 1; c < radix; c++)
            store_complex(place + c * m * COMPLEX,
                          times(x[c], v_all(w[2 * c - 2]), v_all(w[2 * c - 1])));
    }
}

ARMILLA_ALWAYS_INLINE void backward_pass(const int radix, int64_t m, const double *twiddle,
                                         double *data)
{
    for (int64_t p = 0; p < m; p++) {
        double *place = data + p * COMPLEX;
        const double *w = twiddle + 2 * (radix - 1) * p;
        complex_vec x[8];
        x[0] = load_complex(place);
        for (int a = 1; a < radix; a++)
            x[a] = conjugate_times(load_complex(place + a * m * COMPLEX), v_all(w[2 * a - 2]),
                                   v_all(w[2 * a - 1]));
        exchange_parts(radix, x);
        butterfly(radix, x);
        exchange_parts(radix, x);
        store_points(radix, m * COMPLEX, place, x);
    }
}

/* Eight lanes read both halves of the spectrum. */
ARMILLA_ALWAYS_INLINE vec spectrum_lanes(const double *const spectrum[2], vmask odd, int64_t place)
{
    if (VLEN < 8) return v_all(spectrum[0][place]);
    return v_select(odd, v_all(spectrum[1][place]), v_all(spectrum[0][place]));
}

/* `count` blocks of one radix, from point `first` on. */
ARMILLA_ALWAYS_INLINE void middle_pass(const int radix, const int multiplied, int64_t first,
                                       int64_t count, const double *const spectrum[2],
                                       double *chunk)
{
    const vmask odd = v_negative(v_load(odd_lanes));
    for (int64_t point = first; point < first + count * radix; point += radix) {
        double *place = chunk + point * COMPLEX;
        complex_vec x[8];
        for (int a = 0; a < radix; a++) x[a] = load_complex(place + a * COMPLEX);
        butterfly(radix, x);
        if (multiplied) {
            for (int a = 0; a < radix; a++)
                x[a] = times(x[a], spectrum_lanes(spectrum, odd, 2 * (point + a)),
                             spectrum_lanes(spectrum, odd, 2 * (point + a) + 1));
            exchange_parts(radix, x);
            butterfly(radix, x);
            exchange_parts(radix, x);
        }
        store_points(radix, COMPLEX, place, x);
    }
}

#define DEFINE_PASSES(radix)                                                                       \
    static ARMILLA_NOINLINE void forward_##radix(int64_t m, const double *twiddle, double *data)   \
    {                                                                                              \
        forward_pass(radix, m, twiddle, data);                                                     \
    }                                                                                              \
    static ARMILLA_NOINLINE void backward_##radix(int64_t m, const double *twiddle, double *data)  \
    {                                                                                              \
        backward_pass(radix, m, twiddle, data);                                                    \
    }                                                                                              \
    static ARMILLA_NOINLINE void middle_##radix(int64_t first, int64_t count,                      \
                                                const double *const spectrum[2], double *chunk)    \
    {                                                                                              \
        if (spectrum)                                                                              \
            middle_pass(radix, 1, first, count, spectrum, chunk);                                  \
        else                                                                                       \
            middle_pass(radix, 0, first, count, NULL, chunk);                                      \
    }

DEFINE_PASSES(2)
DEFINE_PASSES(3)
DEFINE_PASSES(4)
DEFINE_PASSES(5)
DEFINE_PASSES(7)
DEFINE_PASSES(8)

typedef void (*pass_function)(int64_t m, const double *twiddle, double *data);

static const pass_function forward_passes[9] = {[2] = forward_2, [3] = forward_3, [4] = forward_4,
                                                [5] = forward_5, [7] = forward_7, [8] = forward_8};
static const pass_function backward_passes[9] = {
    [2] = backward_2, [3] = backward_3, [4] = backward_4,
    [5] = backward_5, [7] = backward_7, [8] = backward_8};
static void (*const middle_passes[9])(int64_t, int64_t, const double *const *, double *) = {
    [2] = middle_2, [3] = middle_3, [4] = middle_4, [5] = middle_5, [7] = middle_7, [8] = middle_8};

/* All passes from `pass` on of `count` blocks of n points, from point `first` on. */
static void run_blocks(const armilla_convolution *convolution, int pass, int64_t first,
                       int64_t count, int64_t n, const double *const *spectrum, double *chunk)
{
    const int radix = convolution->radix[pass];
    if (pass + 1 == convolution->npasses) {
        middle_passes[radix](first, count, spectrum, chunk);
        return;
    }
    const int64_t m = n / radix;
    const double *twiddle = convolution->twiddle[pass];
    for (int64_t i = 0; i < count; i++, first += n) {
        forward_passes[radix](m, twiddle, chunk + first * COMPLEX);
        run_blocks(convolution, pass + 1, first, radix, m, spectrum, chunk);
        if (spectrum) backward_passes[radix](m, twiddle, chunk + first * COMPLEX);
    }
}

void ARMILLA_KERNEL(armilla_convolve)(const armilla_convolution *convolution,
                                      const double *spectrum, double *work)
{
    const int64_t n = convolution->n;
    for (int lane = 0; lane < ARMILLA_ROUGH_LANES; lane += VLEN) {
        const double *spectra[2] = {spectrum, NULL};
        if (spectrum) {
            spectra[0] += lane < 4 ? 0 : 2 * n;
            spectra[1] = spectrum + 2 * n;
        }
        run_blocks(convolution, 0, 0, 1, n, spectrum ? spectra : NULL, work + 2 * lane * n);
    }
}

void ARMILLA_KERNEL(armilla_convolve_lanes)(const armilla_convolution *convolution,
                                            const double *spectrum, double *work)
{
    const double *spectra[2] = {spectrum, spectrum};
    run_blocks(convolution, 0, 0, 1, convolution->n, spectra, work);
}
