/* Checks of arguments that calls with a plan for points, and calls without, have in common. */
#ifndef ARMILLA_POINTS_CHECK_H
#define ARMILLA_POINTS_CHECK_H

#include "armilla/points.h"
#include "base/machine.h"
#include "call/call.h"

/* Each: ARMILLA_OK or ARMILLA_ERROR_ARGUMENT. */

/* *taken = the caller's options, or the defaults in the place of NULL. */
armilla_status armilla_points_take_options(int64_t lmax, int64_t mmax,
                                           const armilla_points_options *options,
                                           armilla_points_options *taken);

/* All that armilla_points_new asks of the options of a plan; UNSUPPORTED, too. */
armilla_status armilla_points_take_plan_options(int64_t lmax, int64_t mmax,
                                                const armilla_points_options *options,
                                                armilla_points_options *taken,
                                                armilla_machine *machine);

/* Their number, and whether there are any. */
armilla_status armilla_points_check_count(int64_t npoints, const double *points);

/* Their number and each of them. */
armilla_status armilla_points_check_given(int64_t npoints, const double *points);

/* armilla_call_open for a plan, which may be NULL. */
armilla_status armilla_points_open(const armilla_points *plan, const armilla_exec *exec,
                                   armilla_call *call);

#endif
