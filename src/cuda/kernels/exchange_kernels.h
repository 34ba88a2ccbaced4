/* Moves entries between legs and messages: what the kernel works on, and its launch. C and CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_EXCHANGE_KERNELS_H
#define ARMILLA_CUDA_KERNELS_EXCHANGE_KERNELS_H

#include "cuda/kernels/moved_row.h"
#include "cuda/runtime/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Some rows. Everything lies on the device. */
typedef struct armilla_cuda_move {
    const armilla_cuda_moved_row *rows;
    int64_t nrows, most;  /* most: entries of a row, at most */
    const int64_t *pairs; /* the list; NULL: pairs of a row are neighbours in the leg */
    int64_t nsets;
    double *legs, *messages;
    int64_t pack; /* from legs to messages; else back */
} armilla_cuda_move;

/* Puts it on the stream. Returned: the first error of a launch. */
cudaError_t armilla_cuda_move_entries(const armilla_cuda_move *move, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
