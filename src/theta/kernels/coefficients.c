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
 * The sign of the exponent is the same on both ways, hence the reversed result; and the matrix of
 * the whole is symmetric in j and k, so that its transpose is the same with `from` and `to`
 * exchanged.
 *
 * The band may end at n: Z_0 holds X_0 = Re + Im and X_n = Re - Im, and of C_n only the real part
 * reaches the samples of a circle with this n, twice. It may end behind n, but before 2 n, on one
 * of the circles: samples have the same X_{2n-k} = conj X_k at both frequencies, and C_{2n-k}
 * reaches the samples like conj C_k. */
#include "fft/kernels/butterfly.h"
#include "fft/kernels/lane_fft.h"
#include "theta/kernels/tile.h"

/* Rows that go through the passes together: neighbours, some 24 KB for a row of 48. */
enum { ROWS = 4 };

/* Numbers p, p + n2, ... of the circle to column p. */
static void sort_column(const armilla_lane_fft *fft, int64_t p, const double *samples,
                        double *column)
{
    const int64_t next = fft->length[1] * COMPLEX;
    const double *from = samples + p * COMPLEX;
    for (int64_t a = 0; a < fft->length[0]; a++, from += next) {
        store_complex(column + fft->place[0][a] * COMPLEX, load_complex(from));
    }
}

static double *find_column(const armilla_lane_fft *fft, int64_t p, double *data)
{
    return data + fft->place[1][p] * fft->step * COMPLEX;
}

static void run_columns(const armilla_lane_fft *fft, const double *samples, double *data)
{
    for (int64_t p = 0; p < fft->length[1]; p++) {
        double *column = find_column(fft, p, data);
        if (samples) sort_column(fft, p, samples, column);
        ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, 1, column, 0);
    }
}

static void run_rows(const armilla_lane_fft *fft, double *data)
{
    const int64_t n1 = fft->length[0];
    for (int64_t k = 0; k < n1; k += ROWS) {
        const int64_t count = n1 - k < ROWS ? n1 - k : ROWS;
        ARMILLA_KERNEL(armilla_lane_fft_run_rows)(fft, k, count, data + k * COMPLEX, fft->step);
    }
}

ARMILLA_ALWAYS_INLINE void multiply_coefficient(const armilla_theta_transform *t, const int turned,
                                                int64_t k, double *place, vec re, vec im)
{
    if (turned) {
        const double *factor = t->factor + 2 * k;
        store_complex(place, times((complex_vec){re, im}, v_all(factor[0]), v_all(factor[1])));
    } else {
        const vec factor = v_all(t->factor[k]);
        store_complex(place, (complex_vec){v_mul(factor, re), v_mul(factor, im)});
    }
}

/* C_k to its place, and C_{2n-k}, which only circles beyond whose n the band reaches have. */
ARMILLA_ALWAYS_INLINE void put_coefficient(const armilla_theta_transform *t, const int turned,
                                           const int images, int64_t k, double *place, vec re,
                                           vec im)
{
    const int64_t n = t->from->fft.n, image = 2 * n - k;
    if (k > t->band) return;
    multiply_coefficient(t, turned, k, place, re, im);
    if (images && image > n && image <= t->band)
        multiply_coefficient(t, turned, image, t->spectrum + t->from->spot[image] * COMPLEX, re,
                             v_sub(v_all(0), im));
}

/* C_k and C_{n-k} in place of Z_k and Z_{n-k}. */
ARMILLA_ALWAYS_INLINE void separate(const armilla_theta_transform *t, const int turned,
                                    const int images)
{
    const int64_t n = t->from->fft.n;
    const int32_t *spot = t->from->spot;
    double *z = t->spectrum;
    for (int64_t k = 1; 2 * k <= n; k++) {
        double *low = z + spot[k] * COMPLEX, *high = z + spot[n - k] * COMPLEX;
        const double *root = t->from->root + 2 * k;
        const complex_vec a = load_complex(low), b = load_complex(high);
        const vec sum_re = v_add(a.re, b.re), sum_im = v_sub(a.im, b.im);
        const complex_vec dif = {v_sub(a.re, b.re), v_add(a.im, b.im)};
        const complex_vec d = times(dif, v_all(root[0]), v_all(root[1]));
        put_coefficient(t, turned, images, k, low, v_add(sum_re, d.im), v_sub(sum_im, d.re));
        if (2 * k < n)
            put_coefficient(t, turned, images, n - k, high, v_sub(sum_re, d.im),
                            v_sub(v_sub(v_all(0), sum_im), d.re));
    }
    const complex_vec zero = load_complex(z);
    const vec sum = v_add(zero.re, zero.im), difference = v_sub(zero.re, zero.im);
    put_coefficient(t, turned, images, 0, z, v_add(sum, sum), v_all(0));
    put_coefficient(t, turned, images, n, z + spot[n] * COMPLEX, v_add(difference, difference),
                    v_all(0));
}

