/* Which rings are made by which method. */
#ifndef ARMILLA_RADIAL_METHOD_H
#define ARMILLA_RADIAL_METHOD_H

#include "radial/plan.h"

/* Chooses the support, if it is not given, and the method of each ring; makes profile, rows and
 * mixing of a plan that has grid, kernel, options and instruction set. */
armilla_status armilla_radial_choose_method(armilla_radial *radial);

/* Seconds of one core for one map, by the methods chosen, by a model of the cost. */
armilla_status armilla_radial_model_seconds(const armilla_radial *radial, double *seconds);

#endif
