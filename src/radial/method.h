/* Which rings are made by which method. */
#ifndef ARMILLA_RADIAL_METHOD_H
#define ARMILLA_RADIAL_METHOD_H

#include "radial/plan.h"

/* Chooses the support, if it is not given, and the method of each ring; makes profile, rows and
 * mixing of a plan that has grid, kernel, options and instruction set. */
armilla_status armilla_radial_choose_method(armilla_radial *radial);

/* What each ring of the plan takes, one map: by PIXELS the whole of it, by RINGS its Fourier
 * transforms alone, which are made where the ring is. A ring that is the mirror image of another
 * has its half. */
void armilla_radial_ring_seconds(const armilla_radial *radial, double *seconds);

/* Seconds of one core for one map, by the methods chosen, by a model of the cost. */
armilla_status armilla_radial_model_seconds(const armilla_radial *radial, double *seconds);

#endif
