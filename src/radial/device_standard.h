/* Plans of the mode STANDARD on a GPU, whose plan inside is there: their rings. */
#ifndef ARMILLA_RADIAL_DEVICE_STANDARD_H
#define ARMILLA_RADIAL_DEVICE_STANDARD_H

#include "radial/sums.h"

/* Makes radial->cuda of a plan that is otherwise complete. Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_radial_make_device_standard(armilla_radial *radial);

#endif
