/* The theta stage on a GPU: rows of leg on the rings `from` <-> rows on the rings `to`
 * (theta/theta.h), in device memory. Both are the same memory: rows of near rings take the place of
 * those of far rings, order by order. Kernels: kernels/theta_kernels.h. */
#ifndef ARMILLA_CUDA_STAGES_THETA_H
#define ARMILLA_CUDA_STAGES_THETA_H

#include "cuda/stages/theta_tables.h"
#include "cuda/runtime/work.h"
#include "leg/leg.h"
#include "theta/theta.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_cuda_theta armilla_cuda_theta;

/* Given:    problem  as for armilla_theta_new; rings `from` fill their circle. Lengths may be any,
 *           to_length any even one. Its pairs and factors need not outlive the call;  rows  of leg,
 * at least one;  most  device bytes of scratch that a call should not exceed: orders go by batches
 * then. Errors:   ARGUMENT (names the member), MEMORY (also of the device: names the bytes),
 * UNSUPPORTED (a CUDA or cuFFT error). */
armilla_status armilla_cuda_theta_new(const armilla_theta_problem *problem,
                                      const armilla_cuda_theta_rows *rows, int64_t most,
                                      armilla_cuda_theta **theta);
void armilla_cuda_theta_free(armilla_cuda_theta *theta);           /* NULL is allowed */
int64_t armilla_cuda_theta_bytes(const armilla_cuda_theta *theta); /* of the device */

/* Device bytes of scratch of a call on so many sets, the work area of cuFFT included. As many sets
 * go together as have room in `most`. */
int64_t armilla_cuda_theta_scratch(const armilla_cuda_theta *theta, int64_t nsets);

/* Kernels and calls of cuFFT of a call on so many sets, in either direction. */
int64_t armilla_cuda_theta_launches(const armilla_cuda_theta *theta, int64_t nsets);

/* Rows of near rings to rows of far ones, and the transpose.
 * Given:    leg  with one block, whose rows are long enough for both. Entries above the limit of a
 *           pair are neither read nor written, and count as zeros; what a pair has of a ring that
 *           is missing is not read, and becomes 0. */
void armilla_cuda_theta_to_far(const armilla_cuda_theta *theta, const armilla_leg *leg,
                               armilla_cuda_work *work);
void armilla_cuda_theta_to_near(const armilla_cuda_theta *theta, const armilla_leg *leg,
                                armilla_cuda_work *work);

#ifdef __cplusplus
}
#endif
#endif
