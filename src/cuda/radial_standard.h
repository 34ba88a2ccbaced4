/* Radial convolution on a GPU of rings that are brought to one length first: the mode STANDARD. The
 * radial plan (src/radial/device_standard.c) tells the rings. Where the library is built without
 * CUDA, absent/ has these functions.
 *
 *     maps --ring stage--> leg --ring stage--> long rings --a plan inside--> long rings
 *     long rings --ring stage--> leg --ring stage--> maps
 *
 * The order n / 2 of a ring of n pixels is a cosine alone: of it a leg's entry is halved. */
#ifndef ARMILLA_CUDA_RADIAL_STANDARD_H
#define ARMILLA_CUDA_RADIAL_STANDARD_H

#include "armilla/grid.h"
#include "cuda/radial.h"
#include "cuda/radial_mixing.h"
#include "leg/pairs.h"

typedef struct armilla_cuda_standard armilla_cuda_standard;

/* What it points to need not outlive the plan, but for the plan inside. */
typedef struct armilla_cuda_standard_problem {
    const armilla_ring_pairs *pairs; /* of rings of one length n; limits n / 2, which rise */
    const armilla_ring *own, *wide;  /* the rings of maps, and the long ones; weights: 1 / n */
    int64_t npix, samples;           /* of a map, and of its rings */
    int64_t nside;                   /* of maps in NESTED order, else 0: rings are in RING order */
    int64_t wide_npix;
    int64_t ncomp;
    int64_t ring_bytes;   /* scratch that the ring stage should not exceed */
    int64_t device_bytes; /* that a call should not exceed, by batches of that stage; 0: any */
    const armilla_cuda_radial *pixels; /* the plan inside, for the long rings: one of the two */
    const armilla_cuda_mixing *mixing;
    /* With pairs the same for sums of weights, which are scalars; else NULL. */
    const armilla_cuda_radial *scalar_pixels;
    const armilla_cuda_mixing *scalar_mixing;
} armilla_cuda_standard_problem;

/* On the calling thread's current GPU, that of the plan inside. Errors: MEMORY (also of the device:
 * names the bytes), UNSUPPORTED. */
armilla_status armilla_cuda_standard_new(const armilla_cuda_standard_problem *problem,
                                         armilla_cuda_standard **standard);
void armilla_cuda_standard_free(armilla_cuda_standard *standard); /* NULL is allowed */

/* Device bytes: what it holds beside the plan inside; what a call takes whose maps are doubles, on
 * the host or on the device. */
int64_t armilla_cuda_standard_bytes(const armilla_cuda_standard *standard);
int64_t armilla_cuda_standard_call_bytes(const armilla_cuda_standard *standard, int on_host,
                                         int adjoint);

typedef struct armilla_cuda_standard_call {
    int adjoint;
    int plain;  /* without divisors */
    int scalar; /* maps of one component, by a plan of pairs */
    armilla_array map, out;
    int64_t ntrans;
    int64_t distance, out_distance; /* values from one component to the next; out's 0: as map's */
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress;
    void *progress_data;
} armilla_cuda_standard_call;

/* With arrays of the device the call puts its work on the stream and returns; else it waits for the
 * result. Errors: ARGUMENT, MEMORY, UNSUPPORTED (an error of CUDA; a stream whose capture the call
 * would break), CANCELLED. Thread rule: any number of calls at once. */
armilla_status armilla_cuda_standard_run(const armilla_cuda_standard *standard,
                                         const armilla_cuda_standard_call *call);

#endif
