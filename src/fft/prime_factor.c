/* Prime factor algorithm. For n = r q with r and q coprime, the indices
 *
 *     j = (q a + r b) mod n,    k mod r = k_r,  k mod q = k_q    (0 <= a, k_r < r; 0 <= b, k_q < q)
 *
 * give exp(-2 pi i j k / n) = exp(-2 pi i a k_r / r) exp(-2 pi i b k_q / q): a two-dimensional
 * transform without twiddle factors. r is the smooth factor, whose transforms are rows, and q the
 * rough one, in lanes or left to Bluestein: much smaller tables than for n, and shared by all the n
 * with this q.
 *
 * Layout of scratch: grid[k_q][a], q rows of r, filled up to whole batches of rows, with room for
 * what lanes without a row leave; then work for the rough transforms, and for an incomplete batch.
 * The smooth transforms go from there to data, whose numbers are collected in the place of grid.
 * Reference: Good 1958, J. R. Stat. Soc. B 20, 361; docs/mathematics.md (4.7). */
#include "fft/prime_factor.h"

#include "base/integer.h"

#include <string.h>

static int64_t grid_size(const armilla_rows *smooth, int64_t q)
{
    int64_t batches = (q + smooth->rows - 1) / smooth->rows;
    int64_t size = batches * smooth->rows * smooth->n + ARMILLA_ROUGH_ROWS;
    return (size + 3) / 4 * 4; /* whole cache lines */
}

static int64_t rough_length(const armilla_prime_factor *factors)
{
    return factors->rough ? factors->rough->q : factors->bluestein->n;
}

int64_t armilla_prime_factor_scratch(const armilla_prime_factor *factors)
{
    const armilla_rows *smooth = factors->smooth;
    const int64_t batch = smooth->n * smooth->rows;
    const int64_t rough = factors->rough
                              ? armilla_rough_work(factors->rough->q, factors->rough->convolution)
                              : 2 * factors->bluestein->batch->n * factors->bluestein->batch->rows;
    return grid_size(smooth, rough_length(factors)) + armilla_larger(rough, batch);
}

/* grid[k_q][a] for all a, from the transforms over b. */
static void transform_rough(const armilla_rows *smooth, const armilla_bluestein *rough,
                            const double *data, double *grid, double *work)
{
    int64_t r = smooth->n, q = rough->n, n = r * q, padded = rough->batch->n;
    int64_t batch = rough->batch->rows;
    for (int64_t first = 0; first < r; first += batch) {
        int64_t count = r - first < batch ? r - first : batch;
        for (int64_t i = 0; i < count; i++)
            armilla_bluestein_load(rough, data, q * (first + i), r, n, work + 2 * i * padded);
        if (count < batch)
            memset(work + 2 * count * padded, 0,
                   (size_t)((batch - count) * padded) * 2 * sizeof *work);
        armilla_bluestein_convolve(rough, work, work + 2 * batch * padded);
        for (int64_t i = 0; i < count; i++)
            armilla_bluestein_store(rough, work + 2 * i * padded, grid + 2 * (first + i), r);
    }
}

/* Rows of grid to those of data, which has room for q. work: a batch. */
static void transform_smooth(const armilla_rows *smooth, int64_t q, double *grid, double *data,
                             double *work)
{
    const int64_t r = smooth->n, batch = smooth->rows, last = q / batch * batch, rest = q - last;
    armilla_rows_execute(smooth, last, grid, data);
    if (rest == 0) return;
    memset(grid + 2 * q * r, 0, (size_t)((batch - rest) * r) * 2 * sizeof *grid);
    armilla_rows_execute(smooth, batch, grid + 2 * last * r, work);
    memcpy(data + 2 * last * r, work, (size_t)(rest * r) * 2 * sizeof *data);
}

static void transform_rough_in_lanes(const armilla_prime_factor *factors, const double *data,
                                     double *grid, double *work)
{
    const armilla_rough_kernels *kernels = factors->kernels;
    const armilla_rough_rows rows = {factors->rough, factors->smooth->n, data, grid};
    const int64_t r = rows.r, step = ARMILLA_ROUGH_ROWS;
    if (factors->rough->convolution)
        for (int64_t a = 0; a < r; a += step) /* the last four overlap with those before */
            kernels->bluestein(&rows, a + step > r && r > step ? r - step : a, work);
    else
        for (int64_t a = 0; a < r; a += ARMILLA_ROUGH_LANES) kernels->direct(&rows, a, work);
}

void armilla_prime_factor_execute(const armilla_prime_factor *factors, double *data,
                                  double *scratch)
{
    const armilla_rows *smooth = factors->smooth;
    const int64_t q = rough_length(factors);
    double *grid = scratch, *work = scratch + 2 * grid_size(smooth, q);
    if (factors->rough)
        transform_rough_in_lanes(factors, data, grid, work);
    else
        transform_rough(smooth, factors->bluestein, data, grid, work);
    transform_smooth(smooth, q, grid, data, work);
    factors->kernels->collect(smooth->n, q, data, grid);
}
