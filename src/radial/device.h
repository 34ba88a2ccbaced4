/* Plans on a GPU: what they do not offer, their tables, and their calls. */
#ifndef ARMILLA_RADIAL_DEVICE_H
#define ARMILLA_RADIAL_DEVICE_H

#include "cuda/radial.h"
#include "radial/sums.h"

/* Takes what options ask of a GPU: nothing where device is ARMILLA_CPU; else PIXELS in place of
 * FASTEST where GPUs or their bytes are given. Errors: ARGUMENT, UNSUPPORTED (names
 * the option that a GPU does not offer). */
armilla_status armilla_radial_check_device(armilla_radial_options *options);

/* Makes radial->cuda of a plan that is otherwise complete and goes by PIXELS. Errors: MEMORY,
 * UNSUPPORTED. */
armilla_status armilla_radial_make_device(armilla_radial *radial);

/* A call of a plan on a GPU, or of several of the method RINGS. Errors: see
 * armilla_cuda_radial_plan; UNSUPPORTED for plans on different GPUs. */
armilla_status armilla_radial_run_device(const armilla_cuda_radial_plan *const *plans,
                                         int64_t nplans, const armilla_radial_call *call,
                                         const armilla_maps *maps, const armilla_exec *exec);

#endif
