/* Inside of rotations. */
#ifndef ARMILLA_ALM_ROTATION_H
#define ARMILLA_ALM_ROTATION_H

#include "alm/degree_rows.h"
#include "armilla/rotation.h"

/* ARMILLA_ERROR_ARGUMENT by name if rotation is NULL or an angle is not finite. */
armilla_status armilla_rotation_check(const char *name, const armilla_rotation *rotation);

/* product = a b, row by row; it may be neither. */
void armilla_rotation_multiply(const double *a, const double *b, double *product);

/* Rotates some degrees in place: exec->ntrans fields, rows->size complex numbers apart. exec:
 * complete. Errors: MEMORY, UNSUPPORTED, CANCELLED. */
armilla_status armilla_rotation_apply(const armilla_rotation *rotation,
                                      const armilla_degree_rows *rows, double *alm,
                                      const armilla_exec *exec);

/* cos and sin of the angle about z or y: rows of 3 values. */
void armilla_rotation_about_z(double angle, double *matrix);
void armilla_rotation_about_y(double angle, double *matrix);

#endif
