/* Prime factor algorithm. For n = r q with r and q coprime, the indices
 *
 *     j = (q a + r b) mod n,    k mod r = k_r,  k mod q = k_q    (0 <= a, k_r < r; 0 <= b, k_q < q)
 *
 * give exp(-2 pi i j k / n) = exp(-2 pi i a k_r / r) exp(-2 pi i b k_q / q): a two-dimensional
 * transform without twiddle factors. r is the smooth factor, which FFTW transforms, and q the rough
 * one, left to Bluestein: much smaller tables than for n, and shared by all the n with this q.
 *
 * Layout of scratch: grid[k_q][a], q rows of r, filled up to whole batches of rows; then one batch
 * of rows for the convolutions.
 * Reference: Good 1958, J. R. Stat. Soc. B 20, 361; docs/mathematics.md (4.7). */
#include "fft/prime_factor.h"

#include <string.h>

/* Rows of the grid that a block of the last step reads: they stay in the first-level cache. */
enum { BLOCK = 16 };

static int64_t grid_size(const armilla_fftw_pair *smooth, const armilla_bluestein *rough)
{
    int64_t batches = (rough->n + smooth->rows - 1) / smooth->rows;
    return (batches * smooth->rows * smooth->n + 3) / 4 * 4; /* whole cache lines */
}

int64_t armilla_prime_factor_scratch(const armilla_fftw_pair *smooth,
                                     const armilla_bluestein *rough)
{
    return grid_size(smooth, rough) + rough->pair->n * rough->pair->rows;
}

/* grid[k_q][a] for all a, from the transforms over b. */
static void transform_rough(const armilla_fftw_pair *smooth, const armilla_bluestein *rough,
                            int sign, const double *data, double *grid, double *work)
{
    int64_t r = smooth->n, q = rough->n, n = r * q, padded = rough->pair->n;
    int64_t batch = rough->pair->rows;
    for (int64_t first = 0; first < r; first += batch) {
        int64_t count = r - first < batch ? r - first : batch;
        for (int64_t i = 0; i < count; i++)
            armilla_bluestein_load(rough, sign, data, q * (first + i), r, n, work + 2 * i * padded);
        if (count < batch)
            memset(work + 2 * count * padded, 0,
                   (size_t)((batch - count) * padded) * 2 * sizeof *work);
        armilla_bluestein_convolve(rough, sign, work);
        for (int64_t i = 0; i < count; i++)
            armilla_bluestein_store(rough, sign, work + 2 * i * padded, grid + 2 * (first + i), r);
    }
}

static void transform_smooth(const armilla_fftw_pair *smooth, int64_t q, int sign, double *grid)
{
    int64_t r = smooth->n, batch = smooth->rows, filled = (q + batch - 1) / batch * batch;
    memset(grid + 2 * q * r, 0, (size_t)((filled - q) * r) * 2 * sizeof *grid);
    for (int64_t row = 0; row < q; row += batch) {
        double *rows = grid + 2 * row * r;
        armilla_fftw_pair_execute(smooth, sign, rows, rows);
    }
}

/* data[k_q + q t] = grid[k_q][(k_q + q t) mod r] */
static void collect(int64_t r, int64_t q, const double *grid, double *data)
{
    for (int64_t first = 0; first < q; first += BLOCK) {
        int64_t last = q - first < BLOCK ? q : first + BLOCK, start = first % r;
        for (int64_t t = 0; t < r; t++) {
            int64_t place = start;
            for (int64_t k = first; k < last; k++) {
                const double *from = grid + 2 * (k * r + place);
                double *to = data + 2 * (k + q * t);
                to[0] = from[0];
                to[1] = from[1];
                if (++place == r) place = 0;
            }
            start = (start + q) % r;
        }
    }
}

void armilla_prime_factor_execute(const armilla_fftw_pair *smooth, const armilla_bluestein *rough,
                                  int sign, double *data, double *scratch)
{
    double *grid = scratch, *work = scratch + 2 * grid_size(smooth, rough);
    transform_rough(smooth, rough, sign, data, grid, work);
    transform_smooth(smooth, rough->n, sign, grid);
    collect(smooth->n, rough->n, grid, data);
}
