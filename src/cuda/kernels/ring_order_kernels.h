/* The launch that changes the order of HEALPix maps. C and CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_RING_ORDER_KERNELS_H
#define ARMILLA_CUDA_KERNELS_RING_ORDER_KERNELS_H

#include "base/healpix.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Components of a map, on the device. */
typedef struct armilla_cuda_reordered {
    const void *from;
    void *to;
    int64_t from_distance, to_distance; /* items from one component to the next */
    int64_t ncomp;                      /* at most 65535 */
    int32_t is_float, to_nested;        /* items; from RING order to NESTED, or back */
} armilla_cuda_reordered;

/* Given: scheme  of NESTED order; `from` and `to` apart. Returned: the launch's error. */
cudaError_t armilla_cuda_reorder(const armilla_scheme *scheme, const armilla_cuda_reordered *maps,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
