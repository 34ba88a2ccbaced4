/* Plans of the mode STANDARD on a GPU, whose plan inside is there: what they do not offer, their
 * rings, and their calls. */
#ifndef ARMILLA_RADIAL_DEVICE_STANDARD_H
#define ARMILLA_RADIAL_DEVICE_STANDARD_H

#include "radial/sums.h"

/* Makes radial->cuda_standard of a plan that is otherwise complete. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_radial_make_device_standard(armilla_radial *radial);

/* A call without weights. Errors: see armilla_cuda_standard_run. */
armilla_status armilla_radial_run_device_standard(const armilla_radial_call *call,
                                                  const armilla_maps *maps,
                                                  const armilla_exec *exec);

#endif
