/* Prime factor algorithm. For n = r q with r and q coprime, the indices
 *
 *     j = (q a + r b) mod n,    k mod r = k_r,  k mod q = k_q    (0 <= a, k_r < r; 0 <= b, k_q < q)
 *
 * give exp(-2 pi i j k / n) = exp(-2 pi i a k_r / r) exp(-2 pi i b k_q / q): a two-dimensional
 * transform without twiddle factors. r is the smooth factor, which FFTW transforms, and q the rough
 * one, in lanes or left to Bluestein: much smaller tables than for n, and shared by all the n with
 * this q.
 *
 * Layout of scratch: grid[k_q][a], q rows of r, filled up to whole batches of rows, with room for
 * what lanes without a row leave; then work for the rough transforms.
 * Reference: Good 1958, J. R. Stat. Soc. B 20, 361; docs/mathematics.md (4.7). */
#include "fft/prime_factor.h"

#include <string.h>

static int64_t grid_size(const armilla_fftw_pair *smooth, int64_t q)
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
    const armilla_bluestein *bluestein = factors->bluestein;
    return grid_size(factors->smooth, rough_length(factors)) +
           (factors->rough ? armilla_rough_work(factors->rough)
                           : bluestein->pair->n * bluestein->pair->rows);
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

static void transform_rough_in_lanes(const armilla_prime_factor *factors, int sign,
                                     const double *data, double *grid, double *work)
{
    const armilla_rough_kernels *kernels = factors->kernels;
    const armilla_rough_rows rows = {factors->rough, factors->smooth->n, sign, data, grid};
    const int64_t r = rows.r, step = ARMILLA_ROUGH_ROWS;
    if (factors->rough->convolution)
        for (int64_t a = 0; a < r; a += step) /* the last four overlap with those before */
            kernels->bluestein(&rows, a + step > r && r > step ? r - step : a, work);
    else
        for (int64_t a = 0; a < r; a += ARMILLA_ROUGH_LANES) kernels->direct(&rows, a, work);
}

void armilla_prime_factor_execute(const armilla_prime_factor *factors, int sign, double *data,
                                  double *scratch)
{
    const armilla_fftw_pair *smooth = factors->smooth;
    const int64_t q = rough_length(factors);
    double *grid = scratch, *work = scratch + 2 * grid_size(smooth, q);
    if (factors->rough)
        transform_rough_in_lanes(factors, sign, data, grid, work);
    else
        transform_rough(smooth, factors->bluestein, sign, data, grid, work);
    transform_smooth(smooth, q, sign, grid);
    factors->kernels->collect(smooth->n, q, grid, data);
}
