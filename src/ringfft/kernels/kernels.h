/* Inner loops of the ring FFT stage, compiled once per instruction set.
 *
 * leg holds north re, im, south re, im per order, orders row_length doubles apart; z is the complex
 * array of n numbers whose FFT holds north + i south. Orders first .. last with 2 last < n: none is
 * folded. phase: exp(i m phi0) per order from 0, or NULL where all are 1.
 * Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_RINGFFT_KERNELS_KERNELS_H
#define ARMILLA_RINGFFT_KERNELS_KERNELS_H

#include <stdint.h>

typedef struct armilla_ring_modes {
    int64_t first, last, row_length, n;
    const double *phase;
} armilla_ring_modes;

typedef struct armilla_ring_kernels {
    /* z_m = N_m + i S_m, z_{n-m} = conj N_m + i conj S_m, zeros elsewhere */
    void (*spread)(const armilla_ring_modes *modes, const double *leg, double *z);

    /* the inverse: N_m = scale[0] (z_m + conj z_{n-m}), S_m = scale[1] (z_m - conj z_{n-m}) / i */
    void (*gather)(const armilla_ring_modes *modes, const double *z, const double scale[2],
                   double *leg);

    /* north_j = scale[0] Re z_j, south_j = scale[1] Im z_j */
    void (*split)(int64_t n, const double *z, const double scale[2], double *north, double *south);
    void (*join)(int64_t n, const double *north, const double *south, double *z);
} armilla_ring_kernels;

#endif
