/* Radial convolution on a GPU of rings that are brought to one length first: the mode STANDARD. The
 * radial plan (src/radial/device_standard.c) tells the rings; radial.h has calls.
 *
 *     maps --ring stage--> leg --ring stage--> long rings --a plan inside--> long rings
 *     long rings --ring stage--> leg --ring stage--> maps
 *
 * The order n / 2 of a ring of n pixels is a cosine alone: of it a leg's entry is halved. */
#ifndef ARMILLA_CUDA_RADIAL_STANDARD_H
#define ARMILLA_CUDA_RADIAL_STANDARD_H

#include "armilla/grid.h"
#include "cuda/radial.h"
#include "leg/pairs.h"

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
    const armilla_cuda_radial_plan *inside; /* for the long rings */
    const armilla_cuda_radial_plan *scalar; /* of pairs: the same for sums of weights; else NULL */
} armilla_cuda_standard_problem;

/* See the table of radial.h. The bytes of the plan inside are not among its own. */
armilla_status armilla_cuda_standard_new(const armilla_cuda_standard_problem *problem,
                                         armilla_cuda_radial_plan **plan);

#endif
