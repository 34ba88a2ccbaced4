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
    armilla_call_arrays arrays;
    armilla_exec exec;
} armilla_solid_request;

/* Checks band limit, options and points. Errors: ARGUMENT, UNSUPPORTED, MEMORY. Clear *q, whatever
 * the status is. */
armilla_status armilla_solid_request_problem(int64_t lmax, int64_t mmax, int64_t npoints,
                                             const double *points,
                                             const armilla_solid_options *options,
                                             armilla_solid_request *q);

/* Checks the arrays of a call, and exec. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_solid_request_call(const double *alm, const double *values,
                                          const armilla_exec *exec, armilla_solid_request *q);

void armilla_solid_request_clear(armilla_solid_request *q);

#endif
