/* The divisors of the normalization SUM. */
#ifndef ARMILLA_RADIAL_DIVISORS_H
#define ARMILLA_RADIAL_DIVISORS_H

#include "radial/plan.h"

/* Fills the divisors of a plan whose methods are chosen, of spin 2 with those of its scalar plan;
 * of other normalizations there are none.
 * Errors: MEMORY; ARGUMENT where one is 0. */
armilla_status armilla_radial_make_divisors(armilla_radial *radial);

#endif
