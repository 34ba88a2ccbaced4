/* The launches of radial convolution. C and CUDA; what a tile is: radial_tables.h. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RADIAL_KERNELS_H

#include "cuda/kernels/radial_tables.h"
#include "cuda/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maps, on the device. */
typedef struct armilla_cuda_radial_maps {
    const double *in;
    double *out;
    int64_t distance; /* from one map to the next, of both */
    int64_t count;    /* at most 65535 */
    int64_t adjoint;  /* weights of the grid come last, divisors first */
} armilla_cuda_radial_maps;

/* Puts a convolution on the stream: one launch for each kind of rows. Returned: the first error of
 * a launch. */
cudaError_t armilla_cuda_radial_gather(const armilla_cuda_radial_view *view,
                                       const armilla_cuda_radial_maps *maps, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
