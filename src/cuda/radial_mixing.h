/* Radial convolution on a GPU by Fourier coefficients of rings: tables of a plan in device memory,
 * and calls on maps of the host or of the device. The radial plan (src/radial/device_rings.c) makes
 * the tables. Where the library is built without CUDA, absent/ has these functions.
 *
 *     maps --ring stage--> leg --mixing--> leg --ring stage--> maps
 *
 * Both legs are whole in memory, of one field at a time. */
#ifndef ARMILLA_CUDA_RADIAL_MIXING_H
#define ARMILLA_CUDA_RADIAL_MIXING_H

#include "armilla/device.h"
#include "armilla/grid.h"
#include "base/array.h"
#include "base/status.h"
#include "cuda/kernels/radial_mixing_tables.h"
#include "leg/pairs.h"

typedef struct armilla_cuda_mixing armilla_cuda_mixing;

/* Tables of the host; what they point to need not outlive the plan. */
typedef struct armilla_cuda_mixing_problem {
    armilla_cuda_mixing_view view; /* its arrays are of the host; theta and limit: of pairs */
    int64_t ntiles, ngroups, ntables, nnumbers, ncoef;
    const armilla_ring_pairs *pairs; /* all pairs of the grid; limits rise */
    const armilla_ring *rings;
    const double *divisor; /* of each pixel; NULL: results are not divided */
    int64_t npix, samples; /* of a map, and of its rings */
    int64_t nside;      /* of maps in NESTED order, else 0: rings and divisors are in RING order */
    int64_t ring_bytes; /* scratch that the ring stage should not exceed */
    int64_t device_bytes; /* that a call should not exceed, by batches of that stage; 0: any */
} armilla_cuda_mixing_problem;

/* On the calling thread's current GPU. Errors: MEMORY (also of the device: names the bytes),
 * UNSUPPORTED. */
armilla_status armilla_cuda_mixing_new(const armilla_cuda_mixing_problem *problem,
                                       armilla_cuda_mixing **mixing);
void armilla_cuda_mixing_free(armilla_cuda_mixing *mixing); /* NULL is allowed */

int64_t armilla_cuda_mixing_bytes(const armilla_cuda_mixing *mixing); /* of the device: it holds */

/* Device bytes of a call of some plans whose maps are doubles, on the host or on the device. */
int64_t armilla_cuda_mixing_call_bytes(const armilla_cuda_mixing *const *plans, int64_t nplans,
                                       int on_host, int adjoint);

typedef struct armilla_cuda_mixing_call {
    int64_t nplans; /* of one grid and spin, on one device */
    const armilla_cuda_mixing *const *plans;
    int adjoint;
    int plain;              /* without divisors */
    armilla_array map, out; /* out[nplans][ntrans][components] */
    int64_t ntrans;
    int64_t distance, out_distance; /* values from one component to the next; out's 0: as map's */
    armilla_memory memory;
    void *stream;
    armilla_progress_fn progress;
    void *progress_data;
} armilla_cuda_mixing_call;

/* With arrays of the device the call puts its work on the stream and returns; else it waits for the
 * result. What a plan's ring stage makes of a field serves all plans that need no more orders; bits
 * are those of calls one by one. Errors: ARGUMENT, MEMORY, UNSUPPORTED (an error of CUDA; a stream
 * whose capture the call would break), CANCELLED. Thread rule: any number of calls at once. */
armilla_status armilla_cuda_mixing_run(const armilla_cuda_mixing_call *call);

#endif
