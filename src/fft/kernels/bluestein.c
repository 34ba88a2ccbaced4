/* Bluestein's transform (docs/mathematics.md (4.8)) of four rows of the prime factor grid. Each row
 * has two lanes: with h = exp(-pi i / n), the even frequencies of a row of 2 n points whose second
 * half is zeros are the transform of the first half y_j, the odd ones that of h^j y_j, and back
 * y_j = even_j + h^{-j} odd_j.
 *
 * A backward transform has real and imaginary part exchanged, before and after. */
#include "fft/kernels/convolve.h"

#include <string.h>

enum { ROWS = ARMILLA_ROUGH_ROWS };

typedef struct {
    const double *from[ROWS]; /* entry of each row */
    int64_t step;             /* doubles between entries */
    int64_t real, imaginary;  /* places in an entry */
} row_run;

/* work = lanes of points first <= j < last */
static void load_run(const armilla_rough *rough, const row_run *run, int64_t first, int64_t last,
                     double *work)
{
    const int64_t n = rough->convolution->n;
    const double *half_turn = rough->convolution->half_turn, *chirp = rough->chirp;
    for (int64_t j = first; j < last; j++) {
        const double c = chirp[2 * j], s = chirp[2 * j + 1];
        const double hc = half_turn[2 * j], hs = half_turn[2 * j + 1];
        double *to = work + COMPLEX * j, re[ROWS], im[ROWS];
        for (int i = 0; i < ROWS; i++) {
            const double *from = run->from[i] + (j - first) * run->step;
            const double x = from[run->real], y = from[run->imaginary];
            re[i] = x * c - y * s;
            im[i] = x * s + y * c;
        }
        for (int i = 0; i < ROWS; i++) {
            double *even = to + lane_place(i, n), *odd = to + lane_place(i + 4, n);
            even[0] = re[i];
            even[VLEN] = im[i];
            odd[0] = re[i] * hc - im[i] * hs;
            odd[VLEN] = re[i] * hs + im[i] * hc;
        }
    }
}

/* Row first + i has entries data[(q (first + i) + r j) mod n]: in runs, none of which wraps. */
static void load(const armilla_rough_rows *rows, int64_t first, double *work)
{
    const int64_t q = rows->rough->q, r = rows->r, size = q * r;
    const int64_t points = rows->rough->convolution->n;
    const int exchanged = rows->sign > 0;
    int64_t place[ROWS];
    for (int i = 0; i < ROWS; i++) place[i] = q * (first + i);
    for (int64_t j = 0, end; j < q; j = end) {
        row_run run = {.step = 2 * r, .real = exchanged, .imaginary = !exchanged};
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

static void store(const armilla_rough_rows *rows, int64_t first, const double *work)
{
    const int64_t q = rows->rough->q, n = rows->rough->convolution->n;
    const double *half_turn = rows->rough->convolution->half_turn, *chirp = rows->rough->chirp;
    const int exchanged = rows->sign > 0;
    for (int64_t k = 0; k < q; k++) {
        const double c = chirp[2 * k], s = chirp[2 * k + 1];
        const double hc = half_turn[2 * k], hs = half_turn[2 * k + 1];
        const double *from = work + COMPLEX * k;
        double *to = rows->grid + 2 * (k * rows->r + first), re[ROWS], im[ROWS];
        for (int i = 0; i < ROWS; i++) {
            const double *even = from + lane_place(i, n);
            const double *odd = from + lane_place(i + 4, n);
            const double x = even[0] + (odd[0] * hc + odd[VLEN] * hs);
            const double y = even[VLEN] + (odd[VLEN] * hc - odd[0] * hs);
            re[i] = x * c - y * s;
            im[i] = x * s + y * c;
        }
        for (int i = 0; i < ROWS; i++) {
            to[2 * i] = exchanged ? im[i] : re[i];
            to[2 * i + 1] = exchanged ? re[i] : im[i];
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
            const int64_t number = place < q ? place : mirrored;
            if (number >= q) continue;
            for (int part = 0; part < 2; part++) {
                double g = scale * rough->chirp[2 * number + part] * (part ? -1 : 1);
                sum[part] += g;
                difference[part] += half ? -g : g;
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
