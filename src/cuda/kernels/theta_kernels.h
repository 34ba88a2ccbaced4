/* What the kernels of the theta stage work on, and their launches. C and CUDA.
 *
 * A column is two orders, one even and one odd (leg/orders.h), whose rows of leg are put together
 * on a circle of complex numbers: E + O at theta, E - O at -theta, E the row that is even in theta,
 * O the odd one. With P numbers of the coarse circle and M of the fine one, docs/mathematics.md
 * (6.1) to (6.3),
 *
 *     from -> to   leg --put--> coarse --cuFFT--> widen --cuFFT--> fine --interpolate--> leg
 *     to -> from   leg --spread--> fine --cuFFT--> narrow --cuFFT--> coarse --take--> leg
 *
 * Where the rings `to` are samples of the fine circle, take and put have the places of interpolate
 * and spread, too.
 *
 * The second line is the transpose of the first, read backwards: transforms of length P have the
 * exponent's sign -1 and those of length M +1 on both ways. Each number is written by one thread,
 * which adds in a fixed sequence; threads exchange nothing. */
#ifndef ARMILLA_CUDA_KERNELS_THETA_KERNELS_H
#define ARMILLA_CUDA_KERNELS_THETA_KERNELS_H

#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A ring that is a sample of its circle, coarse or fine, of `length` samples; rings are numbered
 * 2 pair + south. Its image at -theta is sample length - shift - place, shift 1 where samples begin
 * half a step behind the pole; a pole is its own image. */
typedef struct armilla_cuda_theta_sample {
    int32_t ring;  /* -1: no ring is at the sample, which counts as a zero */
    int32_t place; /* on the circle; -1: the pair has no such ring */
} armilla_cuda_theta_sample;

/* A ring of `to` as it stands on the half circle of samples 0 .. M / 2, or the image of one. */
typedef struct armilla_cuda_theta_point {
    int64_t ring;
    int32_t place; /* the first sample that it sees */
    int32_t sign;  /* of O there: 1, -1 for an image; 0: the pair has no such ring */
} armilla_cuda_theta_point;

/* Tables, on the device. Points are sorted by place; rings that are missing are behind them. */
typedef struct armilla_cuda_theta_view {
    int64_t coarse, fine, band; /* P, M, the highest frequency */
    int64_t taps;               /* samples that a point sees */
    const int64_t *rows;        /* of leg, of each column: E's, O's; -1: the leg has none */
    int64_t nsamples;           /* rings of `from`, missing ones too */
    const armilla_cuda_theta_sample *samples;
    int64_t shift; /* of these; that of spots is 1 */
    int64_t npoints;
    const armilla_cuda_theta_point *points;
    const armilla_cuda_theta_sample *spots; /* in place of points: the rings `to` in sequence, and
                                               behind them samples without one, sample j at
                                               2 pi (j + 1/2) / M; NULL: there is a window */
    int64_t nspots;
    const double *weights;                /* [taps][npoints] */
    const int32_t *range;                 /* sample j is seen by range[2 j] .. range[2 j + 1] - 1 */
    const double *factor;                 /* complex, of the frequencies 0 .. band */
    const int64_t *least_from, *least_to; /* of each row: the first pair with an entry */
} armilla_cuda_theta_view;

/* Some columns of one set, or all columns of some sets, one set behind the other: column c of a
 * launch is number first + c modulo ncolumns of set (first + c) / ncolumns. */
typedef struct armilla_cuda_theta_columns {
    double *leg; /* row 0 of set 0 */
    int64_t row_length, set_length;
    int64_t ncolumns; /* of a set */
    int64_t first, count;
    double *coarse, *fine; /* circles, one behind the other */
} armilla_cuda_theta_columns;

/* Each puts one kernel on the stream. Returned: the launch's error. */
cudaError_t armilla_cuda_theta_put(const armilla_cuda_theta_view *view,
                                   const armilla_cuda_theta_columns *columns, cudaStream_t stream);
cudaError_t armilla_cuda_theta_take(const armilla_cuda_theta_view *view,
                                    const armilla_cuda_theta_columns *columns, cudaStream_t stream);
cudaError_t armilla_cuda_theta_widen(const armilla_cuda_theta_view *view,
                                     const armilla_cuda_theta_columns *columns,
                                     cudaStream_t stream);
cudaError_t armilla_cuda_theta_narrow(const armilla_cuda_theta_view *view,
                                      const armilla_cuda_theta_columns *columns,
                                      cudaStream_t stream);
cudaError_t armilla_cuda_theta_interpolate(const armilla_cuda_theta_view *view,
                                           const armilla_cuda_theta_columns *columns,
                                           cudaStream_t stream);
cudaError_t armilla_cuda_theta_spread(const armilla_cuda_theta_view *view,
                                      const armilla_cuda_theta_columns *columns,
                                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
