/* Values of maps on a GPU that may be missing. C and CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_MISSING_KERNELS_H
#define ARMILLA_CUDA_KERNELS_MISSING_KERNELS_H

#include "base/array.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Warps of a launch at most, each of which says whether it has seen one. */
enum { ARMILLA_CUDA_SUSPECT_WARPS = 4096 };

typedef struct armilla_cuda_suspects {
    const void *values; /* [ncomp], `distance` from one to the next, `size` of each looked at */
    int64_t ncomp, distance, size;
    int32_t *found; /* [ARMILLA_CUDA_SUSPECT_WARPS] */
} armilla_cuda_suspects;

/* Looks for NaN, infinities, and values as large as ARMILLA_UNSEEN. Warps that have nothing to do
 * write 0. Returned: the launch's error. */
cudaError_t armilla_cuda_suspects_find(const armilla_cuda_suspects *suspects, int is_float,
                                       cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
