/* Plans for maps of spin 2, Q and U. */
#ifndef ARMILLA_RADIAL_SPIN_H
#define ARMILLA_RADIAL_SPIN_H

#include "radial/plan.h"

/* Makes support, normalization, integral, the scalar plan and the turned kernel of a plan that has
 * grid, kernel, options and instruction set. Errors: those of armilla_radial_new. */
armilla_status armilla_radial_spin_make(armilla_radial *radial);

/* The profile of the turned kernel, scaled. Errors: as armilla_profile_make. */
armilla_status armilla_radial_spin_profile(const armilla_radial *radial, armilla_profile *profile);

/* The divisors of SUM, those of the scalar plan, for the methods that were chosen. Errors: MEMORY.
 */
armilla_status armilla_radial_spin_take_divisors(armilla_radial *radial);

void armilla_radial_spin_free(armilla_radial *radial);

#endif
