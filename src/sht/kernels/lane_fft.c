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

#include <stddef.h>

typedef struct {
    int64_t length, rest;      /* L, R */
    int64_t in_step, out_step; /* doubles between neighbours */
    const double *twiddle;     /* NULL: all 1 */
} lane_pass;

typedef struct {
    vec re, im;
} complex_vec;

static const double cosines[8][4] = {
    [3] = {1, -0.5},
    [5] = {1, 0.30901699437494742410, -0.80901699437494742410},
    [7] = {1, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624}};
static const double sines[8][4] = {
    [3] = {0, 0.86602540378443864676},
    [5] = {0, 0.95105651629515357212, 0.58778525229247312917},
    [7] = {0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048}};

ARMILLA_ALWAYS_INLINE complex_vec plus(complex_vec a, complex_vec b)
{
    return (complex_vec){v_add(a.re, b.re), v_add(a.im, b.im)};
}

ARMILLA_ALWAYS_INLINE complex_vec minus(complex_vec a, complex_vec b)
{
    return (complex_vec){v_sub(a.re, b.re), v_sub(a.im, b.im)};
}

/* a + i b, a - i b */
ARMILLA_ALWAYS_INLINE complex_vec plus_turned(complex_vec a, complex_vec b)
{
    return (complex_vec){v_sub(a.re, b.im), v_add(a.im, b.re)};
}

ARMILLA_ALWAYS_INLINE complex_vec minus_turned(complex_vec a, complex_vec b)
{
    return (complex_vec){v_add(a.re, b.im), v_sub(a.im, b.re)};
}

ARMILLA_ALWAYS_INLINE complex_vec times(complex_vec a, vec c, vec s)
{
    return (complex_vec){v_sub(v_mul(a.re, c), v_mul(a.im, s)), v_fma(a.re, s, v_mul(a.im, c))};
}

/* Odd radix, by the sums and differences of mirrored inputs. */
ARMILLA_ALWAYS_INLINE void butterfly_odd(const int radix, complex_vec *x)
{
    const int half = radix / 2;
    complex_vec sum[3], difference[3], first = x[0];
    for (int a = 0; a < half; a++) {
        sum[a] = plus(x[a + 1], x[radix - 1 - a]);
        difference[a] = minus(x[a + 1], x[radix - 1 - a]);
        x[0] = plus(x[0], sum[a]);
    }
    for (int c = 1; c <= half; c++) {
        complex_vec even = first, odd = {v_all(0), v_all(0)};
        for (int a = 1; a <= half; a++) {
            int place = a * c % radix, wrapped = place > half;
            double cosine = cosines[radix][wrapped ? radix - place : place];
            double sine = wrapped ? -sines[radix][radix - place] : sines[radix][place];
            even.re = v_fma(v_all(cosine), sum[a - 1].re, even.re);
            even.im = v_fma(v_all(cosine), sum[a - 1].im, even.im);
            odd.re = v_fma(v_all(sine), difference[a - 1].re, odd.re);
            odd.im = v_fma(v_all(sine), difference[a - 1].im, odd.im);
        }
        x[c] = minus_turned(even, odd);
        x[radix - c] = plus_turned(even, odd);
    }
}

ARMILLA_ALWAYS_INLINE void butterfly4(complex_vec *x, complex_vec *y)
{
    complex_vec a = plus(x[0], x[2]), b = minus(x[0], x[2]);
    complex_vec c = plus(x[1], x[3]), d = minus(x[1], x[3]);
    y[0] = plus(a, c);
    y[1] = minus_turned(b, d);
    y[2] = minus(a, c);
    y[3] = plus_turned(b, d);
}

ARMILLA_ALWAYS_INLINE void butterfly8(complex_vec *x)
{
    const vec half_root = v_all(0.70710678118654752440);
    complex_vec even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    complex_vec e[4], o[4];
    butterfly4(even, e);
    butterfly4(odd, o);
    complex_vec p = {v_mul(half_root, v_add(o[1].re, o[1].im)),
                     v_mul(half_root, v_sub(o[1].im, o[1].re))};
    complex_vec q = {v_mul(half_root, v_sub(o[3].im, o[3].re)),
                     v_mul(half_root, v_add(o[3].re, o[3].im))};
    x[0] = plus(e[0], o[0]);
    x[4] = minus(e[0], o[0]);
    x[1] = plus(e[1], p);
    x[5] = minus(e[1], p);
    x[2] = minus_turned(e[2], o[2]);
    x[6] = plus_turned(e[2], o[2]);
    x[3] = (complex_vec){v_add(e[3].re, q.re), v_sub(e[3].im, q.im)};
    x[7] = (complex_vec){v_sub(e[3].re, q.re), v_add(e[3].im, q.im)};
}

ARMILLA_ALWAYS_INLINE void butterfly(const int radix, complex_vec *x)
{
    if (radix == 2) {
        complex_vec a = x[0], b = x[1];
        x[0] = plus(a, b);
        x[1] = minus(a, b);
    } else if (radix == 4) {
        complex_vec y[4];
        butterfly4(x, y);
        for (int i = 0; i < 4; i++) x[i] = y[i];
    } else if (radix == 8) {
        butterfly8(x);
    } else {
        butterfly_odd(radix, x);
    }
}

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
