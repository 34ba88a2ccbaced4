/* Inside of the deflected directions on a GPU, for the files that make and use them. */
#ifndef ARMILLA_CUDA_POINTING_PLAN_H
#define ARMILLA_CUDA_POINTING_PLAN_H

#include "cuda/kernels/lensing_kernels.h"
#include "cuda/pointing.h"

typedef struct armilla_cuda_pointing_tables {
    armilla_cuda_pointing known;
    armilla_cuda_lensing_view view;
    void *rings, *first; /* device memory, as that of view */
    int open;            /* is the device's pool? */
} armilla_cuda_pointing_tables;

static inline const armilla_cuda_lensing_view *
armilla_cuda_pointing_view(const armilla_cuda_pointing *pointing)
{
    return &((const armilla_cuda_pointing_tables *)pointing)->view;
}

#endif
