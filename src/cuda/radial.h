/* Radial convolution on a GPU, pixel by pixel: tables of a plan in device memory, and calls on maps
 * of the host or of the device. The radial plan (src/radial/device.c) makes the tables. Where the
 * library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_RADIAL_H
#define ARMILLA_CUDA_RADIAL_H

#include "armilla/device.h"
#include "base/status.h"
#include "cuda/kernels/radial_tables.h"

typedef struct armilla_cuda_radial armilla_cuda_radial;

/* Tables of the host; what they point to need not outlive the plan. */
typedef struct armilla_cuda_radial_problem {
    armilla_cuda_radial_view view; /* its arrays are of the host: */
    int64_t nrows, nlinks, nvalues, ndivisors, nterms, ncoef;
    int64_t npix, samples; /* of a map, and of its rings */
} armilla_cuda_radial_problem;

typedef struct armilla_cuda_radial_call {
    int adjoint;
    const double *map;
    double *out;
    int64_t nmaps, distance; /* values from one map to the next, of both arrays */
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress;
    void *progress_data;
} armilla_cuda_radial_call;

/* On the calling thread's current GPU. Errors: MEMORY (also of the device: names the bytes),
 * UNSUPPORTED. */
armilla_status armilla_cuda_radial_new(const armilla_cuda_radial_problem *problem,
                                       armilla_cuda_radial **radial);
void armilla_cuda_radial_free(armilla_cuda_radial *radial); /* NULL is allowed */

/* Device bytes: what it holds; what a call takes whose maps are on the host. */
int64_t armilla_cuda_radial_bytes(const armilla_cuda_radial *radial);
int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial);

/* With arrays of the device the call puts its work on the stream and returns; else it waits for the
 * result. Errors: ARGUMENT, MEMORY, UNSUPPORTED (an error of CUDA; a stream whose capture the call
 * would break), CANCELLED. Thread rule: any number of calls at once. */
armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call);

#endif
