/* The Fourier transform over gamma at each pixel, between planes (Q_n, U_n) and samples.
 *
 *     to samples   f(gamma) = Q_0 + 2 sum over n = 1 .. nmax of Q_n cos n gamma + U_n sin n gamma
 *     to planes    Q_n, U_n = sums over the samples of f cos n gamma and of f sin n gamma
 *
 * docs/mathematics.md (16.2). Two pixels are one complex transform, real and imaginary part. */
#ifndef ARMILLA_SO3_GAMMA_H
#define ARMILLA_SO3_GAMMA_H

#include "armilla/grid.h"
#include "fft/fft.h"

typedef struct armilla_so3_gamma {
    const armilla_grid *grid;
    const armilla_fft *fft; /* of length ngamma */
    int64_t ngamma;
    int64_t first, end;                      /* planes n */
    double *samples, *planes;                /* planes: Q of `first` begins here */
    int64_t sample_distance, plane_distance; /* from one map to the next */
    double *scratch; /* of all threads: armilla_so3_gamma_scratch doubles each */
    int nthreads;
} armilla_so3_gamma;

int64_t armilla_so3_gamma_scratch(int64_t ngamma, const armilla_fft *fft);

/* All planes, whose memory may be that of the first samples. */
void armilla_so3_to_samples(const armilla_so3_gamma *gamma);

/* Planes first .. end - 1. */
void armilla_so3_to_planes(const armilla_so3_gamma *gamma);

#endif
