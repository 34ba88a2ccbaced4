/* Fourier transforms in lanes, in place: VLEN complex transforms of one length at once, in two
 * halves, docs/mathematics.md section 4. */
#ifndef ARMILLA_FFT_KERNELS_LANE_FFT_H
#define ARMILLA_FFT_KERNELS_LANE_FFT_H

#include "fft/kernels/lane_fft_tables.h"
#include "fft/kernels/lanes.h"

/* First half: `count` of the length[1] columns, one behind the other, `next` complex vectors apart.
 * Number p + length[1] a of the transform is number place[0][a] of column p. */
void ARMILLA_KERNEL(armilla_lane_fft_run_columns)(const armilla_lane_fft *fft, int64_t count,
                                                  double *data, int64_t next);

/* Second half: rows k .. k + count - 1 of the length[0] rows; column p is at place[1][p], columns
 * `step` complex vectors apart. Result: row k has numbers k, k + length[0], ... in sequence. */
void ARMILLA_KERNEL(armilla_lane_fft_run_rows)(const armilla_lane_fft *fft, int64_t k,
                                               int64_t count, double *data, int64_t step);

/* All of a transform that is one convolution: n numbers in sequence, to n numbers in sequence.
 * data: fft->room complex vectors. */
void ARMILLA_KERNEL(armilla_lane_fft_run_whole)(const armilla_lane_fft *fft, double *data);

#endif
