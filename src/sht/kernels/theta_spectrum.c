/* From one circle's samples to another's by way of their coefficients (docs/mathematics.md 6).
 *
 * 2 n real samples x_j are n complex numbers x_{2j} + i x_{2j+1} with the transform Z_k; with
 * r = exp(-2 pi i / (2 n)) the coefficients are
 *
 *     X_k = (Z_k + conj Z_{n-k})/2 - i r^k (Z_k - conj Z_{n-k})/2,      C_k = factor_k X_k
 *
 * (the factors contain the halves). Back, C_k being 0 beyond the band, the sums
 * sum_k C_k exp(-2 pi i j k / (2 n)) are the numbers of a transform of
 *
 *     W_k = (C_k + conj C_{n-k}) + i r^k (C_k - conj C_{n-k}).
 *
 * The sign of the exponent is the same on both ways, hence the reversed result. */
#include "sht/kernels/lane_fft.h"
#include <stddef.h>

ARMILLA_THETA_DECLARE(ARMILLA_ISA_NAME)

typedef struct {
    vec re, im;
} complex_vec;

ARMILLA_ALWAYS_INLINE complex_vec load(const double *p)
{
    return (complex_vec){v_load(p), v_load(p + VLEN)};
}

ARMILLA_ALWAYS_INLINE void store(double *p, vec re, vec im)
{
    v_store(p, re);
    v_store(p + VLEN, im);
}

/* C_k and C_{n-k} in place of Z_k and Z_{n-k}. */
static void separate(const armilla_theta_spectrum *spectrum, double *z)
{
    const int64_t n = spectrum->from->n, band = spectrum->band;
    for (int64_t k = 1; 2 * k <= n; k++) {
        double *low = z + k * COMPLEX, *high = z + (n - k) * COMPLEX;
        const double *root = spectrum->from_root + 2 * k;
        complex_vec a = load(low), b = load(high);
        vec low_factor = v_all(k <= band ? spectrum->factor[k] : 0);
        vec high_factor = v_all(n - k <= band ? spectrum->factor[n - k] : 0);
        vec c = v_all(root[0]), s = v_all(root[1]);
        vec sum_re = v_add(a.re, b.re), sum_im = v_sub(a.im, b.im);
        vec dif_re = v_sub(a.re, b.re), dif_im = v_add(a.im, b.im);
        vec turned_re = v_sub(v_mul(dif_re, c), v_mul(dif_im, s));
        vec turned_im = v_fma(dif_re, s, v_mul(dif_im, c));
        store(low, v_mul(low_factor, v_add(sum_re, turned_im)),
              v_mul(low_factor, v_sub(sum_im, turned_re)));
        if (2 * k < n)
            store(high, v_mul(high_factor, v_sub(sum_re, turned_im)),
                  v_mul(high_factor, v_sub(v_sub(v_all(0), sum_im), turned_re)));
    }
    complex_vec first = load(z);
    store(z, v_mul(v_all(2 * spectrum->factor[0]), v_add(first.re, first.im)), v_all(0));
}

/* W_k and W_{n-k} */
ARMILLA_ALWAYS_INLINE void join(const armilla_theta_spectrum *spectrum, const double *coefficients,
                                int64_t k, double *low, double *high)
{
    const int64_t n = spectrum->to->n, band = spectrum->band;
    const int lower = 2 * k <= n;
    const double *root = spectrum->to_root + 2 * (lower ? k : n - k);
    complex_vec a = {v_all(0), v_all(0)}, b = {v_all(0), v_all(0)};
    if (k <= band) a = load(coefficients + k * COMPLEX);
    if (n - k <= band) b = load(coefficients + (n - k) * COMPLEX);
    /* r^k = - conj r^(n-k) */
    vec c = v_all(lower ? root[0] : -root[0]), s = v_all(root[1]);
    vec sum_re = v_add(a.re, b.re), sum_im = v_sub(a.im, b.im);
    vec dif_re = v_sub(a.re, b.re), dif_im = v_add(a.im, b.im);
    vec turned_re = v_sub(v_mul(dif_re, c), v_mul(dif_im, s));
    vec turned_im = v_fma(dif_re, s, v_mul(dif_im, c));
    store(low, v_sub(sum_re, turned_im), v_add(sum_im, turned_re));
    if (high) store(high, v_add(sum_re, turned_im), v_sub(turned_re, sum_im));
}

/* W_k of the columns p and step - p of the transform, k = p, p + step, ...; where both are one,
 * mirrored is NULL. */
static void join_columns(const armilla_theta_spectrum *spectrum, const double *coefficients,
                         int64_t p, double *column, double *mirrored)
{
    const int64_t count = spectrum->to->length[0], step = spectrum->to->length[1];
    for (int64_t i = 0; i < count; i++) {
        double *low = column + i * COMPLEX;
        if (mirrored)
            join(spectrum, coefficients, p + i * step, low, mirrored + (count - 1 - i) * COMPLEX);
        else
            join(spectrum, coefficients, p + i * step, low, NULL);
    }
}

void ARMILLA_KERNEL(armilla_theta_transform)(const armilla_theta_spectrum *spectrum,
                                             const double *from, double *coefficients, double *to,
                                             double *work)
{
    const armilla_lane_fft *first = spectrum->from, *second = spectrum->to;
    for (int64_t p = 0; p < first->length[1]; p++) ARMILLA_KERNEL(armilla_lane_fft_column)
    (first, p, from + p * COMPLEX, first->length[1], coefficients, work);
    ARMILLA_KERNEL(armilla_lane_fft_rows)(first, coefficients, work);
    separate(spectrum, coefficients);
    const int64_t count = second->length[1], size = second->length[0] * COMPLEX;
    double *column = work, *mirrored = work + size, *rest = work + 2 * size;
    for (int64_t p = 0; 2 * p <= count; p++) {
        int alone = p == 0 || 2 * p == count;
        join_columns(spectrum, coefficients, p, column, alone ? NULL : mirrored);
        ARMILLA_KERNEL(armilla_lane_fft_column)(second, p, column, 1, to, rest);
        if (alone) continue;
        ARMILLA_KERNEL(armilla_lane_fft_column)(second, count - p, mirrored, 1, to, rest);
    }
    ARMILLA_KERNEL(armilla_lane_fft_rows)(second, to, work);
}
