/* Plans on a GPU that go by Fourier coefficients of rings: their tables, and their calls. */
#ifndef ARMILLA_RADIAL_DEVICE_RINGS_H
#define ARMILLA_RADIAL_DEVICE_RINGS_H

#include "radial/sums.h"

/* Makes radial->cuda_mixing of a plan that is otherwise complete and has a mixing. Errors: MEMORY,
 * UNSUPPORTED (also where some rings cannot go by RINGS: a plan on a GPU has one method). */
armilla_status armilla_radial_make_device_rings(armilla_radial *radial);

/* A call of such plans without weights, one or several of one grid and spin. Errors: see
 * armilla_cuda_mixing_run; UNSUPPORTED for plans on different GPUs. */
armilla_status armilla_radial_run_device_rings(const armilla_radial *const *radials, int64_t count,
                                               const armilla_radial_call *call,
                                               const armilla_maps *maps, const armilla_exec *exec);

#endif
