/* Means over weights on a GPU for plans whose sums of weights are maps of their own, as the method
 * RINGS and the mode STANDARD have them:
 *
 *     sums of weights, and of ones --> divisors        once for all maps of a call
 *     map times weights --a plan's sums--> over the divisors, or fill
 *
 * and what a call has to know of weights that are in the memory of a GPU. */
#ifndef ARMILLA_CUDA_RADIAL_MEANS_H
#define ARMILLA_CUDA_RADIAL_MEANS_H

#include "cuda/runtime/frame.h"
#include "cuda/radial.h"

/* A call with weights, of one plan: see `run` in radial.h. */
armilla_status armilla_cuda_means_run(const armilla_cuda_radial_call *call);

/* Why a call with weights can have no capture. */
extern const char armilla_cuda_weights_wait[];

/* Finds out where a call's weights are. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_cuda_find_weights(const armilla_cuda_radial_weights *weights, int device,
                                         armilla_cuda_array *array);

/* As in the table of radial.h. */
armilla_status armilla_cuda_weights_look_at(int device, const double *weights, int64_t count,
                                            void *stream, double *largest);
armilla_status armilla_cuda_weights_take(int device, const double *weights, int64_t count,
                                         void *stream, double *host);

#endif
