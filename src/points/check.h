/* Checks of arguments that calls with a plan for points, and calls without, have in common. */
#ifndef ARMILLA_POINTS_CHECK_H
#define ARMILLA_POINTS_CHECK_H

#include "armilla/points.h"

/* Each: ARMILLA_OK or ARMILLA_ERROR_ARGUMENT. */

armilla_status armilla_points_check_options(int64_t lmax, int64_t mmax,
                                            const armilla_points_options *options);

/* Their number and each of them. */
armilla_status armilla_points_check_given(int64_t npoints, const double *points);

/* A call of an operator of a plan. */
armilla_status armilla_points_check_call(const armilla_points *plan, const void *alm,
                                         const void *values, const armilla_exec *exec,
                                         armilla_exec *resolved);

#endif
