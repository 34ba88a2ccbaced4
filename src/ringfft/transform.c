/* Runs the FFTs that turn the spectrum of a pair of rings into samples, or samples into the
 * spectrum. A pair has one FFT. The longest rings of a grid, if they are long and have small prime
 * factors, have four FFTs of a quarter of the length instead, one for each residue of the order
 * modulo 4. */
#include "ringfft/transform.h"

static int by_fours(const armilla_ringfft *ringfft, int64_t ring)
{
    return ringfft->rings[ring].nphi == ringfft->choices.fours;
}

/* The spectrum of a ring by fours, with residues `step` doubles apart. */
static armilla_spectrum place_fours(int64_t n, const double *numbers)
{
    const int64_t step = armilla_ringfft_fours_step(n);
    armilla_spectrum spectrum = {.n = n, .period = 4};
    for (int64_t r = 0; r < 8; r++) {
        spectrum.residue[r] = numbers + r % 4 * step + 2 * (r / 4);
        spectrum.step[r] = 4;
    }
    return spectrum;
}

armilla_spectrum armilla_ringfft_empty_spectrum(const armilla_ringfft *ringfft, int64_t ring,
                                                const armilla_ringfft_scratch *scratch)
{
    const int64_t n = ringfft->rings[ring].nphi;
    if (by_fours(ringfft, ring)) return place_fours(n, scratch->z);
    return (armilla_spectrum){.n = n, .period = 1, .numbers = scratch->z};
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
    const int64_t n = spectrum->n, step = armilla_ringfft_fours_step(n);
    if (!by_fours(ringfft, ring)) {
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
    armilla_spectrum spectrum = {.n = ringfft->rings[ring].nphi, .period = 1};
    if (rows) ringfft->kernels->join(spectrum.n, rows[0], rows[1], scratch->z);
    spectrum.numbers = armilla_fft_execute(ringfft->fft[ring], scratch->z, scratch->fft);
    return spectrum;
}

static armilla_spectrum forward_fours(const armilla_ringfft *ringfft, int64_t ring,
                                      double *const *rows, const armilla_ringfft_scratch *scratch)
{
    const int64_t n = ringfft->choices.fours, step = armilla_ringfft_fours_step(n);
    const armilla_ring_fold fold = {n, 0, rows ? 1 : 2, ringfft->longest_twist};
    const double *north = rows ? rows[0] : scratch->z, *south = rows ? rows[1] : scratch->z + 1;
    ringfft->kernels->fold_fours(&fold, north, south, step, scratch->folded);
    return place_fours(n, transform_fours(ringfft->fft[ring], step, scratch->folded, scratch->fft));
}

armilla_spectrum armilla_ringfft_forward(const armilla_ringfft *ringfft, int64_t ring,
                                         double *const *rows,
                                         const armilla_ringfft_scratch *scratch)
{
    return by_fours(ringfft, ring) ? forward_fours(ringfft, ring, rows, scratch)
                                   : forward_whole(ringfft, ring, rows, scratch);
}
