/* Inside of the deflected directions on a GPU, for the files that make and use them. */
#ifndef ARMILLA_CUDA_POINTING_PLAN_H
#define ARMILLA_CUDA_POINTING_PLAN_H

#include "cuda/kernels/lensing_kernels.h"
#include "cuda/pointing.h"

struct armilla_cuda_pointing {
    armilla_cuda_lensing_view view;
    void *rings, *first; /* device memory, as that of view */
    double *points, *gamma;
    int device, open; /* open: is the device's pool? */
};

#endif
