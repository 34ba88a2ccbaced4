/* The launches of radial convolution. C and CUDA; what a tile is: radial_tables.h. */
#ifndef ARMILLA_CUDA_KERNELS_RADIAL_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RADIAL_KERNELS_H

#include "cuda/kernels/radial_tables.h"
#include "cuda/runtime/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How maps lie in the memory of the device: as the grid has them, or packed, rows without gaps one
 * behind the other, those of some rows alone. */
typedef struct armilla_cuda_radial_layout {
    int64_t distance; /* items from one component to the next */
    int64_t first[2]; /* packed: what is taken off the places of rings, and of their images */
    int32_t packed, is_float;
} armilla_cuda_radial_layout;

/* Maps, on the device. Weights and means lie as the maps that are read and written. */
typedef struct armilla_cuda_radial_maps {
    const void *in;
    void *out;
    armilla_cuda_radial_layout in_layout, out_layout;
    const double *weights;      /* of pixels that are read; NULL: none */
    const double *means;        /* sums of weights that sums become means by, 0: fill; NULL: none */
    double least, fill;         /* of sums of weights around a pixel, see armilla_radial_job */
    int64_t count;              /* of maps, of spin 2 of pairs: at most 65535 */
    int64_t adjoint;            /* weights of the grid come last, divisors first */
    int64_t tile[2], ntiles[2]; /* of uniform rows, of others */
} armilla_cuda_radial_maps;

/* Puts a convolution on the stream: one launch for each kind of rows. Returned: the first error of
 * a launch. */
cudaError_t armilla_cuda_radial_gather(const armilla_cuda_radial_view *view,
                                       const armilla_cuda_radial_maps *maps, cudaStream_t stream);

/* The same for one map of weights, doubles: what is written are the sums of weights around pixels,
 * or 0 where they are below maps->least of what weights of 1 would give. */
cudaError_t armilla_cuda_radial_gather_weights(const armilla_cuda_radial_view *view,
                                               const armilla_cuda_radial_maps *maps,
                                               cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
