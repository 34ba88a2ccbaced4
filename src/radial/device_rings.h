/* Plans on a GPU that go by Fourier coefficients of rings: their tables. */
#ifndef ARMILLA_RADIAL_DEVICE_RINGS_H
#define ARMILLA_RADIAL_DEVICE_RINGS_H

#include "radial/sums.h"

/* Makes radial->cuda of a plan that is otherwise complete and has a mixing. Errors: MEMORY,
 * UNSUPPORTED (also where some rings cannot go by RINGS: a plan on a GPU has one method). */
armilla_status armilla_radial_make_device_rings(armilla_radial *radial);

#endif
