/* Chirp-z transform: with c_j = exp(-pi i j^2 / n) and jk = (j^2 + k^2 - (k-j)^2) / 2,
 *
 *     X_k = c_k sum_j (c_j x_j) conj(c_{k-j}),
 *
 * a cyclic convolution of any length >= 2 n - 1. The kernel conj(c) is even, so its spectrum is
 * even (half is stored). The convolution's way back is the conjugate of a forward transform of
 * conjugates.
 * Reference: Bluestein 1970; docs/mathematics.md (4.8). */
#include "fft/bluestein.h"
#include "base/memory.h"
#include "fft/roots.h"

#include <string.h>

int64_t armilla_bluestein_padded(int64_t n)
{
    static const int64_t steps[] = {8, 9, 10, 12, 15};
    if (n <= 16) return 32; /* twice as fast as lengths between: single codelets of FFTW, */
    if (n <= 32) return 64; /* two passes of ours */
    for (int64_t power = 1;; power *= 2)
        for (int i = 0; i < 5; i++)
            if (steps[i] * power >= 2 * n - 1) return steps[i] * power;
}

/* The exponent j^2 is reduced modulo 2 n in integers: the phases are exact for every n. For odd n
 * (n - j)^2 = j^2 + n modulo 2 n. */
void armilla_bluestein_chirp(int64_t n, int64_t count, double *chirp)
{
    int64_t square = 0;
    for (int64_t j = 0; j < count; j++) {
        double *root = chirp + 2 * j;
        armilla_root_of_unity(square, 2 * n, root);
        root[1] = -root[1];
        square = (square + 2 * j + 1) % (2 * n);
    }
}

static void fill_chirp(int64_t n, double *chirp)
{
    armilla_bluestein_chirp(n, (n + 1) / 2, chirp);
    for (int64_t j = 1; 2 * j < n; j++)
        for (int part = 0; part < 2; part++) chirp[2 * (n - j) + part] = -chirp[2 * j + part];
}

void armilla_bluestein_circle(int64_t n, int64_t padded, const double *chirp, double *circle)
{
    const double scale = 1.0 / (double)padded;
    for (int64_t j = 0; j < n; j++) {
        const double re = scale * chirp[2 * j], im = -scale * chirp[2 * j + 1];
        const int64_t mirrored = j ? padded - j : 0;
        circle[2 * j] = circle[2 * mirrored] = re;
        circle[2 * j + 1] = circle[2 * mirrored + 1] = im;
    }
}

/* work: twice all rows of the batch; only the first one is of interest. */
static void fill_kernel(const armilla_bluestein *bluestein, double *work)
{
    const int64_t padded = bluestein->batch->n;
    armilla_bluestein_circle(bluestein->n, padded, bluestein->chirp, work);
    double *spectrum = work + 2 * padded * bluestein->batch->rows;
    armilla_rows_execute(bluestein->batch, bluestein->batch->rows, work, spectrum);
    memcpy(bluestein->kernel, spectrum, (size_t)(padded / 2 + 1) * 2 * sizeof *work);
}

armilla_status armilla_bluestein_make(int64_t n, const armilla_rows *batch,
                                      armilla_bluestein *bluestein)
{
    armilla_bluestein made = {.n = n, .batch = batch};
    double *work = NULL;
    armilla_status status = armilla_allocate(&made.chirp, 2 * n, sizeof *work);
    if (!status) status = armilla_allocate(&made.kernel, 2 * (batch->n / 2 + 1), sizeof *work);
    if (!status) status = armilla_allocate_zero(&work, 4 * batch->n * batch->rows, sizeof *work);
    if (!status) {
        fill_chirp(n, made.chirp);
        fill_kernel(&made, work);
        *bluestein = made;
    } else {
        armilla_bluestein_clear(&made);
    }
    armilla_release(work);
    return status;
}

void armilla_bluestein_clear(armilla_bluestein *bluestein)
{
    armilla_release(bluestein->chirp);
    armilla_release(bluestein->kernel);
    bluestein->chirp = bluestein->kernel = NULL;
}

/* out = in * table */
static inline void multiply(const double *in, const double *table, double *out)
{
    double re = in[0], im = in[1], c = table[0], s = table[1];
    out[0] = re * c - im * s;
    out[1] = re * s + im * c;
}

/* out = conj(in * table) */
static inline void multiply_conjugate(const double *in, const double *table, double *out)
{
    multiply(in, table, out);
    out[1] = -out[1];
}

void armilla_bluestein_load(const armilla_bluestein *bluestein, const double *input, int64_t start,
                            int64_t stride, int64_t size, double *row)
{
    int64_t n = bluestein->n, place = start;
    for (int64_t j = 0; j < n; j++) {
        multiply(input + 2 * place, bluestein->chirp + 2 * j, row + 2 * j);
        place += stride;
        if (place >= size) place -= size;
    }
    memset(row + 2 * n, 0, (size_t)(bluestein->batch->n - n) * 2 * sizeof *row);
}

void armilla_bluestein_convolve(const armilla_bluestein *bluestein, double *work, double *other)
{
    const armilla_rows *batch = bluestein->batch;
    const double *kernel = bluestein->kernel;
    int64_t padded = batch->n, half = padded / 2;
    armilla_rows_execute(batch, batch->rows, work, other);
    for (int64_t i = 0; i < batch->rows; i++) {
        double *row = other + 2 * i * padded;
        for (int64_t j = 0; j <= half; j++)
            multiply_conjugate(row + 2 * j, kernel + 2 * j, row + 2 * j);
        for (int64_t j = half + 1; j < padded; j++)
            multiply_conjugate(row + 2 * j, kernel + 2 * (padded - j), row + 2 * j);
    }
    armilla_rows_execute(batch, batch->rows, other, work);
}

void armilla_bluestein_store(const armilla_bluestein *bluestein, const double *row, double *output,
                             int64_t stride)
{
    for (int64_t k = 0; k < bluestein->n; k++) {
        const double conjugate[2] = {row[2 * k], -row[2 * k + 1]};
        multiply(conjugate, bluestein->chirp + 2 * k, output + 2 * k * stride);
    }
}
