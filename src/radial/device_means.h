/* Means over weights of plans on a GPU, by any method, with weights on either side. */
#ifndef ARMILLA_RADIAL_DEVICE_MEANS_H
#define ARMILLA_RADIAL_DEVICE_MEANS_H

#include "radial/sums.h"

/* A call with weights, which are looked at here. Errors: ARGUMENT (names the weight), MEMORY,
 * UNSUPPORTED (an error of CUDA; a stream that is captured), CANCELLED. */
armilla_status armilla_radial_run_device_means(const armilla_radial_call *call,
                                               const armilla_maps *maps, const armilla_exec *exec);

#endif
