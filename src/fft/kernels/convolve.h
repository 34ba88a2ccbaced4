/* Cyclic convolutions in lanes, for the kernels. */
#ifndef ARMILLA_FFT_KERNELS_CONVOLVE_H
#define ARMILLA_FFT_KERNELS_CONVOLVE_H

#include "fft/kernels/kernels.h"
#include "fft/kernels/lanes.h"

/* In place, ARMILLA_ROUGH_LANES lanes. spectrum: n complex numbers for lanes 0 to 3, then n for
 * lanes 4 to 7, in the sequence the forward passes leave; NULL: these passes only. */
void ARMILLA_KERNEL(armilla_convolve)(const armilla_convolution *convolution,
                                      const double *spectrum, double *work);

/* The same for VLEN lanes with one spectrum of n complex numbers. */
void ARMILLA_KERNEL(armilla_convolve_lanes)(const armilla_convolution *convolution,
                                            const double *spectrum, double *work);

#endif
