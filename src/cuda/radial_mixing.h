/* Radial convolution on a GPU by Fourier coefficients of rings: tables of a plan in device memory.
 * The radial plan (src/radial/device_rings.c) makes them; radial.h has calls.
 *
 *     maps --ring stage--> leg --mixing--> leg --ring stage--> maps
 *
 * Both legs are whole in memory, of one field at a time. */
#ifndef ARMILLA_CUDA_RADIAL_MIXING_H
#define ARMILLA_CUDA_RADIAL_MIXING_H

#include "armilla/grid.h"
#include "base/status.h"
#include "cuda/kernels/radial_mixing_tables.h"
#include "cuda/radial.h"
#include "leg/pairs.h"

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
    const armilla_cuda_radial_plan *scalar; /* of pairs: of scalars, which outlives the plan */
} armilla_cuda_mixing_problem;

/* See the table of radial.h. Calls of several plans fail with UNSUPPORTED where these are on
 * different GPUs. */
armilla_status armilla_cuda_mixing_new(const armilla_cuda_mixing_problem *problem,
                                       armilla_cuda_radial_plan **plan);

#endif
