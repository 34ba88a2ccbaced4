/* Direct sums for short odd lengths q (direct_sums.h), eight rows of the prime factor grid at once.
 *
 * Layout of work: [8 / VLEN][q][re, im][VLEN]. */
#include "fft/kernels/convolve.h"
#include "fft/kernels/direct_sums.h"

enum { GROUP = ARMILLA_ROUGH_LANES };

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
    complex_vec even[OUTPUTS], odd[OUTPUTS];
    direct_sums(q, rows->rough->roots, k, chunk, even, odd);
    for (int i = 0; i < OUTPUTS && k + i < half; i++) {
        put(rows, k + i + 1, first, count, minus_turned(even[i], odd[i]));
        put(rows, q - 1 - k - i, first, count, plus_turned(even[i], odd[i]));
    }
}

static void sum_all(const armilla_rough_rows *rows, int64_t first, int64_t count, double *chunk)
{
    const int64_t q = rows->rough->q;
    fold_inputs(q, chunk);
    put(rows, 0, first, count, sum_inputs(q, chunk));
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
