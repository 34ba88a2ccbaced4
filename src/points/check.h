/* Checks of arguments that calls with a plan for points, and calls without, have in common. */
#ifndef ARMILLA_POINTS_CHECK_H
#define ARMILLA_POINTS_CHECK_H

#include "armilla/points.h"

/* What the arrays of a call have for each transform. */
typedef struct armilla_points_arrays {
    int64_t alm_size, nalm; /* complex numbers of a component; components */
    int64_t npoints, ncomp;
} armilla_points_arrays;

/* Each: ARMILLA_OK or ARMILLA_ERROR_ARGUMENT. */

armilla_status armilla_points_check_options(int64_t lmax, int64_t mmax,
                                            const armilla_points_options *options);

/* Without a look at the points. */
armilla_status armilla_points_check_given(int64_t npoints, const double *points);

/* Fills *resolved with exec, or the defaults. */
armilla_status armilla_points_check_exec(const armilla_points_arrays *arrays,
                                         const armilla_exec *exec, armilla_exec *resolved);

/* A call of an operator of a plan. */
armilla_status armilla_points_check_call(const armilla_points *plan, const void *alm,
                                         const void *values, const armilla_exec *exec,
                                         armilla_exec *resolved);

#endif
