/* Direct sums for short odd lengths q, eight rows of the prime factor grid at once: with
 * s_j = x_j + x_{q-j} and d_j = x_j - x_{q-j}, 1 <= j <= (q - 1) / 2,
 *
 *     even_k = x_0 + sum_j cos(2 pi j k / q) s_j,    odd_k = sum_j sin(2 pi j k / q) d_j
 *     X_k = even_k - i odd_k,    X_{q-k} = even_k + i odd_k.
 *
 * Layout of work: [8 / VLEN][q][re, im][VLEN]; s_j takes the place of x_j, d_j that of x_{q-j}. */
#include "fft/kernels/butterfly.h"
#include "fft/kernels/convolve.h"

enum { GROUP = ARMILLA_ROUGH_LANES, OUTPUTS = REGISTERS > 16 ? 4 : 2 };

ARMILLA_ALWAYS_INLINE void load_lanes(const armilla_rough_rows *rows, int64_t first,
                                      const int count, double *work)
{
    const int64_t q = rows->rough->q, r = rows->r, size = q * r;
    int64_t base = q * first;
    for (int64_t j = 0; j < q; j++) {
        double *to = work + COMPLEX * j;
        const int wraps = base + q * (count - 1) >= size;
        for (int i = 0; i < count; i++) {
            const int64_t place = base + q * i;
            const double *entry = rows->data + 2 * (wraps && place >= size ? place - size : place);
            double *lane = to + lane_place(i, q);
            lane[0] = entry[0];
            lane[VLEN] = entry[1];
        }
        base += r;
        if (base >= size) base -= size;
    }
}

static void fold(int64_t q, double *chunk)
{
    for (int64_t j = 1; 2 * j < q; j++) {
        double *low = chunk + j * COMPLEX, *high = chunk + (q - j) * COMPLEX;
        for (int part = 0; part < COMPLEX; part += VLEN) {
            vec a = v_load(low + part), b = v_load(high + part);
            v_store(low + part, v_add(a, b));
            v_store(high + part, v_sub(a, b));
        }
    }
}

ARMILLA_ALWAYS_INLINE void put(const armilla_rough_rows *rows, int64_t k, int64_t first,
                               int64_t count, complex_vec x)
{
    _Alignas(64) double lanes[COMPLEX];
    double *to = rows->grid + 2 * (k * rows->r + first);
    v_store(lanes, x.re);
    v_store(lanes + VLEN, x.im);
    if (count >= VLEN)
        for (int i = 0; i < VLEN; i++) {
            to[2 * i] = lanes[i];
            to[2 * i + 1] = lanes[i + VLEN];
        }
    else
        for (int i = 0; i < count; i++) {
            to[2 * i] = lanes[i];
            to[2 * i + 1] = lanes[i + VLEN];
        }
}

/* Outputs k + 1, ..., k + OUTPUTS, as far as there are, and their mirror images. */
ARMILLA_ALWAYS_INLINE void sum_outputs(const armilla_rough_rows *rows, int64_t k, int64_t first,
                                       int64_t count, const double *chunk)
{
    const int64_t q = rows->rough->q, half = q / 2;
    const double *root =
        rows->rough->roots + 2 * ARMILLA_DIRECT_BLOCK * half * (k / ARMILLA_DIRECT_BLOCK);
    root += 2 * (k % ARMILLA_DIRECT_BLOCK);
    complex_vec even[OUTPUTS], odd[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++) {
        even[i] = (complex_vec){v_load(chunk), v_load(chunk + VLEN)};
        odd[i] = (complex_vec){v_all(0), v_all(0)};
    }
    for (int64_t j = 1; j <= half; j++, root += 2 * ARMILLA_DIRECT_BLOCK) {
        const double *s = chunk + j * COMPLEX, *d = chunk + (q - j) * COMPLEX;
        const vec s_re = v_load(s), s_im = v_load(s + VLEN);
        const vec d_re = v_load(d), d_im = v_load(d + VLEN);
        for (int i = 0; i < OUTPUTS; i++) {
            const vec cosine = v_all(root[2 * i]), sine = v_all(root[2 * i + 1]);
            even[i].re = v_fma(cosine, s_re, even[i].re);
            even[i].im = v_fma(cosine, s_im, even[i].im);
            odd[i].re = v_fma(sine, d_re, odd[i].re);
            odd[i].im = v_fma(sine, d_im, odd[i].im);
        }
    }
    for (int i = 0; i < OUTPUTS && k + i < half; i++) {
        put(rows, k + i + 1, first, count, minus_turned(even[i], odd[i]));
        put(rows, q - 1 - k - i, first, count, plus_turned(even[i], odd[i]));
    }
}

static void sum_all(const armilla_rough_rows *rows, int64_t first, int64_t count, double *chunk)
{
    const int64_t q = rows->rough->q;
    complex_vec total = {v_load(chunk), v_load(chunk + VLEN)};
    fold(q, chunk);
    for (int64_t j = 1; 2 * j < q; j++)
        total = plus(
            total, (complex_vec){v_load(chunk + j * COMPLEX), v_load(chunk + j * COMPLEX + VLEN)});
    put(rows, 0, first, count, total);
    for (int64_t k = 0; 2 * k + 1 < q; k += OUTPUTS) sum_outputs(rows, k, first, count, chunk);
}

void ARMILLA_KERNEL(armilla_rough_direct)(const armilla_rough_rows *rows, int64_t first,
                                          double *work)
{
    const int64_t q = rows->rough->q, left = rows->r - first, count = left < GROUP ? left : GROUP;
    if (count == GROUP) {
        load_lanes(rows, first, GROUP, work);
    } else {
        for (int64_t i = 0; i < 2 * GROUP * q; i++) work[i] = 0;
        load_lanes(rows, first, (int)count, work);
    }
    for (int64_t lane = 0; lane < count; lane += VLEN)
        sum_all(rows, first + lane, count - lane, work + 2 * lane * q);
}
