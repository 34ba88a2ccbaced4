/* See lane_chirp.h. */
#include "fft/lane_chirp.h"

#include "base/memory.h"
#include "fft/convolution.h"
#include "fft/fft.h"
#include "fft/roots.h"

/* exp(-pi i j^2 / n), exact for every n: j^2 is reduced modulo 2 n in integers. */
static void fill_chirp(int64_t n, double *chirp)
{
    int64_t square = 0;
    for (int64_t j = 0; j < n; j++) {
        armilla_root_of_unity(square, 2 * n, chirp + 2 * j);
        chirp[2 * j + 1] *= -1;
        square = (square + 2 * j + 1) % (2 * n);
    }
}

/* Of the conjugate chirp around a circle, over its length. work: two such circles. */
static void fill_spectrum(int64_t n, const armilla_fft *fft, double *work, armilla_lane_chirp *made)
{
    const int64_t padded = made->convolution.n;
    const double scale = 1.0 / (double)padded;
    for (int64_t j = 0; j < n; j++)
        for (int part = 0; part < 2; part++) {
            const double value = (part ? -scale : scale) * made->chirp[2 * j + part];
            work[2 * j + part] = work[2 * ((padded - j) % padded) + part] = value;
        }
    const double *spectrum = armilla_fft_execute(fft, work, work + 2 * padded);
    for (int64_t k = 0; k < padded; k++) {
        double *to = made->spectrum + 2 * armilla_convolution_position(&made->convolution, k);
        to[0] = spectrum[2 * k], to[1] = spectrum[2 * k + 1];
    }
}

static armilla_status fill(int64_t n, armilla_lane_chirp *made)
{
    const int64_t padded = made->convolution.n;
    armilla_fft *fft = NULL;
    double *work = NULL;
    armilla_status status;
    if (!(status = armilla_allocate(&made->chirp, 2 * n, sizeof(double))) &&
        !(status = armilla_allocate(&made->spectrum, 2 * padded, sizeof(double))) &&
        !(status = armilla_fft_new(padded, &fft)) &&
        !(status = armilla_allocate_zero(&work, 2 * (padded + armilla_fft_scratch_size(fft)),
                                         sizeof(double)))) {
        fill_chirp(n, made->chirp);
        fill_spectrum(n, fft, work, made);
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
    if (!(status = armilla_convolution_make(padded, &made->convolution))) status = fill(n, made);
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
