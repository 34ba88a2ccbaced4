/* Radial convolution on a GPU, pixel by pixel: tables of a plan in device memory, and calls on maps
 * of the host or of the device. The radial plan (src/radial/device.c) makes the tables. Where the
 * library is built without CUDA, absent/ has these functions. */
#ifndef ARMILLA_CUDA_RADIAL_H
#define ARMILLA_CUDA_RADIAL_H

#include "armilla/device.h"
#include "base/array.h"
#include "base/status.h"
#include "cuda/kernels/radial_tables.h"

typedef struct armilla_cuda_radial armilla_cuda_radial;

/* Tables of the host; what they point to need not outlive the plan. */
typedef struct armilla_cuda_radial_problem {
    armilla_cuda_radial_view view; /* its arrays are of the host: */
    int64_t nrows, nlinks, nvalues, ndivisors, nterms, nhalf, ncoef, nfits;
    int64_t nout; /* rows of output, the first ones: with their images they are all rings */
    int64_t npix, samples; /* of a map, and of its rings */
    const armilla_cuda_radial
        *scalar;          /* of spin 2: what sums of weights are made with; else NULL */
    int64_t device_bytes; /* that a call may take, see armilla_radial_options; 0: two maps */
} armilla_cuda_radial_problem;

/* Weights of pixels, on the host or, with all maps, on the device; means and fill as in
 * armilla_radial_job. */
typedef struct armilla_cuda_radial_weights {
    const double *values;
    double least, fill;
    int on_device;
} armilla_cuda_radial_weights;

typedef struct armilla_cuda_radial_call {
    int adjoint;
    int plain; /* without divisors */
    armilla_array map, out;
    const armilla_cuda_radial_weights *weights; /* NULL: none */
    int64_t nmaps;                              /* of spin 2 pairs */
    int64_t distance; /* items from one component to the next, of both arrays */
    /* Rows of output: of out the pixels of rows begin .. end - 1 and of their images are written,
     * and nothing else. end = 0: all. */
    int64_t begin, end;
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress; /* units: maps */
    void *progress_data;
} armilla_cuda_radial_call;

/* On the calling thread's current GPU. Errors: MEMORY (also of the device: names the bytes),
 * UNSUPPORTED. */
armilla_status armilla_cuda_radial_new(const armilla_cuda_radial_problem *problem,
                                       armilla_cuda_radial **radial);
void armilla_cuda_radial_free(armilla_cuda_radial *radial); /* NULL is allowed */

/* Device bytes: what it holds; what a call takes whose maps are on the host, doubles without
 * weights. */
int64_t armilla_cuda_radial_bytes(const armilla_cuda_radial *radial);
int64_t armilla_cuda_radial_workspace(const armilla_cuda_radial *radial);

/* Rows of output that are part number `part` of `nparts` with as much work each. Returned:
 * rows[2]  begin and end, which are equal where there are more parts than rows. */
void armilla_cuda_radial_part(const armilla_cuda_radial *radial, int64_t nparts, int64_t part,
                              int64_t rows[2]);

/* With arrays of the device the call puts its work on the stream and returns; else it waits for the
 * result. Bits do not depend on how rows are cut into calls and slabs. Errors: ARGUMENT, MEMORY,
 * UNSUPPORTED (an error of CUDA; a stream whose capture the call would break), CANCELLED. Thread
 * rule: any number of calls at once, also for other rows of the same maps; those that go by slabs
 * wait for each other. */
armilla_status armilla_cuda_radial_run(const armilla_cuda_radial *radial,
                                       const armilla_cuda_radial_call *call);

#endif
