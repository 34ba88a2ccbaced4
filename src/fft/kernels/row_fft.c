/* Fourier transforms of single rows. A row of n = V m numbers, V = VLEN, is V rows of m numbers,
 * one in each lane, since number V j + l of the row is lane l of vector j. Passes that decimate in
 * frequency transform the lanes in place, whole vectors at a time (kernels/convolve.c has the
 * formula): each block goes through all of its passes while it is in the first-level cache. They
 * leave frequency k of all lanes, F_l[k], at place[k]. The last step, with w = exp(-2 pi i / n),
 *
 *     X[k + m c] = sum_l exp(-2 pi i l c / V) w^{l k} F_l[k],    0 <= k < m, 0 <= c < V,
 *
 * takes V neighbouring k at once: it transposes their vectors, so that k are lanes, and sorts on
 * the way. Where V does not divide m, the last group of k overlaps with the one before. Reference:
 * Van Loan 1992, Computational Frameworks for the FFT; docs/mathematics.md section 4. */
#include "fft/kernels/row_butterfly.h"
#include "fft/kernels/row_fft_tables.h"

#include <stddef.h>

/* --- Passes in lanes -------------------------------------------------------------------------- */

/* A block of radix times m points. layout: of the points that are read. */
ARMILLA_ALWAYS_INLINE void run_pass(const int radix, const int layout, int64_t m,
                                    const double *twiddle, double *data)
{
    for (int64_t p = 0; p < m; p++, twiddle += 2 * (radix - 1)) {
        const side from = {layout, data, NULL, p, m}, to = {VECTORS, data, NULL, p, m};
        run_butterfly(radix, &from, twiddle, &to);
    }
}

/* The last pass: `count` blocks of as many points as the radix has. */
ARMILLA_ALWAYS_INLINE void run_last(const int radix, const int layout, int64_t count, double *data)
{
    for (int64_t i = 0; i < count; i++, data += radix * COMPLEX) {
        const side from = {layout, data, NULL, 0, 1}, to = {VECTORS, data, NULL, 0, 1};
        run_butterfly(radix, &from, NULL, &to);
    }
}

#define DEFINE_PASSES(radix)                                                                       \
    static ARMILLA_NOINLINE void first_##radix(int64_t m, const double *twiddle, double *data)     \
    {                                                                                              \
        if (twiddle)                                                                               \
            run_pass(radix, NUMBERS, m, twiddle, data);                                            \
        else                                                                                       \
            run_last(radix, NUMBERS, 1, data);                                                     \
    }                                                                                              \
    static ARMILLA_NOINLINE void middle_##radix(int64_t m, const double *twiddle, double *data)    \
    {                                                                                              \
        run_pass(radix, VECTORS, m, twiddle, data);                                                \
    }                                                                                              \
    static ARMILLA_NOINLINE void last_##radix(int64_t count, const double *twiddle, double *data)  \
    {                                                                                              \
        (void)twiddle;                                                                             \
        run_last(radix, VECTORS, count, data);                                                     \
    }

FOR_EACH_RADIX(DEFINE_PASSES)

typedef void (*pass_function)(int64_t count, const double *twiddle, double *data);

#define FIRST(radix)  [radix] = first_##radix,
#define MIDDLE(radix) [radix] = middle_##radix,
#define LAST(radix)   [radix] = last_##radix,

static const pass_function first_passes[LARGEST_RADIX + 1] = {FOR_EACH_RADIX(FIRST)};
static const pass_function middle_passes[LARGEST_RADIX + 1] = {FOR_EACH_RADIX(MIDDLE)};
static const pass_function last_passes[LARGEST_RADIX + 1] = {FOR_EACH_RADIX(LAST)};

/* All passes from `pass` on, not the first, of `count` blocks of n vectors. */
static void run_blocks(const armilla_row_fft *fft, int pass, int64_t count, int64_t n, double *data)
{
    const int radix = fft->radix[pass];
    if (pass + 1 == fft->npasses) {
        last_passes[radix](count, NULL, data);
        return;
    }
    for (int64_t i = 0; i < count; i++, data += n * COMPLEX) {
        middle_passes[radix](n / radix, fft->twiddle[pass], data);
        run_blocks(fft, pass + 1, radix, n / radix, data);
    }
}

/* --- Between lanes ---------------------------------------------------------------------------- */

/* w^{l k} of lane l: from the table where l is a power of two, else a product of two of lower
 * lanes. A table of all would be as large as the row, and a plan has many rows. */
ARMILLA_ALWAYS_INLINE complex_vec cross_twiddle(int l, const double *cross, const complex_vec *w)
{
    const int high = l >= 4 ? 4 : l >= 2 ? 2 : 1;
    if (l == high) {
        const double *table = cross + high / 2 * COMPLEX; /* 1, 2, 4: rows 0, 1, 2 */
        return (complex_vec){v_load(table), v_load(table + VLEN)};
    }
    return times(w[high], w[l - high].re, w[l - high].im);
}

/* X[k + m c] for VLEN neighbouring k. cross: the twiddles of these k. */
ARMILLA_ALWAYS_INLINE void cross_lanes(const armilla_row_fft *fft, const int32_t *place,
                                       const double *cross, const double *data, double *output)
{
    vec re[VLEN], im[VLEN];
    complex_vec x[VLEN], w[VLEN];
    for (int i = 0; i < VLEN; i++) {
        x[i] = load_complex(data + (int64_t)place[i] * COMPLEX);
        re[i] = x[i].re, im[i] = x[i].im;
    }
    v_transpose(re);
    v_transpose(im);
    for (int l = 0; l < VLEN; l++) {
        x[l] = (complex_vec){re[l], im[l]};
        if (l == 0) continue;
        w[l] = cross_twiddle(l, cross, w);
        x[l] = times(x[l], w[l].re, w[l].im);
    }
    if (VLEN > 1) butterfly(VLEN, x);
    for (int c = 0; c < VLEN; c++) v_store2(output + 2 * c * fft->m, x[c].re, x[c].im);
}

void ARMILLA_KERNEL(armilla_row_alone)(const armilla_row_fft *fft, int64_t count, double *input,
                                       double *output)
{
    const int64_t m = fft->m;
    const int radix = fft->radix[0];
    for (int64_t row = 0; row < count; row++, input += 2 * fft->n, output += 2 * fft->n) {
        const double *cross = fft->cross;
        if (fft->npasses > 0) first_passes[radix](m / radix, fft->twiddle[0], input);
        if (fft->npasses > 1) run_blocks(fft, 1, radix, m / radix, input);
        for (int64_t k = 0; k < m; k += VLEN) {
            const int64_t first = k + VLEN > m ? m - VLEN : k;
            cross_lanes(fft, fft->place + first, cross, input, output + 2 * first);
            if (cross) cross += ARMILLA_CROSS_TABLES(VLEN) * COMPLEX;
        }
    }
}
