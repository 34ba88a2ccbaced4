/* Bluestein's transform (docs/mathematics.md (4.8)) of four rows of the prime factor grid. Each row
 * has two lanes: with h = exp(-pi i / n), the even frequencies of a row of 2 n points whose second
 * half is zeros are the transform of the first half y_j, the odd ones that of h^j y_j, and back
 * y_j = even_j + h^{-j} odd_j. */
#include "fft/kernels/butterfly.h"
#include "fft/kernels/convolve.h"

#include <string.h>

enum { ROWS = ARMILLA_ROUGH_ROWS, STEP = VLEN < ROWS ? VLEN : ROWS /* rows of a vector */ };

_Alignas(64) static const double odd_lanes[8] = {0, 0, 0, 0, -1, -1, -1, -1};

typedef struct {
    const double *from[ROWS]; /* entry of each row */
    int64_t step;             /* doubles between entries */
} row_run;

/* For eight lanes: a in the first four, b in the last four. */
ARMILLA_ALWAYS_INLINE vec halves(double a, double b)
{
    return v_select(v_negative(v_load(odd_lanes)), v_all(b), v_all(a));
}

ARMILLA_ALWAYS_INLINE void put(double *place, complex_vec x)
{
    v_store(place, x.re);
    v_store(place + VLEN, x.im);
}

ARMILLA_ALWAYS_INLINE complex_vec get(const double *place)
{
    return (complex_vec){v_load(place), v_load(place + VLEN)};
}

typedef struct {
    double c, s;
} number;

/* c_j, j < q, from the first half */
ARMILLA_ALWAYS_INLINE number chirp_number(const armilla_rough *rough, int64_t j)
{
    const int mirrored = 2 * j > rough->q;
    const double *entry = rough->chirp + 2 * (mirrored ? rough->q - j : j);
    const double sign = mirrored ? -1 : 1;
    return (number){sign * entry[0], sign * entry[1]};
}

/* work = lanes of points first <= j < last */
ARMILLA_ALWAYS_INLINE void load_run(const armilla_rough *rough, const row_run *run, int64_t first,
                                    int64_t last, double *work)
{
    const int64_t n = rough->convolution->n;
    const double *half_turn = rough->convolution->half_turn;
    for (int64_t j = first, place = 0; j < last; j++, place += run->step) {
        const number chirp = chirp_number(rough, j);
        const double c = chirp.c, s = chirp.s;
        const double hc = half_turn[2 * j], hs = half_turn[2 * j + 1];
        const double odd_c = c * hc - s * hs, odd_s = c * hs + s * hc;
        double *to = work + COMPLEX * j;
        for (int row = 0; row < ROWS; row += STEP) {
            complex_vec x;
            v_load_rows(run->from + row, place, &x.re, &x.im);
            if (VLEN == 2 * ROWS) {
                put(to, times(x, halves(c, odd_c), halves(s, odd_s)));
            } else {
                put(to + lane_place(row, n), times(x, v_all(c), v_all(s)));
                put(to + lane_place(row + ROWS, n), times(x, v_all(odd_c), v_all(odd_s)));
            }
        }
    }
}

/* Row first + i has entries data[(q (first + i) + r j) mod n], j = 0 .. q - 1. They are read in
 * runs of j in which no row passes the end of the data. Where r < 4, rows that do not exist are
 * filled with others. */
static void load(const armilla_rough_rows *rows, int64_t first, double *work)
{
    const int64_t q = rows->rough->q, r = rows->r, size = q * r;
    const int64_t points = rows->rough->convolution->n;
    int64_t place[ROWS];
    for (int i = 0; i < ROWS; i++) place[i] = q * ((first + i) % r);
    for (int64_t j = 0, end; j < q; j = end) {
        row_run run = {.step = 2 * r};
        end = q;
        for (int i = 0; i < ROWS; i++) {
            int64_t left = (size - place[i] + r - 1) / r;
            if (j + left < end) end = j + left;
            run.from[i] = rows->data + 2 * place[i];
        }
        load_run(rows->rough, &run, j, end, work);
        for (int i = 0; i < ROWS; i++) {
            place[i] += r * (end - j);
            if (place[i] >= size) place[i] -= size;
        }
    }
    for (int chunk = 0; chunk < ARMILLA_ROUGH_LANES; chunk += VLEN)
        memset(work + lane_place(chunk, points) + COMPLEX * q, 0,
               (size_t)(COMPLEX * (points - q)) * sizeof *work);
}

