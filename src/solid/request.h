/* What a call of solid harmonics asks for, checked. */
#ifndef ARMILLA_SOLID_REQUEST_H
#define ARMILLA_SOLID_REQUEST_H

#include "alm/layout.h"
#include "armilla/solid.h"
#include "base/machine.h"
#include "call/call.h"
#include "solid/places.h"

typedef struct armilla_solid_request {
    armilla_solid_options options;
    armilla_alm_layout *layout;
    armilla_machine machine;
    armilla_solid_places places;
    double *own_points; /* instead of the caller's; NULL: none */
    armilla_delegation delegation;
    armilla_call_arrays arrays;
    armilla_call call; /* alm, and values in the place of a map */
} armilla_solid_request;

/* Checks band limit, options and points. Errors: ARGUMENT, UNSUPPORTED, MEMORY. Close *q, whatever
 * the status is. */
armilla_status armilla_solid_request_problem(int64_t lmax, int64_t mmax, int64_t npoints,
                                             const double *points,
                                             const armilla_solid_options *options,
                                             armilla_solid_request *q);

/* Checks the arrays of a call, one of which is written, and exec, and fills q->call. Errors: those
 * of armilla_call_take. */
armilla_status armilla_solid_request_call(int to_values, const double *alm, const double *values,
                                          const armilla_exec *exec, armilla_solid_request *q);

/* Ends the call, and clears the request. Returned: status, or that of armilla_call_close. */
armilla_status armilla_solid_request_close(armilla_solid_request *q, armilla_status status);

#endif
