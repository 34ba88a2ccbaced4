/* What the calls of a plan share. */
#ifndef ARMILLA_RADIAL_EXECUTE_H
#define ARMILLA_RADIAL_EXECUTE_H

#include "call/call.h"
#include "radial/apply.h"

armilla_call_arrays armilla_radial_call_arrays(const armilla_radial *radial);

/* ARMILLA_ERROR_ARGUMENT unless *given can run; fills *exec with it or the defaults. */
armilla_status armilla_radial_check_exec(const armilla_radial *radial, const armilla_exec *given,
                                         armilla_exec *exec);

/* armilla_call_check_missing for maps->in. */
armilla_status armilla_radial_check_missing(const armilla_radial *radial, const armilla_maps *maps,
                                            const double *weights, const armilla_exec *exec);

/* A call of a plan on a GPU; _one: on its first GPU alone. Errors: see armilla_cuda_radial_plan. */
armilla_status armilla_radial_run_there(const armilla_radial_call *call, const armilla_maps *maps,
                                        const armilla_exec *exec);
armilla_status armilla_radial_run_one(const armilla_radial_call *call, const armilla_maps *maps,
                                      const armilla_exec *exec);

/* Weights of the grid's pixels, on the host; NULL: there are none. Errors: ARGUMENT. */
armilla_status armilla_radial_check_weights(const armilla_radial *radial,
                                            const armilla_radial_weights *weights);
armilla_status armilla_radial_check_least(const armilla_radial_weights *weights);

#endif
