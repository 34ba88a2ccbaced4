/* Fourier transforms in lanes: VLEN complex transforms of one length at once, for the kernels. */
#ifndef ARMILLA_FFT_KERNELS_LANE_FFT_H
#define ARMILLA_FFT_KERNELS_LANE_FFT_H

#include "fft/kernels/lanes.h"
#include "fft/kernels/lane_fft_tables.h"

/* First half, one of the length[1] columns: input numbers p, p + length[1], ... of the transform
 * lie in_step complex vectors apart. output: length[0] complex vectors. work: 2 length[0] complex
 * vectors. */
void ARMILLA_KERNEL(armilla_lane_fft_column)(const armilla_lane_fft *fft, const double *input,
                                             int64_t in_step, double *output, double *work);

/* Second half, row 0 <= k < length[0]: number k of each column, in_step complex vectors apart, to
 * the numbers k, k + length[0], ... of the transform, out_step apart. output may be input if the
 * steps are equal. work: 2 length[1] complex vectors. */
void ARMILLA_KERNEL(armilla_lane_fft_row)(const armilla_lane_fft *fft, int64_t k,
                                          const double *input, int64_t in_step, double *output,
                                          int64_t out_step, double *work);

#endif
