/* The launches of means over weights, where the sums of weights are maps of their own. C and CUDA.
 */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_MEANS_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RADIAL_MEANS_KERNELS_H

#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* to[i] = from[i] weights[i] scale; 0 where the weight is 0, whatever `from` has there. weights
 * NULL: 1, and `from` is not read. Given: is_float: numbers of `from`. All: returned is the
 * launch's error.
 */
cudaError_t armilla_cuda_means_weigh(int64_t count, const double *weights, double scale,
                                     int is_float, const void *from, double *to,
                                     cudaStream_t stream);

/* means[i] = scale sums[i] where sums[i] is above 0 and at least `least` times norm[i]; else 0; and
 * NaN where norm[i] is NaN: no ring has that pixel. means and sums may be one. */
cudaError_t armilla_cuda_means_join(int64_t count, double least, double scale, const double *norm,
                                    const double *sums, double *means, cudaStream_t stream);

/* values[i] /= means[i]; fill where that is 0; where it is NaN the value stays. */
cudaError_t armilla_cuda_means_finish(int64_t count, const double *means, double fill, int is_float,
                                      void *values, cudaStream_t stream);

/* What a thread has seen of an array of weights. */
typedef struct armilla_cuda_weights_seen {
    double largest;
    int64_t wrong; /* the first one that is negative or not finite; -1: none */
} armilla_cuda_weights_seen;

/* Threads that look at so many weights; seen has an item of each. */
int64_t armilla_cuda_weights_threads(int64_t count);
cudaError_t armilla_cuda_weights_look(int64_t count, const double *weights,
                                      armilla_cuda_weights_seen *seen, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