ARMILLA_ALWAYS_INLINE complex_vec load_coefficient(const armilla_theta_transform *t, int64_t k)
{
    if (k > t->band) return (complex_vec){v_all(0), v_all(0)};
    return load_complex(t->spectrum + t->from->spot[k] * COMPLEX);
}

/* With what the circle of the result sees as the same frequency. */
ARMILLA_ALWAYS_INLINE complex_vec load_frequency(const armilla_theta_transform *t, const int images,
                                                 int64_t k)
{
    const int64_t n = t->to->fft.n, image = 2 * n - k;
    const complex_vec own = load_coefficient(t, k);
    if (!images || k == n || image > t->band) return own;
    const complex_vec other = load_coefficient(t, image);
    return (complex_vec){v_add(own.re, other.re), v_sub(own.im, other.im)};
}

/* W_k and W_{n-k} */
ARMILLA_ALWAYS_INLINE void join(const armilla_theta_transform *t, const int images, int64_t k,
                                double *low, double *high)
{
    const int64_t n = t->to->fft.n;
    const int lower = 2 * k <= n;
    const double *root = t->to->root + 2 * (lower ? k : n - k);
    const complex_vec a = load_frequency(t, images, k);
    complex_vec b = load_frequency(t, images, n - k);
    if (k == 0) b = (complex_vec){v_add(b.re, b.re), v_all(0)};
    /* r^k = - conj r^(n-k) */
    const vec c = v_all(lower ? root[0] : -root[0]), s = v_all(root[1]);
    const vec sum_re = v_add(a.re, b.re), sum_im = v_sub(a.im, b.im);
    const complex_vec dif = {v_sub(a.re, b.re), v_add(a.im, b.im)};
    const complex_vec d = times(dif, c, s);
    store_complex(low, (complex_vec){v_sub(sum_re, d.im), v_add(sum_im, d.re)});
    if (high) store_complex(high, (complex_vec){v_add(sum_re, d.im), v_sub(d.re, sum_im)});
}

/* The columns p and n2 - p of the transform, or the one that is both: k = p, p + n2, ... */
ARMILLA_ALWAYS_INLINE void join_columns(const armilla_theta_transform *t, const int images,
                                        int64_t p)
{
    const armilla_lane_fft *fft = &t->to->fft;
    const int64_t n1 = fft->length[0], n2 = fft->length[1], *place = fft->place[0];
    const int alone = p == 0 || 2 * p == n2;
    double *column = find_column(fft, p, t->result);
    double *mirrored = alone ? NULL : find_column(fft, n2 - p, t->result);
    for (int64_t a = 0; a < n1; a++) {
        double *low = column + place[a] * COMPLEX;
        if (mirrored)
            join(t, images, p + a * n2, low, mirrored + place[n1 - 1 - a] * COMPLEX);
        else
            join(t, images, p + a * n2, low, NULL);
    }
    ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, 1, column, 0);
    if (mirrored) ARMILLA_KERNEL(armilla_lane_fft_run_columns)(fft, 1, mirrored, 0);
}

void ARMILLA_KERNEL(armilla_theta_kernel_transform)(const armilla_theta_transform *t)
{
    const int images = t->band > t->from->fft.n || t->band > t->to->fft.n;
    run_columns(&t->from->fft, t->samples, t->spectrum);
    run_rows(&t->from->fft, t->spectrum);
    if (images)
        separate(t, 1, 1); /* of equidistant rings, which are turned */
    else if (t->turned)
        separate(t, 1, 0);
    else
        separate(t, 0, 0);
    for (int64_t p = 0; 2 * p <= t->to->fft.length[1]; p++)
        if (images)
            join_columns(t, 1, p);
        else
            join_columns(t, 0, p);
    run_rows(&t->to->fft, t->result);
}
