/* Butterflies of Fourier transforms in lanes: VLEN complex transforms at once, real and imaginary
 * parts in vectors of their own. Forward; the backward ones have the parts exchanged, before and
 * after. */
#ifndef ARMILLA_FFT_KERNELS_BUTTERFLY_H
#define ARMILLA_FFT_KERNELS_BUTTERFLY_H

#include "fft/kernels/lanes.h"

typedef struct {
    vec re, im;
} complex_vec;

static const double cosines[14][7] = {
    [3] = {1, -0.5},
    [5] = {1, 0.30901699437494742410, -0.80901699437494742410},
    [7] = {1, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624},
    [11] = {1, 0.84125353283118116886, 0.41541501300188642553, -0.14231483827328514044,
            -0.65486073394528506406, -0.95949297361449738989},
    [13] = {1, 0.88545602565320989590, 0.56806474673115580251, 0.12053668025532305335,
            -0.35460488704253562597, -0.74851074817110109863, -0.97094181742605202716}};
static const double sines[14][7] = {
    [3] = {0, 0.86602540378443864676},
    [5] = {0, 0.95105651629515357212, 0.58778525229247312917},
    [7] = {0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048},
    [11] = {0, 0.54064081745559758211, 0.90963199535451837141, 0.98982144188093273238,
            0.75574957435425828377, 0.28173255684142969771},
    [13] = {0, 0.46472317204376854566, 0.82298386589365639458, 0.99270887409805399280,
            0.93501624268541482344, 0.66312265824079520238, 0.23931566428755776715}};

ARMILLA_ALWAYS_INLINE complex_vec load_complex(const double *place)
{
    return (complex_vec){v_load(place), v_load(place + VLEN)};
}

ARMILLA_ALWAYS_INLINE void store_complex(double *place, complex_vec x)
{
    v_store(place, x.re);
    v_store(place + VLEN, x.im);
}

/* Neighbours lie `step` doubles apart. */
ARMILLA_ALWAYS_INLINE void store_points(const int radix, int64_t step, double *place,
                                        const complex_vec *x)
{
    for (int c = 0; c < radix; c++) store_complex(place + c * step, x[c]);
}

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
    complex_vec sum[6], difference[6], first = x[0];
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

/* x exp(-2 pi i power / 16) for the powers of a butterfly of 16. */
ARMILLA_ALWAYS_INLINE complex_vec turn16(const int power, complex_vec x)
{
    const double c1 = 0.92387953251128675613, s1 = 0.38268343236508977173;
    const vec half_root = v_all(0.70710678118654752440);
    switch (power) {
    case 1:
        return times(x, v_all(c1), v_all(-s1));
    case 2:
        return (complex_vec){v_mul(half_root, v_add(x.re, x.im)),
                             v_mul(half_root, v_sub(x.im, x.re))};
    case 3:
        return times(x, v_all(s1), v_all(-c1));
    case 4:
        return (complex_vec){x.im, v_sub(v_all(0), x.re)};
    case 6:
        return (complex_vec){v_mul(half_root, v_sub(x.im, x.re)),
                             v_mul(v_sub(v_all(0), half_root), v_add(x.re, x.im))};
    case 9:
        return times(x, v_all(-c1), v_all(s1));
    default:
        return x;
    }
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

#endif
