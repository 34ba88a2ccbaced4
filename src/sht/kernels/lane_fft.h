/* Fourier transforms in lanes: VLEN complex transforms of one length at once, for the kernels. */
#ifndef ARMILLA_SHT_KERNELS_LANE_FFT_H
#define ARMILLA_SHT_KERNELS_LANE_FFT_H

#include "fft/kernels/lanes.h"
#include "sht/kernels/theta_kernels.h"

/* First half, column 0 <= p < length[1]: input numbers p, p + length[1], ... of the transform lie
 * `step` complex vectors apart. output: the transform's array of n complex vectors.
 * work: 2 length[0] complex vectors. */
void ARMILLA_KERNEL(armilla_lane_fft_column)(const armilla_lane_fft *fft, int64_t p,
                                             const double *input, int64_t step, double *output,
                                             double *work);

/* Second half, in place, after all columns. work: 2 length[1] complex vectors. */
void ARMILLA_KERNEL(armilla_lane_fft_rows)(const armilla_lane_fft *fft, double *data, double *work);

#endif
