/* Runs the FFTs that turn the spectrum of a pair of rings into samples, or samples into the
 * spectrum. A pair has one FFT. The longest rings of a grid, if they are long and have small prime
 * factors, have four FFTs of a quarter of the length instead, one for each residue of the order
 * modulo 4. Analysis of a part of the orders has FFTs of that part's residues only. */
#include "ringfft/transform.h"

#include "base/memory.h"

static int by_fours(const armilla_ringfft *ringfft, int64_t ring)
{
    return ringfft->rings[ring].nphi == ringfft->choices.fours;
}

armilla_spectrum armilla_ringfft_empty_spectrum(const armilla_ringfft *ringfft, int64_t ring,
                                                const armilla_ringfft_scratch *scratch)
{
    armilla_spectrum spectrum = {.n = ringfft->rings[ring].nphi, .even = scratch->z};
    if (by_fours(ringfft, ring)) {
        spectrum.kind = ARMILLA_SPECTRUM_FOURS;
        spectrum.step = armilla_ringfft_fours_step(spectrum.n);
    }
    return spectrum;
}

/* The FFTs of all residues, data and result `step` apart. */
static const double *transform_fours(const armilla_fft *fft, int64_t step, double *data,
                                     double *space)
{
    const double *result = armilla_fft_execute(fft, data, space);
    for (int r = 1; r < 4; r++) armilla_fft_execute(fft, data + r * step, space + r * step);
    return result;
}

const double *armilla_ringfft_backward(const armilla_ringfft *ringfft, int64_t ring,
                                       const armilla_spectrum *spectrum, const double scale[2],
                                       double *const *rows, const armilla_ringfft_scratch *scratch)
{
    const armilla_ring_kernels *kernels = ringfft->kernels;
    const armilla_fft *fft = ringfft->fft[ring];
    const double ones[2] = {1, 1};
    const int64_t n = spectrum->n, step = spectrum->step;
    if (spectrum->kind == ARMILLA_SPECTRUM_WHOLE) {
        const double *z = armilla_fft_execute(fft, scratch->z, scratch->fft);
        if (!rows) return z;
        kernels->split(n, z, scale, rows[0], rows[1]);
        return NULL;
    }
    const double *fours = transform_fours(fft, step, scratch->z, scratch->fft);
    armilla_ring_fold fold = {.n = n, .stride = rows ? 1 : 2, .twist = ringfft->longest_twist};
    double *z = scratch->folded;
    kernels->unfold_fours(&fold, step, fours, rows ? scale : ones, rows ? rows[0] : z,
                          rows ? rows[1] : z + 1);
    return rows ? NULL : z;
}

/* --- Forward --------------------------------------------------------------------------------- */

static armilla_spectrum forward_whole(const armilla_ringfft *ringfft, int64_t ring,
                                      double *const *rows, const armilla_ringfft_scratch *scratch)
{
    armilla_spectrum spectrum = {.n = ringfft->rings[ring].nphi};
    if (rows) ringfft->kernels->join(spectrum.n, rows[0], rows[1], scratch->z);
    spectrum.even = armilla_fft_execute(ringfft->fft[ring], scratch->z, scratch->fft);
    return spectrum;
}

static armilla_spectrum forward_fours(const armilla_ringfft *ringfft, int64_t ring,
                                      const armilla_ring_fold *fold, double *const samples[2],
                                      const armilla_ringfft_scratch *scratch)
{
    armilla_spectrum spectrum = armilla_ringfft_empty_spectrum(ringfft, ring, scratch);
    ringfft->kernels->fold_fours(fold, samples[0], samples[1], spectrum.step, scratch->folded);
    spectrum.even =
        transform_fours(ringfft->fft[ring], spectrum.step, scratch->folded, scratch->fft);
    return spectrum;
}

static armilla_spectrum forward_part(const armilla_ringfft *ringfft, const armilla_ring_fold *fold,
                                     double *const samples[2],
                                     const armilla_ringfft_scratch *scratch)
{
    const armilla_ring_kernels *kernels = ringfft->kernels;
    const int64_t n = fold->n, step = armilla_round_line(2 * ringfft->parts.scratch);
    armilla_spectrum spectrum = {.n = n, .kind = ringfft->choices.part_kind};
    double *even = scratch->folded, *lower = even + armilla_round_line(n / 2);
    double *upper = lower + armilla_round_line(n / 4), *space = scratch->space;
    const armilla_fft *even_fft = ringfft->parts.fft[0], *odd_fft = ringfft->parts.fft[1];
    if (spectrum.kind == ARMILLA_SPECTRUM_EIGHTHS)
        kernels->fold_eighths(fold, samples[0], samples[1], even, lower, upper);
    else
        kernels->fold_quarters(fold, samples[0], samples[1], even, lower);
    spectrum.even = armilla_fft_execute(even_fft, even, space);
    spectrum.lower = armilla_fft_execute(odd_fft, lower, space + step);
    if (spectrum.kind == ARMILLA_SPECTRUM_EIGHTHS)
        spectrum.upper = armilla_fft_execute(odd_fft, upper, space + 2 * step);
    return spectrum;
}

armilla_spectrum armilla_ringfft_forward(const armilla_ringfft *ringfft, int64_t ring,
                                         armilla_orders part, double *const *rows,
                                         const armilla_ringfft_scratch *scratch)
{
    const int64_t n = ringfft->rings[ring].nphi;
    double *const complex_numbers[2] = {scratch->z, scratch->z + 1};
    double *const *samples = rows ? rows : complex_numbers;
    const armilla_ring_fold fold = {n, part == ARMILLA_ORDERS_SECOND, rows ? 1 : 2,
                                    ringfft->longest_twist};
    if (part && n == ringfft->choices.longest &&
        ringfft->choices.part_kind != ARMILLA_SPECTRUM_WHOLE)
        return forward_part(ringfft, &fold, samples, scratch);
    if (by_fours(ringfft, ring)) return forward_fours(ringfft, ring, &fold, samples, scratch);
    return forward_whole(ringfft, ring, rows, scratch);
}
