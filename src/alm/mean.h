/* Is degree 0 of coefficients, by which nothing can be divided, 0 to rounding? See armilla_mean. */
#ifndef ARMILLA_ALM_MEAN_H
#define ARMILLA_ALM_MEAN_H

#include "alm/layout.h"
#include "base/array.h"

/* ARMILLA_ERROR_ARGUMENT unless mean is one of the enum. */
armilla_status armilla_mean_check_rule(const char *name, armilla_mean mean);

/* The norm of the degrees above 0 of one component, placed by the layout; NaN where one of them is.
 */
double armilla_mean_norm(const armilla_alm_layout *layout, armilla_array alm);

/* a_00, which is real. */
double armilla_mean_of(const armilla_alm_layout *layout, armilla_array alm);

/* Given:  name  of the field, for the message;  alm  one component;  norm  which a_00 is compared
 *         with: that of alm, or of all fields that belong together. NaN: nothing is compared.
 * Errors: ARGUMENT with a_00 where it is too large. */
armilla_status armilla_mean_check(const char *name, const armilla_alm_layout *layout,
                                  armilla_array alm, double norm);

/* The radius of a sphere: ARMILLA_ERROR_ARGUMENT unless it is from 1e-140 to 1e140. */
armilla_status armilla_radius_check(const char *name, double radius);

#endif
