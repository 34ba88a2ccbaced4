/* The ring stage into samples on a GPU: leg <-> strips of samples for points (points/samples.h), in
 * device memory. All rings have one length and begin at phi = 0; a strip has rows of both
 * hemispheres, with columns beside the rings and rows beyond poles and equator filled, or, in the
 * other direction, folded back. Each direction is a kernel between leg and spectra, cuFFT, and a
 * kernel for all samples: launches do not depend on the number of rings. */
#ifndef ARMILLA_CUDA_STAGES_STRIPS_H
#define ARMILLA_CUDA_STAGES_STRIPS_H

#include "base/array.h"
#include "cuda/runtime/work.h"
#include "leg/leg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_strips armilla_cuda_strips;

/* What strips have in common. */
typedef struct armilla_cuda_strips_problem {
    int64_t nphi;        /* samples of a ring; even */
    int64_t left, pitch; /* columns before the first sample, and in all */
    int64_t half;        /* ring pairs from pole to equator */
    int64_t most_rows;   /* of a hemisphere of the longest strip */
    int64_t most_pairs;  /* that come with a strip, at most */
    int64_t mmax, spin;  /* orders of leg; spin of any sign */
} armilla_cuda_strips_problem;

/* A strip. Pair p is row p - first of the north, and row rows - 1 - (p - first) of the south. */
typedef struct armilla_cuda_strip {
    int64_t first, rows;        /* of samples, in each hemisphere; first may be negative */
    int64_t first_pair, npairs; /* that come: to samples all that rows are made of, most_pairs for
                                   the fewest launches; from samples those whose part of leg is
                                   wanted */
} armilla_cuda_strip;

/* Given:    most  device bytes of scratch that a call should not exceed: fewer sets go together
 *                 then, at least one.
 * Errors:   ARGUMENT (names the member), MEMORY (also of the device: names the bytes), UNSUPPORTED
 *           (a CUDA or cuFFT error). */
armilla_status armilla_cuda_strips_new(const armilla_cuda_strips_problem *problem, int64_t most,
                                       armilla_cuda_strips **strips);
void armilla_cuda_strips_free(armilla_cuda_strips *strips);           /* NULL is allowed */
int64_t armilla_cuda_strips_bytes(const armilla_cuda_strips *strips); /* of the device */

/* Device bytes of scratch of a call on so many sets, the work area of cuFFT included. */
int64_t armilla_cuda_strips_scratch(const armilla_cuda_strips *strips, int64_t nsets);

/* Kernels and calls of cuFFT of a call on so many sets. */
int64_t armilla_cuda_strips_launches(const armilla_cuda_strips *strips,
                                     const armilla_cuda_strip *strip, int64_t nsets,
                                     int to_samples);

/* Does the strip have what the direction needs? A call with another one runs nothing, and notes
 * cudaErrorInvalidValue. Errors: ARGUMENT, names the member. */
armilla_status armilla_cuda_strips_check(const armilla_cuda_strips *strips,
                                         const armilla_cuda_strip *strip, int to_samples);

/* leg -> samples: every number of the strip's rows is written; and the transpose: the pairs of leg
 * that come are written.
 * Given:    leg      of one block, whose pairs are those of the whole, and whose rows are the
 *                    orders 0 .. mmax;
 *           samples  [set][2][most_rows][pitch], double or float.
 * Notes:    Bits do not depend on threads, streams, or on how many sets go together. */
void armilla_cuda_strips_to_samples(const armilla_cuda_strips *strips,
                                    const armilla_cuda_strip *strip, const armilla_leg *leg,
                                    armilla_array samples, armilla_cuda_work *work);
void armilla_cuda_strips_from_samples(const armilla_cuda_strips *strips,
                                      const armilla_cuda_strip *strip, armilla_array samples,
                                      const armilla_leg *leg, armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
