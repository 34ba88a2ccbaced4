/* Makes the tables by which rough lengths q, those without the prime factors 2, 3, 5 and 7, are
 * transformed in lanes: roots of unity for the direct sums of short ones, a chirp and its spectrum
 * for the convolutions of longer ones. */
#include "fft/rough.h"
#include "base/memory.h"
#include "fft/bluestein.h"
#include "fft/convolution.h"
#include "fft/roots.h"

static armilla_status make_direct(armilla_rough *rough)
{
    armilla_status status =
        armilla_allocate_zero(&rough->roots, armilla_direct_roots(rough->q), 2 * sizeof(double));
    if (!status) armilla_direct_roots_fill(rough->q, rough->roots);
    return status;
}

static armilla_status make_bluestein(const armilla_rough_kernels *kernels, double *work,
                                     armilla_rough *rough)
{
    const int64_t n = rough->convolution->n;
    armilla_status status = armilla_allocate(&rough->chirp, rough->q + 1, sizeof *work);
    if (!status) status = armilla_allocate(&rough->spectrum, 2 * n, 2 * sizeof *work);
    if (status) return status;
    armilla_bluestein_chirp(rough->q, (rough->q + 1) / 2, rough->chirp);
    kernels->spectrum(rough, work);
    return ARMILLA_OK;
}

armilla_status armilla_rough_make(int64_t q, const armilla_convolution *convolution,
                                  const armilla_rough_kernels *kernels, double *work,
                                  armilla_rough *rough)
{
    *rough = (armilla_rough){.q = q, .convolution = convolution};
    armilla_status status = convolution ? make_bluestein(kernels, work, rough) : make_direct(rough);
    if (status) armilla_rough_clear(rough);
    return status;
}

void armilla_rough_clear(armilla_rough *rough)
{
    armilla_release(rough->chirp);
    armilla_release(rough->spectrum);
    armilla_release(rough->roots);
    *rough = (armilla_rough){0};
}

int64_t armilla_rough_bytes(const armilla_rough *rough)
{
    if (!rough->convolution) return 16 * armilla_direct_roots(rough->q);
    return 8 * (rough->q + 1) + 32 * rough->convolution->n;
}

int64_t armilla_rough_work(int64_t q, const armilla_convolution *convolution)
{
    return ARMILLA_ROUGH_LANES * (convolution ? convolution->n : q);
}
