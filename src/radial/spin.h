/* Plans for maps of spin 2, Q and U. */
#ifndef ARMILLA_RADIAL_SPIN_H
#define ARMILLA_RADIAL_SPIN_H

#include "radial/plan.h"

/* Makes support, normalization, profile, rows and divisors of a plan that has grid, kernel, options
 * and instruction set. Errors: those of armilla_radial_new. */
armilla_status armilla_radial_spin_make(armilla_radial *radial);
void armilla_radial_spin_free(armilla_radial *radial);

#endif
