/* Makes the tables of a Fourier transform in lanes that is one convolution (Bluestein's algorithm):
 * the chirp, and the spectrum of its conjugate with each frequency in the place where the
 * convolution in lanes has it. */
#include "fft/lane_chirp.h"

#include "base/memory.h"
#include "fft/bluestein.h"
#include "fft/convolution.h"
#include "fft/fft.h"

/* circle: of the conjugate chirp, overwritten; scratch: of the FFT. */
static void fill_spectrum(const armilla_fft *fft, double *circle, double *scratch,
                          armilla_lane_chirp *made)
{
    const double *spectrum = armilla_fft_execute(fft, circle, scratch);
    for (int64_t k = 0; k < made->convolution.n; k++) {
        double *to = made->spectrum + 2 * armilla_convolution_position(&made->convolution, k);
        to[0] = spectrum[2 * k], to[1] = spectrum[2 * k + 1];
    }
}

static armilla_status fill(int64_t n, armilla_lane_chirp *made)
{
    const int64_t padded = made->convolution.n, circle = armilla_round_line(2 * padded);
    armilla_fft *fft = NULL;
    double *work = NULL;
    armilla_status status;
    if (!(status = armilla_allocate(&made->chirp, 2 * n, sizeof(double))) &&
        !(status = armilla_allocate(&made->spectrum, 2 * padded, sizeof(double))) &&
        !(status = armilla_fft_new(padded, &fft)) &&
        !(status = armilla_allocate_zero(&work, circle + 2 * armilla_fft_scratch_size(fft),
                                         sizeof(double)))) {
        armilla_bluestein_chirp(n, n, made->chirp);
        armilla_bluestein_circle(n, padded, made->chirp, work);
        fill_spectrum(fft, work, work + circle, made);
    }
    armilla_release(work);
    armilla_fft_free(fft);
    return status;
}

armilla_status armilla_lane_chirp_new(int64_t n, int64_t padded, armilla_lane_chirp **chirp)
{
    armilla_lane_chirp *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    if (!(status = armilla_convolution_make(padded, 0, &made->convolution))) status = fill(n, made);
    if (status)
        armilla_lane_chirp_free(made);
    else
        *chirp = made;
    return status;
}

void armilla_lane_chirp_free(armilla_lane_chirp *chirp)
{
    if (!chirp) return;
    armilla_convolution_clear(&chirp->convolution);
    armilla_release(chirp->chirp);
    armilla_release(chirp->spectrum);
    armilla_release(chirp);
}

int64_t armilla_lane_chirp_bytes(int64_t n, const armilla_lane_chirp *chirp)
{
    if (!chirp) return 0;
    return (int64_t)sizeof *chirp + 16 * (n + chirp->convolution.n) +
           armilla_convolution_bytes(&chirp->convolution);
}