/* What rows that do not exist leave goes to places that the next k overwrites. */
static void store(const armilla_rough_rows *rows, int64_t first, const double *work)
{
    const int64_t q = rows->rough->q, n = rows->rough->convolution->n;
    const double *half_turn = rows->rough->convolution->half_turn;
    double *to = rows->grid + 2 * first;
    for (int64_t k = 0; k < q; k++, to += 2 * rows->r) {
        const number chirp = chirp_number(rows->rough, k);
        const double c = chirp.c, s = chirp.s;
        const double hc = half_turn[2 * k], hs = half_turn[2 * k + 1];
        const double odd_c = c * hc + s * hs, odd_s = s * hc - c * hs;
        const double *from = work + COMPLEX * k;
        for (int row = 0; row < ROWS; row += STEP) {
            complex_vec x;
            if (VLEN == 2 * ROWS)
                x = times(get(from), halves(c, odd_c), halves(s, odd_s));
            else
                x = plus(times(get(from + lane_place(row, n)), v_all(c), v_all(s)),
                         times(get(from + lane_place(row + ROWS, n)), v_all(odd_c), v_all(odd_s)));
            v_store_rows(to + 2 * row, x.re, x.im);
        }
    }
}

void ARMILLA_KERNEL(armilla_rough_bluestein)(const armilla_rough_rows *rows, int64_t first,
                                             double *work)
{
    load(rows, first, work);
    ARMILLA_KERNEL(armilla_convolve)(rows->rough->convolution, rows->rough->spectrum, work);
    store(rows, first, work);
}

/* The conjugate chirp g_j, |j| < q, around a circle of 2 n points, over 2 n. Lane 0: g_j + g_{j+n},
 * lane 4: h^j (g_j - g_{j+n}). */
static void load_kernel(const armilla_rough *rough, double *work)
{
    const int64_t q = rough->q, n = rough->convolution->n;
    const double scale = 0.5 / (double)n, *half_turn = rough->convolution->half_turn;
    for (int64_t j = 0; j < n; j++) {
        double sum[2] = {0, 0}, difference[2] = {0, 0}, *even = work + COMPLEX * j;
        double *odd = even + lane_place(4, n);
        const double *h = half_turn + 2 * j;
        for (int half = 0; half < 2; half++) {
            const int64_t place = j + half * n, mirrored = 2 * n - place;
            const int64_t distance = place < q ? place : mirrored;
            if (distance >= q) continue;
            const number chirp = chirp_number(rough, distance);
            const double g[2] = {scale * chirp.c, -scale * chirp.s};
            for (int part = 0; part < 2; part++) {
                sum[part] += g[part];
                difference[part] += half ? -g[part] : g[part];
            }
        }
        even[0] = sum[0];
        even[VLEN] = sum[1];
        odd[0] = difference[0] * h[0] - difference[1] * h[1];
        odd[VLEN] = difference[0] * h[1] + difference[1] * h[0];
    }
}

void ARMILLA_KERNEL(armilla_rough_spectrum)(const armilla_rough *rough, double *work)
{
    const int64_t n = rough->convolution->n;
    memset(work, 0, (size_t)(2 * ARMILLA_ROUGH_LANES * n) * sizeof *work);
    load_kernel(rough, work);
    ARMILLA_KERNEL(armilla_convolve)(rough->convolution, NULL, work);
    for (int half = 0; half < 2; half++) {
        const double *lane = work + lane_place(4 * half, n);
        double *to = rough->spectrum + 2 * half * n;
        for (int64_t j = 0; j < n; j++) {
            to[2 * j] = lane[COMPLEX * j];
            to[2 * j + 1] = lane[COMPLEX * j + VLEN];
        }
    }
}
