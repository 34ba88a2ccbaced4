/* What the kernels of the ring stage into samples work on, and their launches. C and CUDA.
 *
 * Samples of a set are [2][most_rows][pitch], as in points/samples.h: rows of the north, then of
 * the south, both from the north on; column `left` has the first sample of a ring, and columns
 * before and behind the ring repeat it. Ring pair p is row p - first of the north and rows - 1 -
 * (p - first) of the south. Pairs below 0 are beyond a pole: ring -1 - p of the same side, half a
 * turn away, times (-1)^spin. Pairs from `half` on are beyond the equator: ring 2 half - 1 - p of
 * the other side. `data` has a row of nphi complex numbers for each pair that comes,
 *
 *     z_j = north + i south,   to samples;   z_j = north - i south,   from samples.
 *
 * From samples each number of data is the sum over all places that have its sample: rows of its own
 * pair, of the one beyond the pole, of the one beyond the equator, columns rising. Each number is
 * written by one thread; threads exchange nothing. */
#ifndef ARMILLA_CUDA_KERNELS_STRIP_KERNELS_H
#define ARMILLA_CUDA_KERNELS_STRIP_KERNELS_H

#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_strip_view {
    int64_t nphi, left, pitch; /* below 2^31; nphi even */
    int64_t half;              /* pairs from pole to equator */
    int64_t first, rows, most_rows;
    int64_t first_pair, npairs; /* that come */
    int64_t data_pairs;         /* rows of data of a set: those behind npairs have zeros */
    int64_t nsets;
    int64_t is_float, odd_spin; /* see armilla_cuda_ring_map */
    double *data;               /* complex numbers */
    void *samples;              /* of the first set */
} armilla_cuda_strip_view;

/* Each puts one kernel on the stream. Returned: the launch's error. */
cudaError_t armilla_cuda_strip_put(const armilla_cuda_strip_view *view, cudaStream_t stream);
cudaError_t armilla_cuda_strip_take(const armilla_cuda_strip_view *view, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
